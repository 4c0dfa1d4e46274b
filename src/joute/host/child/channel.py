"""The bot's channel to the referee, on two private file descriptors.

The bot's own standard input is empty and its standard output goes to standard error, where the
referee captures it: a bot that prints cannot disturb the protocol.
"""

import json
import os
import resource
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Optional

ANNOUNCEMENT = b"\n"  # Said before anything of the bot is read
CHUNK = 1 << 16
MESSAGE_CHARACTERS = 4096

# High, so that a bot which closes or duplicates low descriptors meets its own first.
_FIRST_PRIVATE = 48
_LEAST_ROOM = 8  # descriptors above the first private one, where few are allowed

_encode = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


class Channel:
    """Messages to and from the referee; takes standard input and output away from the bot."""

    def __init__(self) -> None:
        import fcntl

        allowed = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        few = allowed != resource.RLIM_INFINITY and allowed < _FIRST_PRIVATE + _LEAST_ROOM
        first = max(allowed - _LEAST_ROOM, 3) if few else _FIRST_PRIVATE
        self._reader = fcntl.fcntl(0, fcntl.F_DUPFD_CLOEXEC, first)
        self._writer = fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, first)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        for stream in (sys.stdout, sys.stderr):
            # Any text can be printed; what is no Unicode shows as \\udc80.
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
        self._rest = b""

    def announce(self) -> None:
        """Says that the limits hold, and that the bot is about to be read."""
        os.write(self._writer, ANNOUNCEMENT)

    def receive(self) -> "Optional[Dict[str, Any]]":
        """The next message; None when the referee has closed the channel."""
        line = self._rest
        while b"\n" not in line:
            chunk = os.read(self._reader, CHUNK)
            if not chunk:
                return None
            line += chunk
        line, _, self._rest = line.partition(b"\n")
        message = json.loads(line)
        return message  # type: ignore[no-any-return]

    def send(self, message: "Dict[str, Any]") -> None:
        """Sends one message; the shortest of them in one call of the system."""
        try:
            text = _encode(message)
        except (TypeError, ValueError):
            # Only a bot that tampers with our objects comes here.
            text = _encode({"type": "error", "fault": "protocol", "error": "cannot encode"})
        data = text.encode("ascii") + b"\n"
        while data:
            data = data[os.write(self._writer, data) :]
