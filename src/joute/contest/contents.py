"""The hashes of the bots' files, by which a contest knows which games are its own.

Whoever plays needs the files. Whoever only reads results goes by what the store noted of those that
are gone, when the configuration came into force.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from joute.contest.config.contest import Contest
from joute.contest.config.entries import BotEntry
from joute.contest.config.reading import toml_string
from joute.contest.errors import DecisionError
from joute.host.content import content_hash
from joute.host.names import BotError, BotSpec, parse_bot
from joute.i18n.words import Sentence
from joute.store.columns import object_in
from joute.store.model import OF_BOTS, Decision

if TYPE_CHECKING:
    from joute.store.store import Store


def contents_of(contest: Contest) -> dict[str, str]:
    """The hash of each bot's files, by name. Raises BotError, OSError for files that are gone."""
    return {bot.name: content_hash(_parsed(contest, bot)) for bot in contest.bots}


def gone_bots(contest: Contest) -> list[str]:
    """The names of the bots whose files are not where the contest found them."""
    return [bot.name for bot in contest.bots if _is_gone(contest, bot)]


def known_contents(
    contest: Contest, store: Store, in_force: Mapping[str, Decision]
) -> dict[str, str]:
    """The hash of each bot's files, by name; of files that are gone, what the store noted.

    Raises BotError, OSError where it noted nothing, StoreError for a store that is damaged,
    DecisionError as `check_decided` does for the decisions in force.
    """
    gone = gone_bots(contest)
    noted = _noted(store) if gone else {}
    found = {
        bot.name: noted[bot.name]
        if bot.name in gone and bot.name in noted
        else content_hash(_parsed(contest, bot))
        for bot in contest.bots
    }
    check_decided(contest, found, store, in_force)
    return found


def check_decided(
    contest: Contest,
    contents: Mapping[str, str],
    store: Store,
    in_force: Mapping[str, Decision],
) -> None:
    """Raises DecisionError if a decision in force would hold for another bot than it was about.

    A decision names a bot. So the files that the bot of this name had last must not have become
    those of a bot of another name.
    """
    decided = [each for each in in_force.values() if each.kind in OF_BOTS]
    noted = _noted(store) if decided else {}
    for decision in decided:
        name = decision.subject
        content = noted.get(name)
        if content is None or contents.get(name) == content:
            continue
        for bot in contest.bots:
            if contents[bot.name] == content != noted.get(bot.name):
                entry = f"{{ bot = {toml_string(bot.bot)}, name = {toml_string(name)} }}"
                said = Sentence(f"decision.{decision.kind}", subject=name)
                told = {"decided": said, "now": bot.name, "entry": entry}
                raise DecisionError(Sentence("error.decision.renamed", **told))


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
