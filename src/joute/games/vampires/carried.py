"""A built-in bot as a program of the tournament: `COMMAND ADDRESS PORT` plays a game and ends."""

from __future__ import annotations

from collections.abc import Sequence

from joute.contest.config.entries import default_name
from joute.games.vampires.server.client import Client

MOVE_SECONDS = 2.0  # of the statement


def run(bot: str, arguments: Sequence[str], move_seconds: float = MOVE_SECONDS) -> None:
    """Plays on the server at the address and the port that are the last two arguments."""
    *_, address, port = arguments
    Client(bot, default_name(bot), move_seconds, print).run(address, int(port))
