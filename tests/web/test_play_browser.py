"""Whole games in headless Chromium, against a bot, by mouse and by keyboard; then their replays."""

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

WAYS = {"mouse": (CLICKS, reload), "keyboard": (PRESSES, lose_connection)}
"""How is played, and what happens meanwhile."""


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_game_is_played_to_its_end_and_seen_again(serve, chromium, game, way):
    site, table, page = begun(serve, chromium, game)
    acts, happens = WAYS[way]
    act_once(page, acts[game])
    happens(page)
    played(page, acts[game])
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
    page.wait_for("document.querySelector('.told').textContent")
    page.evaluate(BELOW)
    act_once(page, CLICKS[game])
    page.wait_for("places.size")
    assert page.evaluate("places.size") == 1
    page.close()
