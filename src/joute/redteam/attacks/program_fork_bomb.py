"""Starts children, which a program may have, until it may start no more."""

import os
import subprocess
import sys

from attempt import attempt, linger, serve


def play(observation, clock):
    most = observation["aim"]["most_processes"]

    def bomb():
        for number in range(most):
            if os.fork() == 0:
                linger(20)
                os._exit(0)
        return most

    return attempt(
        fork=bomb,
        vfork=lambda: subprocess.run([sys.executable, "-c", ""], check=False).returncode,
        spawn=lambda: os.posix_spawn(sys.executable, [sys.executable, "-c", ""], {}),
    )


if __name__ == "__main__":
    serve(play)
