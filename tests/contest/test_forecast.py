"""Dry runs of a contest before it is played, in the middle, and after it."""

import pytest
from contest.fakes import contest_in, quick, tron_in

from joute.contest.config.config import resolve
from joute.contest.run.forecast import forecast
from joute.contest.run.runner import run_contest
from joute.core.interface import properties
from joute.core.registry import make

pytestmark = pytest.mark.game("tron")


@pytest.mark.game("virus")
def test_a_round_robin_is_known_whole_before_its_first_game(tmp_path):
    contest = contest_in(tmp_path, "games = 4", bots=3, **{"limits.move_seconds": 2.0})
    found = forecast(contest)
    assert (found.done, found.left, found.certain) == (0, 12, 12)
    assert [each.games for each in found.sets] == [2] * 6
    assert [each.number for each in found.sets] == [0, 0, 0, 1, 1, 1]
    assert found.expected is None
    plies = properties(make("virus")).max_plies
    assert found.longest == pytest.approx(12 / 2 * (plies * 2.0 + 2 * contest.limits.start_seconds))


@pytest.mark.game("virus")
def test_of_a_knockout_the_first_round_is_certain(tmp_path):
    found = forecast(contest_in(tmp_path, 'format = "knockout"', "games = 2", "max_games = 4"))
    assert (found.certain, found.left) == (4, 3 * 4)


@pytest.mark.game("virus")
def test_games_that_were_played_tell_how_long_the_others_take(tmp_path):
    contest = contest_in(tmp_path, "games = 2", bots=3)
    run_contest(contest, play=quick)
    more = resolve(tmp_path / "test.toml", {"contest.seed": "fixed", "contest.games": 4})
    found = forecast(more)
    assert (found.done, found.left) == (6, 6)
    assert found.expected == pytest.approx(6 / more.workers * 0.012)  # 4 and 8 ms in each game
    assert forecast(contest).sets == []


def test_maps_are_named(tmp_path):
    game = 'maps = ["square", "cross"]\nplayers = 2'
    contest = tron_in(tmp_path, ["builtin:random", "builtin:random?"], "games = 4", game)
    assert [each.map for each in forecast(contest).sets] == ["square", "cross"]
