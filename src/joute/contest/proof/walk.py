"""The walk along the chain: every row in the order of writing, with its link and its record.

All that a row and a record both say must be the same. Times are the store's own clock against
itself: the clock of a machine may be wrong and be put right in the middle of a contest, so a day is
forgiven.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

from joute.contest.proof.difference import Difference, shown
from joute.contest.proof.facts import Readers, RecordFacts
from joute.contest.proof.stored import InForce, Moment, StoredResults
from joute.contest.run.tasks import is_ours
from joute.i18n.words import Sentence
from joute.store.links import CONFIGURATION, GAME, MARK, NOTE, Chained
from joute.store.model import OF_BOTS, OF_GAMES, REPLAYED, DamagedError, Decision, StoredGame
from joute.store.reading import game_of

_TABLES = {CONFIGURATION: "contest", GAME: "games", MARK: "marks", NOTE: "notes"}
PAGE = 500  # records fetched at once

Watch = Callable[[int], object]
"""Hears how many rows were looked at."""


class Walk:
    """Goes along the chain of a contest's rows; `differences` is to be exhausted once."""

    def __init__(self, results: StoredResults, watch: Watch | None = None) -> None:
        self._results = results
        self._watch = watch
        self._by_number = {each.number: each for each in results.configurations}
        self._configuration: InForce | None = None
        self._last: Counter[str] = Counter()  # the last row of each kind
        self._time = ""  # of the last decision
        self._seats = 0
        self._link = 0  # the number of the one that is looked at
        self._busy: set[str] = set()  # games of which the record says that the machine was busy
        self._replays = sum(each.kind == REPLAYED for each in results.decisions)
        self.rows = 0
        self.records = 0  # that are true
        self.told = 0  # differences

    def differences(self, with_records: bool = True) -> Iterator[Difference]:
        """All that is not as it was written; without a look at the records if these are not to be.

        Rows are told in the order of the chain, then those that no link stands for.
        """
        for each in self._all(with_records):
            self.told += 1
            yield each

    def _all(self, with_records: bool) -> Iterator[Difference]:
        with Readers(self._results.games if with_records else 0) as readers:
            for chained, facts in readers.read(self._frames(with_records)):
                yield from self._row(chained, facts, with_records)
                self.rows += 1
                if self._watch is not None:
                    self._watch(self.rows)
        self._ended()
        for sort, row in self._results.store.strays():
            yield Difference(key="stray", values={"table": _TABLES.get(sort, sort), "row": row})
        if self._results.store.seats() != self._seats:
            values = {"found": self._results.store.seats(), "expected": self._seats}
            yield Difference(key="seats", values=values)

    def _frames(self, with_records: bool) -> Iterator[tuple[Chained, bytes | None]]:
        from joute.store.columns import pack

        chain = self._results.store.chained()
        while page := list(islice(chain, PAGE)):
            numbers = [each.row for each in page if each.kind == GAME] if with_records else []
            frames = self._results.store.frames(numbers) if numbers else {}
            for each in page:
                frame = frames.get(each.row) if each.kind == GAME else None
                file = self._results.file(str((each.values or {}).get("record")))
                if file is not None and with_records:
                    frame = pack(file.read_bytes())
                yield each, frame

    def _row(
        self, chained: Chained, facts: RecordFacts | None, with_records: bool
    ) -> Iterator[Difference]:
        """The differences of a row, and of the link that stands for it."""
        kind, row, self._link = chained.kind, chained.row, chained.number
        table = _TABLES.get(kind, kind)
        if chained.number != chained.expected:
            yield Difference(
                key="gap", values={"first": chained.expected, "last": chained.number - 1}
            )
        before, self._last[kind] = self._last[kind], row
        values = {"table": table, "row": row, "link": chained.number}
        if chained.values is None:
            yield Difference(key="gone", values=values)
            return
        if row <= before or (kind != CONFIGURATION and row != before + 1):
            yield Difference(key="order", values=values | {"expected": before + 1})
        found = False
        try:
            for each in self._checked(kind, row, chained.values, facts, with_records):
                found = True
                yield each
        except DamagedError as error:
            yield damaged(error)
            return
        if not chained.holds and not found:
            game = str(chained.values["identity"]) if kind == GAME else ""
            yield Difference(key="changed", game=game, values=values)

    def _checked(
        self,
        kind: str,
        row: int,
        values: Mapping[str, Any],
        facts: RecordFacts | None,
        with_records: bool,
    ) -> Iterator[Difference]:
        if kind == CONFIGURATION:
            yield from self._came_into_force(row, values)
        elif kind == MARK:
            yield from self._decision(row, values, with_records)
        elif kind == GAME:
            yield from self._played(row, values, facts, with_records)

    def _came_into_force(self, row: int, values: Mapping[str, Any]) -> Iterator[Difference]:
        self._ended()
        before = self._configuration
        self._configuration = self._by_number[row]
        if self._configuration.unreadable:
            reason = self._configuration.unreadable
            values_told = {"row": row, "reason": reason}
            yield Difference(key="configuration.unreadable", values=values_told)
        if values["made_at"]:
            earlier = "" if before is None else before.made_at
            for key, said in wrong_times(values["made_at"], earlier):
                yield Difference(key=f"configuration.{key}", values={"row": row, **said})

    def _decision(
        self, row: int, values: Mapping[str, Any], with_records: bool
    ) -> Iterator[Difference]:
        self._ended(row - 1)
        subject = values["subject"]
        told = {"row": row, "subject": subject}
        for key, said in wrong_times(values["made_at"], self._time):
            yield Difference(key=f"mark.{key}", values=told | said)
        self._time = values["made_at"]
        if not (values["who"].strip() and values["why"].strip()):
            yield Difference(key="mark.nobody", values=told)
        number = self._results.store.game_number(subject)
        bots = {name for each in self._results.configurations for name in each.seats}
        # Rows older than the chain stand in it by kind, not by time.
        played = number is not None and (number <= self._last[GAME] or self._is_old())
        kind = values["kind"]
        ours = is_ours(Decision(**{name: values[name] for name in Decision.__struct_fields__}))
        if ours and kind == REPLAYED:
            # Of a game that could not be played at all there is nothing but the decision.
            if number is not None and with_records and not (played and subject in self._busy):
                yield Difference(key="mark.busy", values=told)
            return
        of_game, of_bot = kind not in OF_BOTS and played, kind not in OF_GAMES and subject in bots
        if not (of_game or of_bot):
            yield Difference(key="mark.subject", values=told)

    def _played(
        self, row: int, values: Mapping[str, Any], facts: RecordFacts | None, with_records: bool
    ) -> Iterator[Difference]:
        self._seats += len(values["seats"])
        game = game_of(row, values, [seat[1:] for seat in values["seats"]])
        if [seat[0] for seat in values["seats"]] != list(range(len(game.bots))):
            raise DamagedError(
                "seats", Sentence("error.store.of_game", game=row), "seat", values["seats"]
            )
        since = "" if self._configuration is None else self._configuration.made_at
        for key, told in wrong_times(game.played_at, since):
            yield Difference(key=f"game.{key}", game=game.identity, values=told)
        if any(each < 0 for each in (*game.cpu_ms, *game.asked, game.plies, game.set_number)):
            yield Difference(key="negative", game=game.identity)
        if not with_records:
            return
        if facts is not None and facts.end.get("busy"):
            self._busy.add(game.identity)
        found = False
        for each in compared(game, facts):
            found = True
            yield each
        if not found and facts is not None:
            self.records += 1
            yield from self._by_rules(game, facts)

    def _by_rules(self, game: StoredGame, facts: RecordFacts) -> Iterator[Difference]:
        """The differences from the configuration in force, or from any that may have been."""
        for name, bot in zip(game.bots, facts.header["bots"], strict=True):
            contents = self._results.known.setdefault(name, {})
            contents.pop(bot["content"], None)
            contents[bot["content"]] = None
        if not self._is_old() and self._configuration is not None:
            yield from self._configuration.differences(game, facts, self._replays)
            return
        first: list[Difference] = []
        for each in reversed(self._results.configurations):
            found = list(each.differences(game, facts, self._replays))
            if not found:
                return
            first = first or found
        yield from first

    def _is_old(self) -> bool:
        """Whether the row is older than the chain, and says nothing of what came before it."""
        return self._link <= self._results.afterwards

    def _ended(self, decisions: int | None = None) -> None:
        """Notes the moment at which what was in force so far ends, after so many decisions."""
        if self._configuration is not None and not self._is_old():
            known = self._last[MARK] if decisions is None else decisions
            moment = Moment(self._configuration, self._last[GAME], known)
            self._results.moments.append(moment)


