"""Starts processes that outlive it, one in a session of its own without a parent, and loops."""

import os
import time


def ia(game, side):
    for detached in (False, True):
        if os.fork() == 0:
            if detached:
                os.setsid()
                if os.fork() != 0:
                    os._exit(0)
                # Its environment no longer tells where it comes from.
                os.execve("/bin/sleep", ["sleep", "3600"], {})
            while True:
                time.sleep(3600)
    print("forked", flush=True)
    while True:
        pass
