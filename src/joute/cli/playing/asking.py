"""Asking a person for an action: until one is typed that is legal, with help on the way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from joute.cli.playing.desk import Desk, Lines
from joute.cli.playing.game import terminal
from joute.cli.playing.hints import hint
from joute.cli.playing.page import View
from joute.cli.playing.typed import COMMANDS, Asked, Typed, Unclear, known_command
from joute.core.interface import legal_actions
from joute.i18n.words import folded, say
from joute.play.seats import Resign


class Left(Exception):
    """The person leaves."""


class Table(Protocol):
    """What asking needs of the game around it."""

    def view(self, game: Any, state: Any, player: int, shown: tuple[int, ...] = ()) -> View:
        """What the player may see now, these legal actions pointed out."""

    def name(self, player: int) -> str:
        """What a seat is called."""

    def names(self) -> tuple[str, ...]:
        """The names of the seats."""

    def course(self, player: int) -> tuple[str, ...]:
        """What the player was told so far, the latest last."""

    def undo(self) -> str:
        """Goes back to the last decision by an exception of its own, or says why it cannot."""


class Asking:
    """Asks the people of a table, at one desk."""

    def __init__(self, desk: Desk, table: Table) -> None:
        self._desk = desk
        self._table = table
        self._greeted: set[int] = set()

    def ask(self, game: Any, state: Any, player: int) -> int | list[int] | Resign:
        """The action that the person chooses, or those of a whole turn.

        Resign, or Left, if that is what he wants.
        """
        asked = Asked(game, state, player, legal_actions(game, state), self._table.names())
        prompt = say("play.ask", name=self._table.name(player))
        message: tuple[str, ...] = () if player in self._greeted else (say("play.greeting"),)
        self._greeted.add(player)
        shown: tuple[int, ...] = ()
        begun = Typed()  # a choice of which more is to be typed, or a turn that Enter sends
        while True:
            view = self._table.view(game, state, player, shown)
            words = list(begun.words) or terminal(asked.game).choices(asked)
            question = f"{prompt}{begun.begun} " if begun.begun else prompt
            try:
                text = self._desk.ask(
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
                message, begun = _COMMANDS[typed.command](self, asked), begun._replace(turn=())
                shown = tuple(asked.actions) if typed.command == "legal" else ()
            elif typed.told:
                message, begun, shown = typed.told, typed, ()
            else:
                return list(typed.turn) or typed.action

    def _help(self, asked: Asked) -> tuple[str, ...]:
        names = {each: say(f"play.command.{each}").replace(" ", ", ") for each in COMMANDS}
        width = max(len(text) for text in names.values()) + 2
        lines = [f"{names[each]:{width}}{say(f'play.help.{each}')}" for each in COMMANDS]
        return (*terminal(asked.game).help(asked), *lines)

    def _legal(self, asked: Asked) -> tuple[str, ...]:
        return tuple(terminal(asked.game).listing(asked))

    def _undo(self, asked: Asked) -> tuple[str, ...]:
        return (self._table.undo(),)

    def _hint(self, asked: Asked) -> tuple[str, ...]:
        view = self._table.view(asked.game, asked.state, asked.player)
        self._desk.show(view._replace(said=say("play.hinting")))
        return (hint(asked.game, asked.state, asked.player, asked.names),)

    def _log(self, asked: Asked) -> tuple[str, ...]:
        return self._table.course(asked.player)

    def _board(self, asked: Asked) -> tuple[str, ...]:
        if isinstance(self._desk, Lines):
            self._desk.repeat()
        return ()

    def _quit(self, asked: Asked) -> tuple[str, ...]:
        raise Left


_COMMANDS: dict[str, Callable[[Asking, Asked], tuple[str, ...]]] = {
    "help": Asking._help,
    "legal": Asking._legal,
    "undo": Asking._undo,
    "hint": Asking._hint,
    "log": Asking._log,
    "board": Asking._board,
    "quit": Asking._quit,
}


def _read(asked: Asked, begun: str, text: str) -> Typed:
    """What the text means after what was `begun`; nothing, or `undo`, takes that back.

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
