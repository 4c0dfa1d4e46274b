"""What a person typed: an action, or a command.

Actions come first: as the game writes them, in any case, by their number, in words of the user's
language, or by the beginning of a word. Then come the commands, in either language. Those that end
a game are to be written out, so that no slip does it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from joute.core.errors import ActionError
from joute.core.interface import describe, parse
from joute.i18n.words import LANGUAGES, catalog, folded, say, spoken, synonyms
from joute.text import Line

COMMANDS = ("help", "legal", "undo", "hint", "log", "board", "resign", "quit")
WHOLE = {"resign", "quit"}  # not by their beginning
SHORTEST = 2  # letters of a command's beginning
LISTED = 24  # legal actions named at most


class Asked(NamedTuple):
    """A situation in which a person is to choose."""

    game: Any
    state: Any
    player: int
    actions: list[int]  # the legal ones
    names: tuple[str, ...]  # of the seats


class Unclear(Exception):
    """Neither an action nor a command; its text says why, in the user's language."""


class Typed(NamedTuple):
    """An action, a command, or the actions of a whole turn."""

    action: int = -1
    command: str = ""
    turn: tuple[int, ...] = ()
    told: tuple[str, ...] = ()  # lines to be read first: then Enter sends the turn, if there is one
    begun: str = ""  # what has been typed of an action, where more is to follow ...
    offers: tuple[Line, ...] = ()  # ... what may follow, in lines ...
    words: tuple[str, ...] = ()  # ... and as it is typed


def understand(game: Any, state: Any, legal: list[int], text: str) -> Typed:
    """What the text means for the player to move. Raises Unclear."""
    word = folded(text)
    if not word:
        raise Unclear(say("play.empty"))
    names = {folded(describe(game, state, action)): action for action in legal}
    named = _named(names)
    if word in named:
        return Typed(action=named[word])
    if word.isdecimal() and int(word) in legal:
        return Typed(action=int(word))
    problem = ""
    try:
        action = parse(game, state, _translated(word))
        if action in legal:
            return Typed(action=action)
        problem = say("play.illegal", text=text.strip())
    except ActionError as error:
        problem = str(error)
    known = _commands()
    if word in known:
        return Typed(command=known[word])
    if meant := _begun(word, {name: str(action) for name, action in named.items() if _word(name)}):
        return Typed(action=int(_only(word, meant)))
    if command := known_command(word):
        return Typed(command=command)
    raise Unclear(f"{problem}\n{listed(names)}")


def known_command(word: str) -> str:
    """The command of a folded text, which may be the beginning of its name; "" for none.

    Raises Unclear where it is the beginning of several.
    """
    known = _commands()
    if word in known:
        return known[word]
    begun = {name: each for name, each in known.items() if each not in WHOLE}
    if len(word) >= SHORTEST and (meant := _begun(word, begun)):
        return _only(word, meant)
    return ""


def choices(game: Any, state: Any, legal: list[int]) -> list[str]:
    """What may be typed now, for completion: actions, then commands."""
    names = {describe(game, state, action): action for action in legal}
    extra = [word for word in _named(names) if word not in names]
    return [*names, *extra, *(command_word(command) for command in COMMANDS)]


def command_word(command: str) -> str:
    """The first name of a command in the user's language."""
    return say(f"play.command.{command}").split()[0]


def listed(names: Mapping[str, int]) -> str:
    """The legal actions, the first of them if there are many."""
    shown = [spoken(name) for name in list(names)[:LISTED]]
    actions = (", " if any(" " in name for name in shown) else " ").join(shown)
    if len(names) > len(shown):
        return say("play.legal_some", count=len(names), actions=actions)
    return say("play.legal_all", actions=actions)


def _named(names: Mapping[str, int]) -> dict[str, int]:
    """The actions by their names and by the words of the user's language for them."""
    words = {word: names[name] for word, name in synonyms().items() if name in names}
    return {**words, **names}


def _translated(word: str) -> str:
    return synonyms().get(word, word)


def _commands() -> dict[str, str]:
    """The names of the commands in every language -> the command."""
    return {
        folded(name): command
        for each in LANGUAGES
        for command in COMMANDS
        for name in catalog(each)[f"play.command.{command}"].split()
    }


def _word(name: str) -> bool:
    """Whether a name is a word, whose beginning is clear; the beginning of `b3` is no action."""
    return name.replace(" ", "").isalpha()


def _begun(word: str, names: Mapping[str, str]) -> dict[str, str]:
    """What each of the names that begin with `word` stands for -> the first such name."""
    meant: dict[str, str] = {}
    for name, value in names.items():
        if name.startswith(word):
            meant.setdefault(value, name)
    return meant


def _only(word: str, meant: dict[str, str]) -> str:
    if len(meant) > 1:
        raise Unclear(say("play.ambiguous", text=word, names=", ".join(meant.values())))
    return next(iter(meant))
