"""The memory and files of a bot's process, read while the referee has it stopped."""

import json
from array import array
from pathlib import Path

from helpers import cannot_run

EACH = 8  # turns from one look to the next


class Examined:
    """A bot in its process, as the referee has it, looked into after its turns."""

    isolation = "limits"
    observes = True

    def __init__(self, seat):
        self._seat = seat
        self.observed = []
        self.looks = []  # (state, observation, what the process holds)

    def start(self, message):
        return self._seat.start(message)

    def ask(self, state, message):
        reply = self._seat.ask(state, message)
        assert reply.fault is None, reply.detail
        self.observed.append(message["observation"])
        if len(self.observed) % EACH == 1:
            held = holdings(self._seat._bot.pid)
            self.looks.append((list(state), message["observation"], held))
        return reply

    def end(self, message):
        self._seat.end(message)

    def close(self):
        self._seat.close()


def holdings(pid):
    """A stopped process of ours: {"memory", "environ", "cmdline": bytes; "open": links}.

    Of its memory, what it can write: the rest are files of the system.
    """
    here = Path(f"/proc/{pid}")
    parts = []
    try:
        with (here / "mem").open("rb", buffering=0) as memory:
            for line in (here / "maps").read_text("utf-8").splitlines():
                span, rights, *_, kind = f"{line} -".split()[:2] + line.split()[-1:]
                if not rights.startswith("rw") or kind in ("[vvar]", "[vsyscall]"):
                    continue
                first, last = (int(each, 16) for each in span.split("-"))
                memory.seek(first)
                parts.append(memory.read(last - first))
    except PermissionError:
        cannot_run("the system lets nobody read the memory of a child of its own")
    return {
        "memory": b"\0".join(parts),
        "environ": (here / "environ").read_bytes(),
        "cmdline": (here / "cmdline").read_bytes(),
        "open": {each.name: str(each.readlink()) for each in (here / "fd").iterdir()},
    }


def forms(numbers):
    """A list of numbers as a program may hold it: as text, or in a row, in 2 or 8 bytes each."""
    text = json.dumps(numbers, separators=(",", ":")).encode()
    return [text, *(array(kind, numbers).tobytes() for kind in "hq")]
