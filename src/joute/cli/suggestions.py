"""Answers to the Tab key; they load neither Typer nor what commands load.

The scripts of `joute completion` ask by `joute __complete bash LINE BREAKS` or `joute __complete
WORDS SHELL-WORD...`. The first line of an answer is `files` if the shell is to offer files too,
else `words`; each further line is a word to offer.

The commands with their options stand in `completion.json`, those that a game brings in a file of
this name beside its card; `scripts/completions` makes both from the commands themselves.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from joute.core.card import Card
from joute.core.registry import cards
from joute.i18n.words import LANGUAGES

TABLE = "completion.json"
BUILTIN = "builtin:"
LANGUAGE = "--lang"
USUAL = {"--help": "", LANGUAGE: "|".join(LANGUAGES)}
"""The options of every command."""
FILES = frozenset(
    (
        *("BOT", "CONTEST", "CONTEST-FOLDER", "FILE", "FOLDER", "MAP", "NEW", "OLD", "PATH"),
        *("PICTURE", "PROGRAM", "RECORD", "RESULTS", "SEAL", "SEAT"),
    )
)
"""Names of values, as the help has them, that may be the path of a file or folder."""
BOTS = frozenset(("BOT", "SEAT"))


class Suggestions(NamedTuple):
    """Words, and whether files, that may stand where the cursor is."""

    files: bool = False
    words: Sequence[str] = ()

    def __str__(self) -> str:
        return "\n".join(("files" if self.files else "words", *self.words))


def answer(asked: Sequence[str]) -> str:
    """The answer to a shell, for the words that it sends after `__complete`."""
    if asked[:1] == ["bash"]:
        line, breaks = (*asked[1:], "", "")[:2]
        words = _split(line)[1:] or [""]
        return str(_after_break(suggested(words), words[-1], breaks))
    return str(suggested([*asked[1:]] or [""]))


def suggested(words: Sequence[str]) -> Suggestions:
    """Completions of the last word of a command line, those after `joute`."""
    *before, last = words
    place = Cursor()
    for word in before:
        place.step(word)
    found = place.offered(last)
    return Suggestions(found.files, sorted({word for word in found.words if word.startswith(last)}))


class Cursor:
    """A place in a command line: the command, and what of it has been typed."""

    def __init__(self) -> None:
        self.node = table()
        self.arguments = 0  # how many have been typed
        self.option = ""  # the name of the value that comes next
        self.over = False  # whether all further words are arguments, after `--`
        self.game = ""

    def step(self, word: str) -> None:
        """Goes on by one whole word."""
        if self.option:
            self._note(self.option, word)
            self.option = ""
        elif word == "--" and not self.over:
            self.over = True
        elif word.startswith("-") and not self.over:
            name, equals, value = word.partition("=")
            self.option = self._options().get(name, "")
            if equals:
                self._note(self.option, value)
                self.option = ""
        elif "commands" in self.node:
            self.node = self.node["commands"].get(word, {})
        else:
            self._note(self._argument(), word)
            self.arguments += 1

    def offered(self, last: str) -> Suggestions:
        """The answer at this place, for a word that begins with `last`."""
        if self.option:
            return self._values(self.option, last)
        if last.startswith("-") and not self.over:
            name, equals, value = last.partition("=")
            if not equals:
                return Suggestions(words=[*self._options()])
            found = self._values(self._options().get(name, ""), value)
            return Suggestions(found.files, [f"{name}={each}" for each in found.words])
        if "commands" in self.node:
            return Suggestions(words=[*self.node["commands"]])
        return self._values(self._argument(), last)

    def _note(self, name: str, value: str) -> None:
        if "GAME" in _kinds(name):
            self.game = value

    def _options(self) -> Mapping[str, str]:
        return {**self.node.get("options", {}), **USUAL}

    def _argument(self) -> str:
        """The name of the next argument; the last one may be repeated."""
        names: list[str] = self.node.get("arguments", [])
        if self.arguments < len(names):
            return names[self.arguments]
        return names[-1] if names and names[-1].strip("[]").endswith("...") else ""

    def _values(self, name: str, last: str) -> Suggestions:
        """The values of an option or argument."""
        kinds = _kinds(name)
        words = [kind for kind in kinds if kind == kind.lower() and kind.strip(".")]
        games = [each for each in cards() if each.name == self.game] or cards()
        if "GAME" in kinds:
            words += [each.name for each in cards()]
        if BOTS.intersection(kinds):
            known = {*table()["bots"], *(bot for each in games for bot in each.bots)}
            words += ["human"] * ("SEAT" in kinds) + [BUILTIN + bot for bot in known]
        if "MAP" in kinds:
            words += [name for each in games for name in _maps(each)]
        is_path = "GAME" in kinds and last.startswith((".", "/", "~"))
        return Suggestions(is_path or bool(FILES.intersection(kinds)), words)


def table() -> Mapping[str, Any]:
    """All commands, those of games among them."""
    found: dict[str, Any] = json.loads((Path(__file__).parent / TABLE).read_text("utf-8"))
    for card in cards():
        file = card.file(TABLE)
        below = json.loads(file.read_text("utf-8")) if file else {}
        found["commands"] |= {name: below.get(name, {}) for name in card.commands}
    return found


def _kinds(name: str) -> list[str]:
    """The kinds of value that a name of the help stands for, as `CONTEST|RECORD...` for two."""
    return name.strip("[]").removesuffix("...").split("|")


def _maps(card: Card) -> list[str]:
    """The names of the maps that come with a game."""
    folder = card.file("maps")
    return [each.stem for each in folder.glob(f"*{card.map_suffix}")] if folder else []


def _split(line: str) -> list[str]:
    """The words of a line of Bash up to the cursor; the last one may be empty or half quoted."""
    for closing in ("", "'", '"'):
        try:
            words = shlex.split(line + closing)
        except ValueError:  # a quotation is open
            continue
        return [*words, ""] if not closing and line.endswith((" ", "\t")) else words
    return line.split()


def _after_break(found: Suggestions, last: str, breaks: str) -> Suggestions:
    """An answer as Bash takes it, which parts words at `:` and `=` and replaces the last part."""
    cut = max((last.rfind(each) + 1 for each in ":=" if each in breaks), default=0)
    return Suggestions(found.files, [word[cut:] for word in found.words])
