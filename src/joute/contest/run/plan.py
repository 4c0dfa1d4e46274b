"""A contest's schedule joined with what has been played: which games count, which remain.

A game is known by its identity, a hash of all that determines it. What remains is a set
difference: the schedule's identities minus the store's. Games of the store that the schedule
does not ask for (any more) are neither counted nor harmed; nor are those that come, in the
schedule, after one that disqualified a bot of theirs.

Decisions are taken into account in the same way, so that all is a function of the schedule, the
results and the decisions in force. An annulled game counts for nothing, and what the schedule draws
after it takes it for level; one to be replayed has another in its place, from a seed of its own.
So has one that the machine spoilt, by a decision of Joute's own (see `spoilt`). A bot that is out
plays none of its games that have no result, and unless it keeps the others its results are void.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import UNSET

from joute.contest.config.contest import Contest
from joute.contest.ranking.discipline import Discipline, Offence
from joute.contest.ranking.ranking import NO_PROGRESSION
from joute.contest.ranking.rows import MOST, Row, Sums, sides_left
from joute.contest.run.ledger import Chosen, GameOutcome, KnownResults, Ledger
from joute.contest.run.tasks import Due, Tasks, is_ours, waited_for
from joute.contest.schedule.formats import Table, ranked, schedule_of
from joute.contest.schedule.schedule import (
    Fixed,
    Progression,
    Schedule,
    Slot,
    Staged,
    before,
    in_order,
    place_of,
)
from joute.store.model import (
    OF_BOTS,
    OF_GAMES,
    REPLAYED,
    RETIRED,
    Decision,
    StoredGame,
    StoredResult,
)


class Plan:
    """The games that count and the games that remain: tasks in `due`, results go to `record`.

    `played` are the games known already, by identity or as a ledger, which becomes the plan's own.
    `total` in `left` and the progress is an upper bound where the schedule depends on results.
    `schedule` is given where it is not that of the contest's format. `in_force` are the
    decisions that hold.
    `contents` are the hashes of the bots' files, for whoever does not play and does not look.
    """

    def __init__(
        self,
        contest: Contest,
        seed: str,
        played: Mapping[str, StoredGame] | Ledger,
        schedule: Schedule | None = None,
        in_force: Mapping[str, Decision] | None = None,
        contents: Mapping[str, str] | None = None,
    ) -> None:
        self._contest = contest
        self.in_force = dict(in_force or {})
        self._tasks = Tasks(contest, self.in_force, contents)
        self._rows_of = Rows(contest)
        self._discipline = Discipline(
            contest.costs, contest.disqualify_after, contest.disqualify_for
        )
        self._leaving = {
            bot.name: self.in_force[bot.name].kind
            for bot in contest.bots
            if bot.name in self.in_force and self.in_force[bot.name].kind in OF_BOTS
        }
        self._schedule = schedule or schedule_of(contest, seed, self._leaving)
        self._ledger = played if isinstance(played, Ledger) else _ledger(contest, played)
        self.due = Due(self._tasks)
        self._slots: list[Slot] = []  # that have a result
        self._rows = array("q")  # of the ledger, one for each of them
        self._done: int | None = None  # how many of them count, where that is known
        self._sums: Sums | None = None  # what they come to, where that is known
        self._spoilt: dict[str, list[str]] = {}  # by bot, the games in which it was waited for
        self._judged = False  # who is out has changed since games were held back
        self._advance()

    @property
    def contents(self) -> Mapping[str, str]:
        """The hash of each bot's files, by name."""
        return self._tasks.contents

    @property
    def kept(self) -> int:
        """The number of games that are known, those that the schedule does not ask for included."""
        return len(self._ledger)

    @property
    def played(self) -> int:
        """The number of games of the schedule with a result, whether it counts or not."""
        return len(self._slots)

    def played_before(self, kept: int) -> int:
        """As `played`, of the games that were there when so many were known."""
        return sum(row < kept for row in self._rows)

    @property
    def done(self) -> int:
        """The number of games that count already."""
        if self._done is None:
            self._done = sum(1 for _ in self._counting())
        return self._done

    @property
    def left(self) -> int:
        """The number of games that may still be needed."""
        out = self._discipline.out.keys()
        found = self._schedule.left_at_most(out)
        if not out:
            return found
        theirs = [slot for slot in self.due.waiting() if not out.isdisjoint(slot.members)]
        return found + sum(not self._void(slot) for slot in theirs)

    @property
    def cpu_seconds(self) -> float:
        """The processor time charged in all games of the schedule that have a result."""
        return sum(sum(self._ledger.outcome(row).cpu_ms) for row in self._rows) / 1000

    @property
    def sums(self) -> Sums | None:
        """The sums of the games that count, where each that is played later just adds to them.

        None before there were standings; where a game may do more: decide what is played, count at
        several places, come after a bot has left; and where taking games together helps little.
        """
        more = self._tasks.twins or self._leaving or self._discipline.out or self._contest.first_to
        if more or self._sums is None or not isinstance(self._schedule, Fixed):
            return None
        return self._sums if len(self._sums) <= MOST else None

    @property
    def decisions(self) -> list[Decision]:
        """The decisions of people in force, about bots of the contest and games that it has."""
        names = [bot.name for bot in self._contest.bots]
        return [
            decision
            for decision in self.in_force.values()
            if decision.subject in names
            or (
                decision.kind in OF_GAMES
                and not is_ours(decision)
                and self.row_of(decision.subject) is not None
            )
        ]

    def asked_for(self) -> Chosen:
        """The games with a result that the schedule asks for."""
        return Chosen(self._ledger, self._rows)

    def counting(self, valid: Callable[[Slot], bool]) -> Chosen:
        """The games that count at places of the schedule that are valid."""
        places = (place for place in self._counting() if valid(self._slots[place]))
        return Chosen(self._ledger, (self._rows[place] for place in places))

    def row_of(self, identity: str) -> int | None:
        """The place of a game among those that are known, from 0; None if it is not known."""
        return self._ledger.find(identity)

    def places(self) -> Iterator[tuple[Slot, str]]:
        """The places of the schedule that have a result, each with its game's identity.

        With the games besides that others were played in the place of.
        """
        replayed = any(decision.kind == REPLAYED for decision in self.in_force.values())
        for slot, row in zip(self._slots, self._rows, strict=True):
            yield slot, self._ledger.identity(row)
            if replayed:
                yield from ((slot, decision.subject) for decision in self._tasks.traced(slot)[2])

    @property
    def out(self) -> set[str]:
        """The bots that are out of the contest, by its rules or by a decision."""
        return {*self._discipline.out, *self._leaving}

    def record(self, game: StoredGame) -> None:
        """Counts a game that was just played; more tasks may become due."""
        row = self._ledger.find(game.identity)
        row = self._ledger.add(game.identity, game) if row is None else row
        for slot in self.due.finish(game.identity):
            self._count(slot, row)
        self._advance()

    def spoil(
        self, identity: str, decision: Decision, game: StoredGame | None, given_up: bool
    ) -> None:
        """Has another game played in the place of one that the machine spoilt; not if given up.

        `game` is what was played of it, if there is a result, which counts for nothing.
        """
        self.in_force[identity] = decision
        if game is not None and self._ledger.find(identity) is None:
            self._ledger.add(identity, game)
        for slot in self.due.finish(identity):
            self._place(slot, given_up)
        self._advance()

    def progression(self) -> Progression:
        """The course of each bot, as far as its games do not tell."""
        if not isinstance(self._schedule, Staged):
            return NO_PROGRESSION
        return self._schedule.course(self._disqualified())

    def _disqualified(self) -> dict[str, list[Offence]]:
        """The bots that are disqualified, for what."""
        verdicts = self._discipline.verdicts
        out = {name: verdict.offences for name, verdict in verdicts.items()}
        for name in sorted(self._leaving):
            decision = self.in_force[name]
            if decision.kind != RETIRED:
                ruled = Offence("", decision.kind, 0, decision.why)
                out[name] = [*out.get(name, ()), ruled]
        return out

    def standings(self) -> Table:
        """The standings after the counted games."""
        out = self._disqualified()
        if self._contest.first_to:
            # Where a meeting ends with a win, it matters in which order its games were played.
            rows = [self._rows_of.row(slot, game) for slot, game in self.counted()]
        else:
            rows = list(self._summed().rows())
        table = ranked(self._contest, rows, out, self.progression())
        known = {name: self.in_force[name] for name in self._leaving}
        found: Any = (
            msgspec.structs.replace(
                line,
                decision=known.get(line.name),
                infrastructure=self.spoilt.get(line.name, UNSET),
            )
            for line in table
        )
        return list(found)

    @property
    def spoilt(self) -> dict[str, list[str]]:
        """Of each bot, the games that the machine spoilt when it was waited for, if any."""
        return {name: sorted(games) for name, games in self._spoilt.items()}

    def counted(self) -> list[tuple[Slot, GameOutcome]]:
        """The games that count, each with its place, in the order of the schedule."""
        places = in_order(list(self._counting()), self._slots.__getitem__)
        return [(self._slots[place], self._ledger.outcome(self._rows[place])) for place in places]

    def _summed(self) -> Sums:
        """The games that count taken together; kept up to date from then on, if they are few."""
        if self._sums is not None:
            return self._sums
        found = Sums(
            self._rows_of.row(self._slots[place], self._ledger.outcome(self._rows[place]))
            for place in self._counting()
        )
        if len(found) <= MOST:
            self._sums = found
        return found

    def _counting(self) -> Iterator[int]:
        """The places in `_slots` of the games that count."""
        in_force = (name for name, decision in self.in_force.items() if decision.kind in OF_GAMES)
        annulled = {self._ledger.find(name) for name in in_force}
        for place, (slot, row) in enumerate(zip(self._slots, self._rows, strict=True)):
            if row not in annulled and not self._void(slot):
                yield place

    def _advance(self) -> None:
        """Takes from the schedule all that is certain, counts what is known, queues the rest."""
        news = False
        while slots := self._schedule.take(self._discipline.out):
            news = True
            for slot in slots:
                self._place(slot)
        if self._judged or (news and self._discipline.out):
            # The result of an earlier game may still disqualify a bot sooner, or its opponent,
            # whose games then bring no offence: what is held back may become due again.
            self._judged = False
            self.due.hold_back(self._void)

    def _place(self, slot: Slot, given_up: bool = False) -> None:
        """Counts the game at a place of the schedule if it is known, else has it played."""
        _, name, instead_of = self._tasks.traced(slot)
        for decision in filter(is_ours, instead_of):
            for bot in waited_for(decision, slot.seats):
                games = self._spoilt.setdefault(bot, [])
                if decision.subject not in games:
                    games.append(decision.subject)
        row = self._ledger.find(name)
        if row is None:
            self._leave(slot)
            self.due.add(slot, name, given_up)
        else:
            self._count(slot, row)

    def _leave(self, slot: Slot) -> None:
        """Has those who are taken out leave before a game of theirs that has no result."""
        for name in self._leaving.keys() & slot.seats:
            if self._discipline.leave(name, before(slot)):
                self._judged, self._done, self._sums = True, None, None

    def _count(self, slot: Slot, row: int) -> None:
        game = self._ledger.outcome(row)
        self._slots.append(slot)
        self._rows.append(row)
        if game.identity in self.in_force:
            self._schedule.record(slot, [0.0] * len(slot.seats), [0] * len(slot.seats))
            return
        self._schedule.record(slot, game.returns, game.points)
        if self._discipline.hear(place_of(slot), slot.seats, game.identity, game.faults):
            self._judged, self._done, self._sums = True, None, None
        elif not self._void(slot):
            if self._done is not None:
                self._done += 1
            if self._sums is not None:
                self._sums.add(self._rows_of.row(slot, game))

    def _void(self, slot: Slot) -> bool:
        """Whether a game before this one disqualified a bot of it, or one had left by then."""
        out = self._discipline.out
        return bool(out) and self._discipline.void(place_of(slot), slot.seats)


