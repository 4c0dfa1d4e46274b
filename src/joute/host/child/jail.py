"""Shuts this process in, for good, before any of the bot's code is read.

Nothing here decides: the referee's process has made the policy, a JSON object (see
`joute.host.sandbox.policy`). What cannot be set ends the process: no bot runs with less than its
record says.
"""

import binascii
import os
import resource
import sys

from . import calls, landlock, namespaces, numbers, privileges, tree
from .confine import confine, die_with_parent, give_up_reserves, lower

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
    kept = apart and policy["tree"] and policy["children"] and numbers.separate()
    if "JOUTE_REFEREE" in os.environ:
        namespaces.report(int(os.environ.pop("JOUTE_REFEREE")), listener)
    writable, made = namespaces.enter(policy, _DEVICES) if apart else ([], False)
    nobody = privileges.become_nobody()
    confine(policy["memory_mb"])
    if counted or nobody:
        # Elsewhere it would count all that the user runs.
        keepers = numbers.KEEPERS if kept and not nobody else 0
        lower(resource.RLIMIT_NPROC, policy["processes"] + keepers)
    lower(resource.RLIMIT_NOFILE, policy["open_files"])
    give_up_reserves()
    # No RLIMIT_CPU: with it the kernel knows a process's time to the tick only, 4 ms of a turn.
    privileges.drop(keep_paths=nobody)
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
        calls.load(calls.only_own_signals(policy["signals"], os.getpid()))
    # The last, for it refuses to load another.
    calls.load(binascii.a2b_base64(policy["filter"]))


def _open(readable: "Iterable[str]", closed: "Iterable[str]") -> "Iterator[str]":
    """What is readable without what is closed below it, where the tree still shows that."""
    shut_in = set(closed).difference(readable)
    for path in readable:
        if not any(each == path or each.startswith(path + "/") for each in shut_in):
            yield path
        elif path not in shut_in and os.path.isdir(path):
            inside = [os.path.join(path, name) for name in os.listdir(path)]
            yield from _open([each for each in inside if each not in shut_in], shut_in)
