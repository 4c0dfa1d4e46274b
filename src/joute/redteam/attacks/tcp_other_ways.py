"""Connects to a program on this machine by what is not quite TCP, or not quite a connection."""

import socket

from attempt import attempt

TCP_BY_SEVERAL_PATHS, SCTP, SMC, FAST_OPEN = 262, 132, 43, 0x20000000


def play(observation, clock):
    door = ("127.0.0.1", observation["aim"]["tcp"])

    def connect(family, kind, protocol, address):
        with socket.socket(family, kind, protocol) as made:
            made.connect(address)

    def fast():
        with socket.socket() as made:
            made.sendto(b"?", FAST_OPEN, door)

    inet, six, stream = socket.AF_INET, socket.AF_INET6, socket.SOCK_STREAM
    return attempt(
        paths=lambda: connect(inet, stream, TCP_BY_SEVERAL_PATHS, door),
        fast=fast,
        mapped=lambda: connect(six, stream, 0, ("::ffff:127.0.0.1", door[1])),
        sctp=lambda: connect(inet, stream, SCTP, door),
        memory=lambda: connect(SMC, stream, 0, door),
        host=lambda: connect(socket.AF_VSOCK, stream, 0, (1, door[1])),
        raw=lambda: socket.socket(inet, socket.SOCK_RAW, 6).sendto(b"?" * 20, door),
    )
