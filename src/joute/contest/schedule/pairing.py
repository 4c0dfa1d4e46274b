"""Pairs of neighbours in an order who have not met yet.

Colours have no part in it: a meeting is a set of games in which both bots sit at both seats. So it
is simpler than the systems of chess federations, which balance colours.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

Pair = tuple[str, str]

MOST_TOGETHER = 12  # names that are paired anew, in all possible ways, where the last ones all met


def pairs(ordered: Sequence[str], met: Collection[frozenset[str]]) -> list[Pair]:
    """Everybody with the nearest below who is free and was not met before.

    Where those at the end have all met each other, the last pairs are taken apart and paired
    anew; where that does not help, some meet again. An even number of names.
    """
    free = list(ordered)
    found: list[Pair] = []
    while free:
        one = free[0]
        other = next((each for each in free[1:] if frozenset((one, each)) not in met), None)
        if other is None:
            repaired = _repaired(found, free, ordered, met)
            if repaired is not None:
                return repaired
            other = free[1]
        found.append((one, other))
        free = [name for name in free if name not in (one, other)]
    return found


def _repaired(
    found: list[Pair], free: list[str], ordered: Sequence[str], met: Collection[frozenset[str]]
) -> list[Pair] | None:
    """All pairs, with as few of those `found` taken apart as can be."""
    for kept in range(len(found), -1, -1):
        loose = {*free, *(name for pair in found[kept:] for name in pair)}
        if len(loose) > MOST_TOGETHER:
            return None
        again = _perfect([name for name in ordered if name in loose], met)
        if again is not None:
            return found[:kept] + again
    return None


def _perfect(names: list[str], met: Collection[frozenset[str]]) -> list[Pair] | None:
    """Pairs of all names without one of `met`; None if there are none."""
    if not names:
        return []
    one, *others = names
    for other in others:
        if frozenset((one, other)) in met:
            continue
        rest = _perfect([name for name in others if name != other], met)
        if rest is not None:
            return [(one, other), *rest]
    return None
