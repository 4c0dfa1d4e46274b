"""Starts processes that outlive it, one in a session of its own without a parent, and loops."""

import os
import time

started = []


def ia(game, side):
    ready, tell = os.pipe()
    for detached in (False, True):
        if os.fork() == 0:
            if detached:
                os.setsid()
                if os.fork() != 0:
                    os._exit(0)
            os.write(tell, b"%d\n" % os.getpid())
            if detached:
                # Its environment no longer tells where it comes from.
                os.execve("/bin/sleep", ["sleep", "3600"], {})
            while True:
                time.sleep(3600)
    while len(started) < 2:
        started.extend(os.read(ready, 100).split())
    print("started", *[pid.decode() for pid in started], flush=True)
    return computed()


def computed():
    while True:
        pass
