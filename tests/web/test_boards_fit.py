"""Boards and hands on a laptop, a phone and a projector: seen whole, with texts one can read."""

import pytest
from web.crowded import CROWDS, crowded
from web.players import NOW, seated

SIZES = {"laptop": (1366, 768), "phone": (390, 844), "projector": (1920, 1080)}
ACTING = {
    "virus": ["svg.board", ".below .btn"],
    "tron": ["svg.board", ".pad .btn"],
    "vampires": ["svg.board", ".orderbox .btn"],
    "love-letter": [
        ".hand .card",
        "[data-at^=target-] + *",
        "[data-at^=guess-] + *",
        "[data-at=send]",
    ],
    "paradise": ["svg.board", ".duelhand button", "[data-at=end]", "[data-at=power]"],
}
"""By game what one needs to see to act."""

BELOW = """((selectors) => selectors.flatMap((selector) =>
  [...document.querySelectorAll(selector)].filter((each) => {
    const {width, bottom, right, top} = each.getBoundingClientRect();
    return width && (bottom > innerHeight + 1 || right > innerWidth + 1 || top < 0);
  }).map((each) => `${selector} ends at ${Math.round(each.getBoundingClientRect().bottom)}`)))"""
SMALL = """[...document.querySelectorAll(
    ".pcard b, .ptext, .mname, .herotext text, .face text, .slip small, .guess span")]
  .filter((each) => each.textContent.trim() && each.getBoundingClientRect().width)
  .map((each) => [
    parseFloat(getComputedStyle(each).fontSize) * (each.getScreenCTM?.().a ?? 1), each.textContent])
  .filter(([size]) => size < 12.9)"""
SEEN = """[...document.querySelectorAll(".cell.legal")].every((each) => {
  const [cell, map] = [each, document.querySelector(".vampires .scroll")]
    .map((found) => found.getBoundingClientRect());
  return cell.left >= map.left && cell.right <= map.right
    && cell.top >= map.top && cell.bottom <= map.bottom;
})"""
"""Whether the groups that one may take are in the window of a map."""
STICKING = """[...document.querySelectorAll(".duelhand .pcard")].filter((card) =>
  [...card.querySelectorAll("svg")].some((each) =>
    each.getBoundingClientRect().right > card.getBoundingClientRect().right)).length"""
"""The number of cards out of which a picture sticks."""
GUARD = """(() => {
  const cards = [...document.querySelectorAll("[data-at^=card-]:not(:disabled)")];
  const guard = cards.find((each) => each.parentElement.textContent.includes("Guard"));
  (guard ?? cards[0])?.click();
  document.querySelector("[data-at^=target-]:not(:disabled)")?.click();
})()"""


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", CROWDS)
def test_all_that_one_acts_with_is_seen_without_scrolling(serve, chromium, name, size):
    site, found = serve(), crowded(name)
    table = site.app.state.tables.open(found.spec, (), "", 0.0, found.lines)
    options = {"touch": size == "phone", "language": "en"}
    page = seated(site, chromium.page(*SIZES[size], **options), table, 0)
    page.wait_for(f"{NOW}.asked")
    page.evaluate(GUARD)
    page.evaluate("scrollTo(0, 0)")
    wanted = ACTING[found.spec.game]
    if (name, size) == ("vampires of 25 columns", "phone"):  # a map that is moved about
        wanted = [".vampires .scroll", ".orderbox .btn"]
        assert page.evaluate(SEEN)
        assert page.evaluate("document.querySelector('.pan').getBoundingClientRect().height > 0")
    assert page.evaluate(f"{BELOW}({wanted})") == []
    assert page.evaluate(SMALL) == []
    assert page.evaluate(STICKING) == 0
    assert page.overflow() == []
    assert page.problems() == []
    page.close()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    "name",
    [
        "virus",
        "tron of 29 columns",
        "tron of two floors",
        "vampires",
        "vampires of 25 columns",
        "love letter of four",
    ],
)
def test_a_replay_shows_its_board_and_its_buttons_without_scrolling(serve, chromium, name, size):
    site, found = serve(), crowded(name)
    address = site.app.state.replay_files.keep(found.record, "game.jsonl")
    options = {"touch": size == "phone", "language": "fr"}
    page = chromium.page(*SIZES[size], **options)
    page.open(f"{site.url}/replays/{address}#ply={len(found.lines)}")
    page.wait_for("document.querySelector('.timeline')")
    page.evaluate("scrollTo(0, 0)")
    moved_about = (name, size) == ("vampires of 25 columns", "phone")
    seen = [".vampires .scroll" if moved_about else "svg.board, .opps", ".transport button"]
    assert page.evaluate(f"{BELOW}({seen})") == []
    assert page.problems() == []
    page.close()


@pytest.mark.parametrize("size", SIZES)
def test_a_replay_of_cards_shows_both_sides_and_its_buttons(serve, chromium, size):
    site, found = serve(), crowded("paradise")
    address = site.app.state.replay_files.keep(found.record, "game.jsonl")
    page = chromium.page(*SIZES[size], touch=size == "phone")
    page.open(f"{site.url}/replays/{address}#ply={len(found.lines)}")
    page.wait_for("document.querySelector('.timeline')")
    page.evaluate("scrollTo(0, 0)")
    assert page.evaluate(f"{BELOW}(['svg.board', '.transport button'])") == []
    page.close()
