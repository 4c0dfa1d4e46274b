"""What `joute contest run --dask` says of the workers of a cluster."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from joute.i18n.words import say

if TYPE_CHECKING:
    from joute.contest.run.cluster.dask_pool import Refusal


def hear(refusal: Refusal | None) -> None:
    """Says on standard error why a worker gets no games, or that there is none."""
    if refusal is None:
        text = say("contest.no_worker")
    else:
        text = say(f"contest.refused.{refusal.reason}", **refusal._asdict())
    print(text, file=sys.stderr, flush=True)
