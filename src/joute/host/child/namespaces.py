"""What a process has for itself: a scratch folder in memory, a network of one port, its own count.

A user namespace makes it possible without root, and gives the limit on processes a count of its
own; root needs none, and takes another user's number instead (see `privileges`).
"""

import os
import struct

from .system import (
    MOUNT_NO_DEVICES,
    MOUNT_NO_SETUID,
    MOUNT_PRIVATE,
    MOUNT_RECURSIVE,
    NEW_MOUNTS,
    NEW_NETWORK,
    NEW_USER,
    call,
    mount,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    import socket
    from typing import List, Optional, Tuple

SCRATCH = "/dev/shm"  # noqa: S108 - on every Linux, and never the host's own in here
"""Where the only files that a bot may write go; in memory, gone with its last process."""

_FILES = 4096  # in the scratch folder, at most: each takes memory, even if it is empty
_LOOPBACK = "127.0.0.1"
_GET_FLAGS, _SET_FLAGS, _UP = 0x8913, 0x8914, 1  # of a network interface


def separate(network: bool) -> "Tuple[bool, bool]":
    """Takes namespaces: whether this process has mounts of its own, and is counted apart.

    Args:
        network: whether it needs a network of its own.

    Raises OSError if the network cannot be had.
    """
    root = os.geteuid() == 0
    user, group = os.geteuid(), os.getegid()
    own_network = NEW_NETWORK if network else 0
    try:
        call("unshare", (0 if root else NEW_USER) | NEW_MOUNTS | own_network)
    except OSError:
        if network:
            raise
        return False, False
    if not root:
        _write("setgroups", "deny")
        _write("uid_map", f"{user} {user} 1")
        _write("gid_map", f"{group} {group} 1")
    return True, not root


def scratch(megabytes: int, layered: str) -> "List[str]":
    """Mounts the scratch folder; itself, and `layered` if that can be written now.

    Only for a process with mounts of its own: root would mount it for everybody.

    Args:
        megabytes: how much it holds.
        layered: a folder that seems writable from here on, while what is written stays in the
            scratch folder; "" for none.
    """
    options = f"size={megabytes}m,nr_inodes={_FILES},mode=0777"
    try:
        # Nothing of ours shows outside, whatever the host has shared.
        mount("", "/", MOUNT_RECURSIVE | MOUNT_PRIVATE)
        mount("tmpfs", SCRATCH, MOUNT_NO_SETUID | MOUNT_NO_DEVICES, options)
        written = bool(layered) and _layer(layered)
        if written:
            # The layer holds a copy of each file that is opened to be changed, rivals' too: what
            # lies below this second mount can be read by no name.
            mount("tmpfs", SCRATCH, MOUNT_NO_SETUID | MOUNT_NO_DEVICES, options)
    except OSError:
        return []
    return [SCRATCH, layered] if written else [SCRATCH]


def _layer(folder: str) -> bool:
    upper, work = SCRATCH + "/.upper", SCRATCH + "/.work"
    extended = ",userxattr" if os.geteuid() else ""
    if set(folder) & set(",:\\"):
        return False  # these mean something to the mount
    try:
        os.makedirs(upper)
        os.makedirs(work)
        os.chmod(upper, 0o777)  # noqa: S103 - whoever this process becomes writes there
        options = f"lowerdir={folder},upperdir={upper},workdir={work}{extended}"
        mount("overlay", folder, MOUNT_NO_SETUID | MOUNT_NO_DEVICES, options)
    except OSError:
        return False  # the folder can only be read
    return True


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
    import socket

    passed = [] if listener is None else [struct.pack("i", listener.fileno())]
    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, each) for each in passed]
    with socket.socket(fileno=descriptor) as referee:
        referee.sendmsg([b"\0"], rights)
        if not referee.recv(1):
            raise OSError("the referee has gone")
    if listener is not None:
        listener.close()


def _write(name: str, text: str) -> None:
    with open("/proc/self/" + name, "w", encoding="ascii") as file:
        file.write(text)
