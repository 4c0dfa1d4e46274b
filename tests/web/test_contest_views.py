"""Drawings on the pages of a contest: places, marks and lines, from made-up games."""

import pytest
from web.shown import played

from joute.contest.report.cells import cell, columns
from joute.contest.report.plots import ratings
from joute.contest.report.report import HeadToHead
from joute.contest.report.wording import costs
from joute.web.contests import views
from joute.web.contests.catalogue import Catalogue

pytestmark = pytest.mark.game("virus")

ALONE = """
[contest]
games = 4
seed = 1
format = "score"
[game]
name = "tron"
players = 1
maps = ["room", "spiral"]
[[bots]]
bot = "builtin:wall"
[[bots]]
bot = "builtin:random"
"""


def report_of(folder):
    catalogue = Catalogue([folder])
    found = next(iter(catalogue)).snapshot().report
    catalogue.close()
    return found


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    return report_of(played(tmp_path_factory.mktemp("class")))


def by_alphabet(seats, number):
    """Whoever comes first in the alphabet wins, and `random` now and then against `bob`."""
    best = max(seats) if number == 0 and "bob" in seats and "random" in seats else min(seats)
    return [1.0 if name == best else -1.0 for name in seats]


def narrow(seats, number):
    """`ann` wins five games of eight against each of the others, `bob` all against `random`."""
    first, second = min(seats), max(seats)
    best = first if number < 2 or first == "bob" else seats[0] if number == 2 else second
    return [1.0 if name == best else -1.0 for name in seats]


def test_a_cell_shows_who_won_the_meeting(report):
    results = {pair: met.result for pair, met in report.cross.items()}
    assert results["ann <script>", "bob"] == results["ann <script>", "random"] == "won"
    assert results["random", "ann <script>"] == results["random", "bob"] == "lost"
    assert HeadToHead(1, 2, 1).result == "level"


def test_a_large_table_of_meetings_is_cut(report, monkeypatch):
    monkeypatch.setattr(views, "MOST_CELLS", 2)
    assert len(views.standings(report)["matrix"]) == 2


def test_whoever_won_every_game_stands_above_those_who_are_rated(tmp_path):
    found = ratings(report_of(played(tmp_path, scores=by_alphabet)))
    assert [point.name for point in found.points] == ["ann <script>", "bob", "random"]
    assert found.points[1].value is not None
    assert found.points[0].value is None and found.text(found.points[0])


def test_intervals_lie_on_the_scale_around_their_values(report):
    found = ratings(report)
    for point in found.points:
        low, at, high = (found.percent(each) for each in point[1:4])
        assert 0 <= low <= at <= high <= 100
    assert found.leading == (found.points[0].low, found.points[0].high)
    assert found.scale.ticks[0] == found.scale.low and found.scale.ticks[-1] == found.scale.high


def test_the_place_of_a_bot_says_whom_it_cannot_be_told_from(report):
    shown = views.standings(report)
    leader, others = shown["leader"]
    low, _, high = shown["places"][leader].partition("\N{EN DASH}")
    assert (low, len(others)) == ("1", int(high or 1) - 1)


def test_a_thread_runs_from_each_place_to_the_other(tmp_path):
    found = report_of(played(tmp_path, scores=narrow))
    order = [point.name for point in ratings(found).points]
    threads = views.threads(found, ratings(found))
    for (_, other, crosses), (one, line) in zip(threads, enumerate(found.table), strict=True):
        there = views.ROW * order.index(line.name) + views.ROW // 2
        assert other == there and crosses is (one != order.index(line.name))
    assert [line.name for line in found.table] != order


@pytest.mark.game("tron")
def test_bots_alone_are_shown_by_their_points(tmp_path):
    found = report_of(played(tmp_path, text=ALONE, scores=lambda seats, number: [0.0]))
    assert [views.heading(each) for each in columns(found.table)] == ["Mean", "Best", "Games"]
    assert [cell(line, "games").text for line in found.table] == ["8", "8"]
    shown = views.standings(found)
    assert shown["leader"] is None and shown["places"] == {}


def test_there_is_no_course_before_the_second_game(tmp_path):
    assert views.standings(report_of(played(tmp_path, games=0)))["course"] == ""


def test_what_faults_cost_is_told_by_cost():
    told = costs({"crash": "turn", "timeout": "game", "illegal": "turn"})
    assert told == [("costs the game", "too slow"), ("costs the turn", "crash, illegal action")]
