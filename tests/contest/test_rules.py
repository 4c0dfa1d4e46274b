"""The rules of rankings, each against an example worked out by hand, and what several make."""

import pytest
from contest.test_ranking import DRAW, LOSS, WIN, games, order

from joute.contest.ranking.ranking import own_columns, rank
from joute.contest.ranking.rules import RULES, orders
from joute.contest.schedule.schedule import Progression

NAMES = ["a", "b", "c", "d"]
# Beaten: a beats b and c, b beats c and d, c beats d, d beats a.
# Games won: a 5, b 3, c 1, d 4; points: a 5, b 4, c 2.5, d 4.5 of 4, 6, 4 and 2 ...
ROWS = [
    *games("a", "b", WIN, WIN, DRAW, WIN),
    *games("a", "c", WIN, WIN),
    *games("b", "c", WIN, DRAW),
    *games("b", "d", WIN, WIN),
    *games("c", "d", WIN, DRAW),
    *games("d", "a", WIN, WIN),
]


def ranked(*rules, rows=ROWS, names=NAMES, **more):
    return rank(names, rows, rules, **more)


def numbers(table, rule):
    return {line.name: line.by_rule[rule] for line in table}


def test_bots_are_ordered_by_opponents_beaten():
    table = ranked("opponents-beaten")
    assert numbers(table, "opponents-beaten") == {"a": 2, "b": 2, "c": 1, "d": 1}
    assert order(table) == [(1, "a"), (1, "b"), (3, "c"), (3, "d")]


def test_bots_are_ordered_by_games_won():
    table = ranked("games-won")
    assert numbers(table, "games-won") == {"a": 5, "b": 3, "c": 1, "d": 2}
    assert order(table) == [(1, "a"), (2, "b"), (3, "d"), (4, "c")]


def test_bots_are_ordered_by_points_of_which_a_draw_gives_half_and_a_bye_one():
    table = ranked("points", course=Progression({}, {"c": 2}))
    assert numbers(table, "points") == {"a": 5.5, "b": 4, "c": 2 + 2, "d": 2.5}
    assert order(table) == [(1, "a"), (2, "b"), (2, "c"), (4, "d")]


def test_bots_are_ordered_by_their_score_over_complete_sets():
    table = ranked("score", rows=[*ROWS, *games("a", "d", WIN, start=9)])
    assert numbers(table, "score") == {
        "a": pytest.approx(5.5 / 8),
        "b": pytest.approx(4 / 8),
        "c": pytest.approx(2 / 6),
        "d": pytest.approx(2.5 / 6),
    }
    assert order(table) == [(1, "a"), (2, "b"), (3, "d"), (4, "c")]


def test_a_bot_without_a_complete_set_has_the_worst_score():
    table = ranked("score", rows=games("a", "b", WIN, WIN), names=["a", "b", "c"])
    assert [line.name for line in table] == ["a", "b", "c"]
    assert table[2].score is None


def test_buchholz_sums_the_points_of_those_met_once_for_each_set():
    table = ranked("buchholz")
    points = {"a": 5.5, "b": 4, "c": 2, "d": 2.5}
    assert numbers(table, "buchholz") == {
        "a": 2 * points["b"] + points["c"] + points["d"],
        "b": 2 * points["a"] + points["c"] + points["d"],
        "c": points["a"] + points["b"] + points["d"],
        "d": points["b"] + points["c"] + points["a"],
    }


def test_stages_come_from_the_schedule():
    table = ranked("stage", course=Progression({"c": 2, "a": 1, "b": -1}, {}))
    assert order(table) == [(1, "c"), (2, "a"), (3, "d"), (4, "b")]


def test_each_rule_is_asked_of_those_whom_the_ones_before_leave_tied():
    assert order(ranked("opponents-beaten", "games-won")) == [
        (1, "a"),
        (2, "b"),
        (3, "d"),
        (4, "c"),
    ]
    # Of a and b the one that beat the other; of c and d too.
    assert order(ranked("opponents-beaten", "head-to-head")) == [
        (1, "a"),
        (2, "b"),
        (3, "c"),
        (4, "d"),
    ]
    assert order(ranked("opponents-beaten", "meeting")) == order(
        ranked("opponents-beaten", "head-to-head")
    )


CIRCLE = [
    *games("a", "b", WIN, WIN),
    *games("b", "c", WIN, WIN),
    *games("c", "a", WIN, DRAW),
]


def test_a_meeting_says_nothing_of_three_who_are_tied():
    assert order(ranked("opponents-beaten", "meeting", rows=CIRCLE, names=["c", "b", "a"])) == [
        (1, "a"),
        (1, "b"),
        (1, "c"),
    ]
    table = ranked("opponents-beaten", "meeting", "games-won", "meeting", rows=CIRCLE, names=NAMES)
    assert order(table)[:3] == [(1, "a"), (2, "b"), (3, "c")]  # 2, 2 and 1; a beat b


def test_with_first_to_a_listed_order_counts_meetings_won():
    rows = games("a", "b", WIN, LOSS, WIN, LOSS, LOSS, LOSS)
    table = ranked("opponents-beaten", "games-won", rows=rows, names=["a", "b"], first_to=2)
    assert numbers(table, "opponents-beaten") == {"a": 1, "b": 0}
    assert numbers(table, "games-won") == {"a": 2, "b": 1}
    table = rank(["a", "b"], rows, "hx2", 2)
    assert numbers(table, "opponents-beaten") == {"a": 0, "b": 1}


def test_standings_have_a_column_for_each_number_that_stands_nowhere_else():
    assert own_columns(ranked("points", "buchholz", "score", "games-won", "meeting")) == [
        "points",
        "buchholz",
    ]
    assert own_columns(rank(NAMES, ROWS)) == ["opponents-beaten"]


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_alone_keeps_all_bots(rule):
    assert {line.name for line in ranked(rule)} == set(NAMES)
    assert {line.name for line in ranked(rule, rows=[])} == set(NAMES)


def test_the_rules_of_the_named_orders_are_known():
    assert {rule for rules in orders().values() for rule in rules} <= set(RULES)
