"""The contests that newcomers play first."""

from pathlib import Path

import pytest

from joute.contest.config.config import resolve
from joute.contest.report.standings import standings
from joute.contest.run.runner import run_contest

EXAMPLES = Path(__file__).parents[2] / "examples"
VIRUS = EXAMPLES / "virus" / "contest.toml"
TRON = sorted((EXAMPLES / "tron").glob("*.toml"))


@pytest.mark.game("virus")
def test_the_example_has_eight_bots_and_four_files_in_the_contests_own_format():
    bots = resolve(VIRUS).bots
    files = [VIRUS.parent / bot.bot for bot in bots if bot.bot.endswith(".py")]
    assert len(bots) >= 8
    assert sum("def ia(game, side)" in file.read_text() for file in files) >= 4


@pytest.mark.game("virus")
@pytest.mark.parametrize("path", [VIRUS, *TRON], ids=lambda path: path.stem)
def test_the_bots_of_the_examples_are_reproducible(path):
    assert not any("seconds" in bot.bot for bot in resolve(path).bots)


@pytest.mark.game("tron")
def test_the_examples_of_tron_are_a_duel_four_bikes_two_floors_and_a_room_for_one():
    contests = {path.stem: resolve(path) for path in TRON}
    seats = {name: (contest.players, contest.format) for name, contest in contests.items()}
    assert seats == {
        "duel": (2, "round-robin"),
        "floors": (2, "round-robin"),
        "four": (4, "round-robin"),
        "solo": (1, "score"),
    }
    assert all("floor 1" in each.parameters["map"] for each in contests["floors"].maps)
    assert len(contests["duel"].maps) >= 3


@pytest.mark.game("tron")
@pytest.mark.full
@pytest.mark.parametrize("path", TRON, ids=lambda path: path.stem)
def test_the_examples_of_tron_are_played_without_a_fault(path, tmp_path):
    seats = resolve(path).players
    shorter = {"contest.folder": str(tmp_path / "played"), "contest.games": seats}
    contest = resolve(path, {**shorter, "contest.workers": 2})
    assert run_contest(contest).failed == 0
    assert [line.faults for line in standings(contest)] == [[]] * len(contest.bots)
