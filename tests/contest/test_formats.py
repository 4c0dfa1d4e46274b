"""Every format: what is played depends on the results alone, and on them in any order."""

import random
from collections import Counter
from itertools import combinations

import pytest
from contest.simulation import drawn_result, play, play_judged, strengths
from hypothesis import given, settings
from hypothesis import strategies as st

from joute.contest.rankings.rules import HX2, Facts, places
from joute.contest.schedule import Course, place_of
from joute.contest.schedules.elimination import Elimination, bracket
from joute.contest.schedules.groups import against, balanced, drawn
from joute.contest.schedules.meeting import Terms, fixed
from joute.contest.schedules.pairing import pairs
from joute.contest.schedules.pools import PoolsThenKnockout, dealt
from joute.contest.schedules.round_robin import RoundRobin
from joute.contest.schedules.rounds import Rounds
from joute.contest.schedules.swiss import Swiss, usual_rounds
from joute.contest.schedules.unresolved import Unresolved

MAPS = ["m", "n", "o"]
TIE_BREAK = Terms(2, None, 6)


def order(names, rows):
    """The order of a pool."""
    return places(HX2, Facts(names, rows, HX2, None, Course({}, {})))


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


def bots(count):
    return [f"b{number}" for number in range(count)]


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


def test_the_seeds_of_a_knockout_meet_as_late_as_they_can():
    assert bracket(["a"]) == ["a"]
    assert bracket(list("abcd")) == ["a", "d", "b", "c"]
    assert bracket(list("abcde")) == ["a", None, "d", "e", "b", None, "c", None]


def first_of(names):
    """A result in which the bot that is named first wins."""

    def result(slot):
        best = min(slot.seats, key=names.index)
        return tuple(1.0 if name == best else -1.0 for name in slot.seats)

    return result


@pytest.mark.parametrize("count", [2, 3, 5, 8, 11])
def test_the_best_wins_a_knockout_and_everybody_is_out_after_a_loss(count):
    names = bots(count)
    schedule = Rounds(Elimination(names), "s", TIE_BREAK, MAPS)
    results = play(schedule, first_of(names))
    stages = schedule.course().stages
    assert max(stages, key=stages.get) == "b0"
    assert len({slot.members for slot in results}) == count - 1
    assert sorted(stages.values())[-2:] == [max(stages.values()) - 1, (count - 1).bit_length()]


@pytest.mark.parametrize("count", [2, 3, 5, 8, 11])
def test_with_two_lives_everybody_but_the_winner_loses_twice(count):
    names = bots(count)
    schedule = Rounds(Elimination(names, 2), "s", fixed(1), MAPS)
    results = play(schedule, first_of(names))
    lost = Counter(slot.seats[got.index(min(got))] for slot, got in results.items())
    assert lost == dict.fromkeys(names[1:], 2)
    stages = schedule.course().stages
    assert sorted(stages, key=stages.get, reverse=True)[:2] == ["b0", "b1"]


def test_the_unbeaten_one_has_to_be_beaten_twice():
    names = bots(2)
    winners = iter(["b0", "b1", "b0"])
    schedule = Rounds(Elimination(names, 2), "s", fixed(1), MAPS)

    def result(slot):
        best = next(winners)
        return tuple(1.0 if name == best else -1.0 for name in slot.seats)

    assert len(play(schedule, result)) == 3
    assert schedule.course().stages == {"b0": 3, "b1": 2}


def level(slot):
    return (0.0, 0.0)


def test_a_level_meeting_goes_on_on_the_next_map_then_to_the_points_of_the_game():
    schedule = Rounds(Elimination(["a", "b"]), "s", TIE_BREAK, MAPS)
    maps = []
    while slots := schedule.take():
        maps.append({slot.map for slot in slots})
        for slot in slots:
            points = [3 if name == "b" else 2 for name in slot.seats]
            schedule.record(slot, level(slot), points)
    assert maps == [{"m"}, {"n"}, {"o"}]
    assert schedule.course().stages == {"a": 0, "b": 1}


def test_a_level_meeting_that_is_level_in_points_too_goes_to_the_higher_seed():
    schedule = Rounds(Elimination(["b", "a"]), "s", TIE_BREAK, MAPS)
    assert len(play(schedule, level)) == 6
    assert schedule.course().stages == {"b": 1, "a": 0}


