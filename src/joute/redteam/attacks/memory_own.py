"""Asks for 10 GB in one piece, then for piece after piece; it stops by itself at `most_mb`."""

from attempt import attempt

_kept = []


def play(observation, clock):
    def pieces():
        for number in range(observation["aim"]["most_mb"] // 4):
            _kept.append(b"x" * (4 << 20))

    return attempt(once=lambda: len(bytearray(10 << 30)), pieces=pieces)
