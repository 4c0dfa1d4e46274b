"""Standings, against examples worked out by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from joute.contest.ranking.ranking import rank
from joute.contest.ranking.rows import Row
from joute.contest.ranking.rules import seat_scores
from joute.contest.rating.statistics import wilson

WIN, DRAW, LOSS = (1.0, -1.0), (0.0, 0.0), (-1.0, 1.0)


def games(one, other, *results, start=0):
    """The games of a pairing in pairs; results are for `one`, seats exchanged every other game."""
    rows = []
    for number, result in enumerate(results):
        exchanged = number % 2
        rows.append(
            Row(
                key=(one, other, start + number // 2),
                bots=(other, one) if exchanged else (one, other),
                returns=result[::-1] if exchanged else result,
            )
        )
    return rows


def order(table):
    return [(line.rank, line.name) for line in table]


def test_bots_beaten_come_first():
    rows = [
        *games("a", "b", WIN, WIN, WIN, LOSS),  # a beats b
        *games("a", "c", WIN, LOSS, DRAW, DRAW),  # nobody beats
        *games("b", "c", WIN, WIN, WIN, WIN),  # b beats c
        *games("a", "d", LOSS, LOSS, LOSS, WIN),  # d beats a
        *games("b", "d", WIN, DRAW, DRAW, DRAW),  # b beats d
        *games("c", "d", LOSS, LOSS, LOSS, LOSS),  # d beats c
    ]
    table = rank(["a", "b", "c", "d"], rows)
    # b and d have beaten two each; b has beaten d.
    assert order(table) == [(1, "b"), (2, "d"), (3, "a"), (4, "c")]
    assert [line.beaten for line in table] == [2, 2, 1, 0]
    assert [line.beaten_among_tied for line in table] == [1, 0, 0, 0]
    assert [(line.won, line.drawn, line.lost) for line in table] == [
        (6, 3, 3),
        (7, 3, 2),
        (5, 2, 5),
        (1, 2, 9),
    ]


def test_a_circle_is_separated_by_games_won():
    rows = [
        *games("a", "b", WIN, WIN, WIN, WIN),
        *games("b", "c", WIN, WIN, WIN, LOSS),
        *games("c", "a", WIN, WIN, LOSS, DRAW),
    ]
    table = rank(["a", "b", "c"], rows)
    assert order(table) == [(1, "a"), (2, "b"), (2, "c")]  # 5, 3 and 3 games won
    assert [line.won for line in table] == [5, 3, 3]


def test_head_to_head_is_asked_again_within_a_group_still_tied():
    # All four have beaten two (of e and each other); among the four: a 2, b 1, c 1, d 0 ... e 0.
    rows = [
        *games("a", "b", WIN, WIN),
        *games("a", "c", WIN, WIN),
        *games("b", "c", WIN, WIN),
        *games("b", "d", LOSS, LOSS),
        *games("c", "d", WIN, WIN),
        *games("c", "e", WIN, WIN),
        *games("b", "e", WIN, WIN),
        *games("d", "e", WIN, WIN),
    ]
    table = rank(["e", "d", "c", "b", "a"], rows)
    # a, b, c, d have beaten 2 each; among them a 2, b 1, c 1, d 1; then among b, c, d: one each
    # (b beats c, c beats d, d beats b), 4 games won each.
    assert order(table) == [(1, "a"), (2, "b"), (2, "c"), (2, "d"), (5, "e")]
    rows += games("a", "d", DRAW, LOSS)
    # Now d has beaten three; a, b, c two each: among them a 2, b 1, c 0.
    table = rank(["e", "d", "c", "b", "a"], rows)
    assert order(table) == [(1, "d"), (2, "a"), (3, "b"), (4, "c"), (5, "e")]


def test_two_left_tied_are_separated_by_their_own_games():
    beats = [("a", "c"), ("a", "f"), ("b", "a"), ("b", "g"), ("c", "d"), ("c", "b"),
             ("d", "a"), ("d", "g")]  # fmt: skip
    rows = [row for one, other in beats for row in games(one, other, WIN, WIN)]
    table = rank(list("abcdfg"), rows)
    # Two beaten each; among a, b, c, d: a 1 (c), b 1 (a), c 2 (d, b), d 1 (a);
    # then among a, b, d: a 0, b 1, d 1; b and d have not met and won 4 games each.
    assert order(table)[:4] == [(1, "c"), (2, "b"), (2, "d"), (4, "a")]


def test_bots_that_nothing_separates_share_a_place():
    rows = games("a", "b", WIN, LOSS)
    assert order(rank(["b", "a"], rows)) == [(1, "a"), (1, "b")]


def test_without_games_everything_is_unknown_and_nothing_is_nan():
    for line in rank(["a", "b"], []):
        assert (line.rank, line.games, line.sets) == (1, 0, 0)
        assert line.score is None
        assert line.interval is None
        assert line.mean_ms is None


def test_half_a_pair_counts_in_games_but_not_in_the_score():
    first, *_ = table = rank(["a", "b"], games("a", "b", WIN, LOSS, WIN))
    assert [line.games for line in table] == [3, 3]
    assert (first.name, first.score, first.sets) == ("a", 0.5, 1)


def test_faults_are_counted_by_code_with_the_first_detail():
    illegal = {"seat": 0, "ply": 3, "fault": "illegal", "detail": "one", "cost": "turn"}
    crash = {"seat": 1, "ply": 9, "fault": "crash", "detail": "boom", "cost": "game"}
    rows = [
        Row(1, ("a", "b"), WIN, [illegal, {**illegal, "detail": "two"}, crash], (6, 9), (2, 0)),
        Row(1, ("b", "a"), WIN, [{**illegal, "detail": "three", "game": "g"}], (1, 0), (2, 4)),
    ]
    a, b = sorted(rank(["a", "b"], rows), key=lambda line: line.name)
    said = [[(fault.fault, fault.count, fault.first) for fault in line.faults] for line in (a, b)]
    assert said == [[("illegal", 2, "one")], [("crash", 1, "boom"), ("illegal", 1, "three")]]
    assert (a.forfeits, b.forfeits) == (0, 1)
    assert (a.mean_ms, b.mean_ms) == (1.0, 5.0)


def test_games_of_three_are_ranked_by_the_same_rules():
    rows = [
        Row("k", ("a", "b", "c"), (2.0, 1.0, 0.0), size=2),
        Row("k", ("b", "c", "a"), (1.0, 1.0, 1.0), size=2),
    ]
    table = rank(["a", "b", "c"], rows)
    assert [(line.name, line.beaten) for line in table] == [("a", 2), ("b", 1), ("c", 0)]
    counts = [(line.won, line.drawn, line.lost) for line in table]
    assert counts == [(1, 1, 0), (0, 1, 1), (0, 1, 1)]
    assert [line.score for line in table] == [0.75, 0.5, 0.25]


def test_a_seat_scores_against_the_others():
    assert seat_scores((1.0, -1.0)) == [1.0, 0.0]
    assert seat_scores((0.0, 0.0)) == [0.5, 0.5]
    assert seat_scores((3.0, 3.0, 0.0)) == [0.75, 0.75, 0.0]


@pytest.mark.parametrize(
    ("score", "trials", "low", "high"),
    [  # from the formula worked with pencil and paper, and Wilson's tables
        (0.5, 10, 0.2366, 0.7634),
        (1.0, 10, 0.7225, 1.0),
        (0.0, 1, 0.0, 0.7935),
        (0.75, 100, 0.6570, 0.8245),
    ],
)
def test_wilsons_interval_has_its_known_values(score, trials, low, high):
    interval = wilson(score, trials)
    assert interval == pytest.approx((low, high), abs=1e-4)


@given(st.floats(0, 1), st.integers(1, 10**6))
def test_an_interval_holds_its_score_and_stays_within_bounds(score, trials):
    low, high = wilson(score, trials)
    assert 0.0 <= low <= score + 1e-12
    assert score - 1e-12 <= high <= 1.0
    assert not math.isnan(low + high)


def test_there_is_no_interval_without_a_pair():
    assert wilson(0.5, 0) is None


def rotated(key, names, *results, **facts):
    """The games of a set: all rotations of the bots; a result is by bot, in the order of names."""
    rows = []
    for turn, result in enumerate(results):
        seats = names[turn:] + names[:turn]
        values = dict(zip(names, result, strict=True))
        returns = tuple(values[name] for name in seats)
        rows.append(Row(key, tuple(seats), returns, size=len(names), **facts))
    return rows


def test_of_four_seats_whoever_is_alone_at_the_top_has_won_and_above_in_more_games_beats():
    names = ["a", "b", "c", "d"]
    rows = rotated(
        "k",
        names,
        (3.0, 1.0, -1.0, -3.0),  # a wins alone
        (2.0, 2.0, -1.0, -3.0),  # a and b share the top
        (-3.0, 3.0, 0.0, 0.0),  # b wins alone
        (-1.0, -3.0, 3.0, 1.0),  # c wins alone
    )
    table = {line.name: line for line in rank(names, rows)}
    counts = {name: (line.won, line.drawn, line.lost) for name, line in table.items()}
    assert counts == {"a": (1, 1, 2), "b": (1, 1, 2), "c": (1, 0, 3), "d": (0, 0, 4)}
    # a - b: above, level, below, above. b - c, b - d: above, above, above, below. a - c and a - d:
    # above, above, below, below. c - d: above, above, level, above.
    assert [table[name].beaten for name in names] == [1, 2, 1, 0]
    assert order(table.values()) == [(1, "b"), (2, "a"), (2, "c"), (4, "d")]
    # a: 1, 5/6, 0, 1/3. b: 2/3, 5/6, 1, 0. c: 1/3, 1/3, 1/2, 1. d: 0, 0, 1/2, 2/3.
    assert [table[name].score for name in names] == pytest.approx(
        [13 / 24, 15 / 24, 13 / 24, 7 / 24]
    )
    assert {line.sets for line in table.values()} == {1}


def test_a_set_of_three_counts_when_its_three_games_are_there():
    rows = rotated("k", ["a", "b", "c"], (2.0, 0.0, -2.0), (2.0, 0.0, -2.0))
    assert {line.sets for line in rank(["a", "b", "c"], rows)} == {0}
    rows = rotated("k", ["a", "b", "c"], (2.0, 0.0, -2.0), (2.0, 0.0, -2.0), (2.0, 0.0, -2.0))
    table = rank(["a", "b", "c"], rows)
    assert [(line.sets, line.score) for line in table] == [(1, 1.0), (1, 0.5), (1, 0.0)]


def test_bots_that_met_in_some_groups_only_are_ranked_together():
    rows = [
        *rotated(1, ["a", "b", "c"], *[(1.0, 0.0, -1.0)] * 3),
        *rotated(2, ["a", "b", "d"], *[(0.0, -1.0, 1.0)] * 3),
        *rotated(3, ["a", "c", "d"], *[(1.0, -1.0, 0.0)] * 3),
        *rotated(4, ["b", "c", "d"], *[(0.0, 1.0, -1.0)] * 3),
    ]
    table = rank(["a", "b", "c", "d"], rows)
    # Each pair met in six games; all but a with b and a with c are level, three above, three below.
    assert order(table) == [(1, "a"), (2, "c"), (2, "d"), (4, "b")]
    assert [(line.beaten, line.won) for line in table] == [(2, 6), (0, 3), (0, 3), (0, 0)]


def test_a_team_that_is_alone_at_the_top_has_won_and_its_members_are_no_opponents():
    names, teams = ["a", "b", "c", "d"], ((0, 1), (2, 3))
    rows = rotated("k", names, (1.0, 1.0, -1.0, -1.0), teams=teams)
    counts = {line.name: (line.won, line.drawn, line.lost) for line in rank(names, rows)}
    assert counts == {"a": (1, 0, 0), "b": (1, 0, 0), "c": (0, 0, 1), "d": (0, 0, 1)}
    assert seat_scores((1.0, 1.0, -1.0, -1.0), teams) == [1.0, 1.0, 0.0, 0.0]
    assert seat_scores((0.0, 0.0, 0.0), ((0, 2),)) == [0.5, 0.5, 0.5]
    assert {line.drawn for line in rank(names, rotated("k", names, (0.0,) * 4, teams=teams))} == {1}
    assert seat_scores((0.0, 0.0), ((0, 1),)) == [0.5, 0.5]  # nobody to compare with


def test_scores_are_told_by_map():
    rows = [
        *(row._replace(map="duel") for row in games("a", "b", WIN, WIN)),
        *(row._replace(map="cross") for row in games("a", "b", WIN, LOSS, start=1)),
    ]
    table = rank(["a", "b"], rows)
    assert [line.by_map for line in table] == [
        {"duel": 1.0, "cross": 0.5},
        {"duel": 0.0, "cross": 0.5},
    ]
    assert [line.by_map for line in rank(["a", "b"], games("a", "b", WIN, WIN))] == [{}, {}]
