"""A contest's schedule joined with what has been played: which games count, which remain.

A game is known by its identity, a hash of all that determines it. What remains is a set
difference: the schedule's identities minus the store's. Games of the store that the schedule
does not ask for (any more) are neither counted nor harmed; nor are those that come, in the
schedule, after one that disqualified a bot of theirs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from joute.contest.config import Contest
from joute.contest.discipline import DISQUALIFICATION, Discipline, Place
from joute.contest.formats import Table, ranked, schedule_of
from joute.contest.isolation import hidden_paths
from joute.contest.ranking import NO_COURSE
from joute.contest.rows import Row
from joute.contest.schedule import Schedule, Slot, Staged, place_of
from joute.games import make
from joute.play.game import GameSpec, SeatSpec, identity
from joute.store.game import Game


class Task(NamedTuple):
    """A game to be played."""

    slot: Slot
    identity: str
    spec: GameSpec


def game_terms(contest: Contest) -> GameSpec:
    """A game of a contest on its first map, without seats or seed.

    For the referee a disqualification is a game lost: that a bot is out is the contest's affair.
    """
    return GameSpec(
        game=contest.game,
        parameters=contest.maps[0].parameters,
        bots=(),
        seed="",
        opening=contest.opening,
        move_seconds=contest.move_seconds,
        bank_seconds=contest.bank_seconds,
        increment_seconds=contest.increment_seconds,
        grace_seconds=contest.grace_seconds,
        start_seconds=contest.start_seconds,
        memory_mb=contest.memory_mb,
        costs={
            fault: "game" if cost == DISQUALIFICATION else cost
            for fault, cost in contest.costs.items()
        },
        max_restarts=contest.max_restarts,
        isolation=contest.isolation,
        processes=contest.processes,
        file_mb=contest.file_mb,
        hidden=hidden_paths(contest),
    )


class Plan:
    """What counts and what remains. Take tasks from `due`; hand every result to `record`.

    `played` are the games known already, by identity. `total` in `left` and the progress is an
    upper bound where the schedule depends on results. `schedule` is given where it is not that of
    the contest's format.
    """

    def __init__(
        self,
        contest: Contest,
        seed: str,
        played: Mapping[str, Game],
        schedule: Schedule | None = None,
    ) -> None:
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
        self._schedule = schedule or schedule_of(contest, seed)
        self._discipline = Discipline(
            contest.costs, contest.disqualify_after, contest.disqualify_for
        )
        self._terms = game_terms(contest)
        self._played = dict(played)
        self._waiting: dict[str, list[Slot]] = {}
        self._results: dict[Slot, Game] = {}
        self.due: deque[Task] = deque()
        self._held: list[Task] = []  # not to be played, as things stand
        self._judged = False  # who is disqualified has changed since tasks were held back
        self._advance()

    @property
    def played(self) -> int:
        """How many games of the schedule have a result, whether it counts or not."""
        return len(self._results)

    @property
    def done(self) -> int:
        """How many games count already."""
        return sum(not self._void(slot) for slot in self._results)

    @property
    def left(self) -> int:
        """How many games may still be needed."""
        out = self._discipline.verdicts.keys()
        waiting = (slot for slots in self._waiting.values() for slot in slots)
        theirs = [slot for slot in waiting if not out.isdisjoint(slot.members)]
        return self._schedule.left_at_most(out) + sum(not self._void(slot) for slot in theirs)

    def record(self, game: Game) -> None:
        """Count a game that was just played; more tasks may become due."""
        self._played[game.identity] = game
        for slot in self._waiting.pop(game.identity):
            self._count(slot, game)
        self._advance()

    def standings(self) -> Table:
        """The standings after the counted games."""
        out = {name: verdict.offences for name, verdict in self._discipline.verdicts.items()}
        course = NO_COURSE
        if isinstance(self._schedule, Staged):
            course = self._schedule.course(self._out())
        return ranked(self._contest, [self._row(slot) for slot in self._counting()], out, course)

    def counted(self) -> list[tuple[Slot, Game]]:
        """The games that count, each with its place, in the order of the schedule."""
        return [(slot, self._results[slot]) for slot in self._counting()]

    def _counting(self) -> list[Slot]:
        return [slot for slot in sorted(self._results, key=place_of) if not self._void(slot)]

    def _row(self, slot: Slot) -> Row:
        game = self._results[slot]
        return Row(
            key=(slot.members, slot.number),
            bots=slot.seats,
            returns=game.returns,
            faults=[{**fault, "game": game.identity} for fault in game.faults],
            cpu_ms=game.cpu_ms,
            asked=game.asked,
            size=1 if self._contest.max_games == 1 else len(slot.members),
            points=game.points,
            isolation=game.isolation,
            map=slot.map,
            teams=self._parameters[slot.map].get("teams", ()),
        )

    def _advance(self) -> None:
        """Take from the schedule all that is certain, count what is known, queue the rest.

        Two slots may be one game (two bots of the same content, seats exchanged): it is played
        once and counts for both.
        """
        news = False
        while slots := self._schedule.take(self._out()):
            news = True
            for slot in slots:
                task = self._task(slot)
                if task.identity in self._played:
                    self._count(slot, self._played[task.identity])
                elif task.identity in self._waiting:
                    self._waiting[task.identity].append(slot)
                else:
                    self._waiting[task.identity] = [slot]
                    self.due.append(task)
        if self._judged or (news and self._discipline.verdicts):
            self._judged = False
            self._hold_back()

    def _out(self) -> dict[str, Place]:
        """Who is shut out, each after the game at a place of the schedule."""
        return {name: verdict.place for name, verdict in self._discipline.verdicts.items()}

    def _count(self, slot: Slot, game: Game) -> None:
        self._results[slot] = game
        self._schedule.record(slot, game.returns, game.points)
        changed = self._discipline.hear(place_of(slot), slot.seats, game.identity, game.faults)
        self._judged = self._judged or changed

    def _void(self, slot: Slot) -> bool:
        """Whether a game that comes before this one disqualified a bot of it."""
        return self._discipline.void(place_of(slot), slot.seats)

    def _hold_back(self) -> None:
        """Take from what is due the games that count for nothing, as far as is known.

        The result of an earlier game may still disqualify a bot sooner, or its opponent, whose
        games then bring no offence: what is held back may become due again.
        """
        tasks = [*self.due, *self._held]
        self.due.clear()
        self._held.clear()
        for task in tasks:
            void = all(self._void(slot) for slot in self._waiting[task.identity])
            (self._held if void else self.due).append(task)

    def _task(self, slot: Slot) -> Task:
        spec = msgspec.structs.replace(
            self._terms,
            parameters=self._parameters[slot.map],
            bots=tuple(self._seats[name] for name in slot.seats),
            seed=slot.seed,
        )
        contents = [self._contents[name] for name in slot.seats]
        return Task(slot, identity(spec, contents, self._games[slot.map]), spec)
