"""Tells a partner in another game a word by pairs of sockets of two kinds, which are all listed."""

import socket

from attempt import attempt, read

BITS = 64
KINDS = (socket.SOCK_STREAM, socket.SOCK_SEQPACKET)

_kept = []
_before = set()


def play(observation, clock):
    aim = observation["aim"]

    def say():
        word = int(aim["word"][-16:], 16)
        for place in range(BITS):
            # One end will do, and takes half as many descriptors.
            _kept.append(socket.socketpair(socket.AF_UNIX, KINDS[word >> place & 1])[0])

    def listed():
        lines = read("/proc/self/net/unix", 1 << 22).decode().splitlines()[1:]
        fields = (line.split() for line in lines)
        return {int(each[6]): int(each[4], 16) for each in fields if len(each) == 7}

    def watch():
        _before.update(listed())

    def hear():
        fresh = {inode: kind for inode, kind in listed().items() if inode not in _before}
        # Numbered one after the other, while others' sockets come in between or elsewhere.
        spans = (range(first, first + 2 * BITS, 2) for first in sorted(fresh))
        span = next((span for span in spans if all(each in fresh for each in span)), None)
        if span is None:
            raise FileNotFoundError(2, "not listed")
        kinds = [fresh[inode] for inode in span]
        word = sum((kind == KINDS[1]) << place for place, kind in enumerate(kinds))
        return aim["mark"] + f"{word:016x}"

    if aim["word"]:
        return attempt(say=say)
    return attempt(hear=hear) if _before else attempt(watch=watch)
