"""Sequential tests as matches: pairs in the order of the schedule, and a stop at the decision."""

import random

import pytest
from contest import fakes

from joute.contest.errors import ConfigError, Interrupted
from joute.contest.rating.sprt import AHEAD, H0, H1, Hypotheses, PairsUntilDecided, SequentialTest
from joute.contest.run.match import run_match
from joute.contest.schedule.schedule import set_seed

BOTS = ["builtin:greedy", "builtin:random"]


def schedule(most: int = 2000, elo1: float = 60.0) -> PairsUntilDecided:
    return PairsUntilDecided(
        ("new", "old"), "seed", most, SequentialTest(Hypotheses(0, elo1)), maps=["x", "y"]
    )


def returns(slot) -> tuple[float, float]:
    """The returns of a game: `new` wins three games of five, by the luck of the game's seed."""
    luck = random.Random(f"{slot.seed} {slot.seats}").random()
    value = 1.0 if luck < 0.6 else -1.0
    return (value, -value) if slot.seats[0] == "new" else (-value, value)


def test_pairs_are_those_of_a_round_robin_with_the_seats_exchanged():
    slots = schedule().take()
    assert len(slots) == 2 * AHEAD
    for number, (one, other) in enumerate(zip(slots[::2], slots[1::2], strict=True)):
        assert one.number == other.number == number
        assert one.seed == other.seed == set_seed("seed", ("new", "old"), number)
        assert one.map == other.map == "xy"[number % 2]
        assert (one.seats, other.seats) == (("new", "old"), ("old", "new"))


@pytest.mark.parametrize("seed", range(4))
def test_the_decision_does_not_depend_on_the_order_in_which_games_end(seed):
    straight, mixed = schedule(), schedule()
    draw = random.Random(seed)
    for each, shuffle in ((straight, False), (mixed, True)):
        due = each.take()
        while due:
            slot = due.pop(draw.randrange(len(due)) if shuffle else 0)
            each.record(slot, returns(slot))
            due += each.take()
    names = ("new", "old")
    assert straight.test.decision == H1
    assert mixed.test.result(names) == straight.test.result(names)


def test_a_pair_that_is_not_complete_keeps_the_later_ones_waiting():
    waiting = schedule()
    first, *rest = waiting.take()
    for slot in rest:
        waiting.record(slot, returns(slot))
    assert (waiting.test.pairs, waiting.take()) == (0, [])
    waiting.record(first, returns(first))
    assert waiting.test.pairs == AHEAD
    assert len(waiting.take()) == 2 * AHEAD


def test_no_game_is_handed_out_after_the_decision_or_beyond_the_most():
    decided = schedule(elo1=100.0)
    for slot in decided.take():
        decided.record(slot, (1.0, -1.0) if slot.seats[0] == "new" else (-1.0, 1.0))
    assert decided.test.decision == H1
    assert (decided.take(), decided.left_at_most()) == ([], 0)
    short = schedule(most=6)
    slots = short.take()
    assert (len(slots), short.left_at_most()) == (6, 6)
    for slot in slots:
        short.record(slot, returns(slot))
    assert (short.take(), short.left_at_most(), short.test.pairs) == ([], 0, 3)


@pytest.mark.game("virus")
def test_a_match_ends_when_its_test_is_decided():
    result = run_match(
        "virus", {}, BOTS, seed=1, workers=2, play=fakes.first_wins, test=Hypotheses(0, 100)
    )
    assert (result.test.decision, result.test.bots) == (H1, ("greedy", "random"))
    assert result.test.pentanomial == (0, 0, 0, 0, result.test.pairs)
    assert 2 * result.test.pairs == len(result.games)
    assert {game.set_number for game in result.games} == set(range(result.test.pairs))
    [first, last] = result.standings
    assert (first.name, first.won, last.lost) == ("greedy", len(result.games), len(result.games))


@pytest.mark.game("virus")
def test_the_first_bot_is_the_one_tested_whatever_their_names():
    turned = run_match(
        "virus", {}, BOTS[::-1], seed=1, workers=1, play=fakes.first_wins, test=Hypotheses(-100, 0)
    )
    assert (turned.test.bots, turned.test.decision) == (("random", "greedy"), H0)


@pytest.mark.game("virus")
def test_the_same_seed_gives_the_same_test_with_any_number_of_workers():
    one, three = (
        run_match(
            "virus", {}, BOTS, seed=5, workers=workers, play=fakes.quick, test=Hypotheses(0, 100)
        )
        for workers in (1, 3)
    )
    assert one.test == three.test
    assert one.test.decision
    assert {game.identity for game in one.games} == {game.identity for game in three.games}
    assert [line.won for line in one.standings] == [line.won for line in three.standings]


@pytest.mark.game("virus")
def test_a_test_without_a_decision_ends_with_the_most_games():
    result = run_match(
        "virus", {}, BOTS, 10, seed=1, workers=1, play=fakes.quick, test=Hypotheses(0, 10)
    )
    assert (result.test.decision, result.test.pairs, len(result.games)) == ("", 5, 10)


@pytest.mark.game("virus")
def test_a_bot_against_itself_is_no_stronger():
    result = run_match(
        "virus", {"size": 3}, [BOTS[1]] * 2, seed=1, workers=1, test=Hypotheses(0, 100)
    )
    assert result.test.decision == H0
    assert result.test.pentanomial == (0, 0, result.test.pairs, 0, 0)


@pytest.mark.game("virus")
def test_a_game_that_cannot_be_played_leaves_the_test_without_a_decision():
    bots = BOTS[::-1]
    result = run_match(
        "virus", {}, bots, seed=1, workers=1, play=fakes.fails_for_random, test=Hypotheses(0, 100)
    )
    assert (result.test.decision, result.test.pairs) == ("", 0)
    assert len(result.failures) == AHEAD


@pytest.mark.game("virus")
def test_a_test_that_is_interrupted_says_so(monkeypatch):
    def interrupted(*_arguments):
        raise Interrupted(3, 10)

    monkeypatch.setattr("joute.contest.run.match.Coordinator.run", interrupted)
    with pytest.raises(Interrupted):
        run_match("virus", {}, BOTS, workers=1, play=fakes.quick, test=Hypotheses(0, 100))


@pytest.mark.parametrize(
    ("game", "bots"),
    [("virus", [*BOTS, "builtin:greedy?"]), ("tron", ["builtin:random"] * 3)],
    ids=["three bots", "three seats"],
)
def test_a_test_is_of_two_bots_in_games_of_two(game, bots):
    with pytest.raises(ConfigError, match="a test is of two bots in a game of two seats"):
        run_match(game, {}, bots, test=Hypotheses(0, 50))


@pytest.mark.game("virus")
def test_people_are_not_tested():
    with pytest.raises(ConfigError, match="without people"):
        run_match("virus", {}, ["human", BOTS[0]], test=Hypotheses(0, 50), here=fakes.quick)


def test_the_usual_most_is_whole_pairs_and_grows_as_the_hypotheses_come_closer():
    most = [Hypotheses(0, elo).usual_most() for elo in (100, 50, 10)]
    assert all(games % 2 == 0 for games in most)
    assert most[1] == pytest.approx(4 * most[0], rel=0.02)
    assert most[2] == pytest.approx(100 * most[0], rel=0.02)
