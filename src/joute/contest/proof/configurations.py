"""The configurations that were in force, and what they say of a game that was played under them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

import msgspec

from joute.contest.config.contest import Contest, from_json
from joute.contest.config.contest_table import SCORE
from joute.contest.proof.difference import Difference, shown
from joute.contest.proof.facts import Facts
from joute.contest.run.tasks import game_terms, seats_of
from joute.contest.schedule.schedule import digest, seed_of_game, set_seed, solo_seed
from joute.core.registry import make
from joute.i18n.recognised import foreign
from joute.i18n.words import Sentence
from joute.play.game import Identities, SeatSpec
from joute.play.record import header
from joute.store.errors import DamagedError
from joute.store.game import Configuration, Game
from joute.store.sanity import object_in

_OF_ONE_GAME = ("joute", "identity", "bots", "limits", "commitment")  # of a record's header


class InForce:
    """A configuration that was in force. Raises DamagedError if it is none of ours."""

    def __init__(self, kept: Configuration) -> None:
        self.number = kept.number
        self.seed = kept.seed
        self.made_at = kept.made_at
        self.contents: dict[str, str] | None = None  # of the bots; None if they were not noted
        if kept.contents:
            self.contents = object_in("contest", kept.number, "contents", kept.contents)
        self.unreadable: Sentence | None = (
            None  # why this version cannot read it, where it is of another
        )
        try:
            self._contest: Contest | None = _contest(kept)
        except msgspec.ValidationError as error:
            self._contest, self.unreadable = None, foreign(error)

    @property
    def contest(self) -> Contest:
        """The contest under this configuration, which is readable."""
        if self._contest is None:
            raise DamagedError("contest", self.number, "configuration", self.unreadable)
        return self._contest

    @cached_property
    def seats(self) -> dict[str, SeatSpec]:
        """The bots as they take a seat, by name; nobody where it cannot be read."""
        return {} if self._contest is None else seats_of(self._contest)

    @cached_property
    def _terms(self) -> dict[str, tuple[Identities, dict[str, Any]]]:
        """Of each map: what makes identities, and what headers of records have in common."""
        found = {}
        for each in self.contest.maps:
            terms = msgspec.structs.replace(
                game_terms(self.contest, ()), parameters=each.parameters
            )
            game = make(self.contest.game, **each.parameters)
            told = msgspec.json.encode(header(terms, game, "", (), ()))
            found[each.name] = Identities(terms, game), msgspec.json.decode(told)
        return found

    def differences(self, game: Game, facts: Facts, replays: int) -> Iterator[Difference]:
        """What of a game and its record is not as this configuration wants it.

        `replays` is how often at most a game was played again from another seed.
        """

        def differs(key: str, **values: object) -> Difference:
            values = {"configuration": self.number, **values}
            return Difference(key=key, game=game.identity, values=values)

        if self.unreadable:
            return
        if game.map not in self._terms:
            yield differs("map", map=game.map)
            return
        for name in game.bots:
            if name not in self.seats:
                yield differs("stranger", bot=name)
                return
        if game.members != sorted(game.bots):
            yield differs("members", found=", ".join(game.members))
            return
        identities, common = self._terms[game.map]
        yield from (
            differs("terms", what=name, found=shown(facts.header[name]), expected=shown(value))
            for name, value in self._expected(game, common)
            if name in facts.header and facts.header[name] != value
        )
        contents = []
        for name, bot in zip(game.bots, facts.header["bots"], strict=True):
            contents.append(bot["content"])
            wanted = bot["content"] if self.contents is None else self.contents.get(name)
            if bot["content"] != wanted:
                yield differs("content", bot=name, found=bot["content"], expected=wanted)
        seats = [self.seats[name] for name in game.bots]
        seed = facts.end["seed"]
        if seed not in self._seeds(game, replays):
            yield differs("seed", set=game.set_number)
        identity = identities.of(seats, contents, seed)
        if identity != game.identity:
            yield differs("identity", expected=identity)

    def _seeds(self, game: Game, replays: int) -> Iterator[str]:
        """The seeds that the schedule has for a game of this set, or for another in its place."""
        members = tuple(game.members)
        if self.contest.format == SCORE:
            seed = solo_seed(self.seed, game.map, game.set_number)
        else:
            seed = set_seed(self.seed, members, game.set_number)
        seed = seed_of_game(self.contest.deals, seed, game.bots)
        yield seed
        for _ in range(replays):
            seed = digest(seed, "replay")
            yield seed

    def _expected(self, game: Game, common: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        """What a record's header holds but for what only the record itself can say."""
        yield from ((name, common[name]) for name in common if name not in _OF_ONE_GAME)
        memory = [self.seats[name].memory_mb or self.contest.limits.memory_mb for name in game.bots]
        yield "limits", common["limits"] | {"memory_mb": memory}


def _contest(kept: Configuration) -> Contest:
    contest = from_json(kept.configuration)
    if (contest.seed or "") != kept.seed:
        raise DamagedError("contest", kept.number, "seed", kept.seed)
    return contest
