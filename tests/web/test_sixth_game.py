"""Games that bring nothing but rules, by their paths: pages show them, and people play them."""

import json
import shutil
from pathlib import Path

import pytest
from axe_core_python.base import AXE_SCRIPT
from games.outside import needing
from helpers import games_forgotten, wait_until
from library.planted import MISTAKES
from web.conftest import Site
from web.gallery import scene
from web.players import ASKED, NOW
from web.test_every_page import ALL, COLOURS, SIZES

from joute.cli.main import main
from joute.core import registry
from joute.play.broadcast import LIVE, Broadcast
from joute.play.game import GameSpec, SeatSpec
from joute.play.record import read_record
from joute.play.referee import play_game
from joute.play.verify import verify_record
from joute.web.assets import PLAIN
from joute.web.games import picture, title
from joute.web.settings import Settings
from joute.web.tables.menu import menu, opponents
from joute.web.tables.receiver import verdict

ROOT = Path(__file__).parents[2]
PATHS = (
    "examples/games/connect_four.py",
    "examples/games/othello.py",
    "tests/games/poker.py",
    "tests/games/pennies.py",
    "tests/games/odd_one_out.py",
)
NAMES = ("connect-four", "othello", "poker", "pennies", "odd-one-out")
FULL = pytest.mark.full
RENDERED = '''
from typing import Any, NamedTuple
import numpy as np
from joute.core.interface import OVER, Properties, implements

class Grains(NamedTuple):
    """Two take one to three hundred grains of a heap; who takes the last has won."""

@implements(Grains)
def properties(game):
    return Properties(name="grains", players=2, simultaneous=False, chance=False,
        hidden_information=False, zero_sum=True, max_actions=301, max_legal=300, max_outcomes=0,
        max_plies=600, lowest_return=-1.0, highest_return=1.0, version=1)

@implements(Grains)
def start(game):
    return np.array([600, 0], np.int64)

@implements(Grains)
def mover(game, state):
    return OVER if state[0] == 0 else int(state[1])

@implements(Grains)
def legal(game, state, out):
    count = min(300, int(state[0]))
    for each in range(count):
        out[each] = each + 1
    return count

@implements(Grains)
def play(game, state, action):
    state[0] -= action
    state[1] = 1 - state[1]

@implements(Grains)
def returns(game, state, out):
    out[state[1]] = -1.0
    out[1 - state[1]] = 1.0

@implements(Grains)
def observe(game, state, player):
    return {"heap": int(state[0])}

@implements(Grains)
def describe(game, state, action):
    return f"{'few' if action < 100 else 'many'} {action}"

@implements(Grains)
def parse(game, state, text):
    return int(text.split()[-1])

@implements(Grains)
def render(game, state, player=None):
    return f"~~ {state[0]} grains ~~"
'''


@pytest.fixture(scope="module")
def heap(tmp_path_factory):
    """A game of hundreds of actions that renders itself, in a file of its own."""
    path = tmp_path_factory.mktemp("games") / "grains.py"
    path.write_text(RENDERED)
    with games_forgotten():
        yield registry.card(str(path)).name


@pytest.fixture(scope="module")
def six(heap):
    """A site that serves them all."""
    names = tuple(registry.card(str(ROOT / path)).name for path in PATHS)
    assert names == NAMES
    served = Site(Settings())
    yield served
    served.close()


@pytest.fixture
def sit_down(six, chromium):
    """The page of a table, opened by the form of the lobby against the weakest bot."""

    def start(game, language="en"):
        page = chromium.page(language=language)
        page.open(f"{six.url}/play/{game}")
        page.click(".level input[value='1']")
        page.click("form .btn.primary")
        page.wait_for(f"{NOW}?.asked")
        return page

    return start


def texts(page):
    return page.evaluate(
        "[...document.querySelectorAll('.choices button')].map(b => b.firstChild.textContent)"
    )


@pytest.mark.game("virus")
@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_list_has_games_of_paths(six, language):
    spoken = {"Accept-Language": language}
    for path in ("/", "/play"):
        page = six.get(path, headers=spoken).text
        assert all(f'href="/play/{name}"' in page for name in ("virus", *NAMES)), path
    listed = six.get("/api/games", headers=spoken).json()
    assert {"connect-four", "odd-one-out"} < {each["name"] for each in listed}
    assert "Connect Four" in [each["title"] for each in listed]
    for path in ("/contests", "/organise", "/watch", *(f"/watch/{name}" for name in NAMES)):
        assert six.get(path, headers=spoken).status_code == 200
    for name in NAMES:
        assert title(name) in six.get(f"/play/{name}", headers=spoken).text
        assert title(name) in six.get(f"/organise/new?game={name}", headers=spoken).text


