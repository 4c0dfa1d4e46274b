"""The names of bots to which a contest's file gives none, where the contest has begun."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from joute.contest.config.default_names import is_handed_in, place_of, usual_names
from joute.text import composed, free_name

_NUMBER = re.compile(r" \d+$")  # of a bot whose name another has, see free_name


class NotedNames(NamedTuple):
    """The names that bots have had in a contest; none where it has not begun."""

    names: Mapping[str, list[tuple[str, str]]] = {}  # by place, each with its bot; the latest last
    decided: Collection[str] = ()  # those about which a decision is in force


def noted_names(
    configurations: Iterable[Mapping[str, Any]], decided: Collection[str]
) -> NotedNames:
    """The names in the configurations, oldest first: those that each place had last."""
    found: dict[str, list[tuple[str, str]]] = {}
    for configuration in configurations:
        latest: dict[str, list[tuple[str, str]]] = {}
        for each in filter(_is_bot, configuration.get("bots", ())):
            latest.setdefault(place_of(each["bot"]), []).append((each["name"], each["bot"]))
        for place, bots in latest.items():
            found.pop(place, None)  # the latest come last
            found[place] = bots
    return NotedNames(found, decided)


def _is_bot(entry: object) -> bool:
    """Whether an entry of a configuration, maybe of another version, names a bot."""
    if not isinstance(entry, dict):
        return False
    return isinstance(entry.get("bot"), str) and isinstance(entry.get("name"), str)


class Namer:
    """Gives bots their names: the one that it had, or else its usual one, and none of another's.

    A decision is about a name, and a seed is made of names: a bot that others join stays what it
    was called. `unnamed` are all bots that the file gives no name, `taken` those that it gives.
    """

    def __init__(
        self,
        noted: Callable[[], NotedNames],
        unnamed: Collection[str],
        base: Path,
        taken: set[str],
    ) -> None:
        self._noted = noted() if unnamed else NotedNames()
        self._base = base
        self._taken = taken  # composed
        self._present = set(map(place_of, unnamed))
        # The place of the bot that had a name last, by the name.
        names = self._noted.names.items()
        self._owners = {composed(name): place for place, bots in names for name, _ in bots}

    def name(self, bot: str, own: str, usual: str) -> str:
        """The name of a bot: `own` is the one in its files, if any, else it is the `usual` one."""
        found = self._before(bot, own)
        if found is None:
            wanted = composed(own or usual)
            found = free_name(wanted, lambda each: not self._is_free(each, bot, wanted))
        self._taken.add(composed(found))
        return found

    def _before(self, bot: str, own: str) -> str | None:
        """The name that a bot had, if it may have been named so again."""
        place = place_of(bot)
        before = self._noted.names.get(place, [])
        if not before:
            return None
        wanted = {composed(own)} if own else usual_names(bot, self._base)
        found = [
            (name, of)
            for name, of in before
            if composed(name) not in self._taken
            and self._owners[composed(name)] == place
            and not wanted.isdisjoint({composed(name), _NUMBER.sub("", composed(name))})
        ]
        found.sort(key=lambda each: each[1] != bot)  # several may have been handed in at a place
        return found[0][0] if found else None

    def _is_free(self, name: str, bot: str, wanted: str) -> bool:
        """Whether a bot that had no name may have this one.

        The name of a bot that is out and has gone stays its own, unless it may have come back
        under the same name of a file.
        """
        if composed(name) in self._taken:
            return False
        owner = self._owners.get(composed(name))
        if owner is None or owner == place_of(bot):
            return True
        reserved = name in self._noted.decided and (name != wanted or is_handed_in(bot))
        return owner not in self._present and not reserved
