"""The state of a contest: its standings, the number of games that count, what was decided.

It is a function of the contest, the bots' files, the games and decisions of the store, and of Joute
itself. To go through a million games takes a while; so whoever plays a large contest leaves behind,
now and then and at the end, what it came to, with a key made of all that it depends on but for the
games, and how many those were. Whoever has the same key need only look at those that came after.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from joute.contest.config.contest import Contest
from joute.contest.contents import known_contents
from joute.contest.errors import FolderError
from joute.contest.folder import has_store, known, opened_store
from joute.contest.ranking.discipline import DISQUALIFICATION
from joute.contest.ranking.ranking import Score, Standing
from joute.contest.ranking.rows import Sums, SumsContent
from joute.contest.rating.rating import FIGURES
from joute.contest.run.plan import Plan, Rows, planned
from joute.contest.run.tasks import Tasks
from joute.contest.schedule.formats import Table, ranked, schedule_of
from joute.contest.schedule.schedule import Fixed
from joute.files import put
from joute.store.links import Link
from joute.store.model import Decision

if TYPE_CHECKING:
    from joute.store.store import Store

SUMMARY = "summary.json"
LARGE = 20_000  # games; with fewer, a summary is made as quickly as it is looked for
OFTEN = 20_000  # games that a run plays between two summaries; as many are read in half a second


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a contest. The table is `met` or, of bots that play alone, `alone`."""

    key: str  # of what it was made from, but for the games
    seed: str | None  # None before the first run, unless the file gives it
    done: int  # games that count
    left: int  # at most, that may still be needed
    kept: int  # games of the store
    decisions: list[Decision]
    met: list[Standing] = []
    alone: list[Score] = []
    sums: SumsContent | None = None  # of the games that count, where others can be added to them
    rows: int = 0  # of the store, that it was made from, all kinds together
    figures: int = 1  # the version of the ratings; FIGURES of those made now
    link: str = ""  # the last of their chain, in hexadecimal; "" if it is not known

    @property
    def table(self) -> Table:
        """The standings, best first."""
        return self.alone or self.met


def summary(contest: Contest) -> Summary:
    """The state of the contest in a folder. Raises FolderError."""
    found = read_summary(contest)
    if found is None:
        facts = known(contest)
        found = summed_up(contest, planned(contest, facts), contest.seed or facts.seed)
    return found


def summed_up(contest: Contest, plan: Plan, seed: str | None) -> Summary:
    """The summary of a plan."""
    key = _key(contest, seed, plan.in_force, plan.contents) if plan.kept >= LARGE else ""
    return msgspec.structs.replace(without_key(plan, seed), key=key)


def without_key(plan: Plan, seed: str | None) -> Summary:
    """The summary of a plan, for whoever does not look at the bots' files."""
    table = plan.standings()
    sums = plan.sums if plan.kept >= LARGE else None
    return Summary(
        key="",
        seed=seed,
        done=plan.done,
        left=plan.left,
        kept=plan.kept,
        decisions=plan.decisions,
        figures=FIGURES,
        sums=None if sums is None else sums.content(),
        **_lines(table),
    )


def write_summary(contest: Contest, found: Summary) -> Link | None:
    """Keeps the summary of a large contest for whoever looks next.

    Returns the last link of the rows that it was made from, None where that cannot be told.
    """
    path = Path(contest.folder) / SUMMARY
    link = _link_of(contest, found.kept)
    if found.kept < LARGE:
        path.unlink(missing_ok=True)
        return link
    if link is None:
        found = msgspec.structs.replace(found, sums=None)
    else:
        found = msgspec.structs.replace(found, rows=link.number, link=link.link.hex())
    put(path, msgspec.json.encode(found))
    return link


class SummaryWriter:
    """Leaves a summary behind now and then, while a contest is played."""

    def __init__(self, contest: Contest, plan: Plan, seed: str) -> None:
        self._contest = contest
        self._plan = plan
        self._seed = seed
        self._next: float = max(LARGE, plan.kept + OFTEN)  # games kept when it is time for one

    def look(self) -> None:
        """Leaves a summary behind if it is time, and if it would help."""
        if self._plan.kept < self._next:
            return
        found = summed_up(self._contest, self._plan, self._seed)
        if found.sums is None:
            self._next = math.inf
            return
        self._next = found.kept + OFTEN
        write_summary(self._contest, found)


def _link_of(contest: Contest, kept: int) -> Link | None:
    """The last link of a store whose games are those that a plan of so many knows, else None.

    All that it knows are there; so they are, if there are no more.
    """
    try:
        with opened_store(Path(contest.folder), contest.store) as store:
            return store.last_link() if store.state()[0] == kept else None
    except FolderError:
        return None


def _lines(table: Table) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for line in table:
        fields.setdefault("alone" if isinstance(line, Score) else "met", []).append(line)
    return fields


def read_summary(contest: Contest) -> Summary | None:
    """The summary in the folder, brought up to date; None if it does not hold any more."""
    folder = Path(contest.folder)
    try:
        content = (folder / SUMMARY).read_bytes()
        found = msgspec.json.decode(content, type=Summary)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None
    if not has_store(folder):
        return None
    with opened_store(folder, contest.store) as store:
        kept, _ = store.state()
        in_force = store.in_force()
        seed = contest.seed or store.seed()
        contents = known_contents(contest, store, in_force)
        if kept < found.kept or found.key != _key(contest, seed, in_force, contents):
            return None
        if kept == found.kept:
            return found
        return _with_later(found, contest, store, Tasks(contest, in_force, contents))


def _with_later(found: Summary, contest: Contest, store: Store, tasks: Tasks) -> Summary | None:
    """The summary with the games that came after it; None if they do more than add to it."""
    schedule = schedule_of(contest, found.seed or "")
    if found.sums is None or not isinstance(schedule, Fixed):
        return None
    sums, later = Sums.of(found.sums), 0
    rows = Rows(contest)
    # The faults for which a bot may be shut out.
    offending = {fault for fault, cost in contest.costs.items() if cost == DISQUALIFICATION}
    if contest.disqualify_after is not None:
        offending |= {*contest.disqualify_for}
    for game in store.results(after=found.kept):
        slot = schedule.place(
            game.lineup.members, game.set_number, game.lineup.bots, game.lineup.map
        )
        asked_for = slot is not None and tasks.traced(slot)[1] == game.identity
        if slot is None or not asked_for or any(f["fault"] in offending for f in game.faults):
            return None
        sums.add(rows.row(slot, game))
        later += 1
    return msgspec.structs.replace(
        found,
        done=found.done + later,
        left=found.left - later,
        kept=found.kept + later,
        sums=None,
        **_lines(ranked(contest, list(sums.rows()))),
    )


def _key(
    contest: Contest,
    seed: str | None,
    in_force: Mapping[str, Decision],
    contents: Mapping[str, str],
) -> str:
    from joute.contest.run.cluster.worker import fingerprint

    facts = [
        fingerprint(),
        msgspec.structs.replace(
            contest, seed=seed, seal=None, folder="", store=None, workers=0, minutes=None
        ),
        contents,
        sorted(in_force.values()),
    ]
    return hashlib.blake2b(msgspec.json.encode(facts), digest_size=16).hexdigest()
