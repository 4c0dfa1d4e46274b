"""Passing the keyboard, where several people share it and each has something to hide.

Between two of them nothing is left on the screen, in the history of what was typed, or among the
keys pressed too early: the next one's cards appear when he says that nobody else is looking.
"""

from __future__ import annotations

from typing import Any

from joute.cli.playing.asking import Left
from joute.cli.playing.desk import Desk
from joute.cli.playing.page import View
from joute.cli.playing.typed import Unclear, known_command
from joute.i18n.words import folded, say

TOLD = frozenset({"player", "action", "text", "line"})  # what everybody may know of an action


class Passing:
    """Who has the keyboard; `shared` if it is to be passed at all."""

    def __init__(self, desk: Desk, shared: bool) -> None:
        self._desk = desk
        self._shared = shared
        self._holder: int | None = None

    @property
    def waiting(self) -> bool:
        """Whether nobody has the keyboard yet, so that nothing may be shown."""
        return self._shared and self._holder is None

    def needed(self, player: int) -> bool:
        """Whether the keyboard is to be passed before this player is asked."""
        return self._shared and player != self._holder

    def pass_to(self, player: int, name: str, blank: View, last: View | None = None) -> None:
        """Returns when the player, called `name`, has the keyboard and nobody else looks.

        `blank` is shown meanwhile; before that, `last` to the one who had the keyboard. Raises Left
        if somebody leaves.
        """
        if last is not None:
            self._enter(last, say("play.pass.hide"))
        self._desk.clear()
        message = (say("play.pass.to", name=name),)
        self._enter(blank._replace(message=message), say("play.pass.alone", name=name))
        self._desk.clear()
        self._holder = player

    def _enter(self, view: View, prompt: str) -> None:
        try:
            text = self._desk.ask(view, prompt, [])
        except EOFError:
            raise Left from None
        if _command(text) == "quit":
            raise Left


def learned(told: list[dict[str, Any]], player: int) -> bool:
    """Whether the player's last action showed him something that he should have time to read."""
    for event in reversed(told):
        if event["player"] == player:
            return any(part.keys() - TOLD for part in event.get("parts", [event]))
    return False


def _command(text: str) -> str:
    try:
        return known_command(folded(text))
    except Unclear:
        return ""
