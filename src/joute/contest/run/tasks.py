"""The games of a contest as they are handed out: seats, seeds, identities, and which are due.

A game that the machine spoilt, too busy to judge a bot by time on the wall or to play at all, is
noted by a decision of Joute's own, in the transaction of the store that keeps the game, if there is
one. So nothing is thrown away, and another game is played in its place from a seed of its own, as
where the organiser has one replayed. Whoever goes on after a kill finds the same decisions, the
same seeds and the same number of tries.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

import msgspec

from joute.contest.config.contest import Contest
from joute.contest.contents import contents_of
from joute.contest.folder import now
from joute.contest.ranking.discipline import DISQUALIFICATION
from joute.contest.run.isolation import hidden_paths
from joute.contest.schedule.schedule import Slot, digest, seed_of_game
from joute.core.registry import make
from joute.host.names import parse_bot
from joute.play.game import GameSpec, Identities, SeatSpec
from joute.play.seats import check_builtin
from joute.store.model import REPLAYED, Decision


def compile_builtins(contest: Contest) -> None:
    """Compiles what the built-in bots need, before several workers would compile the same at once.

    Raises BuiltinError or GameError where a bot or the rules cannot be compiled.
    """
    for bot in contest.bots:
        spec = parse_bot(bot.bot, Path(contest.base))
        if spec.kind == "builtin":
            for each in contest.maps:
                check_builtin(spec, make(contest.game, **each.parameters))


class Task(NamedTuple):
    """A game to be played."""

    slot: Slot
    identity: str
    spec: GameSpec
    tries: int = 0  # games in its place that the machine spoilt, one after the other


def game_terms(contest: Contest, hidden: tuple[str, ...] | None = None) -> GameSpec:
    """A game of a contest on its first map, without seats or seed.

    `hidden` are the paths that no bot may read, where the bots' files are not to be looked at.

    For the referee a disqualification is a game lost: that a bot is out is the contest's affair.
    """
    return GameSpec(
        game=contest.game,
        parameters=contest.maps[0].parameters,
        bots=(),
        seed="",
        opening=contest.opening,
        limits=contest.limits,
        costs={
            fault: "game" if cost == DISQUALIFICATION else cost
            for fault, cost in contest.costs.items()
        },
        max_restarts=contest.max_restarts,
        hidden=hidden_paths(contest) if hidden is None else hidden,
    )


def seats_of(contest: Contest) -> dict[str, SeatSpec]:
    """The bots of a contest as they take a seat, by name."""
    return {
        bot.name: SeatSpec(
            name=bot.name,
            bot=bot.bot,
            base=contest.base,
            python=bot.python,
            memory_mb=bot.memory_mb,
        )
        for bot in contest.bots
    }


class Tasks:
    """Makes tasks of the places of a contest's schedule; `in_force` are those in force.

    `contents` are the hashes of the bots' files where these are not to be looked at: nothing of
    it can be played then.
    """

    def __init__(
        self,
        contest: Contest,
        in_force: Mapping[str, Decision],
        contents: Mapping[str, str] | None = None,
    ) -> None:
        self._in_force = in_force
        self._deals = contest.deals
        self._seats = seats_of(contest)
        self._contents = contents_of(contest) if contents is None else contents
        different = {
            (self._contents[name], seat.python, seat.memory_mb)
            for name, seat in self._seats.items()
        }
        self.twins = len(different) < len(self._seats)  # whether two places may be one game
        self._terms = game_terms(contest, None if contents is None else ())
        self._parameters = {each.name: each.parameters for each in contest.maps}
        # Made once: reading a map costs more than all the rest of a game's identity.
        self._identities = {
            name: Identities(
                msgspec.structs.replace(self._terms, parameters=parameters),
                make(contest.game, **parameters),
            )
            for name, parameters in self._parameters.items()
        }

    @property
    def contents(self) -> Mapping[str, str]:
        """The hash of each bot's files, by name."""
        return self._contents

    def traced(self, slot: Slot) -> tuple[str, str, list[Decision]]:
        """The seed and the identity of the game at a place of the schedule.

        Where that game is to be replayed, those of the one that is played instead, with the
        decisions on the games that it is played instead of, in order.
        """
        bots = [self._seats[name] for name in slot.seats]
        contents = [self._contents[name] for name in slot.seats]
        seed = seed_of_game(self._deals, slot.seed, slot.seats)
        identity = self._identities[slot.map].of(bots, contents, seed)
        instead_of = []
        while identity in self._in_force and self._in_force[identity].kind == REPLAYED:
            instead_of.append(self._in_force[identity])
            seed = digest(seed, "replay")
            identity = self._identities[slot.map].of(bots, contents, seed)
        return seed, identity, instead_of

    def task(self, slot: Slot) -> Task:
        """The game at a place of the schedule."""
        seed, identity, instead_of = self.traced(slot)
        tries = len(list(takewhile(is_ours, reversed(instead_of))))
        spec = msgspec.structs.replace(
            self._terms,
            parameters=self._parameters[slot.map],
            bots=tuple(self._seats[name] for name in slot.seats),
            seed=seed,
            last_try=tries + 1 >= TRIES,
        )
        return Task(slot, identity, spec, tries)


