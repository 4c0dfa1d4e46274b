"""Every game has a file that shows it being played, and the file is true."""

import pytest
from games.playthrough import path, text

from joute.core.registry import names


@pytest.mark.parametrize("name", names())
def test_a_game_is_played_as_its_file_shows(name):
    assert path(name).is_file(), f"{name} has no playthrough: see tests/games/playthrough.py"
    assert path(name).read_text("utf-8") == text(name)
