"""Replays in headless Chromium: walked through by keys and by mouse, on every kind of page."""

from dataclasses import replace

import pytest
from web.conftest import Site
from web.recorded_games import GAMES, builtin, crash, fault_line, forged, scripted
from web.shown import played

from joute.play.record import read_record
from joute.store.store import Store
from joute.web.replays.recorded import read_recorded
from joute.web.replays.single_file import game_page
from joute.web.settings import Settings

pytestmark = pytest.mark.game("virus")

WHERE = "document.querySelector('.where').textContent"
AT = "document.querySelector('.slider').value"
READY = "!!document.querySelector('.timeline')"

DRAWS = """[...document.querySelectorAll('.course li')].map((each) => each.textContent)
  .filter((text) => text.includes(" draws"))"""
BACKWARDS = """for (let at = document.querySelector('.slider').max; at > 0; at -= 1)
  document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowLeft", bubbles: true}))"""


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    folder = played(tmp_path_factory.mktemp("class"), games=4)
    with Store.in_file(folder / "contest.sqlite") as store:
        games = [
            replace(game, identity=identity * 32)
            for game, identity in zip(store.games().values(), "abc", strict=False)
        ]
        store.add(games, {game.identity: builtin("virus") for game in games})
    site = Site(Settings(folders=(folder,)))
    yield site
    site.close()


@pytest.fixture
def look(chromium, shown):
    """Opens a page of the site; in the end nothing must have gone wrong on any."""
    pages = []

    def start(path, size=(1280, 800), **options):
        pages.append(chromium.page(*size, **options))
        return pages[-1].open(shown.url + path)

    yield start
    problems = [problem for page in pages for problem in page.problems()]
    wide = [element for page in pages for element in page.overflow()]
    for page in pages:
        page.close()
    assert problems == [] and wide == []


@pytest.fixture
def replayed(look, shown):
    """Opens the replay of a record."""

    def start(content, place="", **options):
        page = look(address(shown, content) + place, **options)
        page.wait_for(READY)
        return page

    return start


def address(site, content):
    """The page of a record, as if it had been sent."""
    return f"/replays/{site.app.state.replay_files.keep(content, 'game.jsonl')}"


def at(page, number):
    page.wait_for(f"{AT} === '{number}'")


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_replayed_from_its_end_to_its_beginning_on_every_screen(replayed, game):
    page = replayed(builtin(game))
    last = int(page.evaluate("document.querySelector('.slider').max"))
    page.key("End")
    at(page, last)
    assert page.evaluate("document.querySelector('.ended').textContent").startswith("finished")
    page.evaluate(BACKWARDS)
    assert page.evaluate(WHERE) == "Before the game"
    for size in ((390, 844), (1920, 1080)):
        page.size(*size)
        assert page.overflow() == []


def test_the_keys_walk_through_a_game(replayed):
    page = replayed(builtin("virus"))
    last = int(page.evaluate("document.querySelector('.slider').max"))
    for key, number in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last)):
        page.key(key)
        at(page, number)
    page.key("ArrowRight")
    page.key("Home")
    at(page, 0)
    page.key("End")
    for _ in range(3):
        page.key("ArrowLeft")
    at(page, last - 3)
    page.key("+")
    page.key("+")
    page.key(" ")
    at(page, last)
    assert page.evaluate("document.querySelector('.timeline').classList.contains('plays')") is False
    page.key("f")
    page.wait_for("document.fullscreenElement?.matches('.replay')")
    page.key("f")
    page.wait_for("!document.fullscreenElement")
    page.key("?")
    page.wait_for("document.querySelector('.keysheet').open")
    page.key("Escape")
    page.wait_for("!document.querySelector('.keysheet').open")


def test_a_click_on_a_mark_on_the_curve_or_in_the_log_goes_there(replayed):
    page = replayed(scripted({}, {2: crash()}))
    number = page.evaluate("document.querySelector('.marks a.fault').getAttribute('href').slice(4)")
    page.click(".marks a.fault")
    at(page, number)
    page.click(".curve")
    middle = round(int(page.evaluate("document.querySelector('.slider').max")) / 2)
    at(page, middle)
    page.wait_for('document.querySelector(".plies").open')
    page.click(".course li:nth-child(3) a")
    at(page, page.evaluate("document.querySelector('.course li:nth-child(3)').dataset.at"))
    page.key("n")
    at(page, number)


