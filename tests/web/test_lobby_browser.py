"""The lobby, games that are watched, and agreements between people, in headless Chromium."""

from pathlib import Path

import pytest
from helpers import games_forgotten
from web.players import NOW, act_once, click_virus, played, seated, spec
from web.tabled import ANN

from joute.bots.levels import kept_levels
from joute.core import registry
from joute.core.registry import card

SIZES = ((1366, 768), (1920, 1080), (390, 844))
GAMES = ("love-letter", "paradise", "tron", "vampires", "virus")
SEEN = """(() => {
  const {top, bottom} = document.querySelector("form .btn.primary").getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight && document.documentElement.scrollWidth <= innerWidth;
})()"""


def in_sight(page, url):
    """Whether the button that begins is in sight at every size, without scrolling."""
    page.open(url)
    for size in SIZES:
        page.size(*size)
        assert page.evaluate(SEEN), (url, size)


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("game", GAMES)
def test_play_is_in_sight_at_every_size(site, chromium, game, language):
    page = chromium.page(language=language)
    in_sight(page, f"{site.url}/play/{game}")
    assert page.problems() == []
    page.close()


def test_play_is_in_sight_of_a_game_from_outside(serve, chromium):
    example = Path(__file__).parents[2] / "examples/games/connect_four.py"
    with games_forgotten():
        registry.card(str(example))
        page = chromium.page(language="en")
        in_sight(page, f"{serve().url}/play/connect-four")
        assert "Level 1" in page.text(".levels")
        assert page.problems() == []
        page.close()


@pytest.mark.parametrize("game", GAMES)
def test_one_click_begins_a_game_against_a_level(serve, chromium, game):
    page = chromium.page(language="en").open(f"{serve().url}/play/{game}")
    name = page.text(".level:has(:checked) b")
    page.click("form .btn.primary")
    page.wait_for(f"{NOW}?.status?.begun && {NOW}.number >= 0")
    seats = page.evaluate(f"{NOW}.status.seats")
    assert name in [seat["name"] for seat in seats]
    level = next(seat["level"] for seat in seats if seat["name"] == name)
    assert kept_levels(card(game)).levels[1].bot in level  # the code's name, for who wants it
    assert page.problems() == []
    page.close()


@pytest.mark.game("virus")
def test_a_clock_is_offered_where_people_play(site, chromium):
    page = chromium.page(language="en").open(f"{site.url}/play/virus")
    hidden = "document.querySelector('p.clock').hidden"
    assert page.evaluate(hidden)
    page.click("input[value=person]")
    assert not page.evaluate(hidden)
    page.close()


@pytest.mark.game("paradise")
def test_where_places_are_drawn_the_draw_decides_who_begins(site, chromium):
    page = chromium.page(language="en").open(f"{site.url}/play/paradise")
    assert page.text(".begins") == "The draw decides who begins."
    page.evaluate("document.querySelector('#place').value = 'last'")
    page.evaluate(
        "document.querySelector('#place').dispatchEvent(new Event('change', {bubbles: true}))"
    )
    assert page.evaluate("document.querySelector('.begins').hidden")
    page.close()


@pytest.mark.game("vampires")
def test_the_side_that_begins_is_named(site, chromium):
    page = chromium.page(language="en").open(f"{site.url}/play/vampires")
    assert page.text(".begins") == "First to move: Vampires."
    page.close()


@pytest.mark.game("virus")
def test_the_other_persons_name_is_asked_for_at_one_screen_only(site, chromium):
    page = chromium.page(language="en").open(f"{site.url}/play/virus")
    hidden = "document.querySelector('p.second').hidden"
    assert page.evaluate(hidden)
    page.click("input[value=here]")
    assert not page.evaluate(hidden)
    page.click("summary")
    page.evaluate("document.querySelector('#second').value = 'Zoë'")
    page.click(".start button")
    page.wait_for(f"{NOW}?.status?.begun")
    assert "Zoë" in page.evaluate(f"{NOW}.status.seats.map((seat) => seat.name)")
    page.close()


