"""Opens sockets that speak to the system itself: routes, raw packets, the kernel's cryptography."""

import socket

from attempt import attempt

_kept = []


def play(observation, clock):
    def hold(*kind):
        line = socket.socket(*kind)
        _kept.append(line)
        return line

    return attempt(
        netlink=lambda: hold(socket.AF_NETLINK, socket.SOCK_RAW, 0).bind((0, 0)),
        raw=lambda: hold(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP),
        packet=lambda: hold(socket.AF_PACKET, socket.SOCK_RAW),
        crypto=lambda: hold(socket.AF_ALG, socket.SOCK_SEQPACKET),
        vsock=lambda: hold(socket.AF_VSOCK, socket.SOCK_STREAM),
    )
