"""Listens on a port, for whoever calls from outside, or for a partner in another game."""

import socket

from attempt import attempt

_kept = []


def play(observation, clock):
    aim = observation["aim"]

    def listen(port):
        server = socket.socket()
        _kept.append(server)
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        server.bind(("127.0.0.1", port))
        server.listen()

    def unbound():
        server = socket.socket()
        _kept.append(server)
        server.listen()  # the system chooses the port

    return attempt(chosen=lambda: listen(aim["free_port"]), any=lambda: listen(0), unbound=unbound)
