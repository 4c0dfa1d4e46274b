"""Agents as the original command line names them, and the one that is a person."""

from __future__ import annotations

import ast
from pathlib import Path
from pprint import pformat
from typing import Any

from joute.core.interface import observe
from joute.games.paradise.adapters.csgames import Rejected, action_of, contest_state
from joute.host.child.loading import ENTRIES, PACKAGE
from joute.host.names import prefixes
from joute.i18n.words import say

HUMAN = "human"
ENTRY = "agent.py"  # of a submission
COLUMNS = 240  # of a state that is printed: a card is a line
SHOWN = 40  # characters of what was typed


def bot_of(module: str) -> str:
    """The bot that a module's name stands for: `agent.agent1`, a path, or a bot as elsewhere.

    Files, folders and zips are taken to be in the contest's interface. A name that stands for
    nothing is left as it is.
    """
    prefix, colon, _ = module.partition(":")
    if module == HUMAN or (colon and prefix in prefixes()):
        return module
    path = next(filter(_runs, _places(module)), None)
    if path is None:
        return module
    if path.name == ENTRY and (path.parent / PACKAGE).is_file():
        path = path.parent  # imported as a package, it can import its own files
    return f"paradise:{path}"


def _places(module: str) -> list[Path]:
    """Where a module of this name may be, the likeliest first."""
    names = [module]
    if all(part.isidentifier() for part in module.split(".")):
        names.append(module.replace(".", "/"))
    return [Path(name + ending) for name in names for ending in ("", ".py", ".zip")]


def _runs(path: Path) -> bool:
    if path.is_dir():
        return any((path / entry).is_file() for entry in ENTRIES)
    return path.is_file()


class Console:
    """Asks a person as the contest's own agent for people did: a dictionary, then an action."""

    def __init__(self) -> None:
        self._greeted = False

    def ask(self, game: Any, state: Any, player: int) -> int:
        """The action that is typed. Raises KeyboardInterrupt at the end of the input."""
        observation = observe(game, state, player)
        print(pformat(contest_state(observation), width=COLUMNS, sort_dicts=False))
        if not self._greeted:
            print(say("duel.actions"))
            self._greeted = True
        while True:
            try:
                typed = input(say("duel.ask", number=player + 1)).strip()
            except EOFError:
                print()
                raise KeyboardInterrupt from None
            try:
                return action_of(observation, understood(typed))
            except SyntaxError:
                print(say("duel.unclear", typed=typed[:SHOWN]))
            except Rejected:
                print(say("duel.rejected", typed=typed[:SHOWN]))


def understood(typed: str) -> Any:
    """The answer that a line of text is: `3, (1, 0)`, `(0, None)`, `4`. Raises SyntaxError."""
    try:
        answer = ast.literal_eval(typed)
    except (ValueError, TypeError, MemoryError, RecursionError):
        raise SyntaxError(typed) from None
    return (answer, None) if isinstance(answer, int) else answer
