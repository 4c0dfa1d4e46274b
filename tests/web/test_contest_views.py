"""What the pages of a contest draw: places, marks and lines, from made-up games."""

from itertools import pairwise

import pytest
from web.shown import played

from joute.web.contests import marks, views
from joute.web.contests.course import APART, MOST_LINES, course_plot
from joute.web.contests.shelf import Shelf
from joute.web.contests.summary import POINTS, _thinned

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
MANY = """
[contest]
games = 2
seed = 1
[[bots]]
bot = "builtin:random"
"""


def summary_of(folder):
    shelf = Shelf([folder])
    found = next(iter(shelf)).summary()
    shelf.close()
    return found


@pytest.fixture(scope="module")
def summary(tmp_path_factory):
    return summary_of(played(tmp_path_factory.mktemp("class")))


def by_alphabet(seats, number):
    """Whoever comes first in the alphabet wins, and `random` now and then against `bob`."""
    best = max(seats) if number == 0 and "bob" in seats and "random" in seats else min(seats)
    return [1.0 if name == best else -1.0 for name in seats]


def narrow(seats, number):
    """`ann` wins five games of eight against each of the others, `bob` all against `random`."""
    first, second = min(seats), max(seats)
    best = first if number < 2 or first == "bob" else seats[0] if number == 2 else second
    return [1.0 if name == best else -1.0 for name in seats]


def test_a_cell_shows_who_won_the_meeting(summary):
    rows = dict(views.matrix(summary))
    signs = [cell.sign if cell else None for cell in rows["ann <script>"]]
    assert signs == [None, "won", "won"]
    assert [cell.sign if cell else None for cell in rows["random"]] == ["lost", "lost", None]
    assert views.Cell("a", "b", views.Meeting(1, 2, 1)).sign == "level"
    assert views.Cell("a", "b", None).sign == ""


def test_a_large_table_of_meetings_is_cut(summary, monkeypatch):
    monkeypatch.setattr(views, "MOST_CELLS", 2)
    assert [len(cells) for _, cells in views.matrix(summary)] == [2, 2]


def test_whoever_won_every_game_stands_above_those_who_are_rated(tmp_path):
    found = marks.strengths(summary_of(played(tmp_path, scores=by_alphabet)))
    assert [mark.name for mark in found.rows] == ["ann <script>", "bob", "random"]
    assert found.rows[1].at is not None
    assert found.rows[0].at is None and found.rows[0].reason


def test_intervals_lie_on_the_scale_around_their_values(summary):
    found = marks.strengths(summary)
    for mark in found.rows:
        assert 0 <= mark.low <= mark.at <= mark.high <= 100
    first = found.rows[0]
    assert found.band == (first.low, round(first.high - first.low, 2))
    assert found.ticks[0] == 0 and found.ticks[-1] == 100


def test_the_place_of_a_bot_says_whom_it_cannot_be_told_from(summary):
    places = {mark.name: mark.rank for mark in marks.strengths(summary).rows}
    leader, others = marks.leader(summary)
    low, _, high = places[leader].partition("\N{EN DASH}")
    assert (low, len(others)) == ("1", int(high or 1) - 1)


def test_a_thread_runs_from_each_place_to_the_other(tmp_path):
    found = summary_of(played(tmp_path, scores=narrow))
    ranking, strengths = views.lines(found), marks.strengths(found)
    order = [mark.name for mark in strengths.rows]
    for (one, other, crosses), line in zip(marks.threads(ranking, strengths), ranking, strict=True):
        there = marks.ROW * order.index(line.name) + marks.ROW // 2
        assert other == there and crosses is (one != other)
    assert [line.name for line in ranking] != order


def test_bots_alone_are_shown_by_their_points(tmp_path):
    found = summary_of(played(tmp_path, text=ALONE, scores=lambda seats, number: [0.0]))
    assert views.columns(found) == ["Mean", "Best", "Games"]
    assert [line.cells[2] for line in views.lines(found)] == ["8", "8"]
    assert marks.leader(found) is None
    assert [mark.rank for mark in marks.strengths(found).rows] == ["", ""]


def test_the_course_has_a_line_for_each_bot_and_no_label_over_another(tmp_path):
    text = MANY + '[[bots]]\nbot = "builtin:random"\n' * (MOST_LINES + 1)
    plot = course_plot(summary_of(played(tmp_path, text=text, scores=by_alphabet)))
    seats = [line.seat for line in plot.lines]
    assert seats == [*range(MOST_LINES), None, None]
    labels = sorted(line.label for line in plot.lines[:MOST_LINES])
    assert all(below - above >= APART for above, below in pairwise(labels))


def test_there_is_no_course_before_the_second_game(tmp_path):
    assert course_plot(summary_of(played(tmp_path, games=0))) is None


def test_a_long_course_is_thinned_to_its_shape():
    row = [game / 1000 for game in range(1000)]
    found = _thinned(row)
    assert len(found) <= POINTS + 1 and found[-1] == (1000, 0.999)
    assert all(row[game - 1] == score for game, score in found)


def test_what_faults_cost_is_told_by_cost():
    told = views.costs({"crash": "turn", "timeout": "game", "illegal": "turn"})
    assert told == [("costs the game", "too slow"), ("costs the turn", "crash, illegal action")]
