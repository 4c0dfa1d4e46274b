"""Groups that are drawn or balanced, and games that go where it is open who is better."""

from collections import Counter
from itertools import combinations

from contest.simulation import bots, first_of, level, play
from hypothesis import given
from hypothesis import strategies as st

from joute.contest.schedule.round_robin import Unresolved, balanced, drawn


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


@given(st.integers(4, 12), st.integers(1, 4), st.integers(1, 3))
def test_in_a_league_whoever_meets_a_bot_that_leaves_is_given_another(count, wanted, gone):
    names = bots(count)
    leaving, staying = names[:gone], names[gone:]
    found = drawn(names, wanted, "s", leaving)
    assert set(found) >= set(drawn(names, wanted, "s"))
    opponents = Counter(name for pair in found for name in pair if not {*leaving} & {*pair})
    assert all(opponents[name] >= min(wanted, len(staying) - 1) for name in staying)


def test_more_games_go_to_the_pairs_that_are_open():
    names = ["a", "b", "c"]  # c loses all; of a and b nobody is ahead

    def result(slot):
        return first_of(names)(slot) if "c" in slot.seats else level(slot)

    games = Counter(slot.members for slot in play(Unresolved(names, "s", 16), result))
    assert sum(games.values()) == 3 * 16
    assert games["a", "b"] > games["a", "c"]
    assert games["a", "b"] > games["b", "c"]
