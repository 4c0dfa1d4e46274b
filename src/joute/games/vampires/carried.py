"""A built-in bot as a program of the tournament: `COMMAND ADDRESS PORT` plays a game and ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from joute.contest.config.default_names import default_name
from joute.games.vampires.server.client import Client, ClientError
from joute.i18n.words import say, speak, spoken_in

MOVE_SECONDS = 2.0  # of the statement
HIGHEST_PORT = 65535


def run(bot: str, arguments: Sequence[str], move_seconds: float = MOVE_SECONDS) -> None:
    """Plays on the server at the address and the port that are the last two arguments.

    Leaves the program, with a sentence, where there are none, and where the server is lost.
    """
    speak(spoken_in(os.environ))
    address, port = ["", "", *arguments][-2:]
    if not address or not port.isdecimal() or int(port) > HIGHEST_PORT:
        sys.exit(say("vampires.carried.arguments", given=" ".join(arguments) or "-"))
    try:
        Client(bot, default_name(bot), move_seconds, print).run(address, int(port))
    except ClientError as error:
        sys.exit(str(error))
