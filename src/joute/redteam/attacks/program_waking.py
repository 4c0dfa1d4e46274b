"""Has itself continued while it is stopped, by a child, which a program may have."""

import os
import signal
import threading

from attempt import attempt, burn, child, linger, serve

_turns = []


def play(observation, clock):
    me = os.getpid()
    _turns.append(observation)
    own_turn = len(_turns)

    def think():
        linger(0.03)
        while len(_turns) == own_turn:
            burn(0.005)

    def wake():
        for number in range(500):
            linger(0.01)
            os.kill(me, signal.SIGCONT)

    threading.Thread(target=think, daemon=True).start()
    return attempt(child=lambda: child(wake))


if __name__ == "__main__":
    serve(play)
