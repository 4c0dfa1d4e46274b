"""Has itself continued while it is stopped: by a timer of the kernel's that sends SIGCONT."""

import ctypes
import signal
import struct
import threading

from attempt import attempt, burn, by_number

_turns = []


def play(observation, clock):
    _turns.append(observation)
    if len(_turns) > 1:
        return attempt()
    signal.signal(signal.SIGCONT, lambda *_: None)

    def think():
        while True:
            burn(0.005)

    def timer(which):
        event = ctypes.create_string_buffer(struct.pack("=Qii48x", 0, signal.SIGCONT, 0))
        made = ctypes.c_int()
        by_number(observation, "timer_create", which, event, ctypes.byref(made))
        times = ctypes.create_string_buffer(struct.pack("=qqqq", 0, 2_000_000, 0, 2_000_000))
        by_number(observation, "timer_settime", made.value, 0, times, None)

    answer = attempt(real=lambda: timer(0), monotonic=lambda: timer(1), boot=lambda: timer(7))
    threading.Thread(target=think, daemon=True).start()
    return answer
