"""A built-in bot in a process of its own, speaking the bot protocol: same games as inline.

Run as `python -m joute.play.hosted NAME OPTIONS-AS-JSON CACHE-FOLDER`. The state is rebuilt from
the events, so this serves games where everything is seen.
"""

import json
import os
import sys
from typing import Any

import numpy as np

from joute import bots
from joute.games import make
from joute.games.interface import play, start


class _Player:
    def __init__(self, name: str, options: dict[str, str], message: dict[str, Any]) -> None:
        game = make(message["game"], **message["parameters"])
        table = bots.Table(game, message["player"], message["seed"], message["move_seconds"])
        self._game = game
        self._bot = bots.make(name, options, table)
        self._state: np.ndarray = start(game)
        self._follow(message["events"])

    def answer(self, message: dict[str, Any]) -> dict[str, Any]:
        self._follow(message["events"])
        choice = self._bot.play(self._state.copy())
        return {"type": "action", "action": int(choice.action), "message": choice.message}

    def _follow(self, events: list[dict[str, Any]]) -> None:
        state = self._state.tolist()
        for event in events:
            play(self._game, state, event["action"])
        self._state = np.array(state, self._state.dtype)


def main() -> None:
    """Speak the protocol on standard input and output until it ends."""
    name, options = sys.argv[1], json.loads(sys.argv[2])
    os.environ["JOUTE_CACHE"] = sys.argv[3]
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
