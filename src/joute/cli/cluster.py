"""What `joute contest run --dask` says of the workers of a cluster."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from joute.cli.exits import CheckFault
from joute.i18n.words import say

if TYPE_CHECKING:
    from joute.contest.run.cluster.pool import Refusal


def hear(refusal: Refusal | None) -> None:
    """Says on standard error why a worker gets no games, or that there is none."""
    if refusal is None:
        text = say("contest.no_worker")
    else:
        text = say(f"contest.refused.{refusal.reason}", **refusal._asdict())
    print(text, file=sys.stderr, flush=True)


@contextmanager
def explained() -> Iterator[None]:
    """Turns what can be wrong with a cluster into a message."""
    from joute.contest.run.cluster.pool import RefusedError, SchedulerError

    try:
        yield
    except SchedulerError as error:
        text = say("contest.no_scheduler", address=error.address, detail=error.detail)
        raise CheckFault(text) from None
    except RefusedError:  # the reasons were said as they were heard
        raise CheckFault(say("contest.refused_all")) from None
