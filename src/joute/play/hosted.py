"""A built-in bot in a process of its own, speaking the bot protocol: same games as inline.

Run as `python -m joute.play.hosted NAME OPTIONS-AS-JSON CACHE-FOLDER GAME-PATHS`. The state is
rebuilt from the events, so this serves games where everything is seen.
"""

import json
import os
import sys
from typing import Any

import numpy as np

from joute import bots
from joute.core.interface import legal_actions, mover, play, start
from joute.core.registry import VARIABLE, make


class _Player:
    def __init__(self, name: str, options: dict[str, str], message: dict[str, Any]) -> None:
        game = make(message["game"], **message["parameters"])
        table = bots.Seating(game, message["player"], message["seed"], message["move_seconds"])
        self._game = game
        self._player = table.player
        self._bot = bots.make(name, options, table)
        self._view = bots.View(table)
        self._state: list[int] = start(game).tolist()
        self._dtype = start(game).dtype
        self._follow(message["events"])

    def answer(self, message: dict[str, Any]) -> dict[str, Any]:
        self._follow(message["events"])
        known = self._view.of(self._at_turn())
        choice = self._bot.play(np.array(known, self._dtype))
        return {"type": "action", "action": choice.action, "message": choice.message}

    def _follow(self, events: list[dict[str, Any]]) -> None:
        for event in events:
            play(self._game, self._state, event["action"])

    def _at_turn(self) -> list[int]:
        """The state at the bot's turn; choices of the round that it was not told are any."""
        state = self._state.copy()
        while mover(self._game, state) != self._player:
            play(self._game, state, legal_actions(self._game, state)[0])
        return state


def main() -> None:
    """Speaks the protocol on standard input and output until it ends."""
    name, options = sys.argv[1], json.loads(sys.argv[2])
    os.environ["JOUTE_CACHE"], os.environ[VARIABLE] = sys.argv[3:5]
    replies = os.dup(1)
    os.dup2(2, 1)  # whatever a library prints must not be taken for an answer
    player = None
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if message["type"] == "end":
            return
        if message["type"] == "start":
            player = _Player(name, options, message)
            reply: dict[str, Any] = {"type": "ready"}
        elif player is not None:
            reply = player.answer(message)
        os.write(replies, json.dumps(reply).encode() + b"\n")


if __name__ == "__main__":
    main()
