"""Raises every limit that was set on it, by both calls that do."""

import ctypes
import resource
import struct

from attempt import attempt, by_number

NAMES = "AS CORE DATA FSIZE MEMLOCK MSGQUEUE NICE NOFILE NPROC RTPRIO SIGPENDING STACK".split()
MORE = 1 << 40


def play(observation, clock):
    def step(call, kind):
        hard = resource.getrlimit(kind)[1]
        if hard == resource.RLIM_INFINITY:
            raise OSError(22, "there is no limit")  # nothing to raise
        limits = ctypes.create_string_buffer(struct.pack("=QQ", hard + MORE, hard + MORE))
        if call == "setrlimit":
            return by_number(observation, call, kind, limits)
        return by_number(observation, call, 0, kind, limits, None)

    kinds = {name: getattr(resource, "RLIMIT_" + name) for name in NAMES}
    return attempt(
        **{
            name.lower() + at: lambda call=call, kind=kind: step(call, kind)
            for name, kind in kinds.items()
            for call, at in (("setrlimit", ""), ("prlimit64", "_again"))
        }
    )
