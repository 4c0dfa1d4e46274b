"""Namespaces: a process's own tree of files, network of one port or none, count and numbers.

A user namespace makes it possible without root, and gives the limit on processes a count of its
own; root needs none, and takes another user's number instead (see `jail`).

Process numbers of its own, a PID namespace, are for a bot that may start processes. The process
that was started stays outside and waits: it leads the session, and ends as the bot does. The first
process inside is ours, too, and not the bot, because the kernel spares the first the signals that
end any other, as abort() sends them; it collects the orphans. The second is the bot. Our two
neither hear nor read anything of it.
"""

import os
import resource
import signal
import struct

from . import tree
from .confine import die_with_parent, lower
from .system import (
    MOUNT_PRIVATE,
    MOUNT_RECURSIVE,
    NEW_GROUPS,
    NEW_MESSAGES,
    NEW_MOUNTS,
    NEW_NAMES,
    NEW_NETWORK,
    NEW_PROCESSES,
    NEW_USER,
    SET_PARENT_DEATH_SIGNAL,
    call,
    control,
    mount,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    import socket
    from typing import Any, Dict, Iterable, List, NoReturn, Optional, Tuple

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


KEEPERS = 2  # Processes of ours beside the bot's
_STATUS = struct.Struct("i")


def number_apart() -> bool:
    """Goes on as the second process of new numbers; False, as before, where they cannot be had.

    Raises OSError if there is no room for another process.
    """
    try:
        call("unshare", NEW_PROCESSES)
    except OSError:
        return False
    die_with_parent()
    # Means nothing inside, where a parent outside has the number 0.
    os.environ.pop("JOUTE_PARENT", None)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    told, tell = os.pipe()
    # Now, because the bot soon changes the tree of files that all three have in common.
    last = max(map(int, os.listdir("/proc/self/fd")))
    first = os.fork()
    if first:
        _hold_only(told, last)
        _end_as_told(first)
    control(SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    bot = os.fork()
    if bot:
        _hold_only(tell, last)
        _collect(bot)
    os.close(told)
    os.close(tell)
    return True


def _hold_only(descriptor: int, last: int) -> None:
    """Makes a descriptor number 0, and lets go of all others, to the last, and of the folder."""
    os.dup2(descriptor, 0)
    os.closerange(1, last + 1)
    os.chdir("/")


def _collect(bot: int) -> "NoReturn":
    """Collects all that ends inside, says how the bot did, and leaves when nobody is left."""
    while True:
        try:
            pid, status = os.wait()
        except ChildProcessError:
            os._exit(0)
        if pid == bot:
            # Processes that a script has started may go on without it.
            control(SET_PARENT_DEATH_SIGNAL, 0)
            os.write(0, _STATUS.pack(status))
            os.close(0)


def _end_as_told(first: int) -> "NoReturn":
    """Ends this process as the bot has ended, or else as the first process inside has."""
    data = os.read(0, _STATUS.size)
    status = _STATUS.unpack(data)[0] if data else os.waitpid(first, 0)[1]
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        lower(resource.RLIMIT_CORE, 0)
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [number])
        os.kill(os.getpid(), number)
    os._exit(os.WEXITSTATUS(status))