def test_a_set_that_decides_is_the_last_of_a_tie_break():
    schedule = Rounds(Elimination(["a", "b"]), "s", TIE_BREAK, MAPS)
    wins = {"m": level, "n": first_of(["b", "a"])}
    results = play(schedule, lambda slot: wins[slot.map](slot))
    assert {slot.map for slot in results} == {"m", "n"}
    assert schedule.course().stages == {"a": 0, "b": 1}


def test_pools_are_dealt_to_and_fro():
    assert dealt(list("abcdefgh"), 3) == [["a", "f", "g"], ["b", "e", "h"], ["c", "d"]]


def test_the_firsts_of_the_pools_meet_the_seconds_of_others():
    names = bots(8)
    schedule = pools(names)
    results = play(schedule, first_of(names))
    knockout = {slot.members: slot.number for slot in results if slot.number >= 1}
    assert list(knockout) == sorted(knockout, key=knockout.get)
    # The pools are 0 3 4 7 and 1 2 5 6.
    assert set(knockout) == {("b0", "b2"), ("b1", "b3"), ("b0", "b1")}
    assert schedule.course().stages == {
        "b0": 3,
        "b1": 2,
        "b2": 1,
        "b3": 1,
        "b4": 0,
        "b5": 0,
        "b6": -1,
        "b7": -1,
    }


def test_a_bot_that_is_shut_out_is_not_in_the_next_round():
    names = bots(4)
    schedule = Rounds(Elimination(names), "s", fixed(2))
    result = first_of(names)
    slots = schedule.take()
    for slot in slots:
        schedule.record(slot, result(slot))
    final = schedule.take({"b0": place_of(slots[-1])})
    assert {slot.members for slot in final} == {("b1", "b3")}  # b3 had lost to b0


def test_against_a_bot_that_is_shut_out_the_round_counts_as_a_bye():
    names = bots(4)
    schedule = Rounds(Swiss(names, "s", 2, 2), "s", fixed(2))
    slots = schedule.take()
    for slot in slots:
        schedule.record(slot, first_of(names)(slot))
    out = {"b0": place_of(slots[-1])}
    met = next(name for slot in slots if "b0" in slot.members for name in slot.members
               if name != "b0")  # fmt: skip
    assert {name for slot in schedule.take(out) for name in slot.members}.isdisjoint({"b0"})
    assert schedule.course(out).byes[met] >= 2


@given(st.integers(3, 9), st.integers(3, 8), st.integers(1, 30))
def test_balanced_groups_let_all_play_about_equally_often(count, seats, groups):
    names = bots(max(count, seats))
    found = balanced(names, seats, groups, "s")
    played = Counter(name for group in found for name in group)
    assert len(found) == groups
    assert all(len(set(group)) == seats for group in found)
    assert max(played.values()) - min(played[name] for name in names) <= 1


def test_balanced_groups_let_all_meet_about_equally_often():
    names = bots(13)
    met = Counter(
        pair for group in balanced(names, 4, 52, "s") for pair in combinations(sorted(group), 2)
    )
    assert len(met) == 78  # all pairs; 4 meetings each on the mean
    assert min(met.values()) >= 2
    assert max(met.values()) <= 6


@given(st.integers(2, 12), st.integers(1, 6))
def test_in_a_league_everybody_has_enough_opponents_and_a_newcomer_changes_little(count, wanted):
    names = bots(count)
    before = drawn(names, wanted, "s")
    opponents = Counter(name for pair in before for name in pair)
    assert min(opponents.values()) >= min(wanted, count - 1)
    after = drawn([*names, "new"], wanted, "s")
    lost = set(before) - set(after)
    assert len(lost) <= sum("new" in pair for pair in after) * (wanted + 1)


def test_more_games_go_to_the_pairs_that_are_open():
    names = ["a", "b", "c"]  # c loses all; of a and b nobody is ahead

    def result(slot):
        return first_of(names)(slot) if "c" in slot.seats else level(slot)

    games = Counter(slot.members for slot in play(Unresolved(names, "s", 16), result))
    assert sum(games.values()) == 3 * 16
    assert games["a", "b"] > games["a", "c"]
    assert games["a", "b"] > games["b", "c"]
