"""Climbs of bots of known strength: how often they end too high or too low."""

import numpy as np
import pytest

from joute.contest.rating.climb import HELD, PASSED, UNDECIDED, climb
from joute.contest.rating.sprt import ERROR, H0, PER_DEVIATION, Errors, Hypotheses, SequentialTest

CLIMBS = 300
LIMIT = 0.08  # at 5 %, more happen in one of 100 samples of 300
TEST = Hypotheses(0, 100)
DRAWS = 0.2  # of all games


def pairs_at(elo: float, draw: np.random.Generator):
    """A function that adds pairs of independent games to a test, where the truth is `elo`."""
    lead = elo / PER_DEVIATION  # deviations of a game; scaled to its spread below
    spread = np.sqrt((1 - DRAWS) / 4)
    mean = 0.5 + lead * spread / np.sqrt(1 + lead * lead)
    chances = [1 - mean - DRAWS / 2, DRAWS, mean - DRAWS / 2]

    def play(test: SequentialTest) -> None:
        while not test.decision and test.pairs < 2000:
            games = draw.choice(3, (2, 96), p=chances) / 2
            test.add(games.sum(axis=0).tolist())

    return play


def reached(elos, *, seed: int) -> np.ndarray:
    """The number of rungs that each of these simulated climbs passed, int[climbs].

    The bot is `elos` stronger than the rungs, in normalized Elo.
    """
    draw = np.random.default_rng(seed)
    players = [pairs_at(elo, draw) for elo in elos]
    names = [str(place) for place in range(len(elos))]
    found = [
        climb(names, "bot", TEST, lambda place, test: players[place](test)) for _ in range(CLIMBS)
    ]
    assert all(each.decided for each in found)
    return np.array([each.reached for each in found])


def test_of_300_climbs_few_pass_a_rung_that_is_as_strong_as_the_bot():
    # A long match against the second rung would show no difference; the third is weaker again, so
    # that the rungs need not be in the right order.
    passed = reached([300, 0, 300], seed=1)
    assert np.mean(passed > 1) <= LIMIT
    assert np.mean(passed < 1) <= LIMIT


@pytest.mark.full
def test_of_300_climbs_few_fail_at_any_of_the_rungs_that_are_just_so_much_weaker():
    # The worst case: whatever the climb gets wrong at a rung counts, and each is as hard as may be.
    passed = reached([100, 100, 100, 100, -100], seed=2)
    assert np.mean(passed < 4) <= LIMIT
    assert np.mean(passed > 4) <= LIMIT


def at_once(points):
    return lambda place, test: test.add(points[place])


def test_a_climb_ends_at_the_first_rung_that_is_not_passed():
    found = climb("abcd", "bot", TEST, at_once([[2.0] * 60, [0.0] * 60, [2.0] * 60, []]))
    assert [each.verdict for each in found.tests] == [PASSED, HELD]
    assert (found.reached, found.interval, found.decided) == (1, (1, 1), True)
    assert (found.next.name, found.next.number) == ("b", 2)
    assert found.likelihood < 0.01
    assert found.rungs == tuple("abcd")


def test_a_climb_without_a_decision_says_how_high_the_bot_may_stand():
    found = climb("abc", "bot", TEST, at_once([[2.0] * 60, [1.5, 0.5]]))
    assert [each.verdict for each in found.tests] == [PASSED, UNDECIDED]
    assert (found.reached, found.interval, found.decided) == (1, (1, 3), False)
    assert 0 < found.likelihood < 1


def test_a_bot_above_the_last_rung_has_no_next():
    found = climb("ab", "bot", TEST, at_once([[2.0] * 60] * 2))
    assert (found.reached, found.decided, found.next, found.likelihood) == (2, True, None, None)


def test_a_ladder_without_rungs_is_at_its_end():
    found = climb("", "bot", TEST, at_once([]))
    assert (found.reached, found.interval, found.next) == (0, (0, 0), None)


def test_the_more_rungs_the_surer_is_a_verdict_that_one_holds():
    few, many = (
        climb("abcdefghij"[:count], "bot", TEST, at_once([[1.0] * 400])) for count in (1, 10)
    )
    assert few.tests[0].test.decision == many.tests[0].test.decision == H0
    assert few.tests[0].test.pairs < many.tests[0].test.pairs
    assert many.tests[0].test.bounds == pytest.approx(Errors(ERROR, ERROR / 10).bounds)
    assert TEST.usual_most(Errors(ERROR, ERROR / 10)) > TEST.usual_most()
