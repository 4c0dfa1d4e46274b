"""The lateness of a simple timer while a test runs: what a busy host takes of it."""

import threading
import time

LOOK_SECONDS = 0.02
PARTS = 4  # of what is measured, each of which the machine may delay like a timer


class Lateness:
    """Watches a timer for as long as it is entered."""

    def __enter__(self):
        self.worst_ms = 0.0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        self._thread.join()

    def allows(self, milliseconds):
        """A limit of an idle machine as one of this machine in this time."""
        return milliseconds + PARTS * self.worst_ms

    def _watch(self):
        while not self._over.is_set():
            began = time.perf_counter()
            self._over.wait(LOOK_SECONDS)
            late = 1000 * (time.perf_counter() - began - LOOK_SECONDS)
            self.worst_ms = max(self.worst_ms, late)
