"""The plies of a game that are worth a look: faults, slow turns, words of the bots.

A highlight is plain data: `number` of its position, `kind` ("fault", "slow" or "message"),
`player`, and `text`, a sentence. A fault has besides `code`, `name`, `meaning`, `detail`, `cost`,
and `ply`, the number under which the record and the terminal know it. The decisive ones depend on
who values the positions: see `curves.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from joute.i18n.recognised import recognised
from joute.i18n.words import say
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
            if "fault" in line or "resigned" in line:
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


def _lost(line: dict[str, Any], name: str) -> dict[str, Any]:
    ply = line["ply"]
    if "resigned" in line:
        text = say("replay.web.mark.resigned", ply=ply + 1, name=name)
        return {"text": text, "ply": ply}
    fault = say(f"fault.{line['fault']}")
    return {
        "text": say("replay.web.mark.fault", ply=ply + 1, name=name, fault=fault),
        "code": line["fault"],
        "name": fault,
        "meaning": say(f"explained.{line['fault']}"),
        "detail": str(recognised(line["detail"])),
        "cost": say(f"replay.web.cost.{line['cost']}"),
        "ply": ply,
    }


def _slow(line: dict[str, Any], name: str, move_seconds: float) -> dict[str, Any]:
    values = {"took": f"{line['cpu_ms'] / 1000:.1f}", "limit": f"{move_seconds:g}"}
    return {"text": say("replay.web.mark.slow", ply=line["ply"] + 1, name=name, **values)}


def _said(line: dict[str, Any], name: str) -> dict[str, Any]:
    return {"text": say("replay.web.mark.message", ply=line["ply"] + 1, name=name)}
