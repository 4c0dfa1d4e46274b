"""Games as they are sent to a browser: the facts first, then position after position.

`facts` are sent of a game before its positions, `position` of a step of its timeline. `redacted`
leaves out of events and lines what bots say that is not for the reader.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from joute.core.interface import (
    has_points,
    has_rule,
    observe,
    parameters,
    points,
    properties,
    render,
)
from joute.core.registry import card_of
from joute.i18n.recognised import recognised
from joute.play.telling import Event, narrated, telling, why_ended, won
from joute.play.timeline import Step
from joute.text import plain
from joute.web.assets import PLAIN, board
from joute.web.games import about, web_of

Readable = frozenset[str] | None
"""The names of the bots whose messages a reader may read; None for all."""

NONE: Readable = frozenset()
WORDS = ("message", "metrics", "marks", "note", "output")
"""The keys of a bot's words in an event or a line of a record, besides the detail of a fault."""
RESULT = ("ending", "returns", "points")
"""The keys of the end of a record that say who has won."""
_TOLD = (*WORDS, "fault", "detail", "cost", "resigned", "cpu_ms", "wall_ms")


def facts(game: Any, names: Sequence[str], kinds: Sequence[str]) -> dict[str, Any]:
    """The facts of a game, which a browser is sent first; `kinds` are those of the seats."""
    known = properties(game)
    return {
        "game": known.name,
        "title": about(known.name),
        "board": board(known.name),
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
    """A step as it is sent to the people of the seats `eyes`; None for a reader who may see all.

    Events are worded in the language spoken now. Bots' messages and output are included for a
    reader who may see all, and for everybody where nothing is hidden.
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
        "points": _points(game, step.state, known.players),
        "events": [_sent(game, event, names, everything) for event in told],
    }
    if out := telling(card_of(game)).out(game, step.state):
        sent["out"] = list(out)
    if step.end is not None:
        sent |= {key: step.end[key] for key in ("ending", "forfeits", "returns")}
        sent["won"] = won(game, list(names), *(step.end[key] for key in RESULT))
        sent["why"] = why_ended(game, step.state, step.end["ending"], names)
    return sent


def _points(game: Any, state: Sequence[int], players: int) -> list[int]:
    """The points of each seat; none of a game that counts none."""
    return [int(points(game, state, seat)) for seat in range(players)] if has_points(game) else []


def _seen(game: Any, state: Sequence[int], seat: int) -> dict[str, Any]:
    """The observation of a seat with remarks on it, without what only the player to move needs.

    A game without a board of its own is shown as it renders itself, if it does.
    """
    seen = observe(game, state, seat)
    remarks = web_of(properties(game).name).remarks
    if remarks is not None:
        seen["remarks"] = remarks(seen)
    if board(properties(game).name) == PLAIN and has_rule(type(game), "render"):
        seen["rendered"] = render(game, state, seat)
    seen.pop("legal", None)
    return seen


def _sent(game: Any, event: Event, names: Sequence[str], everything: bool) -> Event:
    line = event["line"]
    sent = {key: value for key, value in event.items() if key != "line"}
    sent["by"] = line["by"]
    sent["said"] = [plain(each) for each in narrated(game, event, tuple(names))]
    kept = _TOLD if everything else ("fault", "cost", "resigned")
    sent |= {key: line[key] for key in kept if key in line}
    if "detail" in sent:
        sent["detail"] = str(recognised(sent["detail"]))
    if "note" in sent:  # sentences of ours
        sent["note"] = "\n".join(str(recognised(each)) for each in sent["note"].splitlines())
    return sent


def redacted(event: dict[str, Any], names: Sequence[str], readable: Readable) -> dict[str, Any]:
    """An event, or a line of a record, without the words of a bot that are not for the reader."""
    player = event.get("player", -1)
    if readable is None or player < 0 or names[player] in readable:
        return event
    shown = {key: value for key, value in event.items() if key not in WORDS}
    return {**shown, "detail": ""} if "detail" in shown else shown
