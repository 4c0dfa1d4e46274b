"""Who was ahead, position by position: a curve, and the plies that decided.

A curve is plain data:

    by         whose judgement it is, in words
    series     a list of lines, each a list of values by position, None where nothing is known yet;
               with two seats one line, how far seat 0 is ahead, else one a seat
    reach      the greatest value that is drawn, above 0
    decisive   highlights of the kind "decisive" (see `highlights.py`)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from joute.core.interface import points, properties
from joute.i18n.words import say
from joute.play.timeline import Step

Curve = dict[str, Any]
Series = list[list[float | None]]


def of_points(game: Any, steps: Sequence[Step], names: Sequence[str]) -> Curve:
    """The curve of the game's own points."""
    seats = range(properties(game).players)
    counted = [[float(points(game, step.state, seat)) for step in steps] for seat in seats]
    series: Series = [list(line) for line in counted]
    if len(seats) == 2:
        series = [[mine - his for mine, his in zip(*counted, strict=True)]]
    return curve(say("replay.web.curve.points"), series, steps, names)


def curve(
    by: str,
    series: Series,
    steps: Sequence[Step],
    names: Sequence[str],
    reach: float | None = None,
) -> Curve:
    """A curve of these values, with its decisive ply; `reach` is the greatest of them."""
    most = max((abs(value) for line in series for value in line if value is not None), default=0)
    return {
        "by": by,
        "series": series,
        "reach": reach or most or 1.0,
        "decisive": _decisive(series, steps, names),
    }


def _decisive(series: Series, steps: Sequence[Step], names: Sequence[str]) -> list[dict[str, Any]]:
    """The ply that put the one who was ahead at the end there for good."""
    ahead = [leader([line[step.number] for line in series]) for step in steps]
    last = ahead[-1]
    if last is None or len(names) < 2 or any(None in line for line in series):
        return []
    since = len(ahead)
    while since > 0 and ahead[since - 1] == last:
        since -= 1
    if since == 0:
        return []
    text = say("replay.web.mark.decisive", ply=steps[since].ply, name=names[last])
    return [{"number": since, "kind": "decisive", "player": last, "text": text}]


def leader(values: Sequence[float | None]) -> int | None:
    """The seat that is ahead by these values of one position; None if nobody is."""
    known = [value for value in values if value is not None]
    if len(known) < len(values) or not known:
        return None
    if len(known) == 1:
        return None if known[0] == 0 else int(known[0] < 0)
    best = max(known)
    return known.index(best) if known.count(best) == 1 else None
