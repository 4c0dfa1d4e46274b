"""A terminal with the command line on it."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time
from collections.abc import Sequence

import pytest
from cli.apart import command, environment
from helpers import PATIENCE


class Terminal:
    """A pseudo-terminal, and a command that runs on it, or another program."""

    def __init__(
        self,
        *arguments: object,
        columns: int = 80,
        lines: int = 30,
        program: Sequence[str] = (),
        **variables: str,
    ):
        self._master, slave = pty.openpty()
        self._unread = b""
        self.slave = slave
        self.resize(columns, lines)
        self.before = termios.tcgetattr(slave)
        self.process = subprocess.Popen(
            [*program] or command(*arguments),
            env=environment(
                TERM="xterm", COLUMNS=str(columns), LINES=str(lines), JOUTE_LANG="en", **variables
            ),
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
        )

    def resize(self, columns: int, lines: int) -> None:
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def wait_for(self, text: str) -> str:
        """All that appears up to this text, and was not waited for before."""
        wanted = text.encode()
        deadline = time.monotonic() + PATIENCE
        while wanted not in self._unread:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self._master], [], [], left)[0]:
                pytest.fail(f"waited in vain for {text!r} in {self._unread!r}")
            try:
                self._unread += os.read(self._master, 4096)
            except OSError:
                pytest.fail(f"it ended without {text!r}: {self._unread!r}")
        end = self._unread.index(wanted) + len(wanted)
        seen, self._unread = self._unread[:end], self._unread[end:]
        return seen.decode(errors="replace")

    def press(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def as_before(self) -> bool:
        """Whether the terminal is set as it was before the command."""
        return termios.tcgetattr(self.slave) == self.before

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.slave)
        os.close(self._master)
