"""Every format: what is played depends on the results alone, and on them in any order."""

import random
from collections import Counter
from itertools import combinations

import pytest
from contest.simulation import bots, drawn_result, play, play_judged, strengths
from hypothesis import given, settings
from hypothesis import strategies as st

from joute.contest.ranking.rules import HX2, RankingFacts, places
from joute.contest.schedule.draws import Elimination, PoolsThenKnockout, Swiss, pairs, usual_rounds
from joute.contest.schedule.round_robin import RoundRobin, Unresolved, against, balanced, drawn
from joute.contest.schedule.rounds import Rounds
from joute.contest.schedule.schedule import Progression
from joute.contest.schedule.series import Terms, fixed

MAPS = ["m", "n", "o"]
TIE_BREAK = Terms(2, None, 6)


def order(names, rows):
    """The order of a pool."""
    return places(HX2, RankingFacts(names, rows, HX2, None, Progression({}, {})))


def pools(names, terms=TIE_BREAK, pools=2, qualified=2):
    return PoolsThenKnockout(names, "s", terms, MAPS, order, pools=pools, qualified=qualified)


FORMATS = {
    "gauntlet": lambda names: RoundRobin(names, "s", 4, 2, groups=against(names, names[:2])),
    "league": lambda names: RoundRobin(names, "s", 4, groups=drawn(names, 2, "s")),
    "groups": lambda names: RoundRobin(names, "s", 3, seats=3, groups=balanced(names, 3, 7, "s")),
    "swiss": lambda names: Rounds(Swiss(names, "s", usual_rounds(len(names)), 2), "s", fixed(2)),
    "knockout": lambda names: Rounds(Elimination(names), "s", TIE_BREAK, MAPS),
    "knockout, first to": lambda names: Rounds(Elimination(names), "s", fixed(5, 3), MAPS),
    "double knockout": lambda names: Rounds(Elimination(names, 2), "s", TIE_BREAK, MAPS),
    "pools": pools,
    "pools, first to": lambda names: pools(names, fixed(5, 3)),
    "unresolved": lambda names: Unresolved(names, "s", 6, maps=MAPS),
}
EACH = pytest.mark.parametrize("make", FORMATS.values(), ids=FORMATS.keys())


def result_of(salt):
    """Results of games of any number of seats, draws among them."""

    def result(slot):
        draw = random.Random(f"{salt} {slot}")
        return tuple(float(draw.randrange(3)) for _ in slot.seats)

    return result


@EACH
@settings(max_examples=12)
@given(st.integers(4, 9), st.integers(0, 9), st.randoms(), st.randoms(), st.floats(0, 1))
def test_the_same_games_are_played_in_whatever_order_results_arrive_or_are_known(
    make, count, salt, one, other, share
):
    names, result = bots(count), result_of(salt)
    whole = play(make(names), result, one)
    known = {slot: got for slot, got in whole.items() if other.random() < share}
    schedule = make(names)
    assert play(schedule, result, other, known=known) == whole
    assert schedule.left_at_most() == 0
    keys = {(slot.members, slot.number, slot.seats) for slot in whole}
    assert len(keys) == len(whole)
    assert all(list(slot.members) == sorted(slot.seats) for slot in whole)


@EACH
@settings(max_examples=12)
@given(st.integers(4, 8), st.integers(0, 20), st.randoms(), st.randoms())
def test_with_bots_shut_out_on_the_way_the_same_games_count_in_whatever_order_they_come(
    make, count, salt, one, other
):
    def offends(slot):
        chance = random.Random(f"offence {salt} {slot}")
        return chance.randrange(len(slot.seats)) if chance.random() < 0.06 else None

    names, result = bots(count), result_of(salt)
    found = [play_judged(make(names), result, offends, each) for each in (one, other)]
    assert found[0] == found[1]


@EACH
def test_what_is_left_never_grows(make):
    schedule = make(bots(7))
    result = result_of(5)
    flying, left = [], schedule.left_at_most()
    while flying := flying + schedule.take():
        slot = flying.pop()
        schedule.record(slot, result(slot))
        assert len(flying) <= schedule.left_at_most() < left
        left = schedule.left_at_most()
    assert schedule.left_at_most() == 0


@given(st.integers(1, 16), st.data())
def test_pairs_are_of_strangers_wherever_all_can_be(half, data):
    names = bots(2 * half)
    rounds = data.draw(st.integers(0, min(half - 1, 5)))
    met = {  # the first rounds of a round robin, so that the next one is there to be found
        frozenset((names[one % (2 * half)], names[other % (2 * half)]))
        for turn in range(rounds)
        for one, other in zip(range(half), range(half, 2 * half), strict=True)
        for other in [half + (other + turn) % half]
    }
    shuffled = data.draw(st.permutations(names))
    found = pairs(shuffled, met)
    assert sorted(name for pair in found for name in pair) == sorted(names)
    assert not any(frozenset(pair) in met for pair in found)


def test_where_all_have_met_they_meet_again():
    names = bots(4)
    assert pairs(names, {frozenset(pair) for pair in combinations(names, 2)}) == [
        ("b0", "b1"),
        ("b2", "b3"),
    ]


@settings(max_examples=40)
@given(st.integers(2, 30), st.integers(0, 9))
def test_in_a_swiss_contest_nobody_has_two_byes_or_meets_another_twice(count, salt):
    rounds = usual_rounds(count)
    swiss = Rounds(Swiss(bots(count), "s", rounds, 2), "s", fixed(2))
    results = play(swiss, result_of(salt))
    meetings = Counter(slot.members for slot in results)
    assert set(meetings.values()) == {2}
    byes = swiss.course().byes
    assert set(byes.values()) <= {0, 2}
    played = Counter(name for members in meetings for name in members)
    assert {played[name] + byes[name] // 2 for name in byes} == {rounds}


def test_the_leaders_of_a_swiss_contest_meet():
    names = bots(8)
    swiss = Swiss(names, "s", 3, 2)
    rounds = Rounds(swiss, "s", fixed(2))
    results = play(rounds, drawn_result(strengths(names, 100)))
    second = {slot.members for slot in results if slot.number == 1}
    first_won = {
        slot.seats[got.index(max(got))]
        for slot, got in results.items()
        if slot.number == 0 and max(got) > 0
    }
    assert sum(set(members) <= first_won for members in second) >= 1