class Rows:
    """Makes rows of the games of a contest, from which its standings are made."""

    def __init__(self, contest: Contest) -> None:
        self._contest = contest
        self._teams = {each.name: each.parameters.get("teams", ()) for each in contest.maps}
        self._fewest = min(2, contest.players)  # sides that are not void, for a game to count

    def counts(self, slot: Slot, out: Collection[str]) -> bool:
        """Whether a game counts for anybody where the results of the bots `out` are void."""
        return not out or sides_left(slot.seats, self._teams[slot.map], out) >= self._fewest

    def row(self, slot: Slot, game: GameOutcome | StoredResult) -> Row:
        """The row of a game that counts at a place of the schedule."""
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
            teams=self._teams[slot.map],
        )


def planned(
    contest: Contest,
    found: KnownResults,
    seed: str | None = None,
    schedule: Schedule | None = None,
) -> Plan:
    """The plan of a contest, by what its folder knows; `seed` is that of one that is new."""
    seed = contest.seed or found.seed or seed or ""
    return Plan(contest, seed, found.games, schedule, found.in_force, found.contents)


def _ledger(contest: Contest, played: Mapping[str, StoredGame]) -> Ledger:
    ledger = Ledger(contest.players)
    for identity, game in played.items():
        ledger.add(identity, game)
    return ledger