@pytest.mark.game("virus")
def test_the_home_page_leads_to_two_players_at_once(serve, chromium):
    site = serve()
    page = chromium.page(language="en").open(site.url)
    page.click(".hero .btn:not(.primary)")
    page.click("form.show:has([value=virus]) button")
    page.wait_for(f"{NOW}?.number >= 2")
    seats = page.evaluate(f"{NOW}.status.seats.map((seat) => seat.kind)")
    assert seats == ["builtin", "builtin"]
    page.click("#pause")
    page.wait_for(f"{NOW}.status.pace.paused")
    table = site.app.state.tables.awake()[0]
    stopped = len(table.playing.timeline.lines)
    page.click("#pace [data-seconds='0.0']")
    page.wait_for(f"{NOW}.over")
    assert len(table.playing.timeline.lines) > stopped
    page.click("#rematch")
    page.wait_for(f"!location.pathname.includes('{table.name}') && {NOW}?.number >= 0")
    assert page.problems() == []
    page.close()


@pytest.mark.parametrize("game", GAMES)
def test_any_two_players_of_a_game_are_watched_from_its_lobby(serve, chromium, game):
    page = chromium.page(language="fr").open(f"{serve().url}/play/{game}")
    page.click(".start a")
    page.wait_for("document.querySelector('form.now')")
    choose = "document.querySelector('[name=player{}]').value = '1'"
    for seat in (0, 1):
        page.evaluate(choose.format(seat))
    page.evaluate("document.querySelector('[name=pace]').value = '0.0'")
    page.click("form.now .btn.primary")
    page.wait_for(f"{NOW}?.over")
    assert page.text("#over h2")
    assert page.problems() == []
    page.close()


@pytest.mark.game("virus")
def test_a_game_that_nobody_watches_waits(serve, chromium):
    site = serve()
    tables = site.app.state.tables
    table = tables.open(spec("virus", {"size": 6}, "greedy", "random"), (), ANN, pace=0.0)
    page = chromium.page(language="en").open(f"{site.url}/tables/{table.name}")
    page.wait_for(f"{NOW}?.over")
    assert page.evaluate("document.querySelector('#pace').hidden")  # it is somebody else's
    assert page.problems() == []
    page.close()


def two(serve, chromium, **terms):
    """A game of Virus between two people at their own screens."""
    site = serve()
    form = spec("virus", {"size": 6}, "human", "human")
    table = site.app.state.tables.open(form, (), "", **terms)
    ann, bob = (chromium.page(language="en") for _ in range(2))
    for seat, page in enumerate((ann, bob)):
        page.open(f"{site.url}/tables/{table.name}#seat={table.chairs[seat].key}")
        page.wait_for("document.querySelector('#sit').open")
        page.click("#seated")
        page.wait_for(f"!location.hash && {NOW}?.table?.you.length")
    for page in (ann, bob):
        page.wait_for(f"{NOW}.status?.begun")
    mover = ann if ann.wait_for(f"{NOW}.asked ? 1 : {NOW}.status.asked !== null && 2") == 1 else bob
    return table, mover, bob if mover is ann else ann


OPEN = "document.querySelector('#asks').open"


@pytest.mark.game("virus")
def test_between_people_a_hint_needs_the_agreement_of_the_other(serve, chromium):
    table, mover, other = two(serve, chromium)
    mover.click("#hint")
    other.wait_for(OPEN)
    assert "asks to allow hints" in other.text("#asks-title")
    other.click("#decline")
    mover.wait_for("document.querySelector('#said').textContent.includes('declines')")
    assert not table.allowed and not mover.evaluate("!!document.querySelector('.hinted')")
    mover.click("#hint")
    other.wait_for(OPEN)
    other.click("#accept")
    for page in (mover, other):
        page.wait_for(f"{NOW}.status.allowed.includes('hint')")
    mover.click("#hint")
    mover.wait_for("document.querySelector('.drawn .hint, .drawn .hinted')")
    other.wait_for("document.querySelector('#strips').textContent.includes('1 hint')")
    assert mover.problems() + other.problems() == []
    mover.close()
    other.close()


