"""Discipline: the bots that leave a contest, from which game on, by faults or by decisions.

A fault may cost the contest at once; others do after so many games in which a bot committed one.
The games are judged in the order of the schedule, whatever the order in which they were played:
a game with a bot that an earlier game shut out is not played, and if it was, it counts for nothing.
So the verdicts are a function of the games' faults alone, and a contest that is resumed, or has
more workers, comes to the same.

A bot that its organiser takes out leaves before the first of its games that has no result. The
results that are there and come before it are judged as if it had stayed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from joute.play.record import ply_number

DISQUALIFICATION = "disqualification"
"""The cost of a fault that shuts a bot out: the game, and all that are left."""

Place = tuple[Any, ...]
"""The place of a game in the schedule; of two games the smaller comes first."""


class Offence(msgspec.Struct, frozen=True):
    """A game in which a bot did what it may be shut out for, and the first time in it.

    Or a decision of the organiser: then `fault` is its kind, there is no game, and `why` says more.
    """

    game: str  # its identity
    fault: str
    ply: int
    why: str = ""


class Disqualification(NamedTuple):
    """A bot is shut out after the game at a place of the schedule, for these offences."""

    place: Place
    offences: list[Offence]


class Case(NamedTuple):
    """The part of a game that is judged."""

    place: Place
    bots: tuple[str, ...]  # in seat order
    offences: dict[str, Offence]  # by bot
    at_once: frozenset[str]  # the bots whose offence is enough by itself


class Discipline:
    """A contest's judge.

    `costs` are the contest's, `after` and `counted` its disqualify_after (None: never) and
    disqualify_for.
    """

    def __init__(self, costs: Mapping[str, str], after: int | None, counted: Sequence[str]) -> None:
        self._after = after
        self._counted = frozenset(counted if after is not None else ())
        self._at_once = frozenset(
            fault for fault, cost in costs.items() if cost == DISQUALIFICATION
        )
        self._cases: list[Case] = []
        self._left: dict[str, Place] = {}
        self.verdicts: dict[str, Disqualification] = {}
        self.out: dict[str, Place] = {}  # who plays no more, each after the game at a place

    def hear(
        self, place: Place, bots: tuple[str, ...], game: str, faults: Sequence[Mapping[str, Any]]
    ) -> bool:
        """Takes in a game that was played; whether that changes who is out, or since when."""
        if not faults:
            return False
        case = self._case(place, bots, game, faults)
        if not case.offences:
            return False
        self._cases.append(case)
        return self._judge()

    def leave(self, name: str, place: Place) -> bool:
        """Takes note that a bot plays nothing after a place; whether that changes anything."""
        if name in self._left and self._left[name] <= place:
            return False
        self._left[name] = place
        return self._judge()

    def void(self, place: Place, bots: Iterable[str]) -> bool:
        """Whether a game comes after one that shut a bot of it out, or after which a bot left."""
        return any(place > self.out[name] for name in bots if name in self.out)

    def _judge(self) -> bool:
        before = self.out
        self.verdicts = judged(self._cases, self._after, self._left)
        self.out = self._left | {name: verdict.place for name, verdict in self.verdicts.items()}
        return self.out != before

    def _case(
        self, place: Place, bots: tuple[str, ...], game: str, faults: Sequence[Mapping[str, Any]]
    ) -> Case:
        offences: dict[str, Offence] = {}
        at_once = set()
        for fault in faults:
            name, kind = bots[fault["seat"]], fault["fault"]
            offence = Offence(game, kind, ply_number(fault["ply"]))
            if kind in self._at_once and name not in at_once:
                at_once.add(name)
                offences[name] = offence
            elif kind in self._counted:
                offences.setdefault(name, offence)
        return Case(place, bots, offences, frozenset(at_once))


def judged(
    cases: Iterable[Case], after: int | None, left: Mapping[str, Place] | None = None
) -> dict[str, Disqualification]:
    """The disqualifications after these games, by name; games without an offence may be left out.

    `left` are those who play nothing after a place anyway.
    """
    left = left or {}
    verdicts: dict[str, Disqualification] = {}
    committed: dict[str, list[Offence]] = defaultdict(list)
    for case in sorted(cases, key=lambda case: case.place):
        if any(name in verdicts or case.place > left.get(name, case.place) for name in case.bots):
            continue
        for name, offence in case.offences.items():
            committed[name].append(offence)
            if name in case.at_once:
                verdicts[name] = Disqualification(case.place, [offence])
            elif len(committed[name]) == after:
                verdicts[name] = Disqualification(case.place, committed[name])
    return verdicts