OURS = "joute"
"""The author of such decisions; nobody else may have this name."""

TRIES = 3
"""After so many nobody but the bot that has no answer is at fault."""

BUSY = "the machine was too busy to judge by time on the wall"

_WAITED = re.compile(r"seats? (\d+(?:, \d+)*): ")


def note(identity: str, seats: Sequence[int], reason: str) -> Decision:
    """The decision of a spoilt game; `seats` are those of the bots that were waited for, if any."""
    who = ", ".join(map(str, seats))
    told = f"seat{'s' if len(seats) > 1 else ''} {who}: {reason}" if seats else reason
    return Decision(REPLAYED, identity, OURS, told, now())


def is_ours(decision: Decision) -> bool:
    """Whether Joute itself made a decision."""
    return decision.who == OURS


def waited_for(decision: Decision, bots: Sequence[str]) -> list[str]:
    """The bots of a spoilt game, given in seat order, that were waited for by the decision.

    All of them where it does not say.
    """
    found = _WAITED.match(decision.why)
    seats = [int(each) for each in found[1].split(", ")] if found else list(range(len(bots)))
    return [bots[seat] for seat in seats if seat < len(bots)]


class Due:
    """Tasks in the order in which they are to be played, like a deque of them.

    A task that was taken may be given back, by `append` or `extendleft`, and is then due again.
    """

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks
        self._next: deque[Slot] = deque()
        self._held: list[Slot] = []
        self._taken: dict[str, Slot] = {}  # by identity
        self._first: dict[str, Slot] = {}  # by identity, where several places may be one game
        self._others: dict[Slot, list[Slot]] = {}  # of a game, by its first place

    def __len__(self) -> int:
        return len(self._next)

    def __iter__(self) -> Iterator[Task]:
        """The tasks, none of which is taken."""
        return map(self._tasks.task, self._next)

    def __getitem__(self, place: int) -> Task:
        """The task at a place of the queue, which is not taken."""
        return self._tasks.task(self._next[place])

    def popleft(self) -> Task:
        """Takes the next task. Raises IndexError if there is none."""
        task = self._tasks.task(self._next.popleft())
        self._taken[task.identity] = task.slot
        return task

    def append(self, task: Task) -> None:
        """Gives a task back, to come last."""
        self._next.append(self._taken.pop(task.identity))

    def extendleft(self, tasks: Iterable[Task]) -> None:
        """Gives tasks back, each to come before all others."""
        self._next.extendleft(self._taken.pop(task.identity) for task in tasks)

    def add(self, slot: Slot, identity: str, given_up: bool = False) -> None:
        """Has the game of this identity played, last, for a place of the schedule.

        What is given up counts as taken: it is waited for, and never handed out.
        """
        first = self._first.setdefault(identity, slot) if self._tasks.twins else slot
        if first is slot and given_up:
            self._taken[identity] = slot
        elif first is slot:
            self._next.append(slot)
        else:
            self._others.setdefault(first, []).append(slot)

    def finish(self, identity: str) -> list[Slot]:
        """The places of a game that was taken; it is not waited for any more."""
        first = self._taken.pop(identity)
        return [first, *self._others.pop(first, ())]

    def slots(self) -> Iterator[Slot]:
        """The first places of the games that are due, in order."""
        return iter(self._next)

    def waiting(self) -> Iterator[Slot]:
        """All places without a result."""
        for slots in (self._next, self._held, self._taken.values()):
            for slot in slots:
                yield from self._places(slot)

    def hold_back(self, void: Callable[[Slot], bool]) -> None:
        """Has nothing due but the games that count at one of their places.

        What was held back before may become due again, and comes last.
        """
        slots = [*self._next, *self._held]
        self._next.clear()
        self._held.clear()
        for slot in slots:
            held = all(map(void, self._places(slot)))
            (self._held if held else self._next).append(slot)

    def _places(self, first: Slot) -> list[Slot]:
        return [first, *self._others.get(first, ())] if self._others else [first]
