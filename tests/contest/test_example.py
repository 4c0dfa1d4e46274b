"""The contest that newcomers play first."""

from pathlib import Path

from joute.contest.config import resolve

EXAMPLE = Path(__file__).parents[2] / "examples" / "virus" / "contest.toml"


def test_the_example_has_eight_bots_and_four_files_in_the_contests_own_format():
    bots = resolve(EXAMPLE).bots
    files = [EXAMPLE.parent / bot.bot for bot in bots if bot.bot.endswith(".py")]
    assert len(bots) >= 8
    assert sum("def ia(game, side)" in file.read_text() for file in files) >= 4


def test_the_bots_of_the_example_are_reproducible():
    assert not any("seconds" in bot.bot for bot in resolve(EXAMPLE).bots)
