"""Workers of a Dask cluster, and what is called on them.

The scheduler reads every call: so this file imports nothing heavy, and calls take bytes. The bytes
are the coordinator's, which workers trust as they trust the scheduler.
"""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from joute.contest.run.cluster.worker import Complaint
    from joute.contest.run.workers import PlayedGame


def examine(alike: dict[str, str], demand: bytes) -> Complaint | None:
    """The complaint about this machine, if any; see `worker.complaint`."""
    from joute.contest.run.cluster import worker

    return worker.complaint(alike, demand)


def play_here(batch: bytes) -> list[PlayedGame]:
    """The games of a batch, played; it is the pickled arguments of `worker.play_moved`."""
    from joute.contest.run.cluster import worker

    return worker.play_moved(*pickle.loads(batch))  # noqa: S301 - see above