def test_no_address_and_no_form_loads_a_file(six, tmp_path):
    trap = tmp_path / "trap.py"
    trap.write_text(f"open({str(tmp_path / 'sprung')!r}, 'w')")
    record = {"game": str(trap), "parameters": {}}
    assert six.get(f"/play/{trap}").status_code == 404
    assert six.post("/tables", data={"game": str(trap)}).status_code == 422
    toml = f'[contest]\nname = "x"\n[game]\nname = {json.dumps(str(trap))}\n'
    form = {"toml": toml, "deadline": "2030-01-01T00:00", "zone": "UTC"}
    assert str(trap)[:40] in six.post("/organise/new", data=form).text
    assert six.post("/tables", data={"ply": "1", "record": json.dumps(record)}).status_code == 422
    assert not (tmp_path / "sprung").exists()


@pytest.mark.game("virus")
def test_a_picture_is_made_of_a_name(six):
    assert ">CF</text>" in picture("connect-four") and ">O</text>" in picture("othello")
    assert picture("connect-four") != picture("othello") and "bn-virus" in picture("virus")


@pytest.mark.parametrize("game", [NAMES[0], *(pytest.param(n, marks=FULL) for n in NAMES[1:])])
def test_a_game_of_rules_alone_is_played_and_seen_again(six, sit_down, game):
    page = sit_down(game)
    way = 0
    while page.wait_for(f"{NOW}.over ? 'over' : {NOW}.asked && 'asked'") == "asked":
        number = page.evaluate(ASKED)
        if way % 3 == 0:
            page.click(".choices button")
        elif way % 3 == 1:
            page.key("ArrowRight")
            page.key("Enter")
        else:
            page.key("/")
            page.type(".plain .field", texts(page)[0])
            page.key("Enter")
        page.wait_for(f"{NOW}.over || {ASKED} !== {number}")
        way += 1
    assert page.text("#over h2") and page.evaluate("document.querySelectorAll('#log li').length")
    address = page.evaluate("location.pathname")
    assert verify_record(six.get(f"{address}/record").content).ok
    page.click("#replay")
    page.wait_for("document.querySelector('.timeline')")
    page.key("End")
    slider = "document.querySelector('.slider')"
    page.wait_for(f"{slider}.value === {slider}.max")
    assert page.problems() == []
    alone = six.get(page.evaluate("location.pathname") + "/alone.html")
    assert alone.status_code == 200 and PLAIN in alone.text
    page.close()


CONTEST = """
[contest]
name = "Odd"
games = 3
[game]
name = "{path}"
[[bots]]
bot = "builtin:random"
[[bots]]
bot = "builtin:flat?simulations=1"
[[bots]]
bot = "builtin:random"
name = "other"
"""


@pytest.mark.full
def test_a_contest_of_a_file_is_shown_live_and_replayed(serve, chromium, tmp_path):
    path = str(ROOT / PATHS[-1])
    (tmp_path / "odd.toml").write_text(CONTEST.format(path=path))
    assert main(["contest", "run", str(tmp_path / "odd.toml")]) == 0
    site = serve(Settings(folders=(tmp_path / "odd.results",)))
    for part in ("", "/games", "/bots", "/faults", "/rules", "/wall", "/stage"):
        assert site.get(f"/contests/odd{part}").status_code == 200
    assert "Odd One Out" in site.get("/contests").text
    game = site.get("/api/contests/odd/games").json()[0]
    page = chromium.page().open(f"{site.url}{game['address']}")
    page.wait_for("document.querySelector('.timeline') && document.querySelector('.plain .seen')")
    page.click("details.why summary")
    page.wait_for("document.querySelector('.why-body')?.textContent")
    page.open(f"{site.url}/contests/odd/wall")
    page.wait_for("document.querySelector('.game .plain .seen')")
    seats = tuple(SeatSpec(name=name, bot="builtin:random") for name in ("ann", "bob", "cy"))
    spec = GameSpec(game=path, parameters={}, bots=seats, seed="1")
    with Broadcast(tmp_path / "odd.results" / LIVE, spec, after=0.0) as live:
        page.open(f"{site.url}/contests/odd/live")
        for line in read_record(play_game(spec).record).plies[:4]:
            live.hear(line)
        page.wait_for("document.querySelector('.game .plain .seen')")
    assert page.problems() == []
    page.close()


def test_the_plain_board_fits_every_screen_and_can_be_read_by_everybody(sit_down):
    page = sit_down("odd-one-out", "fr")
    page.evaluate(AXE_SCRIPT)
    for size in SIZES.values():
        page.size(*size)
        assert page.overflow() == []
    assert page.evaluate(ALL) == []
    page.theme("dark")
    assert page.evaluate(COLOURS) == []
    assert page.problems() == []
    page.close()


def test_what_is_hidden_stays_hidden_on_the_plain_board(sit_down):
    page = sit_down("poker")
    asked = page.evaluate(f"{NOW}.number")
    assert asked >= 0 and page.text(".seen dt:first-child") == "card"
    cards = "[...document.querySelectorAll('.seen dt')].filter(t => t.textContent === 'card')"
    assert page.evaluate(f"{cards}.length") == 1
    page.close()


