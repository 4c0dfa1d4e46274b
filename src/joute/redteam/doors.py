"""Sockets of every kind at which an attack might call, and who did."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_LETTER_BYTES = 1 << 10
_HERE = "127.0.0.1"


class Doors:
    """Listens by TCP, by UDP, and at sockets of the file system and without any file."""

    def __init__(self, folder: Path, name: str) -> None:
        """Opens the doors.

        Args:
            folder: where the sockets that are files go.
            name: of those that are none; another, with `.d` added, takes datagrams.
        """
        tcp = socket.create_server((_HERE, 0))
        udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        udp.bind((_HERE, 0))
        with socket.create_server((_HERE, 0)) as free:
            unused = free.getsockname()[1]
        self._open = {
            "the TCP port": tcp,
            "the UDP port": udp,
            "the socket": _local(str(folder / "door"), socket.SOCK_STREAM),
            "the socket for datagrams": _local(str(folder / "slot"), socket.SOCK_DGRAM),
            "the abstract socket": _local(f"\0{name}", socket.SOCK_STREAM),
            "the abstract socket for datagrams": _local(f"\0{name}.d", socket.SOCK_DGRAM),
        }
        self.addresses = {
            "tcp": tcp.getsockname()[1],
            "udp": udp.getsockname()[1],
            "free_port": unused,
            "door": str(folder / "door"),
            "slot": str(folder / "slot"),
            "abstract": name,
        }
        """Where to call, under the names that attacks use."""

    def calls(self) -> Iterator[str]:
        """The doors at which somebody called since this was last asked."""
        for name, door in self._open.items():
            door.setblocking(False)
            with suppress(BlockingIOError):
                if door.type == socket.SOCK_STREAM:
                    door.accept()[0].close()
                else:
                    door.recv(_LETTER_BYTES)
                yield name

    def close(self) -> None:
        """Closes all of them."""
        for door in self._open.values():
            door.close()


def _local(address: str, kind: socket.SocketKind) -> socket.socket:
    door = socket.socket(socket.AF_UNIX, kind)
    door.bind(address)
    if kind == socket.SOCK_STREAM:
        door.listen()
    return door
