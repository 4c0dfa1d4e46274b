"""Dry runs of a contest before it is played, in the middle, and after it."""

from pathlib import Path

import pytest
from contest.fakes import contest_in, quick, tron_in

from joute.contest.config.config import resolve
from joute.contest.run.forecast import forecast
from joute.contest.run.runner import run_contest

EXAMPLES = Path(__file__).parents[2] / "examples"

pytestmark = pytest.mark.game("tron")


@pytest.mark.game("virus")
def test_a_round_robin_is_known_whole_before_its_first_game(tmp_path):
    contest = contest_in(tmp_path, "games = 4", bots=3, **{"limits.move_seconds": 2.0})
    found = forecast(contest)
    assert (found.done, found.left, found.certain) == (0, 12, 12)
    assert [each.games for each in found.sets] == [2] * 6
    assert [each.number for each in found.sets] == [0, 0, 0, 1, 1, 1]
    assert found.expected is None
    stones_and_passes = 2 * (100 - 4) + 2
    assert found.longest == 12 / 2 * (stones_and_passes * 2.0 + 2 * contest.limits.start_seconds)


@pytest.mark.parametrize(
    ("path", "games", "answers", "move", "starts"),
    [
        # A stone on each of 96 empty cells after a pass, and two passes.
        ("virus/contest.toml", 180, 2 * 96 + 2, 10, 2 * 10),
        # Orders, of one move or of many.
        ("vampires/contest.toml", 40, 60, 2, 2 * 60),
        # A bike on each of 229 cells of the hourglass, or a crash of those that begin there.
        ("tron/duel.toml", 168, 229, 1, 2 * 10),
        ("tron/four.toml", 120, 323, 1, 4 * 10),
        ("tron/solo.toml", 140, 286, 2, 10),
        # A turn for each of 15 cards of the deck, and a choice for each of two Chancellors.
        ("love-letter/contest.toml", 300, 15 + 2, 1, 2 * 10),
        # Five rounds at most, with 16 cards in the deck of each.
        ("love-letter/four.toml", 40, 5 * (16 + 2), 1, 4 * 10),
        # Each plays 25 cards, and in 29 turns the end, the power and seven minions; 30 strike once.
        ("paradise/contest.toml", 1515, 2 * (25 + 29 * 9 + 30), 10, 2 * 60),
    ],
)
def test_the_longest_time_of_an_example_counts_answers_with_a_clock(
    tmp_path, path, games, answers, move, starts
):
    folder = {"contest.folder": str(tmp_path / "played"), "contest.workers": 1}
    found = forecast(resolve(EXAMPLES / path, folder))
    assert found.left == games
    assert found.longest == games * (answers * move + starts)


@pytest.mark.game("virus")
def test_the_longest_time_counts_grace_and_a_last_game_beside_workers_with_nothing_to_do(tmp_path):
    given = {"limits.move_seconds": 2.0, "limits.grace_seconds": 0.5, "contest.workers": 5}
    found = forecast(contest_in(tmp_path, "games = 4", bots=3, **given))
    assert found.longest == 3 * (194 * 2.5 + 2 * 10)


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
