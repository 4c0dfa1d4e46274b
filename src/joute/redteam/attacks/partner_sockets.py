"""Tells a partner in another game a word, through sockets that have a name and no file."""

import socket

from attempt import attempt

_kept = []


def play(observation, clock):
    aim = observation["aim"]
    name = "\0word-" + aim["token"]

    def offer():
        server = socket.socket(socket.AF_UNIX)
        server.bind(name)
        server.listen()
        _kept.append(server)

    def letter_box():
        box = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        box.bind(name + ".d")
        box.setblocking(False)
        _kept.append(box)

    def send():
        one, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        one.sendto(aim["word"].encode(), name + ".d")

    if aim["word"]:
        return attempt(offer=offer, send=send)
    if not _kept:
        return attempt(box=letter_box)
    return attempt(receive=lambda: _kept[0].recv(200).decode())