def test_the_board_after_an_action_is_shown_before_it_is_taken(sit_down):
    page = sit_down("connect-four", "fr")
    before = page.text(".boardtext")
    page.key("ArrowRight")
    page.wait_for("document.querySelector('.plain.ahead')")
    assert page.text(".boardtext").count(".") == before.count(".") - 1
    assert page.text(".plain [role=status]") == "Après\u202f: 0"
    page.evaluate("document.activeElement.blur()")
    page.wait_for("!document.querySelector('.plain.ahead')")
    assert page.text(".boardtext") == before
    assert page.problems() == []
    page.close()


def test_an_action_is_found_among_hundreds_by_typing(look, heap):
    page = look(scene(heap, 0))
    assert page.text(".boardtext") == "~~ 600 grains ~~"
    assert page.text(".seen dt") == "heap"
    groups = "[...document.querySelectorAll('.choices .lab')].map(t => t.textContent)"
    assert page.evaluate(groups) == ["few", "many"]
    assert len(texts(page)) == 240 and "60" in page.text(".plain [role=status]")
    page.key("/")
    page.type(".plain .field", "MANY 29")
    page.key("Enter")
    assert texts(page) == [f"many {each}" for each in range(290, 300)]
    assert "10" in page.text(".plain [role=status]") and page.evaluate("answers") == []
    page.type(".plain .field", "7")
    assert texts(page) == ["many 297"]
    page.key("Enter")
    assert page.evaluate("answers") == [297]
    page.evaluate("board.ask(asked, (action) => answers.push(action))")
    page.key("/")
    page.type(".plain .field", "nothing")
    page.key("Enter")
    assert page.text(".plain [role=status]") == "No action matches."
    page.key("Escape")
    assert len(texts(page)) == 240


@pytest.mark.parametrize(("language", "told"), [("en", "needs"), ("fr", "a besoin de")])
def test_a_game_that_needs_parameters_says_which_or_asks_for_them(serve, tmp_path, language, told):
    with games_forgotten():
        for path in (needing(tmp_path, "offered", "'rounds': (4, 5)"), needing(tmp_path, "needy")):
            registry.named(path)
        site = serve()
        spoken = {"Accept-Language": language}
        for path in ("/", "/play"):
            assert 'href="/play/needy"' in site.get(path, headers=spoken).text
        for path in ("/api/games", "/watch/needy", "/organise", "/contests"):
            assert site.get(path, headers=spoken).status_code == 200
        lobby = site.get("/play/needy", headers=spoken)
        assert lobby.status_code == 200 and f"needy {told} " in lobby.text
        assert "--param rounds=" in lobby.text
        assert site.post("/tables", data={"game": "needy"}).status_code == 422
        assert 'name="rounds"' in site.get("/play/offered", headers=spoken).text
        form = {"game": "offered", "rounds": "5"}
        assert site.post("/tables", data=form).status_code == 303
        [table] = site.app.state.tables.names()
        assert site.app.state.tables.find(table).spec.parameters == {"rounds": 5}


@FULL
def test_a_lobby_says_what_is_wrong_with_the_rules_of_a_game(serve, tmp_path):
    path = tmp_path / "little.py"
    path.write_text(MISTAKES["legal is forgotten"].text(), "utf-8")
    with games_forgotten():
        name = registry.named(str(path))
        site = serve()
        assert f'href="/play/{name}"' in site.get("/play").text
        lobby, refused = site.get(f"/play/{name}"), site.post("/tables", data={"game": name})
        assert (lobby.status_code, refused.status_code) == (200, 422)
        wrong = "Little does not implement legal"
        assert wrong in lobby.text and wrong in refused.text


@FULL
def test_a_table_says_what_is_found_wrong_when_a_bot_is_compiled(serve, tmp_path):
    path = tmp_path / "little.py"
    path.write_text(MISTAKES["an array is made in play"].text(), "utf-8")
    with games_forgotten():
        name = registry.named(str(path))
        form = {"game": name, "opponent": str(len(opponents(name))), "place": "last"}
        site = serve()
        assert site.post("/tables", data=form).status_code == 303
        [table] = site.app.state.tables.awake()
        assert "kernels allocate nothing" in str(wait_until(lambda: table.playing.failure))
        assert "kernels allocate nothing" in verdict(table)["lines"][1]


def test_the_menu_is_that_of_the_file_that_brings_a_game_now(tmp_path):
    with games_forgotten():
        for place, rounds in (("one", (4, 5)), ("two", (6, 7))):
            folder = tmp_path / place
            folder.mkdir()
            registry.named(needing(folder, "offered", f"'rounds': {rounds}"))
            assert menu("offered").options == {"rounds": rounds}
            shutil.rmtree(folder)
