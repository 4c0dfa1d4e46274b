"""The order of Paradise's contest, against examples worked out by hand."""

import pytest
from contest.test_ranking import DRAW, LOSS, WIN, games, order

from joute.contest.ranking.ranking import rank

pytestmark = pytest.mark.game("paradise")


def ranked(names, rows, first_to=None):
    return rank(names, rows, "paradise", first_to)


def test_a_meeting_is_won_with_so_many_games_and_not_with_fewer():
    rows = [
        *games("a", "b", WIN, WIN, LOSS, WIN),
        *games("a", "c", WIN, WIN, DRAW, DRAW),  # two wins of three: nobody's meeting
        *games("b", "c", WIN, LOSS, LOSS, WIN, WIN),
    ]
    table = {line.name: line for line in ranked(["a", "b", "c"], rows, 3)}
    assert {name: line.beaten for name, line in table.items()} == {"a": 1, "b": 1, "c": 0}
    assert [line.beaten for line in rank(["a", "b", "c"], rows)] == [2, 1, 0]  # more games: HX2


def test_whoever_was_first_has_the_meeting_whatever_is_played_after_it():
    rows = games("a", "b", WIN, LOSS, WIN, LOSS, LOSS, LOSS)
    first, second = ranked(["b", "a"], rows, 2)
    assert (first.name, first.beaten, first.won) == ("a", 1, 2)
    assert (second.name, second.beaten, second.won) == ("b", 0, 4)  # all that it won is shown


def test_without_a_number_the_meeting_is_won_by_whoever_wins_more_games():
    rows = [*games("a", "b", WIN, DRAW, DRAW, DRAW), *games("a", "c", WIN, LOSS)]
    assert [(line.name, line.beaten) for line in ranked(["a", "b", "c"], rows)] == [
        ("a", 1),
        ("c", 0),
        ("b", 0),
    ]


def test_of_two_tied_the_one_that_beat_the_other_is_before_it_whatever_the_games_won():
    rows = [
        *games("a", "b", LOSS, WIN, WIN),
        *games("a", "c", LOSS, LOSS),
        *games("b", "c", WIN, WIN),
        *games("b", "d", WIN, WIN),
        *games("a", "d", WIN, WIN),
    ]
    table = ranked(["a", "b", "c", "d"], rows, 2)
    # a, b: two beaten each (b and d; c and d). c: one. b has won 5 games, a 4.
    assert order(table) == [(1, "a"), (2, "b"), (3, "c"), (4, "d")]
    assert [line.beaten_among_tied for line in table] == [1, 0, 0, 0]


def test_three_tied_are_ordered_by_games_won_and_not_by_who_beat_whom():
    circle = [
        *games("a", "b", WIN, LOSS, WIN),
        *games("b", "c", WIN, LOSS, WIN),
        *games("c", "a", WIN, WIN),
    ]
    # One beaten each; games won: a 2, b 1 + 2, c 1 + 2.
    assert order(ranked(["a", "b", "c"], circle, 2)) == [(1, "b"), (2, "c"), (3, "a")]


def test_two_that_games_won_leave_tied_are_ordered_by_their_meeting():
    circle = [
        *games("a", "b", WIN, WIN),
        *games("b", "c", WIN, LOSS, WIN),
        *games("c", "a", WIN, WIN),
    ]
    # One beaten each; games won: a 2, b 2, c 1 + 2; and a has beaten b.
    assert order(ranked(["c", "b", "a"], circle, 2)) == [(1, "c"), (2, "a"), (3, "b")]


def test_two_tied_without_a_winner_between_them_are_ordered_by_games_won_or_share_the_place():
    rows = games("a", "b", WIN, DRAW, DRAW)
    assert order(ranked(["b", "a"], rows, 2)) == [(1, "a"), (2, "b")]
    assert order(ranked(["b", "a"], games("a", "b", WIN, LOSS, DRAW), 2)) == [(1, "a"), (1, "b")]


def test_without_games_all_share_the_first_place():
    assert order(ranked(["b", "c", "a"], [])) == [(1, "a"), (1, "b"), (1, "c")]


@pytest.mark.parametrize("rule", ["hx2", "paradise"])
def test_games_won_after_the_meeting_was_decided_count_for_the_hx2_order_alone(rule):
    rows = [
        *games("a", "b", WIN, WIN, LOSS, LOSS, LOSS),
        *games("b", "c", WIN, WIN),
        *games("c", "a", WIN, WIN),
    ]
    # hx2: b beats a and c. paradise: one each; until then a 2, b 2, c 2.
    expected = {"hx2": [(1, "b"), (2, "c"), (3, "a")], "paradise": [(1, "a"), (1, "b"), (1, "c")]}
    assert order(rank(["a", "b", "c"], rows, rule, 2)) == expected[rule]
