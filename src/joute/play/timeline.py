"""The timeline of a game: its positions, and what each seat was told between one and the next.

A `Timeline` follows the lines of a record, of a game that is being played or was. Each line that
changes the board makes a `Step`; the choices of a round that all make at once make one together,
so that nobody sees a choice before all are in.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from joute.core.interface import OVER, mover, pending, play, properties, start, tell
from joute.play.record import actions_of, ply_number
from joute.play.telling import Event, witnessed


class Step(NamedTuple):
    """A position, and what happened since the one before."""

    number: int  # from 0, the position before the game
    ply: int  # actions and outcomes applied so far
    mover: int
    state: tuple[int, ...]  # empty where it is not kept
    told: tuple[list[Event], ...]  # by seat: what happened, as it was told of it
    open: list[Event]  # the same as whoever sees all of it
    end: dict[str, Any] | None = None  # of the record, once the game is over


class Timeline:
    """A game up to now: `steps` are its positions, `lines` those of its record.

    `states_kept` is how many positions, the last ones, keep their states (default: all).
    """

    def __init__(self, game: Any, states_kept: int | None = None) -> None:
        self.game = game
        self.steps: list[Step] = []
        self.lines: list[dict[str, Any]] = []
        self.state: list[int] = start(game).tolist()  # choices included that wait for others
        self._states_kept = states_kept
        self._facts = properties(game)
        self._ply = 0
        self._told: tuple[list[Event], ...] = tuple([] for _ in range(self._facts.players))
        self._open: list[Event] = []
        self._step()

    def told(self, seat: int) -> list[Event]:
        """Everything that a seat was told, the latest last."""
        return [event for step in self.steps for event in step.told[seat]]

    def since(self, number: int, most: int) -> list[Step]:
        """The steps after that number, -1 for none; the last alone where they are more than `most`.

        Whoever has none is given the last alone too.
        """
        last = self.steps[-1]
        if number < 0 or last.number - number > most:
            return [last] if last.number != number else []
        return self.steps[number + 1 :]

    def hear(self, line: dict[str, Any]) -> Step | None:
        """Follows a line of the record; the new position, unless more must come before it shows.

        The last line of a record gives a step too, with the end of the game.
        """
        if "ending" in line:
            return self._step(line)
        self.lines.append(line)
        if "action" not in line:  # a failure, or a seat that is given up: everybody hears of it
            return self._noted(line)
        events: list[list[Event]] = [[] for _ in self._told]
        whole: list[Event] = []
        for action in actions_of(line):
            seen = witnessed(self.game, self.state, action)
            told = [tell(self.game, self.state, seat, action) for seat in range(len(events))]
            for seat, each in enumerate(told):
                if each is not None:
                    events[seat].append({**each, **seen})
            best = max((each for each in told if each is not None), key=_telling(action))
            whole.append({**best, **seen})
            play(self.game, self.state, action)
        for seat, mine in enumerate(events):
            if mine:
                self._told[seat].append(_as_one(mine, line, self._ply))
        self._open.append(_as_one(whole, line, self._ply))
        self._ply += len(actions_of(line))
        if self._facts.simultaneous and pending(self.game, self.state):
            return None
        return self._step()

    def _noted(self, line: dict[str, Any]) -> Step:
        """A position that tells of nothing but this; choices that wait for others go on waiting."""
        told, whole = self._told, self._open
        event = {"player": line["player"], "ply": ply_number(self._ply), "line": line}
        self._told, self._open = tuple([{**event}] for _ in told), [{**event}]
        step = self._step()
        self._told, self._open = told, whole
        return step

    def _step(self, end: dict[str, Any] | None = None) -> Step:
        step = Step(
            number=len(self.steps),
            ply=self._ply,
            mover=OVER if end else int(mover(self.game, self.state)),
            state=tuple(self.state),
            told=self._told,
            open=self._open,
            end=end,
        )
        self._told = tuple([] for _ in self._told)
        self._open = []
        self.steps.append(step)
        if self._states_kept is not None and len(self.steps) > self._states_kept:
            old = len(self.steps) - self._states_kept - 1
            self.steps[old] = self.steps[old]._replace(state=())
        return step


def _as_one(parts: list[Event], line: dict[str, Any], ply: int) -> Event:
    """The parts that a line of the record was told in as one event, for a whole turn too."""
    if len(parts) == 1:
        return {**parts[0], "ply": ply_number(ply), "line": line}
    text = "; ".join(part["text"] for part in parts)
    return {**parts[-1], "text": text, "parts": parts, "ply": ply_number(ply), "line": line}


def _telling(action: int) -> Any:
    """A key that orders events by how much they tell of an action, which itself counts most."""
    return lambda event: (event["action"] == action, len(event))
