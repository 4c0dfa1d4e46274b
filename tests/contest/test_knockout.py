"""Knockouts and pools: who meets whom, what a level meeting leads to, who is out."""

import random
from collections import Counter, defaultdict

import pytest
from contest.simulation import bots, first_of, level, play
from contest.test_formats import MAPS, TIE_BREAK, pools
from hypothesis import given
from hypothesis import strategies as st

from joute.contest.schedule.draws import Elimination, Swiss, bracket, dealt
from joute.contest.schedule.rounds import Rounds
from joute.contest.schedule.schedule import place_of
from joute.contest.schedule.series import Series, fixed


def test_the_seeds_of_a_knockout_meet_as_late_as_they_can():
    assert bracket(["a"]) == ["a"]
    assert bracket(list("abcd")) == ["a", "d", "b", "c"]
    assert bracket(list("abcde")) == ["a", None, "d", "e", "b", None, "c", None]


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


@given(st.integers(5, 14), st.integers(0, 30))
def test_of_the_once_beaten_nobody_has_a_bye_before_those_who_had_fewer(count, salt):
    names = bots(count)
    schedule = Rounds(Elimination(names, 2), "s", fixed(1))

    def result(slot):
        won = random.Random(f"{slot} {salt}").randrange(2)
        return (1.0, -1.0) if won else (-1.0, 1.0)

    rounds = defaultdict(list)
    for slot, got in play(schedule, result).items():
        rounds[slot.number].append((slot.seats, slot.seats[got.index(-1.0)]))
    lost, byes = Counter(), Counter()
    for number in sorted(rounds):
        second = {name for name in names if lost[name] == 1}
        playing = {name for seats, _ in rounds[number] for name in seats}
        for name in second - playing if second & playing else ():
            assert byes[name] == min(byes[other] for other in second)
            byes[name] += 1
        lost.update(loser for _, loser in rounds[number])


def test_a_meeting_that_is_decided_has_no_games_left():
    meeting = Series(("a", "b"), TIE_BREAK)
    first, second = meeting.next_set("s", 0, "")
    assert meeting.left_at_most() == 6
    meeting.record(first, (1.0, -1.0))
    assert meeting.left_at_most() == 5
    meeting.record(second, (0.0, 0.0))
    assert not meeting.certain()
    assert meeting.left_at_most() == 0


def test_the_unbeaten_one_has_to_be_beaten_twice():
    names = bots(2)
    winners = iter(["b0", "b1", "b0"])
    schedule = Rounds(Elimination(names, 2), "s", fixed(1), MAPS)

    def result(slot):
        best = next(winners)
        return tuple(1.0 if name == best else -1.0 for name in slot.seats)

    assert len(play(schedule, result)) == 3
    assert schedule.course().stages == {"b0": 3, "b1": 2}


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
    byes = schedule.course(out).byes
    assert byes[met] == 2  # and of the three who are left, one of the others has a bye
    assert sorted(byes.values()) == [0, 0, 2, 2]
