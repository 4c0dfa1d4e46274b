"""Leaves a process that nothing ties to the program it came from."""

import os
import sys

from attempt import attempt, serve

_SLEEP = "import select; select.select([], [], [], 20)"


def play(observation, clock):
    if observation["ply"] == 1:
        os._exit(0)  # whoever is its parent then is none of the bot's

    def orphan():
        ready, told = os.pipe()
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.closerange(0, 3)
                os.execve(sys.executable, ["kworker", "-S", "-c", _SLEEP], {})
            os._exit(0)
        os.close(told)
        os.wait()
        os.read(ready, 1)  # ends when the orphan has become the other program

    return attempt(orphan=orphan)


if __name__ == "__main__":
    serve(play)
