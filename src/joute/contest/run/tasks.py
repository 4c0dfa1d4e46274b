"""The games of a contest as they are handed out: who sits where, from which seed, known by what."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile
from typing import NamedTuple

import msgspec

from joute.contest.config.contest import Contest
from joute.contest.ranking.discipline import DISQUALIFICATION
from joute.contest.run.isolation import hidden_paths
from joute.contest.run.spoilt import TRIES, is_ours
from joute.contest.schedule.schedule import Slot, digest, seed_of_game
from joute.core.registry import make
from joute.play.game import GameSpec, Identities, SeatSpec
from joute.store.decisions import REPLAYED, Decision


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


def contents_of(contest: Contest) -> dict[str, str]:
    """The hash of each bot's files, by name."""
    return {name: seat.content() for name, seat in seats_of(contest).items()}


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

    def seeded(self, slot: Slot) -> tuple[str, str]:
        """The seed of the game at a place of the schedule, and its identity.

        Where that game is to be replayed, those of the one that is played instead.
        """
        seed, identity, _ = self.traced(slot)
        return seed, identity

    def traced(self, slot: Slot) -> tuple[str, str, list[Decision]]:
        """As `seeded`, with the decisions on the games that it is played instead of, in order."""
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
