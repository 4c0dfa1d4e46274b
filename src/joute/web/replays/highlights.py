"""The plies of a game that are worth a look: faults, resignations, slow turns, words of the bots.

A highlight is plain data: `number` of its position, `kind` ("fault", "resigned", "slow" or
"message"), `player`, and `text`, a sentence. A fault has besides `code`, `name`, `meaning`,
`detail`, `cost`, and `ply`, the number under which the record and the terminal know it, as a
resignation has too. The decisive ones depend on who values the positions: see `curves.py`.

Who was ahead, position by position: a curve, and the plies that decided.

A curve is plain data:

    by         whose judgement it is, in words
    series     a list of lines, each a list of values by position, None where nothing is known yet;
               with two seats one line, how far seat 0 is ahead, else one a seat
    reach      the greatest value that is drawn, above 0
    decisive   highlights of the kind "decisive" (see `highlights.py`)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from joute.core.interface import has_points, points, properties
from joute.i18n.figures import figure, plain
from joute.i18n.recognised import recognised
from joute.i18n.words import say
from joute.play.record import ply_number
from joute.play.timeline import Step
from joute.web.positions import WORDS

Highlight = dict[str, Any]

SLOW = 0.8  # of the time of a turn
RARE = 0.25  # bots that speak at more of their turns than this say nothing remarkable by speaking
MESSAGE = "message"  # the kind of a highlight at words of a bot


def highlights(steps: Sequence[Step], names: Sequence[str], move_seconds: float) -> list[Highlight]:
    """The highlights of a game in the order of its positions, the decisive ones apart."""
    found = []
    chatty = _chatty(steps, len(names))
    for step in steps:
        for event in step.open:
            line = event["line"]
            if line.get("player", -1) < 0:
                continue
            name = names[line["player"]]
            if "resigned" in line:
                found.append(_highlight(step, line, "resigned", _left(line, name)))
            elif "fault" in line:
                found.append(_highlight(step, line, "fault", _lost(line, name)))
            elif line.get("cpu_ms", 0.0) > 1000 * SLOW * move_seconds:
                found.append(_highlight(step, line, "slow", _slow(line, name, move_seconds)))
            elif line["player"] not in chatty and any(line.get(key) for key in WORDS):
                found.append(_highlight(step, line, MESSAGE, _said(line, name)))
    return found


def _chatty(steps: Sequence[Step], players: int) -> set[int]:
    """The seats that say something at so many of their turns that no highlight would be seen."""
    turns, words = [0] * players, [0] * players
    for line in _lines(steps):
        turns[line["player"]] += 1
        words[line["player"]] += any(line.get(key) for key in WORDS)
    return {seat for seat in range(players) if words[seat] > max(RARE * turns[seat], 1)}


def _lines(steps: Sequence[Step]) -> Iterator[dict[str, Any]]:
    """The lines of the record that are answers of the seats."""
    for step in steps:
        yield from (event["line"] for event in step.open if event["line"]["by"] == "bot")


def _highlight(step: Step, line: dict[str, Any], kind: str, more: dict[str, Any]) -> Highlight:
    return {"number": step.number, "kind": kind, "player": line["player"], **more}


def _left(line: dict[str, Any], name: str) -> dict[str, Any]:
    ply = ply_number(line["ply"])
    return {"text": say("replay.web.mark.resigned", ply=ply, name=name), "ply": ply}


def _lost(line: dict[str, Any], name: str) -> dict[str, Any]:
    ply = ply_number(line["ply"])
    fault = say(f"fault.{line['fault']}")
    return {
        "text": say("replay.web.mark.fault", ply=ply, name=name, fault=fault),
        "code": line["fault"],
        "name": fault,
        "meaning": say(f"explained.{line['fault']}"),
        "detail": str(recognised(line["detail"])),
        "cost": say(f"replay.web.cost.{line['cost']}"),
        "ply": ply,
    }


def _slow(line: dict[str, Any], name: str, move_seconds: float) -> dict[str, Any]:
    values = {"took": figure(line["cpu_ms"] / 1000, 1), "limit": plain(move_seconds)}
    return {"text": say("replay.web.mark.slow", ply=ply_number(line["ply"]), name=name, **values)}


def _said(line: dict[str, Any], name: str) -> dict[str, Any]:
    return {"text": say("replay.web.mark.message", ply=ply_number(line["ply"]), name=name)}


Curve = dict[str, Any]
Series = list[list[float | None]]


def of_points(game: Any, steps: Sequence[Step], names: Sequence[str]) -> Curve:
    """The curve of the game's own points; of nobody's, without a value, where it counts none."""
    if not has_points(game):
        return curve("", [[None] * len(steps)], steps, names)
    seats = range(properties(game).players)
    counted = [[float(points(game, step.state, seat)) for step in steps] for seat in seats]
    series: Series = [list(line) for line in counted]
    if len(seats) == 2:
        series = [[first - second for first, second in zip(*counted, strict=True)]]
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
    if last is None or len(names) < 2:
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
