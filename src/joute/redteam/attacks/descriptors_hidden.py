"""Hides open files from the limit on them: sends them to itself, and closes its own."""

import os
import socket

from attempt import attempt

_kept = []


def play(observation, clock):
    def hide(kind):
        here, there = socket.socketpair(socket.AF_UNIX, kind)
        _kept.extend((here, there))
        for _ in range(20):
            files = [end for _ in range(5) for end in os.pipe()]
            try:
                socket.send_fds(here, [b"."], files)
            finally:
                for file in files:
                    os.close(file)

    return attempt(
        streams=lambda: hide(socket.SOCK_STREAM),
        packets=lambda: hide(socket.SOCK_SEQPACKET),
        datagrams=lambda: hide(socket.SOCK_DGRAM),
    )
