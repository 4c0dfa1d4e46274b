"""The drawing and typing of games at the terminal: `Terminal`, and the reading of typed text.

A game may bring a `Terminal` on its card. Without one its board is the text of `render`, and people
type and read actions as the game writes them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from joute.core.errors import ActionError
from joute.core.interface import describe, play, render
from joute.core.reading import read_text
from joute.core.registry import card_of
from joute.i18n.words import LANGUAGES, catalog, folded, say, spoken, synonyms
from joute.text import Line

COMMANDS = ("help", "rules", "legal", "undo", "hint", "log", "board", "resign", "quit")
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
    """Reads a text as an action or a command of the player to move. Raises Unclear."""
    word = folded(text)
    if not word:
        raise Unclear(say("play.empty"))
    exact = {describe(game, state, action): action for action in legal}
    if text.strip() in exact:  # some games tell a capital from a small letter
        return Typed(action=exact[text.strip()])
    names = {folded(name): action for name, action in exact.items()}
    named = _named(names)
    if word in named:
        return Typed(action=named[word])
    if word.isdecimal() and int(word) in legal:
        return Typed(action=int(word))
    problem = ""
    for written in dict.fromkeys((text.strip(), translated(word))):
        try:
            action = read_text(game, state, written)
        except ActionError as error:
            problem = problem or _unread(word, text.strip(), names, error)
        else:
            if action in legal:
                return Typed(action=action)
            problem = say("play.illegal", text=text.strip())
    known = _commands()
    if word in known:
        return Typed(command=known[word])
    if meant := _begun(word, {name: str(action) for name, action in named.items() if _word(name)}):
        return Typed(action=int(_only(word, meant)))
    if command := known_command(word):
        return Typed(command=command)
    raise Unclear(f"{problem}\n{listed(names)}")


def _unread(word: str, text: str, names: Mapping[str, int], error: ActionError) -> str:
    """The reason why a text names no action."""
    if word.isdecimal():
        return say("play.no_number", number=word)
    # The words that are expected are those of programs; people are told theirs.
    return say("play.no_action", text=text) if all(map(_word, names)) else str(error)


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
    """The texts that may be typed now, for completion: actions, then commands."""
    names = {describe(game, state, action): action for action in legal}
    extra = [word for word in _named(names) if word not in names]
    return [*names, *extra, *(command_word(command) for command in COMMANDS)]


def command_word(command: str) -> str:
    """The first name of a command in the user's language."""
    return say(f"play.command.{command}").split()[0]


def listed(names: Mapping[str, int]) -> str:
    """The legal actions, the first of them if there are many; long ones with their numbers."""
    shown = [_numbered(name, names[name]) for name in list(names)[:LISTED]]
    actions = (", " if any(" " in name for name in shown) else " ").join(shown)
    if len(names) > len(shown):
        return say("play.legal_some", count=len(names), actions=actions)
    return say("play.legal_all", actions=actions)


def _numbered(name: str, action: int) -> str:
    """A name in the user's language; with the action's number, where that is less to type."""
    return f"{spoken(name)} ({action})" if " " in name else spoken(name)


def _named(names: Mapping[str, int]) -> dict[str, int]:
    """The actions by their names and by the words of the user's language for them."""
    words = {word: names[name] for word, name in synonyms().items() if name in names}
    return {**words, **names}


def translated(word: str) -> str:
    """A folded word of the user's language, as the game writes that action."""
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
    """The meanings of the names that begin with `word` -> the first such name."""
    meant: dict[str, str] = {}
    for name, value in names.items():
        if name.startswith(word):
            meant.setdefault(value, name)
    return meant


def _only(word: str, meant: dict[str, str]) -> str:
    if len(meant) > 1:
        raise Unclear(say("play.ambiguous", text=word, names=", ".join(meant.values())))
    return next(iter(meant))


class Marks(NamedTuple):
    """The marks on a board."""

    last: dict[str, Any] | None = None  # what the viewer was told of the last action
    legal: tuple[int, ...] = ()
    signs: bool = False  # whether marks are characters, for who sees no colours
    names: tuple[str, ...] = ()  # of the seats
    over: bool = False  # whether the game is over: then nothing needs to be hidden


class Drawing(NamedTuple):
    """A board as `player` may see it, and a narrower one if the game has it."""

    wide: list[Line]
    narrow: list[Line]


def _draw(game: Any, state: Any, player: int, marks: Marks) -> Drawing:
    return Drawing([[(line, "")] for line in render(game, state, player).splitlines()], [])


def _understand(asked: Asked, text: str) -> Typed:
    return understand(asked.game, asked.state, asked.actions, text)


def _choices(asked: Asked) -> list[str]:
    return choices(asked.game, asked.state, asked.actions)


def _listing(asked: Asked) -> list[str]:
    return [listed({_written(asked, action): action for action in asked.actions})]


def _help(asked: Asked) -> list[str]:
    return [say("play.help.actions", example=spoken(_written(asked, asked.actions[0])))]


def _written(asked: Asked, action: int) -> str:
    return describe(asked.game, asked.state, action)


def _spoken(asked: Asked, actions: list[int]) -> str:
    texts, after = [], list(asked.state)
    for action in actions:
        texts.append(spoken(describe(asked.game, after, action)))
        play(asked.game, after, action)
    return "; ".join(texts)


class Terminal(NamedTuple):
    """The drawing and typing of a game."""

    draw: Callable[[Any, Any, int, Marks], Drawing] = _draw
    """The board as a player may see it."""
    seated: bool = False
    """Whether the board says who sits where and how they stand, so that no list of seats does."""
    signs: str = ""
    """The players' signs on the board, where they are not 0, 1 ..."""
    understand: Callable[[Asked, str], Typed] = _understand
    """The meaning of a text. Raises Unclear."""
    choices: Callable[[Asked], list[str]] = _choices
    """The texts that may be typed, for completion."""
    listing: Callable[[Asked], list[str]] = _listing
    """The legal actions, in lines."""
    help: Callable[[Asked], list[str]] = _help
    """Lines on how actions are typed."""
    spoken: Callable[[Asked, list[int]], str] = _spoken
    """The actions of a turn, in words."""
    reason: Callable[[Asked, int], str] = lambda asked, action: ""
    """The reason an action is good."""


def terminal(game: Any) -> Terminal:
    """The drawing and typing of a game."""
    card = card_of(game)
    found: Terminal = card.load(card.terminal) if card.terminal else Terminal()
    return found


def sign(game: Any, player: int) -> str:
    """The sign of a player on the board of a game."""
    signs = terminal(game).signs
    return signs[player] if signs else str(player)
