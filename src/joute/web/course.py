"""The course of a game as its viewers see it: positions, and what led from one to the next.

A `Course` follows the lines of a record, of a game that is being played or was. Each line that
changes the board makes a `Step`; the choices of a round that all make at once make one together,
so that nobody sees a choice before all are in. `position` is what a browser is sent of a step,
`facts` what it is told of the game before.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from joute.core.interface import (
    OVER,
    mover,
    observe,
    parameters,
    pending,
    play,
    points,
    properties,
    start,
    tell,
)
from joute.i18n.lines import plain
from joute.i18n.recognised import recognised
from joute.i18n.words import say
from joute.play.record import actions_of
from joute.play.telling import narrated, witnessed
from joute.web.remarks import remarks

Event = dict[str, Any]

_TOLD = ("message", "note", "output", "fault", "detail", "cost", "resigned", "cpu_ms", "wall_ms")


class Step(NamedTuple):
    """A position, and what happened since the one before."""

    number: int  # from 0, the position before the game
    ply: int  # actions and outcomes applied so far
    mover: int
    state: tuple[int, ...]
    told: tuple[list[Event], ...]  # by seat: what happened, as it was told of it
    open: list[Event]  # the same as whoever sees all of it
    end: dict[str, Any] | None = None  # of the record, once the game is over


class Course:
    """A game up to now; `steps` are its positions."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self._facts = properties(game)
        self._state: list[int] = start(game).tolist()
        self._ply = 0
        self._told: tuple[list[Event], ...] = tuple([] for _ in range(self._facts.players))
        self._open: list[Event] = []
        self.steps: list[Step] = []
        self._step()

    def hear(self, line: dict[str, Any]) -> Step | None:
        """Follow a line of the record; the new position, unless more must come before it shows.

        The last line of a record gives a step too, with the end of the game.
        """
        if "ending" in line:
            return self._step(line)
        if "action" not in line:  # a failure, or a seat that is given up: everybody hears of it
            return self._noted(line)
        events: list[list[Event]] = [[] for _ in self._told]
        whole: list[Event] = []
        for action in actions_of(line):
            seen = witnessed(self.game, self._state, action)
            told = [tell(self.game, self._state, seat, action) for seat in range(len(events))]
            for seat, each in enumerate(told):
                if each is not None:
                    events[seat].append({**each, **seen})
            best = max((each for each in told if each is not None), key=_telling(action))
            whole.append({**best, **seen})
            play(self.game, self._state, action)
        for seat, mine in enumerate(events):
            if mine:
                self._told[seat].append(_as_one(mine, line, self._ply))
        self._open.append(_as_one(whole, line, self._ply))
        self._ply += len(actions_of(line))
        if self._facts.simultaneous and pending(self.game, self._state):
            return None
        return self._step()

    def _noted(self, line: dict[str, Any]) -> Step:
        """A position that tells of nothing but this; choices that wait for others go on waiting."""
        told, whole = self._told, self._open
        event = {"player": line["player"], "ply": self._ply, "line": line}
        self._told, self._open = tuple([{**event}] for _ in told), [{**event}]
        step = self._step()
        self._told, self._open = told, whole
        return step

    def _step(self, end: dict[str, Any] | None = None) -> Step:
        step = Step(
            number=len(self.steps),
            ply=self._ply,
            mover=OVER if end else int(mover(self.game, self._state)),
            state=tuple(self._state),
            told=self._told,
            open=self._open,
            end=end,
        )
        self._told = tuple([] for _ in self._told)
        self._open = []
        self.steps.append(step)
        return step


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
    sent |= {key: line[key] for key in kept if key in line}
    if "detail" in sent:
        sent["detail"] = str(recognised(sent["detail"]))
    return sent


def _as_one(parts: list[Event], line: dict[str, Any], ply: int) -> Event:
    """What was told of a line of the record, the actions of a whole turn in one event."""
    if len(parts) == 1:
        return {**parts[0], "ply": ply, "line": line}
    text = "; ".join(part["text"] for part in parts)
    return {**parts[-1], "text": text, "parts": parts, "ply": ply, "line": line}


def _telling(action: int) -> Any:
    """How much an event tells of an action: first whether it is the very action."""
    return lambda event: (event["action"] == action, len(event))
