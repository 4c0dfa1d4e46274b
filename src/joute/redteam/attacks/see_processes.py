"""Counts through the numbers of processes, for those of others that it was not told of."""

import os

from attempt import attempt


def play(observation, clock):
    aim = observation["aim"]

    def found(exists):
        # Its neighbours in time: all others would take longer than a turn.
        near = sorted(
            range(aim["decoy"] - 300, aim["decoy"] + 300), key=lambda n: abs(n - aim["decoy"])
        )
        seen = [
            number
            for number in near
            if number not in (os.getpid(), aim["decoy"]) and exists(number)
        ]
        if not seen:
            raise FileNotFoundError(2, "none")
        return " ".join(f"process {number}." for number in seen[:8])

    def answers(number):
        try:
            os.kill(number, 0)
        except ProcessLookupError:
            return False
        return True

    def sessions(number):
        try:
            os.getsid(number)
        except OSError:
            return False
        return True

    return attempt(
        folders=lambda: found(lambda number: os.path.exists(f"/proc/{number}")),
        threads=lambda: found(lambda number: os.path.exists(f"/proc/self/task/{number}")),
        listed=lambda: len([name for name in os.listdir("/proc") if name.isdigit()]),
        scope_signals=lambda: found(answers),
    )
