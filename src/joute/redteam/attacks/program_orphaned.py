"""Computes in grandchildren whose parent has ended, so that others collect them with their time."""

import os
import signal

from attempt import attempt, burn, linger, serve


def play(observation, clock):
    def grandchildren():
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        for _ in range(15):
            done, told = os.pipe()
            number = os.fork()
            if number == 0:
                if os.fork() == 0:
                    linger(0.002)  # until its parent has ended
                    burn(0.015)
                os._exit(0)
            os.close(told)
            os.read(done, 1)  # at its end all have ended
            os.close(done)

    return attempt(grandchildren=grandchildren)


if __name__ == "__main__":
    serve(play)
