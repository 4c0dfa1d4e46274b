"""Shuts this process in, for good, before any of the bot's code is read.

Nothing here decides: the referee's process has made the policy, a JSON object (see
`joute.host.sandbox.policy`). What cannot be set ends the process: no bot runs with less than its
record says.
"""

import binascii
import os
import resource
import sys

from . import calls, landlock, namespaces, privileges
from .confine import confine, die_with_parent, give_up_reserves, lower

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict

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
    if "JOUTE_REFEREE" in os.environ:
        namespaces.report(int(os.environ.pop("JOUTE_REFEREE")), listener)
    writable = namespaces.scratch(policy["file_mb"], policy["written"]) if apart else []
    if policy["written"] in writable:
        os.chdir(policy["written"])  # what it was in before lies below
    nobody = privileges.become_nobody()
    confine(policy["memory_mb"])
    if counted or nobody:
        # Elsewhere it would count all that the user runs.
        lower(resource.RLIMIT_NPROC, policy["processes"])
    lower(resource.RLIMIT_NOFILE, policy["open_files"])
    give_up_reserves()
    # No RLIMIT_CPU: with it the kernel knows a process's time to the tick only, 4 ms of a turn.
    privileges.drop(keep_paths=nobody)
    # A change of user undoes it.
    die_with_parent()
    os.environ["HOME"] = os.environ["TMPDIR"] = namespaces.SCRATCH
    rules = landlock.Ruleset(known)
    rules.allow(policy["readable"], landlock.READ)
    rules.allow(policy["listed"], landlock.LIST)
    rules.allow(_DEVICES, landlock.USE)
    rules.allow(writable[:1], landlock.WRITE)
    rules.allow(writable[1:], landlock.CHANGE)
    rules.allow_port(port)
    rules.enforce()
    if known < landlock.KEEPS_SIGNALS:
        calls.load(calls.only_own_signals(policy["signals"], os.getpid()))
    # The last, for it refuses to load another.
    calls.load(binascii.a2b_base64(policy["filter"]))
