"""Makes itself a world of its own, in which it is root: the first step of most ways out."""

import os

from attempt import attempt, call

USER, MOUNT, NETWORK = 0x10000000, 0x00020000, 0x40000000


def play(observation, clock):
    return attempt(
        user=lambda: call("unshare", USER),
        mount=lambda: call("unshare", MOUNT),
        network=lambda: call("unshare", NETWORK),
        enter=lambda: call("setns", os.open("/proc/self/ns/net", os.O_RDONLY), 0),
    )
