"""Which groups meet, where not all do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import combinations

from joute.contest.schedule import Members, digest


def against(names: Sequence[str], references: Collection[str]) -> list[Members]:
    """Everybody who is no reference with each reference: a gauntlet."""
    others = [name for name in names if name not in references]
    return [(name, reference) for reference in references for name in others]


def drawn(names: Sequence[str], opponents: int, seed: str) -> list[Members]:
    """Pairs in which everybody has at least so many opponents: a league.

    Whom a bot is drawn against depends on the two names alone: a newcomer brings pairs of its own
    and takes few from the others.
    """
    found: set[Members] = set()
    for name in names:
        others = [tuple(sorted((name, other))) for other in names if other != name]
        others.sort(key=lambda pair: digest(seed, "league", *pair))
        found.update(others[:opponents])
    return sorted(found)


def balanced(names: Sequence[str], seats: int, groups: int, seed: str) -> list[Members]:
    """So many different groups of `seats` bots, in which all play, and meet, about equally often.

    Each group is filled one by one with the bot that has played least so far; of those, with the
    one that has met those of the group least; of those, by a draw. No two have played more than
    one group apart. Where a group has been there already, the draw is made again.
    """
    played: Counter[str] = Counter()
    met: Counter[frozenset[str]] = Counter()
    found: dict[Members, None] = {}
    attempt = 0
    while len(found) < groups:
        group: list[str] = []
        for _ in range(seats):
            free = [name for name in names if name not in group]
            group.append(
                min(
                    free,
                    key=lambda name: (
                        played[name],
                        sum(met[frozenset((name, other))] for other in group),
                        digest(seed, "groups", attempt, name),
                    ),
                )
            )
        attempt += 1
        members = tuple(sorted(group))
        if members in found:
            continue
        found[members] = None
        played.update(members)
        met.update(frozenset(pair) for pair in combinations(members, 2))
    return list(found)
