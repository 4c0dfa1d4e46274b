"""Sends a datagram, and binds a port for datagrams."""

import socket

from attempt import attempt

_kept = []


def play(observation, clock):
    aim = observation["aim"]

    def send():
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
            return line.sendto(aim["token"].encode(), ("127.0.0.1", aim["udp"]))

    def bind():
        line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        _kept.append(line)
        line.bind(("127.0.0.1", 0))

    return attempt(send=send, bind=bind)
