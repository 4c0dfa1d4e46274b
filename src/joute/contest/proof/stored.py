"""The results of a contest as its folder stores them, and the configurations in force."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from joute.contest.config.contest import Contest, from_json
from joute.contest.config.contest_table import SCORE
from joute.contest.folder import RECORDS
from joute.contest.proof.difference import Difference, shown
from joute.contest.proof.facts import RecordFacts
from joute.contest.report.summary import Summary, without_key
from joute.contest.run.ledger import Ledger
from joute.contest.run.plan import Plan
from joute.contest.run.tasks import game_terms, seats_of
from joute.contest.schedule.schedule import digest, seed_of_game, set_seed, solo_seed
from joute.core.registry import make
from joute.i18n.recognised import foreign
from joute.i18n.words import Sentence
from joute.play.game import Identities, SeatSpec
from joute.play.record import header
from joute.store.columns import object_in
from joute.store.links import Link
from joute.store.model import CHAINED, Configuration, DamagedError, StoredGame, in_force
from joute.store.store import Store


class Moment(NamedTuple):
    """A state of the store: so many rows of each kind, in the order in which they were written."""

    configuration: InForce
    games: int
    decisions: int


class StoredResults:
    """The rows of a store but for its games, read once. Raises StoreError if they are damaged.

    `files` are the files of results, by name, which the store must not be older than.
    """

    def __init__(self, folder: Path, store: Store, files: Mapping[str, bytes]) -> None:
        self.folder = folder
        self.store = store
        self.files = files
        self.configurations = [InForce(each) for each in store.configured()]
        if not self.configurations:
            raise DamagedError("contest", 1, "configuration", Sentence("error.store.nothing"))
        self.decisions = store.decisions()
        self.notes = store.notes()
        self.games, _ = store.state()
        self.last = store.last_link()
        old = (each.content.get("rows") for each in self.notes if each.kind == CHAINED)
        # Links that are older than the chain.
        self.afterwards = max((rows for rows in old if isinstance(rows, int)), default=0)
        self.moments: list[Moment] = []  # when a configuration or a decision ended; by the walk
        # The contents that each bot played with, the last one last; by the walk.
        self.known: dict[str, dict[str, None]] = {}
        self.other_figures: list[str] = []  # files whose ratings another version made; by checks
        self._summed: tuple[Moment, Summary] | None = None  # the last summary
        self._planned: tuple[Moment, Plan] | None = None  # the last plan
        self._files = {path.name for path in (folder / RECORDS).glob("*.jsonl")}

    @property
    def contest(self) -> Contest:
        """The contest in force."""
        return self.configurations[-1].contest

    def file(self, record: str) -> Path | None:
        """The file of a record, in folders of older versions."""
        return self.folder / RECORDS / record if record in self._files else None

    def contents(self, of: InForce) -> Mapping[str, str]:
        """The contents of the bots of a configuration: as noted, or else as they last played.

        A bot that never played may have any.
        """
        if of.contents is not None:
            return of.contents
        played = {name: list(contents)[-1] for name, contents in self.known.items()}
        return {name: played.get(name, "") for name in of.seats}

    def plan(self, moment: Moment) -> Plan:
        """The plan of the contest as it was at a moment, to be looked at and not gone on with."""
        if self._planned is not None and self._planned[0] == moment:
            return self._planned[1]
        self._planned = None  # before another takes as much room
        then = moment.configuration
        games = Ledger.of(then.contest.players, islice(self.store.results(), moment.games))
        decided, contents = in_force(self.decisions[: moment.decisions]), self.contents(then)
        plan = Plan(then.contest, then.seed, games, in_force=decided, contents=contents)
        self._planned = moment, plan
        return plan

    def at(self, rows: int) -> Moment:
        """The moment when the chain had so many links."""
        until = self.store.rows_until(rows)
        number = until.get("configuration", self.configurations[0].number)
        configuration = next(each for each in self.configurations if each.number == number)
        return Moment(configuration, until.get("game", 0), until.get("mark", 0))

    @property
    def upgraded(self) -> bool:
        """Whether the store is of an older layout: its files of results may name no link."""
        return self.afterwards > 0

    def rows_afterwards(self, kind: str) -> int:
        """The number of rows of a kind that are older than the chain."""
        return self.store.rows_until(self.afterwards).get(kind, 0)

    def summary(self, link: Link | None) -> tuple[Summary, Contest]:
        """The state of the contest when a link was the last one, or now."""
        moment = self.now() if link is None else self.at(link.number)
        if self._summed is None or self._summed[0] != moment:
            self._summed = moment, without_key(self.plan(moment), moment.configuration.seed)
        return self._summed[1], moment.configuration.contest

    def now(self) -> Moment:
        """The present state."""
        return Moment(self.configurations[-1], self.games, len(self.decisions))


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
        self.unreadable: Sentence | None = None  # why, where it is of another version
        self._contest: Contest | None = None
        try:
            self._contest = from_json(kept.configuration)
        except msgspec.ValidationError as error:
            self.unreadable = foreign(error)
        if self._contest is not None and (self._contest.seed or "") != kept.seed:
            raise DamagedError("contest", kept.number, "seed", kept.seed)

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

    def differences(
        self, game: StoredGame, facts: RecordFacts, replays: int
    ) -> Iterator[Difference]:
        """The differences of a game and its record from this configuration.

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
        memory = [self.seats[name].memory_mb or self.contest.limits.memory_mb for name in game.bots]
        expected = {name: common[name] for name in common if name not in _OF_ONE_GAME}
        expected["limits"] = common["limits"] | {"memory_mb": memory}
        for name, value in expected.items():
            found = facts.header.get(name, value)
            if _proving(name, found) != _proving(name, value):
                yield differs("terms", what=name, found=shown(found), expected=shown(value))
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

    def _seeds(self, game: StoredGame, replays: int) -> Iterator[str]:
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


def _proving(name: str, value: Any) -> Any:
    """The part of a header's entry that must be the same: rules may come from another place."""
    return value.get("hash") if name == "source" and isinstance(value, dict) else value
