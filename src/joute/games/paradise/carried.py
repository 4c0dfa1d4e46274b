"""A built-in bot as an agent of the CS Games' contest: `start()`, `play(state)`, `end(victory)`."""

from __future__ import annotations

from typing import Any

from joute.core.registry import make
from joute.games.paradise.memory import Memory
from joute.games.paradise.state import (
    AIM,
    AIMS,
    BOOK,
    END,
    HAND,
    MINION,
    PLAY,
    POWER_ACTION,
    STRIKE,
    TARGETS,
    block,
)
from joute.play.outside import OutsidePlayer

MOVE_SECONDS = 10.0  # of an action; the contest sets none, and Joute this one


class Agent:
    """An agent of the contest; each game gets a new player."""

    def __init__(
        self, bot: str, move_seconds: float = MOVE_SECONDS, seed: int | None = None
    ) -> None:
        """Keeps what the players are made of; `seed`: of their generators."""
        self._asked = bot, move_seconds, seed
        self._game = make("paradise")
        self._player: OutsidePlayer | None = None
        self.memory = Memory(self._game)
        """The knowledge of the game that it is in."""

    def start(self) -> None:
        """Begins a game, with all loaded that the player needs."""
        self.memory, self._player = Memory(self._game), None
        self._seated(0)

    def play(self, state: dict[str, Any]) -> tuple[int, Any]:
        """The action and its arguments, as the contest has them."""
        known = self.memory.see(state)
        if self._player is None:
            self._player = self._seated(self.memory.player)
        [action] = self._player.choose(known)
        answer = answer_of(known, self.memory.player, action)
        self.memory.played(action)
        return answer

    def end(self, victory: object) -> None:
        """Forgets the game."""
        self._player = None

    def _seated(self, player: int) -> OutsidePlayer:
        bot, seconds, seed = self._asked
        return OutsidePlayer(bot, self._game, player, seconds, seed)


def answer_of(state: list[int], player: int, action: int) -> tuple[int, Any]:
    """The contest's action and arguments for an action of the game."""
    if action >= STRIKE:
        source, target = divmod(action - STRIKE, TARGETS)
        return 3, (source + 1, target)
    if action >= AIM:
        return 2, divmod(action - AIM, AIMS)
    if action >= PLAY:
        place = action - PLAY
        card = state[block(player) + HAND + place]
        return (1, place) if BOOK[card].kind == MINION else (2, (place, 0))
    return {POWER_ACTION: 0, END: 4}[action], None
