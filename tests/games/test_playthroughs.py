"""Every game has a file that shows it being played, and the file is true."""

import pytest
from games.playthrough import FOLDER, text

from joute.core.registry import names


@pytest.mark.parametrize("name", names())
def test_a_game_is_played_as_its_file_shows(name):
    path = FOLDER / f"{name}.txt"
    assert path.is_file(), f"{name} has no playthrough: see tests/games/playthrough.py"
    assert path.read_text("utf-8") == text(name)


def test_no_file_is_left_of_a_game_that_is_gone():
    assert {path.stem for path in FOLDER.iterdir()} == set(names())
