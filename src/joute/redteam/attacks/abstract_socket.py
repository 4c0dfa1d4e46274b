"""Speaks to a service by a socket that has a name and no file, which no rights of files guard."""

import socket

from attempt import attempt


def play(observation, clock):
    aim = observation["aim"]

    def connect():
        with socket.socket(socket.AF_UNIX) as line:
            line.connect("\0" + aim["abstract"])
            line.sendall(aim["token"].encode())

    def datagram():
        one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        with one, other:
            return one.sendto(aim["token"].encode(), "\0" + aim["abstract"] + ".d")

    return attempt(connect=connect, datagram=datagram)
