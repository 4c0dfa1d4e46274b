"""Tells a partner in another game a word by its own name and command line, which `/proc` shows."""

import os

from attempt import attempt, call, cut_out, read


def play(observation, clock):
    aim = observation["aim"]

    def rename():
        call("prctl", 15, aim["word"][-15:].encode(), 0, 0, 0)  # PR_SET_NAME

    def look():
        partner = aim["partner"]
        return aim["mark"] + aim["hint"] + read(f"/proc/{partner}/comm").decode().strip()

    if aim["word"]:
        return attempt(rename=rename)
    return attempt(
        name=look,
        command=lambda: cut_out(read(f"/proc/{aim['partner']}/cmdline"), aim["mark"]),
        list=lambda: len([name for name in os.listdir("/proc") if name.isdigit()]),
    )
