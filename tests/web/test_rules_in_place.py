"""Someone who knows nothing finds the rules: in lobbies, at tables, in contests, in replays."""

import re
from itertools import product

import pytest
from helpers import games_forgotten
from web.entered import Reception, served
from web.players import GAMES, NOW, begun, spec
from web.recorded_games import builtin
from web.shown import played

from joute.core.registry import names
from joute.i18n.words import LANGUAGES, speaking
from joute.web.replays.recorded import read_recorded
from joute.web.replays.single_file import game_page
from joute.web.settings import Settings

DRAWN = "document.querySelectorAll('.rulebook [data-drawing] > .boardbox').length === 3"
CONTEST = '[game]\nname = "{game}"\n[[bots]]\nbot = "builtin:random"\n'
SHEET = "document.querySelector('dialog.rulesheet')"
OPEN = f"{SHEET}?.open"
SPILLED = """[...document.querySelectorAll(".rulebook [data-drawing] *")]
  .filter((each) => each.clientWidth && each.scrollWidth > each.clientWidth + 1
    && getComputedStyle(each).overflowX === "visible" && !each.closest("svg"))
  .map((each) => `${each.tagName}.${each.className}: ${each.textContent}`)"""
"""The elements of drawings whose content is wider than they are."""
SHUT = f"!{SHEET}"


def read_and_closed(page, opener):
    """Opens the rules, reads them, and closes them; the focus is where it was."""
    page.wait_for(OPEN)
    page.wait_for(f"{SHEET}.querySelectorAll('[data-drawing] > .boardbox').length === 3")
    assert len(page.text("dialog.rulesheet .rulebook")) > 400
    assert page.evaluate("!!document.activeElement.closest('dialog.rulesheet')")
    page.key("Escape")
    page.wait_for(SHUT)
    if opener:
        assert page.evaluate(f"document.activeElement.matches({opener!r})")


@pytest.mark.parametrize("game", [each for each in GAMES if each in names()])
def test_the_rules_have_a_page_of_their_own(serve, chromium, game):
    page = chromium.page(language="fr").open(f"{serve().url}/rules/{game}")
    page.wait_for(DRAWN)
    assert page.text("h1").startswith("Les règles")
    assert page.evaluate("document.querySelectorAll('[data-drawing] pre').length") == 0
    page.click("a.btn.primary")
    page.wait_for(f"location.pathname === '/play/{game}'")
    assert page.problems() == []
    page.close()


@pytest.mark.parametrize("game", [each for each in GAMES if each in names()])
def test_the_texts_of_drawings_stay_in_their_cards_on_the_page_and_in_the_task_of_a_contest(
    serve, chromium, tmp_path, game
):
    reception = Reception(serve(Settings(data=tmp_path)), CONTEST.format(game=game))
    task = f"/contests/tasks/{reception.registration.identity}"
    addresses = (f"/rules/{game}", task)
    for language, address, width in product(LANGUAGES, addresses, (390, 1280, 1366, 1920)):
        page = chromium.page(width, 900, language=language)
        page.open(reception.site.url + address).wait_for(DRAWN)
        assert (width, page.evaluate(SPILLED), page.overflow()) == (width, [], [])
        page.close()
    reception.close()


@pytest.mark.game("virus")
def test_the_rules_are_opened_in_the_lobby(serve, chromium):
    page = chromium.page(language="en").open(f"{serve().url}/play/virus")
    page.click("a[data-rules]")
    read_and_closed(page, "a[data-rules]")
    page.click("a[data-rules]")
    page.wait_for(OPEN)
    page.click("dialog.rulesheet form button")
    page.wait_for(SHUT)
    assert page.problems() == []
    page.close()


@pytest.mark.game("virus")
def test_a_page_that_has_loaded_hears_clicks_though_nothing_more_has_come(serve, chromium):
    page = chromium.page()
    page.script("globalThis.fetch = () => new Promise(() => {})")
    page.open(f"{serve().url}/play/virus")
    click = "new MouseEvent('click', {bubbles: true, cancelable: true})"
    assert not page.evaluate(f"document.querySelector('a[data-rules]').dispatchEvent({click})")
    page.close()


@pytest.mark.full
@pytest.mark.parametrize("game", [each for each in GAMES if each in names()])
def test_the_rules_are_opened_at_every_table_by_a_key_and_nothing_is_played_meanwhile(
    serve, chromium, game
):
    _, table, page = begun(serve, chromium, game)
    page.wait_for(f"{NOW}.asked")
    plies = len(table.playing.timeline.lines)
    page.key("r")
    page.wait_for(OPEN)
    for key in ("l", "p", "Enter", "1", "ArrowLeft", "u", "e"):
        page.key(key)
    read_and_closed(page, "")
    assert len(table.playing.timeline.lines) == plies
    page.click("a[data-rules]")
    read_and_closed(page, "a[data-rules]")
    assert page.problems() == []
    page.close()


@pytest.mark.game("virus")
def test_a_contest_tells_the_rules_of_its_game(serve, chromium, tmp_path):
    site = serve(Settings(folders=(played(tmp_path / "class"),)))
    [contest] = site.get("/api/contests").json()
    page = chromium.page(language="en").open(f"{site.url}/contests/{contest['id']}/rules")
    page.wait_for(DRAWN)
    assert "two passes in a row" in page.text(".rulebook")
    assert page.problems() == []
    page.close()


