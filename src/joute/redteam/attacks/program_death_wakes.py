"""Has itself continued while it is stopped: by the death of a child, which its alarm ends then."""

import os
import select
import signal
import threading

from attempt import attempt, burn, serve, system_call


def play(observation, clock):
    def child():
        for number in range(10):
            if system_call("clone", int(signal.SIGCONT), 0, 0, 0, 0) == 0:
                signal.setitimer(signal.ITIMER_REAL, 0.05 + number / 50)
                select.select([], [], [])

    def think():
        while True:
            burn(0.005)

    answer = attempt(child=child)
    if '"child"' in answer["message"].partition('"refused"')[0]:
        threading.Thread(target=think, daemon=True).start()
    return answer


if __name__ == "__main__":
    serve(play)
