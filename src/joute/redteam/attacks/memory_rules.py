"""Takes memory of the kernel's: makes rules of Landlock, any number in each open file."""

import ctypes
import struct

from attempt import attempt, by_number

_kept = []


def play(observation, clock):
    def rules():
        handled = ctypes.create_string_buffer(struct.pack("=QQ", 1, 3))
        made = by_number(observation, "landlock_create_ruleset", handled, 16, 0)
        _kept.append(made)
        for port in range(1, 1 << 12):
            rule = ctypes.create_string_buffer(struct.pack("=QQ", 2, port))
            by_number(observation, "landlock_add_rule", made, 2, rule, 0)

    return attempt(rules=rules)
