"""Attacks that call others, or let themselves be called: by TCP, UDP, local and rarer sockets."""

import socket

from joute.redteam.attacks.attempt import attempt, kept

_TCP_BY_SEVERAL_PATHS, _SCTP, _SMC = 262, 132, 43
_HERE = "127.0.0.1"


def _held(*kind):
    """A socket that stays open."""
    kept.append(socket.socket(*kind))
    return kept[-1]


def _connect(kind, address, text=b"", seconds=None):
    with socket.socket(*kind) as line:
        line.settimeout(seconds)
        line.connect(address)
        line.sendall(text)


def _by_pair(text, address):
    """Sends a datagram through an end of a pair, which has a peer already."""
    one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with one, other:
        return one.sendto(text, address)


def tcp_out(aim):
    """Connects by TCP to a program that listens on this machine, and to one elsewhere."""
    token = aim["token"].encode()

    def connect(family, host):
        _connect((family,), (host, aim["tcp"]), token, seconds=0.05)

    def fast_open():
        with socket.socket() as line:
            line.sendto(token, socket.MSG_FASTOPEN, (_HERE, aim["tcp"]))

    return attempt(
        loopback=lambda: connect(socket.AF_INET, _HERE),
        loopback_6=lambda: connect(socket.AF_INET6, "::ffff:127.0.0.1"),
        fast_open=fast_open,
    )


def tcp_listen(aim):
    """Listens on a port, for whoever calls from outside, or for a partner in another game."""

    def listen(port):
        server = _held()
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        server.bind((_HERE, port))
        server.listen()

    def unbound():
        _held().listen()  # the system chooses the port

    return attempt(chosen=lambda: listen(aim["free_port"]), any=lambda: listen(0), unbound=unbound)


def tcp_other_ways(aim):
    """Connects to a program on this machine by protocols and calls that are close to TCP."""
    door = (_HERE, aim["tcp"])

    def fast():
        with socket.socket() as made:
            made.sendto(b"?", socket.MSG_FASTOPEN, door)

    inet, six, stream = socket.AF_INET, socket.AF_INET6, socket.SOCK_STREAM
    return attempt(
        paths=lambda: _connect((inet, stream, _TCP_BY_SEVERAL_PATHS), door),
        fast=fast,
        mapped=lambda: _connect((six, stream), ("::ffff:127.0.0.1", door[1])),
        sctp=lambda: _connect((inet, stream, _SCTP), door),
        memory=lambda: _connect((_SMC, stream), door),
        host=lambda: _connect((socket.AF_VSOCK, stream), (1, door[1])),
        raw=lambda: socket.socket(inet, socket.SOCK_RAW, 6).sendto(b"?" * 20, door),
    )


def udp_out(aim):
    """Sends a datagram, and binds a port for datagrams."""

    def send():
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
            return line.sendto(aim["token"].encode(), (_HERE, aim["udp"]))

    def bind():
        _held(socket.AF_INET, socket.SOCK_DGRAM).bind((_HERE, 0))

    return attempt(send=send, bind=bind)


def unix_socket(aim):
    """Connects to a service of this machine by its socket in the file system, as for Docker."""
    token = aim["token"].encode()

    def datagram():
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.sendto(token, aim["slot"])

    return attempt(
        connect=lambda: _connect((socket.AF_UNIX,), aim["door"], token),
        datagram=datagram,
        pair=lambda: _by_pair(token, aim["slot"]),
    )


def abstract_socket(aim):
    """Connects to a service by a socket that has a name and no file, so no rights of files."""
    token, name = aim["token"].encode(), "\0" + aim["abstract"]
    return attempt(
        connect=lambda: _connect((socket.AF_UNIX,), name, token),
        datagram=lambda: _by_pair(token, name + ".d"),
    )


def netlink(aim):
    """Opens sockets to the system itself: routes, raw packets, the kernel's cryptography."""
    return attempt(
        netlink=lambda: _held(socket.AF_NETLINK, socket.SOCK_RAW, 0).bind((0, 0)),
        raw=lambda: _held(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP),
        packet=lambda: _held(socket.AF_PACKET, socket.SOCK_RAW),
        crypto=lambda: _held(socket.AF_ALG, socket.SOCK_SEQPACKET),
        vsock=lambda: _held(socket.AF_VSOCK, socket.SOCK_STREAM),
    )
