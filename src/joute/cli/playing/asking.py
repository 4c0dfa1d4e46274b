"""Asking a person for an action: until one is typed that is legal, with help on the way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from joute.cli.playing import orders
from joute.cli.playing.desk import Desk, Lines
from joute.cli.playing.hints import hint
from joute.cli.playing.page import View
from joute.cli.playing.typed import (
    COMMANDS,
    Typed,
    Unclear,
    choices,
    listed,
    spoken,
    understand,
)
from joute.cli.words import say
from joute.games.interface import describe, legal, properties
from joute.play.seats import Resign


class Left(Exception):
    """The person leaves."""


class Table(Protocol):
    """What asking needs of the game around it."""

    def view(self, game: Any, state: Any, player: int, shown: tuple[int, ...] = ()) -> View:
        """What the player may see now, these legal actions pointed out."""

    def name(self, player: int) -> str:
        """What a seat is called."""

    def undo(self) -> str:
        """Goes back to the last decision by an exception of its own, or says why it cannot."""


class Asking:
    """Asks the people of a table, at one desk."""

    def __init__(self, desk: Desk, table: Table) -> None:
        self._desk = desk
        self._table = table
        self._greeted = False

    def ask(self, game: Any, state: Any, player: int) -> int | list[int] | Resign:
        """The action that the person chooses, or those of a whole turn.

        Resign, or Left, if that is what he wants.
        """
        read = READERS.get(properties(game).name, understand)
        actions = legal_actions(game, state)
        prompt = say("play.ask", name=self._table.name(player))
        words = choices(game, state, actions)
        message: tuple[str, ...] = () if self._greeted else (say("play.greeting"),)
        shown: tuple[int, ...] = ()
        waiting: list[int] = []  # a turn that Enter sends
        self._greeted = True
        while True:
            view = self._table.view(game, state, player, shown)
            try:
                text = self._desk.ask(view._replace(message=message), prompt, words)
                if waiting and not text.strip():
                    return waiting
                waiting = []
                typed = read(game, state, actions, text)
            except EOFError:
                raise Left from None
            except Unclear as unclear:
                message = tuple(str(unclear).splitlines())
                continue
            if typed.risks:
                waiting, message = list(typed.turn), (*typed.risks, say("play.order.send"))
                continue
            if not typed.command:
                return list(typed.turn) or typed.action
            if typed.command == "resign":
                return Resign()
            message = _COMMANDS[typed.command](self, game, state, player)
            shown = tuple(actions) if typed.command == "legal" else ()

    def _help(self, game: Any, state: Any, player: int) -> tuple[str, ...]:
        example = spoken(describe(game, state, legal_actions(game, state)[0]))
        names = {each: say(f"play.command.{each}").replace(" ", ", ") for each in COMMANDS}
        width = max(len(text) for text in names.values()) + 2
        lines = [f"{names[each]:{width}}{say(f'play.help.{each}')}" for each in COMMANDS]
        key = "play.help.orders" if properties(game).name in READERS else "play.help.actions"
        return (say(key, example=example), *lines)

    def _legal(self, game: Any, state: Any, player: int) -> tuple[str, ...]:
        actions = legal_actions(game, state)
        if properties(game).name in READERS:
            return tuple(orders.listing(game, actions))
        return (listed({describe(game, state, action): action for action in actions}),)

    def _undo(self, game: Any, state: Any, player: int) -> tuple[str, ...]:
        return (self._table.undo(),)

    def _hint(self, game: Any, state: Any, player: int) -> tuple[str, ...]:
        self._desk.show(self._table.view(game, state, player)._replace(said=say("play.hinting")))
        return (hint(game, state, player),)

    def _board(self, game: Any, state: Any, player: int) -> tuple[str, ...]:
        if isinstance(self._desk, Lines):
            self._desk.repeat()
        return ()

    def _quit(self, game: Any, state: Any, player: int) -> tuple[str, ...]:
        raise Left


_COMMANDS: dict[str, Callable[[Asking, Any, Any, int], tuple[str, ...]]] = {
    "help": Asking._help,
    "legal": Asking._legal,
    "undo": Asking._undo,
    "hint": Asking._hint,
    "board": Asking._board,
    "quit": Asking._quit,
}


Reader = Callable[[Any, Any, list[int], str], Typed]

READERS: dict[str, Reader] = {"vampires": orders.understand}
"""What understands the texts of a game where a whole turn is typed at once, by its name."""


def legal_actions(game: Any, state: Any) -> list[int]:
    """The legal actions of the player to move."""
    actions = [0] * properties(game).max_legal
    return actions[: legal(game, state, actions)]
