"""Stops another process by the calls, known by their numbers, that few know to send signals."""

import ctypes
import signal
import struct

from attempt import attempt, by_number


def play(observation, clock):
    decoy, stop = observation["aim"]["decoy"], int(signal.SIGSTOP)
    told = ctypes.create_string_buffer(struct.pack("=iii", stop, 0, -1), 128)

    def by_handle():
        handle = by_number(observation, "pidfd_open", decoy, 0)
        by_number(observation, "pidfd_send_signal", handle, stop, None, 0)

    return attempt(
        scope_thread=lambda: by_number(observation, "tgkill", decoy, decoy, stop),
        thread=lambda: by_number(observation, "tkill", decoy, stop),
        queue=lambda: by_number(observation, "rt_sigqueueinfo", decoy, stop, told),
        queue_to_thread=lambda: by_number(
            observation, "rt_tgsigqueueinfo", decoy, decoy, stop, told
        ),
        handle=by_handle,
    )
