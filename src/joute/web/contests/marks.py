"""Values of all bots on one scale, with their intervals: what the pages draw beside the ranking."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from joute.contest.ranking.ranking import Standing
from joute.contest.rating.rating import Rating
from joute.contest.report.plots import ELO, Spans, ratings
from joute.contest.report.scales import Scale, even_scale, log_scale
from joute.i18n.figures import between, figure, plain
from joute.i18n.words import say
from joute.web.contests.summary import Summary
from joute.web.contests.views import Line, numbers

ROW = 44  # the height of a row of both tables of standings, in the units of the threads between


class Mark(NamedTuple):
    """A value between two ends on a scale; places are in percent of its width."""

    name: str
    number: int
    rank: str  # the place, or "first to last" of those it may have; "" without a value
    value: str
    interval: str
    reason: str  # why there is no value
    low: float | None
    at: float | None
    high: float | None


class Marks(NamedTuple):
    """Values of all bots on one scale."""

    title: str
    rows: list[Mark]
    ticks: list[float]  # in percent
    ends: str  # of the scale, in words
    band: tuple[float, float] | None  # where the first one's interval begins, and how wide it is


def strengths(summary: Summary) -> Marks:
    """The ratings with their intervals, or the scores where there are none."""
    found = ratings(summary.report)
    scale = even_scale(each for row in found.rows for each in row[1:4] if each is not None)
    places = _told_apart(summary) if found.unit == ELO else {}
    # Who won every game has no rating, but is not the weakest.
    order = sorted(found.rows, key=lambda span: span.reason != "won")
    marks = _marked(summary, found._replace(rows=order), scale, sign=found.unit == ELO)
    rows = [mark._replace(rank=places.get(mark.name, "")) for mark in marks]
    return _marks(say(f"plot.{found.unit}"), rows, scale)


def paces(summary: Summary) -> Marks:
    """Milliseconds a turn: the quickest game, the mean, the slowest game."""
    order = [line.name for line in summary.table if line.name in summary.paces]
    number = numbers(summary)
    scale = log_scale(each for pace in summary.paces.values() for each in pace)
    rows = []
    for name in order:
        pace = summary.paces[name]
        low, at, high = (round(100 * scale.place(each), 2) for each in pace)
        value, slowest = figure(pace.mean, 1), figure(pace.most, 1)
        rows.append(Mark(name, number[name], "", value, slowest, "", low, at, high))
    return _marks(say("plot.ms"), rows, scale)._replace(band=None)


def _marked(summary: Summary, found: Spans, scale: Scale, *, sign: bool) -> list[Mark]:
    number = numbers(summary)
    digits = 0 if found.unit == ELO else 1
    rows = []
    for span in found.rows:
        if span.value is None:
            reason = say(f"plot.unrated.{span.reason}") if span.reason else say("plot.unknown")
            rows.append(Mark(span.name, number[span.name], "", "", "", reason, None, None, None))
            continue
        ends = None if span.low is None or span.high is None else (span.low, span.high)
        low, high = (None, None) if ends is None else (_percent(scale, end) for end in ends)
        at = _percent(scale, span.value)
        value = figure(span.value, digits, sign=sign)
        interval = between(ends, digits=digits)
        rows.append(Mark(span.name, number[span.name], "", value, interval, "", low, at, high))
    return rows


def _marks(title: str, rows: list[Mark], scale: Scale) -> Marks:
    ticks = [_percent(scale, tick) for tick in scale.ticks]
    low, high = (plain(end) for end in (scale.low, scale.high))
    first = next((row for row in rows if row.at is not None), None)
    band = None
    if first is not None and first.low is not None and first.high is not None:
        band = first.low, round(first.high - first.low, 2)
    return Marks(title, rows, ticks, f"{low} \N{HORIZONTAL ELLIPSIS} {high}", band)


def _percent(scale: Scale, value: float) -> float:
    return round(100 * scale.place(value), 2)


def _told_apart(summary: Summary) -> dict[str, str]:
    """The places that each rated bot may have, as far as the games tell bots apart."""
    rated = _rated(summary)
    found = {}
    for place, rating in enumerate(rated):
        alike = [n for n, each in enumerate(rated) if set(each.groups) & set(rating.groups)]
        low, high = min([*alike, place]) + 1, max([*alike, place]) + 1
        found[rating.name] = str(low) if low == high else f"{low}\N{EN DASH}{high}"
    return found


def threads(ranking: Sequence[Line], marks: Marks) -> list[tuple[int, int, bool]]:
    """From each bot's row in the ranking to that in the ratings, and whether it goes up or down."""
    rows = {mark.name: place for place, mark in enumerate(marks.rows)}
    middle = ROW // 2
    return [
        (middle + ROW * place, middle + ROW * rows[line.name], place != rows[line.name])
        for place, line in enumerate(ranking)
        if line.name in rows
    ]


def leader(summary: Summary) -> tuple[str, list[str]] | None:
    """Who leads by the rating, and who is not told apart from it; None while nobody is rated."""
    rated = _rated(summary)
    if not rated:
        return None
    mine = set(rated[0].groups)
    return rated[0].name, [each.name for each in rated[1:] if mine & set(each.groups)]


def _rated(summary: Summary) -> list[Rating]:
    """The ratings that are known, the strongest first."""
    lines = (line for line in summary.table if isinstance(line, Standing))
    found = [line.rating for line in lines if line.rating is not None]
    return sorted(
        (rating for rating in found if rating.elo is not None),
        key=lambda rating: -(rating.elo or 0.0),
    )
