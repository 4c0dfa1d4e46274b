"""Standings of bots that play alone, against examples worked out by hand."""

import pytest

from joute.contest.ranking.ranking import rank_scores
from joute.contest.ranking.rows import Row
from joute.contest.report.standings import table_text


def rows_of(name, points, played_on="", **facts):
    return [
        Row((name, number), (name,), (float(got),), points=(got,), map=played_on, size=1, **facts)
        for number, got in enumerate(points)
    ]


def test_bots_are_ranked_by_their_mean_and_equal_means_share_the_place():
    rows = [
        *rows_of("a", [10, 20]),
        *rows_of("b", [30]),
        *rows_of("c", [14, 16]),
        *rows_of("d", [1, 2]),
    ]
    table = rank_scores(["d", "c", "b", "a"], rows)
    assert [(line.rank, line.name, line.mean) for line in table] == [
        (1, "b", 30),
        (2, "a", 15),
        (2, "c", 15),
        (4, "d", 1.5),
    ]
    assert [(line.best, line.games) for line in table] == [(30, 1), (20, 2), (16, 2), (2, 2)]


def test_the_mean_is_over_all_games_and_beside_it_over_those_on_each_map():
    rows = [*rows_of("a", [10, 20], "room"), *rows_of("a", [40, 50, 60], "hall")]
    [line] = rank_scores(["a"], rows)
    assert line.mean == 36
    assert line.by_map == {"room": 15, "hall": 50}
    assert line.interval.low < 36 < line.interval.high


def test_without_games_everything_is_unknown_and_the_place_is_the_last():
    first, *others = rank_scores(["a", "b", "c"], rows_of("b", [-3]))
    assert (first.name, first.rank, first.mean) == ("b", 1, -3)
    for line in others:
        assert line.rank == 2
        assert (line.mean, line.interval, line.best, line.mean_ms) == (None,) * 4
        assert (line.games, line.by_map) == (0, {})


def test_no_interval_is_given_for_one_game_or_for_games_that_are_all_the_same():
    rows = [*rows_of("a", [5]), *rows_of("b", [4, 4])]
    a, b = rank_scores(["a", "b"], rows)
    assert (a.interval, a.deviation) == (None, None)
    assert (b.interval, b.deviation) == (None, 0)


def test_a_game_cut_short_by_a_fault_counts_with_the_points_until_then():
    crash = {"seat": 0, "ply": 9, "fault": "crash", "detail": "boom", "cost": "game"}
    rows = rows_of("a", [9, 21], faults=[crash], cpu_ms=(30,), asked=(10,))
    [line] = rank_scores(["a"], rows)
    assert (line.mean, line.forfeits, line.mean_ms) == (15, 2, 3)
    assert [(fault.fault, fault.count) for fault in line.faults] == [("crash", 2)]


def test_a_plain_table_says_what_is_known():
    rows = [
        *rows_of("a", [10, 20], "room"),
        *rows_of("a", [5, 5], "hall"),
        *rows_of("b", [9], "hall"),
    ]
    table = rank_scores(["a", "b", "c", "d"], [*rows, *rows_of("d", [7, 7], "room")])
    text = [" ".join(line.split()) for line in table_text(table).splitlines()]
    assert text == [
        "bot mean 95 % best games faults ms/turn",
        "1 a 10.0 -21.8-41.8 20 4 0 ?",
        "2 b 9.0 ? 9 1 0 ?",
        "3 d 7.0 none varies 7 2 0 ?",
        "4 c ? ? ? 0 0 ?",
        "",
        "bot hall room",
        "a 5.0 15.0",
        "b 9.0 ?",
        "d ? 7.0",
        "c ? ?",
    ]


@pytest.mark.parametrize("names", [["a", "b"], ["b", "a"]])
def test_the_order_of_the_file_does_not_show(names):
    rows = [*rows_of("a", [5, 6]), *rows_of("b", [6, 5])]
    assert [line.name for line in rank_scores(names, rows)] == ["a", "b"]
