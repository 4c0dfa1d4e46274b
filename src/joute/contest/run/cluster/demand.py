"""What a contest demands of other machines, found on the machine of its organiser."""

from __future__ import annotations

from joute.contest.config.contest import Contest
from joute.contest.run.cluster.parcel import pack
from joute.contest.run.cluster.worker import Demand
from joute.contest.run.isolation import hidden_paths, hosted_bots
from joute.play.game import SeatSpec


def demand_of(contest: Contest, trust: bool) -> Demand:
    """What a worker must have to play a contest; with `trust` its bots need no isolation."""
    hidden = hidden_paths(contest)
    bots, parcels = [], {}
    for bot in contest.bots:
        seat = SeatSpec(
            name=bot.name,
            bot=bot.bot,
            base=contest.base,
            python=bot.python,
            memory_mb=bot.memory_mb,
        )
        packed, parcel = pack(seat, hidden)
        bots.append(packed)
        if parcel is not None:
            parcels[parcel.name] = parcel
    isolated = hosted_bots(contest) and not trust
    return Demand(
        contest.limits.isolation if isolated else None, tuple(bots), tuple(parcels.values())
    )