def damaged(error: DamagedError) -> Difference:
    """The difference for a value that is never written in a row."""
    names = ("table", "row", "column", "value")
    return Difference(key="damaged", values={name: getattr(error, name) for name in names})


ROUNDED = 0.0005  # milliseconds by which a ply's time in a record may be off
SUMMED = 1e-6  # milliseconds by which two sums of the same times may differ


def record_name(game: StoredGame) -> str:
    """The name under which the record of a game must be kept."""
    return f"{game.identity}.jsonl"


def compared(game: StoredGame, facts: RecordFacts | None) -> Iterator[Difference]:
    """The differences between a game's row and its record."""

    def differs(key: str, **values: object) -> Difference:
        return Difference(key=key, game=game.identity, values=values)

    if game.record != record_name(game):
        yield differs("record_name", found=shown(game.record))
        return
    if facts is None:
        yield differs("no_record")
        return
    if not facts.ok:
        values = {"reason": facts.reason}
        yield Difference(
            key="untrue",
            game=game.identity,
            line=facts.line,
            values=values,
            checked=facts.checked,
        )
        return
    if facts.header.get("identity") != game.identity:
        yield differs("another_game", found=shown(facts.header.get("identity")))
        return
    for key, here, there in _pairs(game, facts):
        if here != there:
            yield differs(key, found=shown(here), expected=shown(there))
    if len(facts.asked) == len(game.bots):
        yield from (differs(key, **values) for key, values in _times(game, facts))
    if facts.chain != game.chain:
        yield differs("another_record")


