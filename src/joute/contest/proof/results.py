"""The results of a contest as they lie in its folder, opened to be looked at from all sides."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from pathlib import Path

from joute.contest.config.contest import Contest
from joute.contest.folder import RECORDS
from joute.contest.proof.configurations import InForce
from joute.contest.report.summary import Summary, without_key
from joute.contest.run.ledger import Ledger
from joute.contest.run.plan import Plan
from joute.i18n.words import Sentence
from joute.store.decisions import Decision, in_force
from joute.store.errors import DamagedError
from joute.store.links import Link
from joute.store.notes import CHAINED
from joute.store.store import Store


class Moment:
    """A state of the store: so many rows of each kind, in the order in which they were written."""

    def __init__(self, configuration: InForce, games: int, decisions: int) -> None:
        self.configuration = configuration
        self.games = games
        self.decisions = decisions


class Results:
    """What a store holds but for its games, read once. Raises StoreError for what is damaged."""

    def __init__(self, folder: Path, store: Store) -> None:
        self.folder = folder
        self.store = store
        self.configurations = [InForce(each) for each in store.configured()]
        if not self.configurations:
            raise DamagedError("contest", 1, "configuration", Sentence("error.store.nothing"))
        self.decisions = store.decisions()
        self.notes = store.notes()
        self.games, _ = store.state()
        self.last = store.last_link()
        old = (_rows(each.content) for each in self.notes if each.kind == CHAINED)
        self.afterwards = max(old, default=0)  # links that are older than the chain
        self.moments: list[Moment] = []  # when a configuration or a decision ended; by the walk
        # The contents that each bot played with, the last one last; by the walk.
        self.known: dict[str, dict[str, None]] = {}
        self._summed: tuple[int, int, int] | None = None  # of the moment that was summed up last
        self._summary: Summary
        self._planned: tuple[tuple[int, int, int], Plan] | None = None  # the last plan, and of when
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
        key = (moment.configuration.number, moment.games, moment.decisions)
        if self._planned is not None and self._planned[0] == key:
            return self._planned[1]
        self._planned = None  # before another takes as much room
        games = Ledger.of(
            moment.configuration.contest.players, islice(self.store.results(), moment.games)
        )
        plan = Plan(
            moment.configuration.contest,
            moment.configuration.seed,
            games,
            in_force=self.decided_until(moment.decisions),
            contents=self.contents(moment.configuration),
        )
        self._planned = key, plan
        return plan

    def decided_until(self, number: int) -> dict[str, Decision]:
        """The decisions in force after so many of them."""
        return in_force(self.decisions[:number])

    def at(self, rows: int) -> Moment:
        """The moment when the chain had so many links."""
        until = self.store.rows_until(rows)
        number = until.get("configuration", self.configurations[0].number)
        configuration = next(each for each in self.configurations if each.number == number)
        return Moment(configuration, until.get("game", 0), until.get("mark", 0))

    def rows_afterwards(self, kind: str) -> int:
        """How many rows of a kind are older than the chain."""
        return self.store.rows_until(self.afterwards).get(kind, 0)

    def summary(self, link: Link | None) -> tuple[Summary, Contest]:
        """Where the contest stood when a link was the last one, or stands now."""
        moment = self.now() if link is None else self.at(link.number)
        key = (moment.configuration.number, moment.games, moment.decisions)
        if key != self._summed:
            configuration = moment.configuration
            self._summary = without_key(self.plan(moment), configuration.seed)
            self._summed = key
        return self._summary, moment.configuration.contest

    def now(self) -> Moment:
        """How things stand."""
        return Moment(self.configurations[-1], self.games, len(self.decisions))


def _rows(content: Mapping[str, object]) -> int:
    rows = content.get("rows")
    return rows if isinstance(rows, int) else 0
