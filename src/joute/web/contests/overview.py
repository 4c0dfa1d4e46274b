"""A contest in a few words, as lists of contests show it."""

from __future__ import annotations

from typing import NamedTuple

from joute.contest.report.report import Report
from joute.i18n.words import say
from joute.store.errors import StoreError
from joute.web.contests.catalogue import ServedContest
from joute.web.contests.snapshot import Snapshot
from joute.web.contests.views import about


class Overview(NamedTuple):
    """A contest as lists of contests show it; of one that cannot be read, little is known."""

    identifier: str
    name: str
    game: str = ""
    about: str = ""
    stage: str = ""
    done: int = 0
    left: int = 0
    time_left: str = ""
    leads: str = ""  # a sentence; "" before anybody does
    problem: str = ""  # why nothing more is known


def overview(served: ServedContest, snapshot: Snapshot | None, problem: str = "") -> Overview:
    """A contest in a few words."""
    try:
        contest = served.contest if snapshot is None else snapshot.report.contest
    except StoreError:
        return Overview(identifier=served.identifier, name=served.identifier, problem=problem)
    found = Overview(served.identifier, contest.name, contest.game, about(contest), problem=problem)
    if snapshot is None:
        return found
    return found._replace(
        stage=snapshot.stage,
        done=snapshot.report.done,
        left=snapshot.report.left,
        time_left=lasting(snapshot.seconds_left),
        leads=_leads(snapshot.report),
    )


def _leads(report: Report) -> str:
    first = [line.name for line in report.table if line.rank == 1 and not line.disqualified]
    if not report.done or not first:
        return ""
    key = "web.contest.leads" if report.left else "web.contest.won"
    return say(key, name=", ".join(first))


def lasting(seconds: float | None) -> str:
    """A time as people say it: 40 s, 11 min, 1 h 05; "" for none."""
    if seconds is None:
        return ""
    if seconds < 90:
        return f"{round(seconds)} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02}"
