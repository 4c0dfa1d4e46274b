"""Notes on standard error that a bot in Python tried to reach the network, once in a game.

No bot may: in its jail the kernel refuses the attempt, whatever the bot does with the error. The
interpreter tells of it before, and a function that it tells cannot be taken away again.
"""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Tuple

NOTE = "joute: this bot tried to open the network"
"""The line that is printed."""

_EVENTS = ("socket.connect", "socket.bind", "socket.sendto", "socket.getaddrinfo")
_CREATED = "socket.__new__"
_FAMILIES = (2, 10)  # AF_INET and AF_INET6 of Linux; pairs of sockets within a process are others
_told = []  # type: list[str]


def watch() -> None:
    """Begins to watch this process."""
    sys.addaudithook(_hear)


def _hear(event: str, arguments: "Tuple[Any, ...]") -> None:
    if _told or event[:7] != "socket.":
        return
    if event in _EVENTS or (event == _CREATED and arguments[1] in _FAMILIES):
        _told.append(event)
        os.write(2, (NOTE + "\n").encode())
