"""Every game has a file that shows it being played, and the file is true."""

import pytest
from games.playthrough import path, text

from joute.core.registry import names
from joute.i18n.words import speaking


@pytest.mark.parametrize("name", names())
def test_a_game_is_played_as_its_file_shows(name):
    assert path(name).is_file(), f"{name} has no playthrough: see tests/games/playthrough.py"
    assert path(name).read_text("utf-8") == text(name)


@pytest.mark.game("virus")
def test_a_playthrough_is_in_english_whatever_language_is_spoken():
    with speaking("fr"):
        assert text("virus") == path("virus").read_text("utf-8")
