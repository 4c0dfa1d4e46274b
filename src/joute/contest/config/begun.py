"""A contest that has begun: what it keeps of that where its file does not say otherwise."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from joute.contest.config.contest import Contest
from joute.contest.config.naming import NotedNames, noted_names
from joute.contest.config.reading import DEFAULT, Source
from joute.contest.errors import ContestError
from joute.contest.schedule.schedule import ANEW, SHARED
from joute.store.model import OF_BOTS

_DEALS = "contest.deals"


class _Kept(NamedTuple):
    """The contents of a folder that count here."""

    configurations: Sequence[dict[str, Any]] = ()  # oldest first
    decided: Collection[str] = ()  # the bots about which a decision is in force, by name


class Begun:
    """The configurations in the folder of a contest, read once they are asked for.

    Nothing is there without a folder, nor where it cannot be read: whoever needs what is in it says
    what is wrong with it.
    """

    def __init__(self, folder: str | None = None, store: str | None = None) -> None:
        self._folder = folder
        self._store = store

    @cached_property
    def _kept(self) -> _Kept:
        from joute.contest.folder import has_store, opened_store

        with suppress(ContestError, OSError, ValueError):
            if self._folder is not None and has_store(folder := Path(self._folder)):
                with opened_store(folder, self._store) as store:
                    read = map(json.loads, store.configurations())
                    found = [each for each in read if isinstance(each, dict)]
                    in_force = store.in_force().values()
                    return _Kept(found, {each.subject for each in in_force if each.kind in OF_BOTS})
        return _Kept()

    @property
    def configuration(self) -> dict[str, Any]:
        """The last one, as JSON has it; empty where there is none."""
        return next(reversed(self._kept.configurations), {})

    def noted(self) -> NotedNames:
        """The names that bots have had, and those about which a decision is in force."""
        return noted_names(self._kept.configurations, self._kept.decided)


def as_begun(contest: Contest, source: Source, begun: Begun) -> Contest:
    """The contest of a file with the deals with which it has begun.

    `source` is told of them where they are other than the usual ones.
    """
    if not any(each.key == _DEALS and each.origin == DEFAULT for each in source.origins):
        return contest
    deals = _deals(contest, begun)
    source.revise(lambda origin: deals if origin.key == _DEALS else origin.value)
    return msgspec.structs.replace(contest, deals=deals)


def _deals(contest: Contest, begun: Begun) -> str:
    """The usual way to deal: anew where bots could tell each other of cards, or as before."""
    from joute.contest.run.isolation import hosted_bots
    from joute.core.interface import properties
    from joute.core.registry import make

    hidden = properties(make(contest.game, **contest.maps[0].parameters)).hidden_information
    if not hidden or not hosted_bots(contest):
        return SHARED
    before = begun.configuration
    return str(before.get("deals", SHARED)) if before else ANEW
