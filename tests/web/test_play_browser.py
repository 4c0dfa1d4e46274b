"""Whole games in headless Chromium, against a bot, by mouse and by keyboard."""

import pytest
from web.players import CLICKS, GAMES, NOW, PRESSES, begun, played

from joute.play.verify import verify_record


@pytest.mark.parametrize("way", ["mouse", "keyboard"])
@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_game_is_played_to_its_end(serve, chromium, game, way):
    site, table, page = begun(serve, chromium, game)
    played(page, (CLICKS if way == "mouse" else PRESSES)[game])
    assert page.text("#over h2")
    assert page.problems() == []
    record = site.get(f"/tables/{table.name}/record").content
    assert verify_record(record).ok
    page.close()


@pytest.mark.full
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [(390, 844), (1280, 800), (1920, 1080)])
@pytest.mark.parametrize("game", sorted(GAMES))
def test_nothing_overflows(serve, chromium, game, size, theme):
    site, _, page = begun(serve, chromium, game, width=size[0], height=size[1], theme=theme)
    page.wait_for(f"{NOW}.asked")
    assert page.overflow() == []
    page.open(f"{site.url}/play/{game}")
    assert page.overflow() == []
    assert page.problems() == []
    page.close()
