"""The games of a contest that have no result: those to be played next, being played, held back.

There may be a million; so they are kept as places of the schedule, and a task is made when it is
taken. Two places may be one game (of two bots of the same content, seats exchanged): it is played
once, at the first of them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator

from joute.contest.run.tasks import Task, Tasks
from joute.contest.schedule.schedule import Slot


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
        """Take the next task. Raises IndexError if there is none."""
        task = self._tasks.task(self._next.popleft())
        self._taken[task.identity] = task.slot
        return task

    def append(self, task: Task) -> None:
        """Give a task back, to come last."""
        self._next.append(self._taken.pop(task.identity))

    def extendleft(self, tasks: Iterable[Task]) -> None:
        """Give tasks back, each to come before all others."""
        self._next.extendleft(self._taken.pop(task.identity) for task in tasks)

    def add(self, slot: Slot, identity: str, given_up: bool = False) -> None:
        """Have the game of this identity played, last, for a place of the schedule.

        What is given up counts as taken: it is waited for, and never handed out.
        """
        first = self._first.setdefault(identity, slot) if self._tasks.twins else slot
        if first is slot and given_up:
            self._taken[identity] = slot
        elif first is slot:
            self._next.append(slot)
        else:
            self._others.setdefault(first, []).append(slot)

    def landed(self, identity: str) -> list[Slot]:
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
        """Have nothing due but the games that count at one of their places.

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