def test_a_fault_is_explained_with_the_command_that_shows_it(replayed):
    record = scripted({}, {2: crash(output="<i>before</i>")})
    ply = fault_line(record)
    page = replayed(record, f"#line={ply}")
    page.wait_for("document.querySelector('.spoken .badge.bad')")
    said = page.text(".spoken")
    assert "bob fails: crash." in said and "KeyError: <b>nothing</b>" in said
    assert "<i>before</i>" in said and f"joute replay game.jsonl --at {ply}" in said


def test_the_address_names_the_ply_and_leads_back_to_it(replayed):
    page = replayed(builtin("virus"), "#ply=5")
    page.wait_for(f"{WHERE} === 'Ply 5 of ' + {WHERE}.split(' ').at(-1)")
    page.key("ArrowRight")
    page.wait_for("location.hash === '#ply=6'")
    page.reload()
    page.wait_for(f"{READY} && {WHERE}.startsWith('Ply 6 of ')")
    page.evaluate("location.hash = 'ply=2'")
    page.wait_for(f"{WHERE}.startsWith('Ply 2 of ')")


@pytest.mark.game("love-letter")
def test_hidden_cards_are_seen_open_or_by_one_seat(replayed):
    page = replayed(builtin("love-letter"), "#ply=9")
    everything = page.evaluate("document.querySelector('.drawn').innerHTML")
    drawn = page.evaluate(DRAWS)
    page.click('.eyes [data-viewer="1"]')
    page.wait_for("document.querySelector('.eyes [data-viewer=\"1\"]').ariaPressed === 'true'")
    assert page.evaluate("document.querySelector('.drawn').innerHTML") != everything
    known = [line for line in page.evaluate(DRAWS) if ":" in line]
    assert known == [line for line in drawn if line.startswith("rules 1 ")] and known != drawn


def test_the_champion_is_asked_once_somebody_opens_its_panel(replayed):
    page = replayed(builtin("virus"), "#at=1")
    assert not page.evaluate("document.querySelectorAll('.why tbody tr').length")
    page.click(".why summary")
    page.wait_for("document.querySelectorAll('.why tbody tr').length > 1")
    assert "champion, asked for" in page.text(".why")
    page.key("End")
    page.wait_for("document.querySelector('.why-body').textContent === 'Nobody chooses here.'")


def test_a_replay_is_in_the_language_of_its_reader(replayed):
    record = scripted({}, {2: crash()})
    ply = fault_line(record)
    page = replayed(record, f"#line={ply}", language="fr")
    page.wait_for("document.querySelector('.spoken .badge.bad')")
    assert "Le programme" in page.text(".spoken") and f"Coup {ply} sur" in page.evaluate(WHERE)


def test_a_game_goes_on_at_a_table_from_the_ply_that_is_shown(replayed):
    page = replayed(builtin("virus"), "#ply=6")
    page.wait_for("document.querySelector('[name=ply]').value === '6'")
    page.click(".share .btn.primary")
    page.wait_for("location.pathname.startsWith('/tables/')")


def test_an_embedded_replay_has_a_board_a_timeline_and_a_way_to_the_whole_page(look, shown):
    whole = address(shown, builtin("virus"))
    page = look(f"/embed{whole}", size=(720, 900))
    page.wait_for(READY)
    page.click("[data-act=on]")
    at(page, 1)
    assert page.evaluate("document.querySelector('.head a').pathname") == whole


@pytest.mark.game("tron")
def test_a_file_is_opened_from_the_page_and_a_broken_one_is_a_sentence(look, tmp_path):
    page = look("/watch")
    for content, ready in (
        (builtin("tron"), READY),
        (b"nothing\n", "document.querySelector('.note')"),
    ):
        file = tmp_path / "game.jsonl"
        file.write_bytes(content)
        choose(page, file)
        page.click("main form.stack .btn")
        page.wait_for(ready)
        page.open(page.evaluate("location.origin") + "/watch")
    page.problems().clear()  # the refusal's status is one


def choose(page, file):
    """A file in the field of the page."""
    found = page._wire.call("Runtime.evaluate", expression="document.querySelector('#record')")
    page._wire.call(
        "DOM.setFileInputFiles", files=[str(file)], objectId=found["result"]["objectId"]
    )


