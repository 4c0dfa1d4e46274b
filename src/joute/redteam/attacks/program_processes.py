"""Counts through the numbers of processes, as a program may that has children to signal."""

import os

from attempt import attempt, serve


def play(observation, clock):
    aim = observation["aim"]

    def found(exists):
        near = sorted(
            range(aim["decoy"] - 300, aim["decoy"] + 300), key=lambda n: abs(n - aim["decoy"])
        )
        seen = [each for each in near if each not in (os.getpid(), aim["decoy"]) and exists(each)]
        if not seen:
            raise FileNotFoundError(2, "none")
        return " ".join(f"process {number}." for number in seen[:8])

    def answers(number):
        try:
            os.kill(number, 0)
        except PermissionError:
            pass  # it is there
        except ProcessLookupError:
            return False
        return True

    def first():
        # Ours, who wait for its end outside of its jail.
        return open("/proc/1/environ").read() + open("/proc/1/cmdline").read()

    return attempt(
        folders=lambda: found(lambda number: os.path.exists(f"/proc/{number}")),
        signals=lambda: found(answers),
        referee=lambda: os.readlink(f"/proc/{aim['referee']}/exe"),
        first=first,
    )


if __name__ == "__main__":
    serve(play)
