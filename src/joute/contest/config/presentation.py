"""What a bot's authors say of it: who they are, what it does. It changes no game.

The contest's file says it, or a file `joute.toml` in the bot's own folder or zip with the same
keys; what the contest's file says goes first.
"""

from __future__ import annotations

from typing import Any

import msgspec

from joute.contest.config.reading import BOT, DEFAULT, Reader, Source, text
from joute.contest.config.sources import UnreadableError, files_of
from joute.contest.config.toml import read_toml
from joute.contest.errors import ConfigError
from joute.host.names import PRESENTATION, BotSpec
from joute.i18n.words import Sentence

LARGEST = 4096  # characters of a file
LONGEST_NAME = 60  # characters; standings are tables
LONGEST_DESCRIPTION = 1000  # characters
MOST_AUTHORS = 20


class Presentation(msgspec.Struct, frozen=True):
    """How a bot is presented; what is empty is not said."""

    name: str = ""
    authors: tuple[str, ...] = ()
    description: str = ""  # one line


def own_presentation(bot: BotSpec) -> Presentation:
    """What a bot's own file says of it. Raises ConfigError if that is wrong."""
    if bot.kind != "python" or bot.path is None or bot.path.suffix == ".py":
        return Presentation()
    where = f"{bot.path}/{PRESENTATION}"
    try:
        files = files_of(bot)
        if files is None or PRESENTATION not in files.names:
            return Presentation()
        content = files.read(PRESENTATION).decode()
    except UnicodeDecodeError as error:
        raise ConfigError(where, "", Sentence("error.file.utf8", byte=error.start)) from None
    except UnreadableError as error:
        raise ConfigError(where, "", error) from None
    if len(content) > LARGEST:
        raise ConfigError(where, "", Sentence("error.file.characters", most=LARGEST))
    try:
        data = read_toml(content)
    except ValueError as error:
        raise ConfigError(where, "", Sentence("error.toml.invalid", reason=error)) from None
    table = Reader(Source(where, content, frozenset()), "", data)
    found = Presentation(table.take("name", name, ""), *take_words(table, Presentation()))
    table.finish()
    return found


def take_words(table: Reader, own: Presentation) -> tuple[tuple[str, ...], str]:
    """The authors and the description that a table gives, or else the bot's own."""
    return (
        table.take("authors", _authors, own.authors, BOT if own.authors else DEFAULT),
        table.take(
            "description", _description, own.description, BOT if own.description else DEFAULT
        ),
    )


def name(value: Any) -> str:
    """Checks the name of a bot, or of a person."""
    found = text(value)
    if len(found) > LONGEST_NAME or not found.isprintable() or found != found.strip():
        raise ValueError(Sentence("error.config.name", most=LONGEST_NAME))
    return found


def _authors(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or len(value) > MOST_AUTHORS:
        raise ValueError(Sentence("error.config.authors", most=MOST_AUTHORS))
    return tuple(name(each) for each in value)


def _description(value: Any) -> str:
    """Checks a text and makes it one line: it is shown below a table."""
    found = " ".join(text(value).split())
    if len(found) > LONGEST_DESCRIPTION or not found.isprintable():
        raise ValueError(Sentence("error.config.description", most=LONGEST_DESCRIPTION))
    return found
