"""Shuts this process in, for good, before any of the bot's code is read.

Nothing here decides: the referee's process has made the policy, a JSON object (see
`joute.host.sandbox.policy`). What cannot be set ends the process: no bot runs with less than its
record says.
"""

import binascii
import ctypes
import os
import resource
import struct
import sys

from . import landlock, namespaces, tree
from .confine import confine, die_with_parent, give_up_reserves, lower
from .system import (
    AMBIENT_CAPABILITIES,
    DROP_CAPABILITY,
    SET_DUMPABLE,
    SET_KEEP_CAPABILITIES,
    SET_NO_NEW_PRIVILEGES,
    call,
    control,
    load_filter,
    only_own_signals,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterable, Iterator

_DEVICES = ("/dev/null",)
_REFUSED = 126


def shut(policy: "Dict[str, Any]") -> None:
    """Applies the policy to this process; ends it if that cannot be done."""
    try:
        _shut(policy)
    except Exception as error:  # whatever it is, nothing runs outside
        sys.stderr.write("the sandbox cannot be set: " + repr(error) + "\n")
        sys.stderr.flush()
        os._exit(_REFUSED)


def _shut(policy: "Dict[str, Any]") -> None:
    known = min(landlock.version(), policy["landlock"])
    if known < 1:
        raise OSError("the kernel has no Landlock")
    port = policy["port"]
    apart, counted = namespaces.separate(network=port is not None)
    listener = None if port is None else namespaces.listen(port)
    # Inside bubblewrap it has them already; one that starts no process sees its own folder only.
    kept = apart and policy["tree"] and policy["children"] and namespaces.number_apart()
    if "JOUTE_REFEREE" in os.environ:
        namespaces.report(int(os.environ.pop("JOUTE_REFEREE")), listener)
    writable, made = namespaces.enter(policy, _DEVICES) if apart else ([], False)
    nobody = become_nobody()
    confine(policy["memory_mb"])
    if counted or nobody:
        # Elsewhere it would count all that the user runs.
        keepers = namespaces.KEEPERS if kept and not nobody else 0
        lower(resource.RLIMIT_NPROC, policy["processes"] + keepers)
    lower(resource.RLIMIT_NOFILE, policy["open_files"])
    give_up_reserves()
    # No RLIMIT_CPU: with it the kernel knows a process's time to the tick only, 4 ms of a turn.
    drop_capabilities(keep_paths=nobody)
    # A change of user undoes it.
    die_with_parent()
    os.environ["HOME"] = os.environ["TMPDIR"] = tree.SCRATCH
    rules = landlock.Ruleset(known)
    readable = policy["readable"]
    rules.allow(readable if made else _open(readable, policy["closed"]), landlock.READ)
    rules.allow(policy["listed"], landlock.LIST)
    rules.allow(_DEVICES, landlock.USE)
    rules.allow(writable[:1], landlock.WRITE)
    rules.allow(writable[1:], landlock.CHANGE)
    rules.allow_port(port)
    rules.enforce()
    # One that starts no process has nobody to signal; the answer would tell who is there.
    if known < landlock.KEEPS_SIGNALS or not policy["children"]:
        load_filter(only_own_signals(policy["signals"], os.getpid()))
    # The last, for it refuses to load another.
    in_tree = policy["filter_in_tree"] if made else ""
    load_filter(binascii.a2b_base64(in_tree or policy["filter"]))


def _open(readable: "Iterable[str]", closed: "Iterable[str]") -> "Iterator[str]":
    """The readable paths, without those closed below them, where the tree still shows these."""
    shut_in = set(closed).difference(readable)
    for path in readable:
        if not any(each == path or each.startswith(path + "/") for each in shut_in):
            yield path
        elif path not in shut_in and os.path.isdir(path):
            inside = [os.path.join(path, name) for name in os.listdir(path)]
            yield from _open([each for each in inside if each not in shut_in], shut_in)


_HEADER = struct.pack("=Ii", 0x20080522, 0)  # version 3, this process
_LAST_CAPABILITY = 63
_IGNORE_OWNERS = 1  # CAP_DAC_OVERRIDE
_RAISE = 2  # for PR_CAP_AMBIENT
_FIRST_NUMBER = 0x70000000  # beyond those of people and of containers
_NUMBERS = 1 << 28


def become_nobody() -> bool:
    """Takes, as root, a user's number that nobody else has; whether it did.

    The kernel counts no processes of root's, and root owns files. Paths are left to Landlock, so
    that bots may lie in root's own folders.
    """
    if os.geteuid() != 0:
        return False
    number = _FIRST_NUMBER + int.from_bytes(os.urandom(4), "big") % _NUMBERS
    try:
        # Before the change of user, which takes the right to.
        _narrow(1 << _IGNORE_OWNERS)
        control(SET_KEEP_CAPABILITIES, 1)
        os.setgroups([])
        os.setresgid(number, number, number)
        os.setresuid(number, number, number)
    except OSError:
        return False
    return True


def drop_capabilities(keep_paths: bool) -> None:
    """Gives up every capability, now and for whatever is executed.

    Args:
        keep_paths: whether files can be reached whoever owns them.

    Raises OSError.
    """
    kept = 1 << _IGNORE_OWNERS if keep_paths else 0
    _narrow(kept)
    low = struct.pack("=III", kept, kept, kept)
    call("capset", ctypes.c_char_p(_HEADER), ctypes.c_char_p(low + bytes(12)))
    if keep_paths:
        control(AMBIENT_CAPABILITIES, _RAISE, _IGNORE_OWNERS)
    control(SET_NO_NEW_PRIVILEGES, 1)
    # Another user's number makes /proc/self root's.
    control(SET_DUMPABLE, 1)


def _narrow(kept: int) -> None:
    """Takes out of this process's reach, for good, the capabilities that are not in `kept`.

    Where it may not, nothing that it executes gives it any, because of no_new_privs.
    """
    for number in range(_LAST_CAPABILITY + 1):
        if not kept >> number & 1:
            try:
                control(DROP_CAPABILITY, number)
            except OSError:
                break  # beyond the last, or without the right to
