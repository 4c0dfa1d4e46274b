"""Seals of contests in the browser: the organiser seals, gives the public value, then plays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from joute.contest.config.contest import Contest
from joute.contest.errors import FolderError, SealError
from joute.contest.report.standings import seal_facts
from joute.contest.sealing import draw_seed, seal_contest
from joute.store.store import StoreError
from joute.web.contests.catalogue import ServedContest
from joute.web.entries.refused import Refused


def shown_seal(served: ServedContest | None) -> dict[str, str | None]:
    """Seal, public value and seed of a contest as its folder has them; empty if it has no seal."""
    if served is None:
        return {}
    try:
        return seal_facts(served.contest)
    except StoreError:  # the page says it where it shows the results
        return {}


def check_drawn(served: ServedContest | None) -> None:
    """Refuses to play a sealed contest that waits for its public value."""
    found = shown_seal(served)
    if found and found["public"] is None:
        raise Refused(str(SealError("waiting", seal=found["seal"])))


def seal(contest: Contest) -> None:
    """Seals a contest. Raises Refused."""
    _done(lambda: seal_contest(contest))


def draw(contest: Contest, value: str) -> None:
    """Gives a sealed contest its public value. Raises Refused."""
    _done(lambda: draw_seed(contest, value))


def _done(work: Callable[[], Any]) -> None:
    try:
        work()
    except (SealError, FolderError) as error:
        raise Refused(str(error)) from None
