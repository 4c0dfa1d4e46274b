"""Whole games in headless Chromium, against a bot, by mouse, by keyboard and by touch.

The window changes its size all the time, and nothing that is pressed may be out of sight.
"""

from itertools import cycle

import pytest
from web.players import (
    CLICKS,
    GAMES,
    PRESSES,
    act_once,
    begun,
    lose_connection,
    played,
    reload,
)

from joute.play.verify import verify_record

WAYS = {
    "mouse": (CLICKS, reload),
    "keyboard": (PRESSES, lose_connection),
    "touch": (CLICKS, reload),
}
"""The play at a table, and what happens meanwhile."""
SIZES = ((1366, 768), (390, 844), (1920, 1080))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_game_is_played_to_its_end_and_seen_again(serve, chromium, game, way):
    options = {"touch": way == "touch", "unmoved": way != "keyboard"}
    site, table, page = begun(serve, chromium, game, **options)
    acts, happens = WAYS[way]
    sizes = cycle(SIZES)

    def act(page):
        page.size(*next(sizes))
        page.evaluate("scrollTo(0, 0)")
        acts[game](page)

    act_once(page, act)
    happens(page)
    played(page, act)
    page.unmoved = False
    assert page.text("#over h2")
    record = site.get(f"/tables/{table.name}/record").content
    assert verify_record(record).ok
    page.click("#replay")
    page.wait_for("document.querySelector('.timeline')")
    page.key("End")
    last = len(table.playing.timeline.steps) - 1
    page.wait_for(f"document.querySelector('.slider').value === '{last}'")
    assert page.problems() == []
    page.close()


BELOW = """(() => {
  window.places = new Set();
  const look = () => {
    const {top, height} = document.querySelector("#hint").getBoundingClientRect();
    if (height) places.add(Math.round(top + scrollY));
    requestAnimationFrame(look);
  };
  look();
})()"""


@pytest.mark.parametrize("game", ["paradise", "virus"])
def test_nothing_moves_under_the_mouse_while_one_plays(serve, chromium, game):
    """On a phone, what one presses stands below the board."""
    _, _, page = begun(serve, chromium, game, width=390, height=844)
    act_once(page, CLICKS[game])
    page.wait_for("document.querySelector('#heard').textContent")
    page.evaluate(BELOW)
    act_once(page, CLICKS[game])
    page.wait_for("places.size")
    assert page.evaluate("places.size") == 1
    page.close()
