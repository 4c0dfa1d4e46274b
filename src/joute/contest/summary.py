"""Where a contest stands: its standings, how many games count, what was decided.

It is a function of the contest, the bots' files, the games and marks of the store, and of Joute
itself. To go through a million games takes a while; so the last run into a large contest leaves
behind what it came to, with a key made of all that it depends on. Whoever has the same key need not
look at the games.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from joute.contest.config import Contest
from joute.contest.discipline import Decision
from joute.contest.folder import has_store, known, looked_at
from joute.contest.formats import Table
from joute.contest.plan import Plan, planned
from joute.contest.ranking import Standing
from joute.contest.scores import Score
from joute.contest.tasks import contents_of
from joute.store.marks import Mark

SUMMARY = "summary.json"
LARGE = 20_000  # games; with fewer, a summary is made as quickly as it is looked for


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """Where a contest stands. The table is `met` or, of bots that play alone, `alone`."""

    key: str  # of what it was made from
    seed: str | None  # None before the first run, unless the file gives it
    done: int  # games that count
    left: int  # at most, that may still be needed
    kept: int  # games of the store
    decisions: list[Decision]
    met: list[Standing] = []
    alone: list[Score] = []

    @property
    def table(self) -> Table:
        """The standings, best first."""
        return self.alone or self.met


def summary(contest: Contest) -> Summary:
    """Where a contest stands in its folder. Raises FolderError."""
    found = _left_behind(contest)
    if found is None:
        facts = known(contest)
        found = summed_up(contest, planned(contest, facts), contest.seed or facts.seed)
    return found


def summed_up(contest: Contest, plan: Plan, seed: str | None) -> Summary:
    """The summary of a plan."""
    kept = plan.kept
    table: dict[str, Any] = {}
    for line in plan.standings():
        table.setdefault("alone" if isinstance(line, Score) else "met", []).append(line)
    return Summary(
        key=_key(contest, seed, kept, plan.marks) if kept >= LARGE else "",
        seed=seed,
        done=plan.done,
        left=plan.left,
        kept=kept,
        decisions=plan.decisions,
        **table,
    )


def leave_behind(folder: Path, found: Summary) -> None:
    """Keep the summary of a large contest for whoever looks next."""
    path = folder / SUMMARY
    if found.kept < LARGE:
        path.unlink(missing_ok=True)
        return
    partial = path.with_name(f"{SUMMARY}.partial")
    partial.write_bytes(msgspec.json.encode(found))
    partial.replace(path)


def _left_behind(contest: Contest) -> Summary | None:
    """What was left behind, if it is what would be found now."""
    folder = Path(contest.folder)
    try:
        content = (folder / SUMMARY).read_bytes()
        found = msgspec.json.decode(content, type=Summary)
    except (OSError, msgspec.DecodeError):
        return None
    if not has_store(folder):
        return None
    with looked_at(folder, contest.store) as store:
        kept, _ = store.state()
        marks = store.marked()
        seed = contest.seed or store.seed()
    return found if kept >= LARGE and found.key == _key(contest, seed, kept, marks) else None


def _key(contest: Contest, seed: str | None, kept: int, marks: Mapping[str, Mark]) -> str:
    from joute.contest.machines.likeness import likeness

    facts = [
        likeness(),
        msgspec.structs.replace(contest, seed=seed, folder="", store=None, workers=0, minutes=None),
        contents_of(contest),
        kept,
        sorted(marks.values()),
    ]
    return hashlib.blake2b(msgspec.json.encode(facts), digest_size=16).hexdigest()