@pytest.mark.game("virus")
def test_between_people_an_undo_is_accepted_or_declined(serve, chromium):
    table, mover, other = two(serve, chromium)
    act_once_for_both(mover, other)
    mover.click("#undo")
    other.wait_for(OPEN)
    other.click("#decline")
    mover.wait_for("document.querySelector('#said').textContent.includes('declines')")
    assert table.playing.part.number == 1
    mover.click("#undo")
    other.wait_for(OPEN)
    other.click("#accept")
    for page in (mover, other):
        page.wait_for(f"{NOW}.part === 2")
    assert not other.evaluate(OPEN)
    assert mover.problems() + other.problems() == []
    mover.close()
    other.close()


def act_once_for_both(mover, other):
    """The player to move moves, and the other is asked."""
    mover.wait_for(f"{NOW}.asked")
    click_virus(mover)
    other.wait_for(f"{NOW}.asked")


@pytest.mark.game("virus")
def test_a_clock_runs_for_who_is_asked_and_loses_the_game(serve, chromium):
    table, mover, other = two(serve, chromium, clock=(6.0, 1.0))
    shown = "[...document.querySelectorAll('.clock')].map((each) => Number(each.textContent))"
    other.wait_for(f"Math.min(...{shown}) < 5.5")
    for page in (mover, other):
        page.wait_for(f"{NOW}.over")
        assert page.evaluate(f"Math.min(...{shown})") == 0  # no turn was played that adds to it
        assert "no time left" in page.text("#why")
        assert "played for it" not in page.text("#log")
    assert table.playing.result.faults[0].fault == "timeout"
    mover.close()
    other.close()


@pytest.mark.game("virus")
def test_anybody_joins_a_game_that_is_listed(serve, chromium):
    site = serve()
    host = chromium.page(language="en").open(f"{site.url}/play/virus")
    guest = chromium.page(language="fr").open(f"{site.url}/play")
    host.click("input[value=open]")
    host.click("form .btn.primary")
    assert "anybody may join" in host.text("#links")
    assert "on this computer only" in host.text("#links .note")
    guest.wait_for("document.querySelector('#waiting a')")  # by itself
    guest.click("#waiting a")
    guest.wait_for("document.querySelector('#sit').open")
    guest.click("#seated")
    for page in (host, guest):
        page.wait_for(f"{NOW}?.status?.begun && {NOW}.table.you.length")
    assert host.problems() + guest.problems() == []
    host.close()
    guest.close()


@pytest.mark.game("virus")
def test_a_table_that_cannot_go_on_says_so_to_who_sits_there(serve, chromium, monkeypatch):
    site = serve()
    tables = site.app.state.tables
    table = tables.open(spec("virus", {"size": 6}, "human", "greedy"), (), "")
    page = seated(site, chromium.page(language="en"), table, 0)
    act_once(page, click_virus)
    monkeypatch.setattr("joute.web.tables.tables._rules", lambda spec: ("newer", ""))
    del tables._tables[table.name]
    page.evaluate("document.querySelector('#table').joute.drop()")
    page.wait_for("document.querySelector('#trouble a')")
    assert page.evaluate("document.querySelector('#undo').hidden")
    assert "Connected again" not in page.evaluate("document.querySelector('#said').textContent")
    page.click("#trouble a")
    page.wait_for("document.querySelector('a[download]')")
    assert "updated" in page.text("[role=alert]")
    answer = site.get(f"/tables/{table.name}/played")
    assert answer.status_code == 200 and answer.content.count(b"\n") > 1
    table.close()
    page.close()


@pytest.mark.game("virus")
def test_help_is_there_for_who_plays_alone(serve, chromium):
    site = serve()
    table = site.app.state.tables.open(spec("virus", {"size": 4}, "human", "greedy"), (), "")
    page = seated(site, chromium.page(language="en"), table, 0)
    act_once(page, click_virus)
    page.click("#undo")
    page.wait_for(f"{NOW}.part === 2 && {NOW}.asked")
    page.click("#hint")
    page.wait_for("document.querySelector('.drawn .hint, .drawn .hinted')")
    played(page, click_virus)
    page.close()
