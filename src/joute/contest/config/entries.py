"""The bots of a contest: who takes part, under which name, checked before any game."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from joute.contest.config.default_names import LONGEST_NAME, default_names
from joute.contest.config.game_table import ChosenGame
from joute.contest.config.naming import Namer, NotedNames
from joute.contest.config.patterns import spread
from joute.contest.config.reading import BOT, DEFAULT, Reader, Source, got, text, whole
from joute.contest.config.sources import UnreadableError, files_of
from joute.contest.errors import ConfigError, UnbuiltError, together
from joute.host.building.order import LARGEST, PRESENTATION, TABLE, order_of
from joute.host.building.run import BuildError
from joute.host.names import BotError, BotSpec
from joute.host.toml import read_toml
from joute.i18n.recognised import worded
from joute.i18n.words import Sentence
from joute.text import composed


class BotEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A bot that takes part. `memory_mb` (MiB) and `python` are None where the contest's hold."""

    name: str
    bot: str  # as people write it: builtin:greedy, bots/mine.py ...
    python: str | None = None
    memory_mb: int | None = None
    authors: tuple[str, ...] = ()
    description: str = ""  # one line


def read_bots(
    top: Reader,
    given: object,
    base: Path,
    game: ChosenGame,
    least: int,
    people: bool,
    noted: Callable[[], NotedNames],
) -> tuple[BotEntry, ...]:
    """The bots `given` in the configuration `top`, people among them only if `people`.

    Those without a name keep the one that is `noted`, where the contest has begun.

    Raises ConfigError unless there are at least `least` and all can play `game` on every map.
    """
    if not isinstance(given, list | tuple):
        raise top.error("bots", got(Sentence("error.config.bots"), given))
    tables = [{"bot": bot} if isinstance(bot, str) else bot for bot in given]
    readers = [
        Reader(top.source, f"bots[{number}]", table) for number, table in enumerate(tables, start=1)
    ]
    named: set[str] = set()
    for reader, table in zip(readers, tables, strict=True):
        if "name" in table:
            _claim(reader, table["name"], named)
    readers = spread(readers, tables, base)
    if len(readers) < least:
        number = {1: "one", 2: "two"}.get(least, "more")
        reason = Sentence(f"error.config.bots_{number}", least=least, given=len(readers))
        raise top.error("bots", reason)
    usual = default_names([reader.written("bot") for reader in readers], base)
    unnamed = [reader.written("bot") for reader in readers if not reader.has("name")]
    namer = Namer(noted, unnamed, base, named)
    found, wrong = list[BotEntry](), list[ConfigError]()
    for reader, name in zip(readers, usual, strict=True):
        try:
            found.append(_read_bot(reader, base, game, people, namer, name))
        except ConfigError as error:
            wrong.append(error)
    if wrong:
        raise together(wrong)
    return tuple(found)


def _claim(reader: Reader, name: Any, named: set[str]) -> None:
    if not isinstance(name, str):  # refused when it is read
        return
    if composed(name) in named:
        raise reader.error("name", Sentence("error.config.name_taken", name=name))
    named.add(composed(name))


def _read_bot(
    reader: Reader, base: Path, game: ChosenGame, people: bool, namer: Namer, default: str
) -> BotEntry:
    """The bot of a table; `default` is the name of one that neither the table nor itself names."""
    if not reader.has("bot"):
        raise reader.error("bot", Sentence("error.config.bot_missing"))
    bot = reader.take("bot", text, "")
    try:
        spec = _found(bot, base, game)
    except (ValueError, OSError) as error:  # BotError, BuiltinError, unreadable files
        kind = UnbuiltError if isinstance(error, BuildError) else ConfigError
        raise _refused(reader, bot, worded(error), kind) from None
    if spec.kind in ("human", "local") and not people:
        reason = "error.config.people" if spec.kind == "human" else "error.bot.local"
        raise _refused(reader, bot, Sentence(reason))
    own = own_presentation(spec)
    usual = "" if reader.has("name") else namer.name(bot, own.name, default)
    name = reader.take("name", checked_name, usual, BOT if own.name else DEFAULT)
    if reader.has("python") and spec.kind != "python":
        raise reader.error("python", Sentence("error.config.python", bot=bot))
    authors, description = take_words(reader, own)
    entry = BotEntry(
        name=name,
        bot=bot,
        python=reader.take("python", partial(_interpreter, base), None),
        memory_mb=reader.take("memory_mb", whole(16), None),
        authors=authors,
        description=description,
    )
    reader.finish()
    return entry


def _refused(
    reader: Reader, bot: str, reason: object, kind: type[ConfigError] = ConfigError
) -> ConfigError:
    """The error of a bot: by its key in a file, else by its name, as nobody has written a key."""
    if reader.source.is_file:
        return reader.error("bot", reason, kind)
    named = reason if isinstance(reason, BotError) else BotError.of(bot, reason)
    return kind(reader.source.where, reader.key("bot"), named, shown="")


def _found(bot: str, base: Path, game: ChosenGame) -> BotSpec:
    from joute.host.content import content_hash
    from joute.host.names import parse_bot
    from joute.play.seats import check_uncompiled

    spec = parse_bot(bot, base)
    content_hash(spec)  # reads every file, so that none is found missing in mid-contest
    for each in game.games:
        check_uncompiled(spec, each)
    return spec


def _interpreter(base: Path, value: Any) -> str:
    """A program of the PATH by its name, or a path from the contest's folder made absolute."""
    given = text(value)
    try:
        found = str(base / Path(given).expanduser()) if "/" in given else given
    except RuntimeError:  # of `~nobody`
        found = ""
    if not found or shutil.which(found) is None:
        raise ValueError(Sentence("error.config.interpreter"))
    return found


LONGEST_DESCRIPTION = 1000  # characters
MOST_AUTHORS = 20


class Presentation(msgspec.Struct, frozen=True):
    """The presentation of a bot; what is empty is not said."""

    name: str = ""
    authors: tuple[str, ...] = ()
    description: str = ""  # one line


def own_presentation(bot: BotSpec) -> Presentation:
    """The presentation in a bot's own file. Raises ConfigError if that is wrong."""
    files_here = bot.kind in ("python", "sources")
    if not files_here or bot.path is None or bot.path.suffix == ".py":
        return Presentation()
    where = f"{bot.path}/{PRESENTATION}"
    try:
        files = files_of(bot)
        if files is None or PRESENTATION not in files.names:
            return Presentation()
        content = files.read(PRESENTATION).decode("utf-8-sig")
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
    table = Reader(Source(where, content), "", data)
    if table.has(TABLE):
        table.take(TABLE, order_of, None)
    found = Presentation(table.take("name", checked_name, ""), *take_words(table, Presentation()))
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


def checked_name(value: Any) -> str:
    """Checks the name of a bot, or of a person."""
    found = text(value)
    if len(found) > LONGEST_NAME or not found.isprintable() or found != found.strip():
        raise ValueError(Sentence("error.config.name", most=LONGEST_NAME))
    return found


def _authors(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or len(value) > MOST_AUTHORS:
        raise ValueError(Sentence("error.config.authors", most=MOST_AUTHORS))
    return tuple(checked_name(each) for each in value)


def _description(value: Any) -> str:
    """Checks a text and makes it one line: it is shown below a table."""
    found = " ".join(text(value).split())
    if len(found) > LONGEST_DESCRIPTION or not found.isprintable():
        raise ValueError(Sentence("error.config.description", most=LONGEST_DESCRIPTION))
    return found
