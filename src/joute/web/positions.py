"""Games as a browser is sent them: the facts first, then position after position.

`facts` are sent of a game before its positions, `position` of a step of its timeline. `redacted`
leaves out of events and lines what bots say that is not for the reader.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from joute.core.interface import observe, parameters, points, properties
from joute.i18n.lines import plain
from joute.i18n.words import say
from joute.play.telling import Event, narrated
from joute.play.timeline import Step
from joute.web.remarks import remarks

Readable = frozenset[str] | None
"""The names of the bots whose messages a reader may read; None for all."""

NONE: Readable = frozenset()
WORDS = ("message", "note", "output")
"""What an event or a line of a record has of a bot's words, besides the detail of a fault."""
_TOLD = (*WORDS, "fault", "detail", "cost", "resigned", "cpu_ms", "wall_ms")


def facts(game: Any, names: Sequence[str], kinds: Sequence[str]) -> dict[str, Any]:
    """What a browser is told of a game before its positions; `kinds` are of the seats."""
    known = properties(game)
    return {
        "game": known.name,
        "title": say(f"game.{known.name}"),
        "parameters": parameters(game),
        "players": known.players,
        "simultaneous": known.simultaneous,
        "hidden": known.hidden_information,
        "names": list(names),
        "kinds": list(kinds),
    }


def position(
    game: Any, step: Step, names: Sequence[str], eyes: Collection[int] | None = None
) -> dict[str, Any]:
    """A step as it is sent to who sees with the eyes of these seats; None for whoever sees all.

    What happened is told in the language spoken now. Bots' messages and output are in it for who
    sees all, and for everybody where nothing is hidden.
    """
    known = properties(game)
    everything = eyes is None or not known.hidden_information
    seats = range(known.players) if eyes is None else sorted(eyes)
    if not known.hidden_information:
        seats = [0]
    told = step.open if everything else step.told[min(eyes)] if eyes else []
    seen = {str(seat): _seen(game, step.state, seat) for seat in seats}
    sent = {
        "number": step.number,
        "ply": step.ply,
        "mover": step.mover,
        "seen": seen,
        "points": [int(points(game, step.state, seat)) for seat in range(known.players)],
        "events": [_sent(game, event, names, everything) for event in told],
    }
    if step.end is not None:
        sent |= {key: step.end[key] for key in ("ending", "forfeits", "returns")}
    return sent


def _seen(game: Any, state: Sequence[int], seat: int) -> dict[str, Any]:
    """What a seat observes, without what only the player to move needs, and remarks on it."""
    seen = observe(game, state, seat)
    seen |= remarks(properties(game).name, seen)
    seen.pop("legal", None)
    return seen


def _sent(game: Any, event: Event, names: Sequence[str], everything: bool) -> Event:
    line = event["line"]
    sent = {key: value for key, value in event.items() if key != "line"}
    sent["by"] = line["by"]
    sent["said"] = [plain(each) for each in narrated(game, event, tuple(names))]
    kept = _TOLD if everything else ("fault", "cost", "resigned")
    return sent | {key: line[key] for key in kept if key in line}


def redacted(event: dict[str, Any], names: Sequence[str], readable: Readable) -> dict[str, Any]:
    """An event, or a line of a record, without the words of a bot that are not for the reader."""
    player = event.get("player", -1)
    if readable is None or player < 0 or names[player] in readable:
        return event
    shown = {key: value for key, value in event.items() if key not in WORDS}
    return {**shown, "detail": ""} if "detail" in shown else shown
