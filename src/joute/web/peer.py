"""Whose program is at the other end of a connection within this machine (Linux).

The kernel lists every TCP socket with the number of its user, to whoever asks.
"""

from __future__ import annotations

import ipaddress
import os
import socket
import sys
from pathlib import Path

LISTS = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
ROOT = 0
_OWN, _STATE, _USER = 1, 3, 7  # columns; the first of them is the socket's own address
_ESTABLISHED = "01"  # a socket that was closed is listed a while as root's


def is_ours(host: str, port: int, lists: tuple[Path, ...] = LISTS) -> bool:
    """Whether the socket of that address is of the user whose process this is, or of root.

    So it is of whoever cannot be told: on systems without these lists, and from another machine.
    """
    try:
        if not ipaddress.ip_address(host).is_loopback:
            return True
    except ValueError:
        return True
    written = [_written(path) for path in lists]
    if not any(written):
        return True
    wanted = {f"{form}:{port:04X}" for form in _forms(host)}
    owners = {
        line[_USER]
        for lines in written
        for line in lines
        if line[_OWN] in wanted and line[_STATE] == _ESTABLISHED
    }
    return bool(owners) and owners <= {str(user) for user in _users()}


def _users() -> set[int]:
    """This process's user, root, and who has become root by sudo."""
    found = {os.getuid(), ROOT}
    sudo = os.environ.get("SUDO_UID", "")
    return found | ({int(sudo)} if os.getuid() == ROOT and sudo.isdecimal() else set())


def _written(path: Path) -> list[list[str]]:
    """The lines of a list, in columns."""
    try:
        text = path.read_text(encoding="ascii")
    except OSError:
        return []
    return [line.split() for line in text.splitlines()[1:]]


def _forms(host: str) -> list[str]:
    """An address as the lists write it: words of four bytes in the machine's order, in hex."""
    if ":" not in host:
        plain = socket.inet_pton(socket.AF_INET, host)
        return [_hex(plain), _hex(b"\0" * 10 + b"\xff\xff" + plain)]
    packed = ipaddress.IPv6Address(host.partition("%")[0])
    own = [_hex(packed.packed)]
    return own if packed.ipv4_mapped is None else [*own, *_forms(str(packed.ipv4_mapped))]


def _hex(address: bytes) -> str:
    words = (address[at : at + 4] for at in range(0, len(address), 4))
    return "".join(f"{int.from_bytes(word, sys.byteorder):08X}" for word in words)
