"""The memory that a bot's processes hold, looked at from outside while it is its turn.

The limit that a process sets on itself counts what it may write, and no longer what it has filled
and then protected, nor the kernel's tables of what it has mapped. So what each process really holds
is looked at too. Between two looks it can take more than it may, for a twentieth of a second.
"""

from __future__ import annotations

import re
import sys

from joute.host.descendants import family, read
from joute.i18n.words import Sentence, english

_WORTH_A_LOOK_SECONDS = 0.005
# Code that is compiled while it runs, and tables, come on top of what can be written.
_ALLOWANCE = 1.5
_HELD = re.compile(rb"^(?:RssAnon|VmSwap|VmPTE):\s+(\d+) kB", re.MULTILINE)


class MemoryWatch:
    """Whether a process of a bot holds much more memory than it may write."""

    def __init__(self, pid: int, memory_mb: int) -> None:
        """Nothing is looked at yet.

        Args:
            pid: of the bot's process.
            memory_mb: MiB that each process may write; 0 for no limit.
        """
        self._pid = pid
        self._most_kb = _ALLOWANCE * memory_mb * 1024
        self._watching = memory_mb > 0 and sys.platform == "linux"
        self._unseen = 0.0
        self.exceeded = False
        """Whether one was seen that does."""

    def look(self, wall: float) -> None:
        """Looks, once enough time has gone by.

        Args:
            wall: the seconds on the wall since this was called before, as far as it was running.
        """
        self._unseen += wall
        if self._watching and self._unseen > _WORTH_A_LOOK_SECONDS:
            self._unseen = 0.0
            self.exceeded = self.exceeded or any(
                held_kb(pid) > self._most_kb for pid in family(self._pid)
            )


def too_much(memory_mb: int) -> str:
    """What a process has done that was seen to hold too much, in words."""
    return english(Sentence("error.process.memory", most=memory_mb))


def held_kb(pid: int) -> int:
    """The KiB of a process's own memory and of its page tables; 0 of one that has gone."""
    return sum(map(int, _HELD.findall(read(f"/proc/{pid}/status"))))
