"""Asking people for their actions: until one is typed that is legal, with help on the way.

Where several people share the keyboard and each has something to hide, it is passed between them.
Then nothing is left on the screen, in the history of what was typed, or among the keys pressed too
early: the next one's cards appear when they say that nobody else is looking.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, NoReturn, Protocol

from joute.cli.playing.display import Display, Lines, size
from joute.cli.playing.drawing import COMMANDS, Asked, Typed, Unclear, known_command, terminal
from joute.cli.playing.page import PageContent, wrapped_texts
from joute.core.interface import legal_actions
from joute.core.registry import card_of
from joute.i18n.words import folded, say
from joute.play.advice import advise, adviser
from joute.play.people import UndoError
from joute.play.seats import Resign
from joute.play.telling import telling

COLUMNS = 88  # of the rules, at most
AROUND = 6  # lines of a page around its message: the title, the prompt, and blank ones


class Left(Exception):
    """A person leaves the game."""


class AskedGame(Protocol):
    """The part of a game that asking needs."""

    def view(self, game: Any, state: Any, player: int, shown: tuple[int, ...] = ()) -> PageContent:
        """The view of a player, with these legal actions pointed out."""

    def name(self, player: int) -> str:
        """The name of a seat."""

    def names(self) -> tuple[str, ...]:
        """The names of the seats."""

    def log(self, player: int) -> tuple[str, ...]:
        """The events that the player was told of, in words, the latest last."""

    def remarks(self) -> tuple[str, ...]:
        """Sentences that a person is told when it is asked."""

    def advice_from(self, bot: str) -> str:
        """A sentence on an adviser that is to be compiled first; "" for one that is ready."""

    def turn_of(self, bot: str) -> AbstractContextManager[None]:
        """Waits until an adviser is compiled; holds while it computes."""

    def undo(self) -> NoReturn:
        """Goes back to the last decision by raising TakenBack. Raises UndoError if it cannot."""


class Asking:
    """Asks the people of a game, at one terminal."""

    def __init__(self, display: Display, game: AskedGame) -> None:
        self._display = display
        self._game = game
        self._greeted: set[int] = set()

    def ask(self, game: Any, state: Any, player: int) -> int | list[int] | Resign:
        """The action that the person chooses, or those of a whole turn, or Resign. Raises Left."""
        asked = Asked(game, state, player, legal_actions(game, state), self._game.names())
        prompt = say("play.ask", name=self._game.name(player))
        message: tuple[str, ...] = () if player in self._greeted else (say("play.greeting"),)
        self._greeted.add(player)
        message = (*self._game.remarks(), *message)
        shown: tuple[int, ...] = ()
        begun = Typed()  # a choice of which more is to be typed, or a turn that Enter sends
        warned = -1  # the action that the person was warned of
        while True:
            view = self._game.view(game, state, player, shown)
            words = list(begun.words) or terminal(game).choices(asked)
            question = f"{prompt}{begun.begun} " if begun.begun else prompt
            try:
                text = self._display.ask(
                    view._replace(message=message, offers=begun.offers), question, words
                )
                if begun.turn and not text.strip():
                    return list(begun.turn)
                typed = _read(asked, begun.begun, text)
            except EOFError:
                raise Left from None
            except Unclear as unclear:
                message, begun = tuple(str(unclear).splitlines()), begun._replace(turn=())
                continue
            if typed.command == "resign":
                return Resign()
            if typed.command:
                told = _COMMANDS[typed.command](self, asked)
                message, begun = self._read_first(asked, told), begun._replace(turn=())
                shown = tuple(asked.actions) if typed.command == "legal" else ()
            elif typed.told:
                message, begun, shown = typed.told, typed, ()
            elif not typed.turn and typed.action != warned and (found := _warned(asked, typed)):
                message, begun, shown, warned = found, Typed(), (), typed.action
            else:
                return list(typed.turn) or typed.action

    def _help(self, asked: Asked) -> tuple[str, ...]:
        names = {each: say(f"play.command.{each}").replace(" ", ", ") for each in COMMANDS}
        width = max(len(text) for text in names.values()) + 2
        lines = [f"{names[each]:{width}}{say(f'play.help.{each}')}" for each in COMMANDS]
        return (*terminal(asked.game).help(asked), *lines)

    def _rules(self, asked: Asked) -> tuple[str, ...]:
        if isinstance(self._display, Lines):
            return tuple(_rules_of(asked.game))
        return self._paged(asked, _rules_of(asked.game))

    def _read_first(self, asked: Asked, message: tuple[str, ...]) -> tuple[str, ...]:
        """A message; where the terminal is too low for it, it is read page by page, and is gone."""
        width, height = size()
        lines = wrapped_texts(message, width)
        if isinstance(self._display, Lines) or len(lines) <= height - AROUND:
            return message
        return self._paged(asked, lines)

    def _paged(self, asked: Asked, lines: Sequence[str]) -> tuple[str, ...]:
        view = self._game.view(asked.game, asked.state, asked.player)
        for page, prompt in pages(lines, view):
            try:
                if self._display.ask(page, prompt, []).strip():
                    break
            except EOFError:
                raise Left from None
        return ()

    def _legal(self, asked: Asked) -> tuple[str, ...]:
        return tuple(terminal(asked.game).listing(asked))

    def _undo(self, asked: Asked) -> tuple[str, ...]:
        try:
            self._game.undo()
        except UndoError as error:
            return (str(error),)

    def _hint(self, asked: Asked) -> tuple[str, ...]:
        view = self._game.view(asked.game, asked.state, asked.player)
        bot = adviser(asked.game)
        said = self._game.advice_from(bot) or say("play.hinting")
        self._display.show(view._replace(said=said))
        with self._game.turn_of(bot):
            return (hint(asked.game, asked.state, asked.player, asked.names),)

    def _log(self, asked: Asked) -> tuple[str, ...]:
        return self._game.log(asked.player)

    def _board(self, asked: Asked) -> tuple[str, ...]:
        if isinstance(self._display, Lines):
            self._display.repeat()
        return ()

    def _quit(self, asked: Asked) -> tuple[str, ...]:
        raise Left


_COMMANDS: dict[str, Callable[[Asking, Asked], tuple[str, ...]]] = {
    "help": Asking._help,
    "rules": Asking._rules,
    "legal": Asking._legal,
    "undo": Asking._undo,
    "hint": Asking._hint,
    "log": Asking._log,
    "board": Asking._board,
    "quit": Asking._quit,
}


def _rules_of(game: Any) -> list[str]:
    from joute.cli.rules import rules_lines

    return rules_lines(card_of(game), min(size()[0] - 2, COLUMNS))


def rules_pages(game: Any, view: PageContent) -> Iterator[tuple[PageContent, str]]:
    """The rules of a game page by page, in the place of its board, with how to go on from each."""
    return pages(_rules_of(game), view)


def pages(lines: Sequence[str], view: PageContent) -> Iterator[tuple[PageContent, str]]:
    """Lines page by page, in the place of a board, with how to go on from each page."""
    height = max(size()[1] - AROUND, 4)
    bare = view._replace(board=[], narrow=(), seats=[], log=[])
    for first in range(0, len(lines), height):
        last = first + height >= len(lines)
        prompt = say("play.rules.last" if last else "play.rules.more")
        yield bare._replace(message=tuple(lines[first : first + height])), prompt


def _warned(asked: Asked, typed: Typed) -> tuple[str, ...]:
    """The warning of an action that loses or ends the game, and how to play it all the same."""
    found = telling(card_of(asked.game)).warning(asked.game, asked.state, typed.action, asked.names)
    if not found:
        return ()
    return found, say("play.sure", action=terminal(asked.game).spoken(asked, [typed.action]))


def _read(asked: Asked, begun: str, text: str) -> Typed:
    """The meaning of a text after what was `begun`; an empty text, or `undo`, takes that back.

    Raises Unclear.
    """
    understand = terminal(asked.game).understand
    if not begun:
        return understand(asked, text)
    back = Typed(told=(say("play.empty"),))
    if not text.strip():
        return back
    try:
        return understand(asked, f"{begun} {text}")
    except Unclear:
        command = known_command(folded(text))
        if not command:
            raise
        return back if command == "undo" else Typed(command=command)


def hint(game: Any, state: Any, player: int, names: tuple[str, ...] = ()) -> str:
    """A sentence on what the first adviser that plays the game would do, or that there is none."""
    advice = advise(game, state, player)
    if advice is None:
        return say("play.no_hint")
    asked = Asked(game, state, player, advice.actions, names)
    words = terminal(game)
    action = words.spoken(asked, advice.actions)
    said = say("play.hinted", bot=advice.bot, action=action)
    return f"{said}{words.reason(asked, advice.actions[0])}"


class Passing:
    """Keeps track of the player at the keyboard; `shared` if it is to be passed at all."""

    def __init__(self, display: Display, shared: bool) -> None:
        self._display = display
        self._shared = shared
        self._holder: int | None = None

    @property
    def waiting(self) -> bool:
        """Whether nobody has the keyboard yet, so that nothing may be shown."""
        return self._shared and self._holder is None

    def needed(self, player: int) -> bool:
        """Whether the keyboard is to be passed before this player is asked."""
        return self._shared and player != self._holder

    def pass_to(
        self, player: int, name: str, blank: PageContent, last: PageContent | None = None
    ) -> None:
        """Returns when the player, called `name`, has the keyboard and nobody else looks.

        `blank` is shown meanwhile; before that, `last` to the one who had the keyboard. Raises Left
        if somebody leaves.
        """
        if last is not None:
            self._enter(last, say("play.pass.hide"))
        self._display.clear()
        message = (say("play.pass.to", name=name),)
        self._enter(blank._replace(message=message), say("play.pass.alone", name=name))
        self._display.clear()
        self._holder = player

    def _enter(self, view: PageContent, prompt: str) -> None:
        try:
            text = self._display.ask(view, prompt, [])
        except EOFError:
            raise Left from None
        if _command(text) == "quit":
            raise Left


def _command(text: str) -> str:
    try:
        return known_command(folded(text))
    except Unclear:
        return ""