@pytest.mark.game("virus")
def test_whoever_hands_in_a_bot_finds_the_rules(serve, chromium, tmp_path):
    reception = served(serve, tmp_path)
    link = reception.link(reception.invite("Ann"))
    page = chromium.page(language="en").open(link)
    page.wait_for(DRAWN)
    assert len(page.text(".rulebook")) > 400
    page.close()


@pytest.mark.game("virus")
def test_the_rules_are_opened_in_a_replay(serve, chromium):
    site = serve()
    kept = site.app.state.replay_files.keep(builtin("virus"), "game.jsonl")
    page = chromium.page(language="en").open(f"{site.url}/replays/{kept}")
    page.wait_for("document.querySelector('.timeline')")
    assert "R" in page.evaluate(
        "[...document.querySelectorAll('.keys kbd')].map((e) => e.textContent)"
    )
    page.key("r")
    read_and_closed(page, "")
    assert page.problems() == []
    page.close()


@pytest.mark.parametrize("game", [each for each in GAMES if each in names()])
def test_a_replay_in_a_file_holds_the_rules_and_says_why_the_game_ended(chromium, tmp_path, game):
    with speaking("fr"):
        text = game_page(read_recorded(builtin(game)), "game.jsonl")
    file = tmp_path / "game.html"
    file.write_text(text, encoding="utf-8")
    page = chromium.page().open(f"file://{file}")
    page.wait_for("document.querySelector('.timeline')")
    page.key("r")
    read_and_closed(page, "")
    assert page.evaluate("document.querySelector('.verdict').hidden")
    page.key("End")
    page.wait_for("!document.querySelector('.verdict').hidden")
    assert len(page.text(".verdict h2")) > 5 and len(page.text(".verdict p")) > 10
    why = page.text(".verdict p")
    assert page.text(".course li:last-child") == why
    assert page.problems() == []
    page.close()


@pytest.mark.game("virus")
def test_a_pass_that_may_lose_asks_first_and_can_be_taken_back(serve, chromium):
    _, table, page = begun(serve, chromium, "virus")
    for _ in range(6):  # until the computer is ahead
        page.wait_for(f"{NOW}.asked || {NOW}.over")
        if page.evaluate(f"Object.keys({NOW}.asked.warnings).length"):
            break
        number = page.evaluate(f"{NOW}.asked.number")
        page.click(".cell.legal")
        page.wait_for(f"{NOW}.over || ({NOW}.asked && {NOW}.asked.number !== {number})")
    plies = len(table.playing.timeline.lines)
    page.key("p")
    page.wait_for("document.querySelector('#warned').open")
    assert re.search(r"cells? still empty", page.text("#warned-text"))
    page.key("Escape")
    page.wait_for("document.querySelector('.cell.legal')")
    assert len(table.playing.timeline.lines) == plies
    page.key("p")
    page.click("#warned button[value=yes]")
    page.wait_for("!document.querySelector('#warned').open")
    page.wait_for(f"{NOW}.over || {NOW}.asked?.number > 0 && document.querySelector('.cell.legal')")
    assert len(table.playing.timeline.lines) > plies
    assert page.problems() == []
    page.close()


@pytest.mark.game("virus")
def test_a_table_says_why_the_game_ended(serve, chromium):
    site = serve()
    table = site.app.state.tables.open(spec("virus", {"size": 3}, "greedy", "greedy"), (), "")
    page = chromium.page(language="en").open(f"{site.url}/tables/{table.name}")
    page.wait_for(f"{NOW}?.over")
    assert page.text("#why") == "The grid is full."
    page.close()


@pytest.mark.game("tron")
def test_bikes_that_are_out_are_marked_while_others_drive(serve, chromium):
    site = serve()
    kept = site.app.state.replay_files.keep(builtin("tron"), "game.jsonl")
    page = chromium.page(language="en").open(f"{site.url}/replays/{kept}")
    page.wait_for("document.querySelector('.timeline')")
    shown = "[...document.querySelectorAll('.player .badge')].filter((e) => !e.hidden).length"
    assert page.evaluate(shown) == 0
    page.key("End")
    page.wait_for(shown)
    page.close()


def test_a_game_of_a_path_has_a_page_of_its_docstring_and_its_parameters(serve, tmp_path):
    from web.test_sixth_game import RENDERED

    with games_forgotten():
        file = tmp_path / "grains.py"
        file.write_text(f'"""A heap is <emptied>.\n\nState: numbers.\n"""\n{RENDERED}', "utf-8")
        from joute.core import registry

        registry.named(str(file))
        site = serve()
        text = site.get("/rules/grains").text
        assert "A heap is &lt;emptied&gt;." in text and "State:" not in text
        assert site.get("/rules/grains/drawings.json").json() == {}
        assert "/rules/grains" in site.get("/play/grains").text


def test_there_are_no_rules_of_a_game_that_is_none(serve):
    site = serve()
    for path in ("/rules/chess", "/rules/chess/drawings.json", "/rules/..%2fetc"):
        assert site.get(path).status_code == 404
