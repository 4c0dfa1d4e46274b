"""Laws of schedules: sets, seeds, resuming, and games that stop when a group is decided."""

import random
from collections import Counter, defaultdict
from math import comb

from hypothesis import given
from hypothesis import strategies as st

from joute.contest.schedule.round_robin import (
    Alone,
    RoundRobin,
    SpreadRoundRobin,
    by_rounds,
)
from joute.contest.schedule.schedule import set_seed

NAMES = st.lists(st.text("abcdé ", min_size=1, max_size=4), min_size=2, max_size=5, unique=True)
SEATS = st.integers(2, 5)
MAPS = st.sampled_from([("",), ("a",), ("a", "b"), ("a", "b", "c")])
EVEN = st.integers(1, 4).map(lambda pairs: 2 * pairs)


@given(NAMES, EVEN)
def test_every_pairing_plays_every_pair_with_both_seatings(names, games):
    slots = RoundRobin(names, "seed", games).take()
    pairs = defaultdict(list)
    for slot in slots:
        pairs[slot.members, slot.number].append(slot)
    assert len(slots) == games * len(names) * (len(names) - 1) // 2
    for (pairing, _), both in pairs.items():
        assert [slot.seats for slot in both] == [pairing, pairing[::-1]]
        assert both[0].seed == both[1].seed


def sets_of(slots):
    """The games of each set."""
    sets = defaultdict(list)
    for slot in slots:
        sets[slot.members, slot.number].append(slot)
    return sets


@given(NAMES, SEATS, st.integers(1, 4), MAPS)
def test_in_a_set_every_bot_sits_once_at_every_seat(names, seats, sets, maps):
    slots = RoundRobin(names, "seed", sets * seats, seats=seats, maps=maps).take()
    assert len(slots) == comb(len(names), seats) * sets * seats
    for (members, number), games in sets_of(slots).items():
        assert list(members) == sorted(members)
        at = Counter((name, seat) for game in games for seat, name in enumerate(game.seats))
        assert at == {(name, seat): 1 for name in members for seat in range(seats)}
        assert {game.seed for game in games} == {games[0].seed}
        assert {game.map for game in games} == {maps[number % len(maps)]}


@given(NAMES, SEATS, st.integers(1, 4))
def test_every_set_has_a_seed_of_its_own(names, seats, sets):
    games = sets * seats
    slots = RoundRobin(names, "seed", games, seats=seats).take()
    assert len({slot.seed for slot in slots}) * seats == len(slots)
    assert {slot.seed for slot in slots}.isdisjoint(
        slot.seed for slot in RoundRobin(names, "another", games, seats=seats).take()
    )


@given(NAMES, SEATS, st.integers(1, 4), MAPS, st.randoms())
def test_adding_a_bot_or_reordering_the_file_changes_no_other_game(
    names, seats, sets, maps, shuffler
):
    more = [*names, "newcomer"]
    shuffler.shuffle(more)
    before, after = (
        set(RoundRobin(each, "seed", sets * seats, seats=seats, maps=maps).take())
        for each in (names, more)
    )
    assert before <= after
    before, after = (set(Alone(each, "seed", sets, maps).take()) for each in (names, more))
    assert before <= after


@given(NAMES, st.integers(1, 4), MAPS, st.randoms())
def test_alone_every_bot_plays_every_seed_on_every_map(names, games, maps, shuffler):
    schedule = Alone(names, "seed", games, maps)
    slots = schedule.take()
    assert schedule.take() == []
    assert len(slots) == len(set(slots)) == len(names) * games * len(maps)
    by_bot = defaultdict(set)
    for slot in slots:
        by_bot[slot.seats].add((slot.number, slot.map, slot.seed))
    assert set(by_bot) == {(name,) for name in names}
    assert all(each == by_bot[names[0],] for each in by_bot.values())
    assert len({slot.seed for slot in slots}) == games * len(maps)
    shuffler.shuffle(slots)
    for played, slot in enumerate(slots):
        assert schedule.left_at_most() == len(slots) - played
        schedule.record(slot, (1.0,))
    assert schedule.left_at_most() == 0


def test_the_seed_of_a_pair_is_what_it_has_always_been():
    assert set_seed("seed", ("a", "b"), 0) == "ae6753d6042e24e06f0aab43abd95df2"


def test_an_unfinished_contest_has_played_about_as_much_of_each_pairing():
    slots = RoundRobin(["c", "a", "b"], "seed", 4).take()
    assert [slot.number for slot in slots] == [0] * 6 + [1] * 6


@given(NAMES, SEATS, EVEN, MAPS)
def test_a_spread_round_robin_has_the_games_of_any_other(names, seats, games, maps):
    spread = SpreadRoundRobin(names, "seed", games, seats=seats, maps=maps).take()
    plain = RoundRobin(names, "seed", games, seats=seats, maps=maps).take()
    assert sorted(spread) == sorted(plain)
    assert [slot.number for slot in spread] == [slot.number for slot in plain]


@given(NAMES, EVEN)
def test_wherever_a_spread_round_robin_ends_all_have_met_about_as_many(names, games):
    played = Counter(dict.fromkeys(names, 0))
    for slot in SpreadRoundRobin(names, "seed", games).take():
        played.update(slot.members)
        apart = 2 * 2 if len(names) % 2 else 2  # games: a set, and one more for who waits a round
        assert max(played.values()) - min(played.values()) <= apart


def test_every_round_of_pairs_has_every_bot_once():
    assert by_rounds("abcd") == [
        ("a", "d"), ("b", "c"),
        ("a", "c"), ("d", "b"),
        ("a", "b"), ("c", "d"),
    ]  # fmt: skip
    assert by_rounds("abc") == [("b", "c"), ("a", "c"), ("a", "b")]


