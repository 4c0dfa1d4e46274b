"""Takes memory of the kernel's: fills pairs of sockets that nobody reads, with wide buffers."""

import socket

from attempt import attempt

WIDE = 1 << 20
_kept, _written = [], []


def play(observation, clock):
    most = observation["aim"]["most_mb"] << 20
    piece = bytes(1 << 17)

    def fill(kind, wide):
        written = 0
        while sum(_written) + written < most:
            pair = socket.socketpair(socket.AF_UNIX, kind)
            _kept.append(pair)
            for end in pair:
                end.setblocking(False)
                if wide:
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, WIDE)
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, WIDE)
                try:
                    while True:
                        written += end.send(piece)
                except BlockingIOError:
                    pass
        _written.append(written)
        return written >> 20

    return attempt(
        streams=lambda: fill(socket.SOCK_STREAM, True),
        packets=lambda: fill(socket.SOCK_SEQPACKET, True),
        usual=lambda: fill(socket.SOCK_STREAM, False),
    )
