"""Connects by TCP to a program that listens on this machine, and to one elsewhere."""

import socket

from attempt import attempt


def play(observation, clock):
    aim = observation["aim"]

    def connect(family, host):
        with socket.socket(family) as line:
            line.settimeout(0.05)
            line.connect((host, aim["tcp"]))
            line.sendall(aim["token"].encode())

    def fast_open():
        with socket.socket() as line:
            line.sendto(aim["token"].encode(), socket.MSG_FASTOPEN, ("127.0.0.1", aim["tcp"]))

    return attempt(
        loopback=lambda: connect(socket.AF_INET, "127.0.0.1"),
        loopback_6=lambda: connect(socket.AF_INET6, "::ffff:127.0.0.1"),
        fast_open=fast_open,
    )
