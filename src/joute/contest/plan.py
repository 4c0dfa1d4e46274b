"""A contest's schedule joined with what has been played: which games count, which remain.

A game is known by its identity, a hash of all that determines it. What remains is a set
difference: the schedule's identities minus the store's. Games of the store that the schedule
does not ask for (any more) are neither counted nor harmed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import NamedTuple

from joute.contest.config import Contest
from joute.contest.formats import Table, ranked, schedule_of
from joute.contest.rows import Row
from joute.contest.schedule import Slot
from joute.games import make
from joute.play.game import GameSpec, SeatSpec, identity
from joute.store.game import Game


class Task(NamedTuple):
    """A game to be played."""

    slot: Slot
    identity: str
    spec: GameSpec


class Plan:
    """What counts and what remains. Take tasks from `due`; hand every result to `record`.

    `played` are the games known already, by identity. `total` in `left` and the progress is an
    upper bound where the schedule depends on results.
    """

    def __init__(self, contest: Contest, seed: str, played: Mapping[str, Game]) -> None:
        self._contest = contest
        self._seats = {
            bot.name: SeatSpec(
                name=bot.name,
                bot=bot.bot,
                base=contest.base,
                python=bot.python,
                memory_mb=bot.memory_mb,
            )
            for bot in contest.bots
        }
        self._contents = {name: seat.content() for name, seat in self._seats.items()}
        self._parameters = {each.name: each.parameters for each in contest.maps}
        # Made once: reading a map costs more than all the rest of a game's identity.
        self._games = {each.name: make(contest.game, **each.parameters) for each in contest.maps}
        self._schedule = schedule_of(contest, seed)
        self._played = dict(played)
        self._waiting: dict[str, list[Slot]] = {}
        self._results: dict[Slot, Game] = {}
        self.due: deque[Task] = deque()
        self._advance()

    @property
    def done(self) -> int:
        """How many games count already."""
        return len(self._results)

    @property
    def left(self) -> int:
        """How many games may still be needed."""
        return self._schedule.left_at_most()

    def record(self, game: Game) -> None:
        """Count a game that was just played; more tasks may become due."""
        self._played[game.identity] = game
        for slot in self._waiting.pop(game.identity):
            self._count(slot, game)
        self._advance()

    def standings(self) -> Table:
        """The standings after the counted games."""
        ordered = sorted(self._results, key=lambda slot: (slot.number, slot))
        return ranked(self._contest, [self._row(slot) for slot in ordered])

    def _row(self, slot: Slot) -> Row:
        game = self._results[slot]
        return Row(
            key=(slot.members, slot.number),
            bots=slot.seats,
            returns=game.returns,
            faults=[{**fault, "game": game.identity} for fault in game.faults],
            cpu_ms=game.cpu_ms,
            asked=game.asked,
            size=len(slot.members),
            points=game.points,
            map=slot.map,
            teams=self._parameters[slot.map].get("teams", ()),
        )

    def _advance(self) -> None:
        """Take from the schedule all that is certain, count what is known, queue the rest.

        Two slots may be one game (two bots of the same content, seats exchanged): it is played
        once and counts for both.
        """
        while slots := self._schedule.take():
            for slot in slots:
                task = self._task(slot)
                if task.identity in self._played:
                    self._count(slot, self._played[task.identity])
                elif task.identity in self._waiting:
                    self._waiting[task.identity].append(slot)
                else:
                    self._waiting[task.identity] = [slot]
                    self.due.append(task)

    def _count(self, slot: Slot, game: Game) -> None:
        self._results[slot] = game
        self._schedule.record(slot, game.returns)

    def _task(self, slot: Slot) -> Task:
        contest = self._contest
        spec = GameSpec(
            game=contest.game,
            parameters=self._parameters[slot.map],
            bots=tuple(self._seats[name] for name in slot.seats),
            seed=slot.seed,
            opening=contest.opening,
            move_seconds=contest.move_seconds,
            start_seconds=contest.start_seconds,
            memory_mb=contest.memory_mb,
            costs=contest.costs,
            max_restarts=contest.max_restarts,
        )
        contents = [self._contents[name] for name in slot.seats]
        return Task(slot, identity(spec, contents, self._games[slot.map]), spec)
