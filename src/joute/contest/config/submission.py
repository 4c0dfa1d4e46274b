"""The rules for the files of bots: files that must be there, modules that may not be imported.

The check reads the files without running them. A module whose name a program puts together while
it runs is not found: the check saves the honest from a mistake.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from joute.contest.config.entries import BotEntry
from joute.contest.config.reading import Reader
from joute.contest.config.sources import BotFiles, UnreadableError, files_of, imports_of
from joute.contest.errors import IMPORT, MISSING, UNREADABLE, Breach, SubmissionError
from joute.host.names import BotSpec, parse_bot
from joute.i18n.words import Sentence


class SubmissionRules(msgspec.Struct, frozen=True):
    """The rules of a contest for files; none by default."""

    required: tuple[str, ...] = ()  # names of files; * is anything without a slash
    forbidden_imports: tuple[str, ...] = ()  # modules, with all that is below them


def read_rules(table: Reader) -> SubmissionRules:
    """The [submission] table. Raises ConfigError."""
    rules = SubmissionRules(
        required=table.take("required", _words(_file_name, "names"), ()),
        forbidden_imports=table.take("forbidden_imports", _words(_module, "modules"), ()),
    )
    table.finish()
    return rules


def check_submissions(rules: SubmissionRules, bots: Iterable[BotEntry], base: Path) -> None:
    """Raises SubmissionError if the files of some bots break the rules."""
    found = {
        entry.name: breaches(rules, parse_bot(entry.bot, base, entry.python)) for entry in bots
    }
    if any(found.values()):
        raise SubmissionError({name: broken for name, broken in found.items() if broken})


def breaches(rules: SubmissionRules, bot: BotSpec) -> list[Breach]:
    """The places where the files of a bot break the rules; none of a bot without files."""
    if rules == SubmissionRules():
        return []
    try:
        files = files_of(bot)
    except UnreadableError as error:
        return [Breach(UNREADABLE, bot.text, error.line, error)]
    if files is None:
        return []
    missing = [name for name in rules.required if not files.has(name)]
    return [
        *(Breach(MISSING, name, None, "") for name in missing),
        *(breach for name in files.python for breach in _forbidden(rules, files, name)),
    ]


def _forbidden(rules: SubmissionRules, files: BotFiles, name: str) -> Iterator[Breach]:
    """The forbidden imports of a file in Python."""
    if not rules.forbidden_imports:
        return
    shown = name if name.isprintable() else ascii(name)
    try:
        imported = imports_of(files.read(name))
    except UnreadableError as error:
        yield Breach(UNREADABLE, shown, error.line, error)
        return
    for line, module in dict.fromkeys(
        (each.line, module)
        for each in imported
        for module in rules.forbidden_imports
        if f"{each.name}.".startswith(f"{module}.")
    ):
        yield Breach(IMPORT, shown, line, module)


def _words(check_one: Callable[[str], bool], kind: str) -> Callable[[Any], tuple[str, ...]]:

    def check(value: Any) -> tuple[str, ...]:
        if not isinstance(value, list | tuple) or not all(
            isinstance(word, str) and check_one(word) for word in value
        ):
            raise ValueError(Sentence(f"error.submission.{kind}"))
        return tuple(value)

    return check


def _file_name(word: str) -> bool:
    return word.isprintable() and all(part not in ("", ".", "..") for part in word.split("/"))


def _module(word: str) -> bool:
    return all(part.isidentifier() for part in word.split("."))