def test_a_wall_plays_the_latest_games(look):
    page = look("/contests/the-b-class-b-co/wall?boards=2", size=(1920, 1080))
    page.wait_for("document.querySelectorAll('.wall .game').length === 2")
    page.wait_for(
        "[...document.querySelectorAll('.wall progress')].every((each) => each.value > 0)"
    )
    names = page.evaluate("document.querySelector('.wall .game').innerText")
    assert "greedy 0" in names and "random 1" in names


def annotated(record):
    """A record in which every answer carries metrics and marks."""

    def change(lines):
        asked = [line for line in lines if line.get("by") == "bot" and "action" in line]
        for number, line in enumerate(asked):
            line["metrics"] = {"depth": number % 5, "worth of it": number / 7 - 1}
            line["marks"] = [
                {"cell": [1, 2], "tone": "good"},
                {"from": [0, 0], "to": [2, 1], "tone": "bad"},
                {"cell": [999, 999], "tone": "note"},
            ]

    return forged(record, change)


def answered(record):
    """The number of the first ply that a bot was asked for, from 1."""
    return next(line["ply"] + 1 for line in read_record(record).plies if "metrics" in line)


@pytest.mark.game("tron", "vampires")
@pytest.mark.parametrize("game", ["virus", "tron", "vampires"])
def test_what_bots_mark_is_drawn_on_the_boards_that_have_cells(replayed, game):
    record = annotated(builtin(game))
    page = replayed(record, f"#line={answered(record)}")
    page.wait_for("document.querySelectorAll('.board .bot-mark').length >= 2")
    drawn = page.evaluate(
        "[...document.querySelectorAll('.board .bot-mark')].map((each) => each.classList[1])"
    )
    assert set(drawn) == {"good", "bad"}  # the last is on no cell of the board
    assert page.evaluate("!!document.querySelector('.bot-mark.good rect')")
    assert page.evaluate("!!document.querySelector('.bot-mark.bad .head')")
    box = page.evaluate("""(() => {
      const board = document.querySelector('.board').getBoundingClientRect();
      const mark = document.querySelector('.bot-mark').getBoundingClientRect();
      return mark.width > 4 && mark.left > board.left && mark.right < board.right
        && mark.top > board.top && mark.bottom < board.bottom;
    })()""")
    assert box is True
    page.key("Home")
    at(page, 0)
    assert page.evaluate("document.querySelectorAll('.bot-mark').length") == 0


def test_numbers_of_bots_are_listed_and_charted_over_the_game(replayed):
    record = annotated(builtin("virus"))
    page = replayed(record, f"#line={answered(record)}")
    assert page.evaluate("document.querySelectorAll('.metrics .metric').length") == 2
    said = page.text(".spoken")
    assert "depth" in said and "worth of it" in said
    assert "On the board: 1 marked good, 1 marked bad, 1 noted" in said
    charts = page.text(".metrics")
    assert "0 to 4" in charts
    paths = "[...document.querySelectorAll('.metrics .line')].map((each) => each.getAttribute('d'))"
    assert all(path.startswith("M") and "L" in path for path in page.evaluate(paths))
    last = int(page.evaluate("document.querySelector('.slider').max"))
    page.click(".metrics .curve")
    at(page, round(last / 2))
    assert page.evaluate("document.querySelector('.metrics .here').getAttribute('d')") != "M0 0V60"
    for size in ((390, 844), (1920, 1080)):
        page.size(*size)
        assert page.overflow() == []


def test_a_game_without_numbers_has_no_panel_for_them(replayed):
    page = replayed(builtin("virus"))
    assert page.evaluate("document.querySelector('.metrics')") is None


def test_a_game_with_numbers_is_a_single_file_too(chromium, tmp_path):
    path = tmp_path / "game.html"
    record = annotated(builtin("virus"))
    path.write_text(game_page(read_recorded(record), "game.jsonl"), "utf-8")
    page = chromium.page(1280, 800).open(f"{path.as_uri()}#line={answered(record)}")
    page.wait_for(READY)
    page.wait_for("document.querySelectorAll('.bot-mark').length === 2")
    assert "worth of it" in page.text(".metrics")
    assert page.problems() == []
    page.close()
