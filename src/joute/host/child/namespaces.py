"""What a process has for itself: a tree of files, a network of one port or none, its own count.

A user namespace makes it possible without root, and gives the limit on processes a count of its
own; root needs none, and takes another user's number instead (see `privileges`).
"""

import os
import struct

from . import tree
from .system import (
    MOUNT_PRIVATE,
    MOUNT_RECURSIVE,
    NEW_GROUPS,
    NEW_MESSAGES,
    NEW_MOUNTS,
    NEW_NAMES,
    NEW_NETWORK,
    NEW_USER,
    call,
    mount,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    import socket
    from typing import Any, Dict, Iterable, List, Optional, Tuple

_ALL = NEW_MOUNTS | NEW_NETWORK | NEW_MESSAGES | NEW_NAMES | NEW_GROUPS
_LOOPBACK = "127.0.0.1"
_GET_FLAGS, _SET_FLAGS, _UP = 0x8913, 0x8914, 1  # of a network interface


def separate(network: bool) -> "Tuple[bool, bool]":
    """Takes namespaces: whether this process has mounts of its own, and is counted apart.

    Args:
        network: whether it cannot do without a network of its own.

    Raises OSError if that network cannot be had.
    """
    root = os.geteuid() == 0
    user, group = os.geteuid(), os.getegid()
    try:
        call("unshare", (0 if root else NEW_USER) | _ALL)
    except OSError:
        if network:
            raise
        return False, False
    if not root:
        _write("setgroups", "deny")
        _write("uid_map", f"{user} {user} 1")
        _write("gid_map", f"{group} {group} 1")
    return True, not root


def enter(policy: "Dict[str, Any]", devices: "Iterable[str]") -> "Tuple[List[str], bool]":
    """Makes this process a tree of files of its own; the folders to write in, and whether it did.

    Where it cannot be had, what can: a scratch folder, or nothing at all.

    Args:
        policy: see `joute.host.sandbox.policy`.
        devices: to be shown besides what it names.
    """
    try:
        # Nothing of ours shows outside, whatever the host has shared.
        mount("", "/", MOUNT_RECURSIVE | MOUNT_PRIVATE)
        if policy["tree"]:
            try:
                return tree.build(policy, devices), True
            except (OSError, KeyError):
                pass  # a scratch folder will do
        return tree.furnish(policy["file_mb"]), not policy["tree"]
    except OSError:
        return [], False


def listen(port: int) -> "socket.socket":
    """A socket that listens to `port` of 127.0.0.1 in this process's own network.

    The program finds its server at the address that it was told, and there is nothing else to
    reach: neither the host's other ports nor another machine. Raises OSError.
    """
    import fcntl
    import socket

    with socket.socket() as any_socket:
        request = struct.pack("16sh14x", b"lo", 0)
        flags = struct.unpack("16sh14x", fcntl.ioctl(any_socket, _GET_FLAGS, request))[1]
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sh14x", b"lo", flags | _UP))
    listener = socket.socket()
    listener.bind((_LOOPBACK, port))
    listener.listen(8)
    return listener


def report(descriptor: int, listener: "Optional[socket.socket]") -> None:
    """Tells the referee which process this is, hands the socket over, and waits for its word.

    The word comes when this process is counted with the bot's. Closes both. Raises OSError.
    """
    if listener is None:
        os.write(descriptor, b"\0")  # the module of sockets takes long to import
    else:
        import socket

        with socket.socket(fileno=os.dup(descriptor)) as referee, listener:
            passed = struct.pack("i", listener.fileno())
            referee.sendmsg([b"\0"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, passed)])
    if not os.read(descriptor, 1):
        raise OSError("the referee has gone")
    os.close(descriptor)


def _write(name: str, text: str) -> None:
    with open("/proc/self/" + name, "w", encoding="ascii") as file:
        file.write(text)
