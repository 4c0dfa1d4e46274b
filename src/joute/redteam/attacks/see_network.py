"""Reads the tables of this machine's network: sockets by name, connections, routes."""

import os

from attempt import attempt, cut_out, read


def play(observation, clock):
    aim = observation["aim"]
    thread = f"/proc/self/task/{os.getpid()}/net/unix"
    return attempt(
        named=lambda: cut_out(read("/proc/self/net/unix", 1 << 22), aim["mark"]),
        usual=lambda: cut_out(read("/proc/net/unix", 1 << 22), aim["mark"]),
        thread=lambda: cut_out(read(thread, 1 << 22), aim["mark"]),
        parent=lambda: cut_out(read(f"/proc/{aim['referee']}/net/unix", 1 << 22), aim["mark"]),
        connections=lambda: len(read("/proc/self/net/tcp")),
    )
