"""Speaks to a service of this machine by its socket in the file system, as one speaks to Docker."""

import socket

from attempt import attempt


def play(observation, clock):
    aim = observation["aim"]

    def connect():
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(aim["door"])
            line.sendall(aim["token"].encode())

    def datagram():
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.sendto(aim["token"].encode(), aim["slot"])

    def pair():
        one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        with one, other:
            return one.sendto(aim["token"].encode(), aim["slot"])

    return attempt(connect=connect, datagram=datagram, pair=pair)
