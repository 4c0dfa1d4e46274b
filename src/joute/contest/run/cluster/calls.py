"""What is called on a worker. The scheduler reads every call: it imports nothing, and takes bytes.

The bytes are the coordinator's, whom workers trust as they trust the scheduler.
"""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from joute.contest.run.cluster.worker import Complaint
    from joute.contest.run.work import Played


def examine(alike: dict[str, str], demand: bytes) -> Complaint | None:
    """What is wrong with this machine, if anything; see `worker.complaint`."""
    from joute.contest.run.cluster import worker

    return worker.complaint(alike, demand)


def play_here(batch: bytes) -> list[Played]:
    """What comes of a batch: the pickled arguments of `worker.play_moved`."""
    from joute.contest.run.cluster import worker

    return worker.play_moved(*pickle.loads(batch))  # noqa: S301 - see above