def result_of(slot, bias):
    """A reproducible result, as returns by seat."""
    draw = random.Random(f"{slot} {bias}").choice([-1.0, 0.0, 1.0, 1.0 if bias else 0.0])
    return (draw, -draw)


def play(schedule, bias, shuffler, known=None):
    """Play a schedule with results arriving in any order; returns them by slot."""
    results, flying = {}, []
    while True:
        flying += schedule.take()
        if not flying:
            return results
        slot = flying.pop(shuffler.randrange(len(flying)))
        results[slot] = (known or {}).get(slot) or result_of(slot, bias)
        schedule.record(slot, results[slot])


@given(st.integers(1, 6), EVEN, st.booleans(), st.randoms(), st.randoms())
def test_which_games_are_played_depends_on_results_alone(first_to, games, bias, one, other):
    names = ["a", "b", "c"]
    results = [
        play(RoundRobin(names, "s", games, first_to), bias, shuffler) for shuffler in (one, other)
    ]
    assert results[0] == results[1]


@given(st.integers(1, 6), EVEN, st.booleans(), st.randoms())
def test_a_pairing_stops_with_the_pair_that_decides_it(first_to, games, bias, shuffler):
    results = play(RoundRobin(["a", "b"], "s", games, first_to), bias, shuffler)
    wins = {"a": 0, "b": 0}
    pairs = max(slot.number for slot in results) + 1
    assert len(results) == 2 * pairs
    for slot, returns in sorted(results.items()):
        if slot.number < pairs - 1 and max(returns) > 0:
            wins[slot.seats[returns.index(max(returns))]] += 1
    assert max(wins.values()) < first_to  # undecided before the last pair
    for slot, returns in results.items():
        if slot.number == pairs - 1 and max(returns) > 0:
            wins[slot.seats[returns.index(max(returns))]] += 1
    assert max(wins.values()) >= first_to or 2 * pairs == games


@given(st.integers(1, 6), EVEN, st.randoms(), st.integers(0, 40))
def test_resuming_is_a_set_difference(first_to, games, shuffler, kept):
    names = ["a", "b", "c"]
    whole = play(RoundRobin(names, "s", games, first_to), True, shuffler)
    some = dict(list(whole.items())[:kept])
    assert play(RoundRobin(names, "s", games, first_to), True, shuffler, known=some) == whole


def test_pairs_that_cannot_have_been_decided_are_played_at_once():
    schedule = RoundRobin(["a", "b"], "s", 100, first_to=10)
    assert len(schedule.take()) == 10  # 4 pairs cannot decide; a fifth is therefore certain
    assert schedule.left_at_most() == 100


@given(st.integers(1, 6), st.integers(1, 11), st.booleans(), st.randoms())
def test_a_pairing_of_an_odd_number_of_games_ends_with_one_whose_starter_is_drawn(
    first_to, games, bias, shuffler
):
    schedule = RoundRobin(["a", "b"], "s", games, first_to)
    results = play(schedule, bias, shuffler)
    assert len(results) <= games
    assert schedule.left_at_most() == 0
    sets = sets_of(results)
    for (_, number), slots in sets.items():
        assert len(slots) == min(2, games - 2 * number)
    won = Counter(
        slot.seats[returns.index(1.0)] for slot, returns in results.items() if 1.0 in returns
    )
    assert len(results) == games or max(won.values()) >= first_to


def test_the_odd_game_is_started_now_by_one_and_now_by_the_other():
    names = list("abcdefgh")
    slots = [slot for slot in RoundRobin(names, "s", 3).take() if slot.number == 1]
    assert len(slots) == len({slot.members for slot in slots}) == comb(8, 2)
    starters = Counter(slot.seats == slot.members for slot in slots)
    assert min(starters[True], starters[False]) > 5


def test_the_odd_game_is_the_same_when_a_set_is_made_whole():
    odd = set(RoundRobin(["a", "b", "c"], "s", 5).take())
    assert odd < set(RoundRobin(["a", "b", "c"], "s", 6).take())


def test_bots_that_are_out_are_not_among_those_whose_games_are_left():
    schedule = RoundRobin(["a", "b", "c"], "s", 4)
    assert schedule.left_at_most({"a"}) == 4
    assert schedule.left_at_most({"a", "b"}) == 0
    assert Alone(["a", "b"], "s", 3).left_at_most({"b"}) == 3


def test_no_more_than_what_is_in_the_air_is_left_once_decided():
    schedule = RoundRobin(["a", "b"], "s", 100, first_to=1)
    first, second = schedule.take()
    schedule.record(first, (1.0, -1.0))
    assert schedule.take() == []
    assert schedule.left_at_most() == 1
    schedule.record(second, (0.0, 0.0))
    assert schedule.left_at_most() == 0


@given(NAMES, SEATS, st.integers(1, 9), MAPS)
def test_the_place_of_a_game_is_found_by_who_plays_it_where(names, seats, games, maps):
    for schedule in (
        RoundRobin(names, "seed", games, seats=seats, maps=maps),
        Alone(names, "seed", games, maps),
    ):
        for slot in schedule.take():
            asked = slot.members, slot.number, slot.seats, slot.map
            assert schedule.place(*asked) == slot
            assert schedule.place(slot.members, games + 9, *asked[2:]) is None
            assert schedule.place(*asked[:2], ("nobody",), slot.map) is None
            assert schedule.place(*asked[:3], "nowhere") is None
            assert schedule.place(("nobody",), *asked[1:]) is None


def test_where_results_decide_which_games_are_played_a_game_has_no_place_before():
    schedule = RoundRobin(["a", "b"], "seed", 4, first_to=1)
    [slot, _] = schedule.take()
    assert schedule.place(slot.members, slot.number, slot.seats, slot.map) is None
