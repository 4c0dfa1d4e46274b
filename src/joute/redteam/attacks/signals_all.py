"""Fills its user's queue of signals, of which all programs of that user together have so many."""

import ctypes
import os
import signal
import struct

from attempt import attempt, by_number

FIRST = 40


def play(observation, clock):
    me = os.getpid()
    signal.pthread_sigmask(signal.SIG_BLOCK, range(FIRST, 60))
    told = ctypes.create_string_buffer(struct.pack("=iii", FIRST, 0, -1), 128)

    def repeated(send):
        for number in range(200):
            send(FIRST + number % 20)

    return attempt(
        kill=lambda: repeated(lambda each: os.kill(me, each)),
        tgkill=lambda: repeated(lambda each: by_number(observation, "tgkill", me, me, each)),
        tkill=lambda: repeated(lambda each: by_number(observation, "tkill", me, each)),
        queue=lambda: repeated(
            lambda each: by_number(observation, "rt_sigqueueinfo", me, each, told)
        ),
        queue_to_thread=lambda: repeated(
            lambda each: by_number(observation, "rt_tgsigqueueinfo", me, me, each, told)
        ),
    )
