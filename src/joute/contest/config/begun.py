"""A contest that has begun: what it keeps of that where its file does not say otherwise."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from joute.contest.config.contest import Contest
from joute.contest.config.default_names import default_name, default_names
from joute.contest.config.reading import DEFAULT, Origin, Source
from joute.contest.errors import ContestError
from joute.contest.schedule.schedule import ANEW, SHARED

_DEALS = "contest.deals"
_NAME = re.compile(r"bots\[\d+\]\.name")


def as_begun(contest: Contest, source: Source) -> Contest:
    """The contest of a file as it has begun: its deals, and the names of bots that have none.

    `source` is told the values that are other than the usual ones.
    """
    usual = {each.key for each in source.origins if each.origin == DEFAULT}
    deals = _deals(contest) if _DEALS in usual else contest.deals
    given = {each.value for each in source.origins if _is_name(each) and each.origin != DEFAULT}
    names = _names(contest, given)

    def changed(origin: Origin) -> Any:
        if origin.key == _DEALS:
            return deals
        return names.get(origin.value, origin.value) if _is_name(origin) else origin.value

    source.revise(changed)
    renamed = tuple(
        msgspec.structs.replace(bot, name=names.get(bot.name, bot.name)) for bot in contest.bots
    )
    return msgspec.structs.replace(contest, deals=deals, bots=renamed)


def _is_name(origin: Origin) -> bool:
    return _NAME.fullmatch(origin.key) is not None


def _deals(contest: Contest) -> str:
    """The usual way to deal: anew where bots could tell each other of cards, or as before."""
    from joute.contest.run.isolation import hosted_bots
    from joute.core.interface import properties
    from joute.core.registry import make

    hidden = properties(make(contest.game, **contest.maps[0].parameters)).hidden_information
    if not hidden or not hosted_bots(contest):
        return SHARED
    begun = _configuration(contest)
    return str(begun.get("deals", SHARED)) if begun else ANEW


def _names(contest: Contest, given: set[str]) -> dict[str, str]:
    """The names of before of bots that would now be named after their folders, by the new ones.

    They are so named only since others have files of the same name, and as other bots they would
    play anew. `given` are the names that the file has.
    """
    usual = default_names([bot.bot for bot in contest.bots], Path(contest.base))
    after_folders = [
        bot
        for bot, name in zip(contest.bots, usual, strict=True)
        if bot.name == name != default_name(bot.bot) and name not in given
    ]
    if not after_folders:
        return {}
    began = [each for each in _configuration(contest).get("bots", ()) if isinstance(each, dict)]
    before = {each.get("bot"): str(each.get("name")) for each in began}
    taken = {bot.name for bot in contest.bots}
    found = {}
    for bot in after_folders:
        name = before.get(bot.bot, "")
        usual_then = rf"{re.escape(default_name(bot.bot))}( \d+)?"  # the first had no number
        if re.fullmatch(usual_then, name) and name not in taken:
            found[bot.name] = name
    return found


def _configuration(contest: Contest) -> dict[str, Any]:
    """The configuration in the contest's folder, as JSON has it; empty where none can be read.

    Whoever needs what is in the folder says what is wrong with it.
    """
    from joute.contest.folder import has_store, opened_store

    folder = Path(contest.folder)
    with suppress(ContestError, OSError, ValueError):
        if has_store(folder):
            with opened_store(folder, contest.store) as store:
                for begun in store.configurations()[-1:]:
                    found = json.loads(begun)
                    return found if isinstance(found, dict) else {}
    return {}
