"""Blames the machine: threads of the lowest class sleep again and again and seem to wait for it."""

import os
import threading
import time

from attempt import attempt, linger


def _nap():
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    while True:
        time.sleep(0.001)


def play(observation, clock):
    def lowest():
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))

    def nicest():
        os.setpriority(os.PRIO_PROCESS, 0, 19)

    answer = attempt(lowest=lowest, nicest=nicest)
    for _ in range(5):
        threading.Thread(target=_nap, daemon=True).start()
    linger(2.6)
    return answer
