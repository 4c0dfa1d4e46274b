"""A contest in a few words, as lists of contests show it."""

from __future__ import annotations

from typing import NamedTuple

from joute.i18n.words import say
from joute.store.errors import StoreError
from joute.web.contests.shelf import Kept
from joute.web.contests.summary import Summary
from joute.web.games import title


class Glance(NamedTuple):
    """A contest as lists of contests show it."""

    identifier: str
    name: str
    game: str
    about: str
    stage: str
    done: int
    left: int
    time_left: str
    leads: str  # a sentence; "" before anybody does
    problem: str  # why nothing more is known


def glance(kept: Kept, summary: Summary | None, problem: str = "") -> Glance:
    """A contest in a few words."""
    try:
        contest = kept.contest if summary is None else summary.report.contest
    except StoreError:
        return _unreadable(kept.identifier, problem)
    about = say(
        "web.contest.about",
        game=title(contest.game),
        count=len(contest.bots),
        format=say(f"web.format.{contest.format}"),
    )
    return Glance(
        identifier=kept.identifier,
        name=contest.name,
        game=contest.game,
        about=about,
        stage="" if summary is None else summary.stage,
        done=0 if summary is None else summary.done,
        left=0 if summary is None else summary.left,
        time_left="" if summary is None else lasting(summary.seconds_left),
        leads="" if summary is None else _leads(summary),
        problem=problem,
    )


def _unreadable(identifier: str, problem: str) -> Glance:
    """A contest of which nothing can be read but where it is."""
    return Glance(
        identifier=identifier,
        name=identifier,
        game="",
        about="",
        stage="",
        done=0,
        left=0,
        time_left="",
        leads="",
        problem=problem,
    )


def _leads(summary: Summary) -> str:
    first = [line.name for line in summary.table if line.rank == 1 and not line.disqualified]
    if not summary.done or not first:
        return ""
    key = "web.contest.leads" if summary.left else "web.contest.won"
    return say(key, name=", ".join(first))


def lasting(seconds: float | None) -> str:
    """A time as people say it: 40 s, 11 min, 1 h 05; "" for none."""
    if seconds is None:
        return ""
    if seconds < 90:
        return f"{round(seconds)} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02}"
