"""Computes in a process that is its parent's child, where nobody looks for its children's time."""

import os
import signal

from attempt import attempt, burn, serve, system_call

_SIBLING = 0x8000


def play(observation, clock):
    def sibling():
        done, told = os.pipe()
        if system_call("clone", _SIBLING | signal.SIGCHLD, 0, 0, 0, 0) == 0:
            burn(0.2)
            os._exit(0)
        os.close(told)
        os.read(done, 1)

    return attempt(sibling=sibling)


if __name__ == "__main__":
    serve(play)
