"""The hashes of the bots' files, by which a contest knows which games are its own.

Whoever plays needs the files. Whoever only reads results goes by what the store noted of those that
are gone, when the configuration came into force.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from joute.contest.config.contest import Contest
from joute.contest.config.entries import BotEntry
from joute.host.content import content_hash
from joute.host.names import BotError, BotSpec, parse_bot
from joute.store.columns import object_in

if TYPE_CHECKING:
    from joute.store.store import Store


def contents_of(contest: Contest) -> dict[str, str]:
    """The hash of each bot's files, by name. Raises BotError, OSError for files that are gone."""
    return {bot.name: content_hash(_parsed(contest, bot)) for bot in contest.bots}


def gone_bots(contest: Contest) -> list[str]:
    """The names of the bots whose files are not where the contest found them."""
    return [bot.name for bot in contest.bots if _is_gone(contest, bot)]


def known_contents(contest: Contest, store: Store) -> dict[str, str]:
    """The hash of each bot's files, by name; of files that are gone, what the store noted.

    Raises BotError, OSError where it noted nothing, StoreError for a store that is damaged.
    """
    gone = gone_bots(contest)
    noted = _noted(store) if gone else {}
    return {
        bot.name: noted[bot.name]
        if bot.name in gone and bot.name in noted
        else content_hash(_parsed(contest, bot))
        for bot in contest.bots
    }


def _parsed(contest: Contest, bot: BotEntry) -> BotSpec:
    return parse_bot(bot.bot, Path(contest.base), bot.python)


def _is_gone(contest: Contest, bot: BotEntry) -> bool:
    try:
        _parsed(contest, bot)
    except (BotError, OSError):
        return True
    return False


def _noted(store: Store) -> dict[str, str]:
    """The last hash that a store has of each bot's files, by name. Raises StoreError."""
    found: dict[str, str] = {}
    for kept in store.configured():
        if kept.contents:  # older versions noted none
            found |= object_in("contest", kept.number, "contents", kept.contents)
    return found