def _pairs(game: StoredGame, facts: RecordFacts) -> Iterator[tuple[str, Any, Any]]:
    """The values of the row and of the record, by the key of the sentence that tells them."""
    end, bots = facts.end, facts.header["bots"]
    yield "bots", game.bots, [bot.get("name") for bot in bots]
    yield "returns", game.returns, end["returns"]
    yield "points", game.points, end["points"]
    yield "ending", game.ending, end["ending"]
    yield "plies", game.plies, end["plies"]
    yield "faults", _told(game.faults), _told(facts.faults)
    yield "asked", game.asked, facts.asked
    if game.isolation:  # stores of older versions did not note it
        yield "isolation", game.isolation, [bot.get("isolation") for bot in bots]


def _told(faults: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    names = ("seat", "ply", "fault", "detail", "cost")
    return [tuple(each.get(name) for name in names) for each in faults]


def _times(game: StoredGame, facts: RecordFacts) -> Iterator[tuple[str, dict[str, str]]]:
    for seat, (here, there) in enumerate(zip(game.cpu_ms, facts.cpu_ms, strict=True)):
        if abs(here - there) > ROUNDED * facts.asked[seat] + SUMMED * (1 + abs(there)):
            values = {"bot": game.bots[seat], "found": f"{here:.3f}", "expected": f"{there:.3f}"}
            yield "cpu_ms", values


FORGIVEN = timedelta(days=1)


def wrong_times(time: str, before: str = "") -> Iterator[tuple[str, dict[str, str]]]:
    """The errors in the time of a row that came after one of the time `before`.

    Each is the key of a sentence with its values.
    """
    at = _read_time(time)
    if at is None:
        yield "no_time", {"time": time}
        return
    if at > datetime.now(UTC) + FORGIVEN:
        yield "future", {"time": time}
    earlier = _read_time(before)
    if earlier is not None and at < earlier - FORGIVEN:
        yield "early", {"time": time, "before": before}


def _read_time(text: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo is not None else None
