"""Which groups meet, where not all do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import combinations, permutations

from joute.contest.schedule.schedule import Members, digest


def against(names: Sequence[str], references: Collection[str]) -> list[Members]:
    """Everybody who is no reference with each reference: a gauntlet."""
    others = [name for name in names if name not in references]
    return [(name, reference) for reference in references for name in others]


def drawn(names: Sequence[str], opponents: int, seed: str) -> list[Members]:
    """Pairs in which everybody has at least so many opponents: a league.

    Whom a bot is drawn against depends on the two names alone: a newcomer brings pairs of its own
    and takes few from the others.
    """
    pairs = [tuple(sorted(pair)) for pair in combinations(names, 2)]
    pairs.sort(key=lambda pair: digest(seed, "league", *pair))
    wanted = dict.fromkeys(names, opponents)
    found = []
    for pair in pairs:
        if any(wanted[name] > 0 for name in pair):
            found.append(pair)
        for name in pair:
            wanted[name] -= 1
    return sorted(found)


def balanced(names: Sequence[str], seats: int, groups: int, seed: str) -> list[Members]:
    """So many groups of `seats` bots, in which all play, and meet, about equally often.

    Each group is filled one by one with the bot that has played least so far; of those, with the
    one that has met those of the group least; of those, by an order that is drawn. No two have
    played more than one group apart. A group may come several times.
    """
    order = sorted(names, key=lambda name: digest(seed, "groups", name))
    played: Counter[str] = Counter()
    met: Counter[tuple[str, str]] = Counter()
    found: list[Members] = []
    for _ in range(groups):
        group: list[str] = []
        for _ in range(seats):
            free = [name for name in order if name not in group]
            least = min(played[name] for name in free)
            meetings = {
                name: sum(met[name, other] for other in group)
                for name in free
                if played[name] == least
            }
            group.append(min(meetings, key=lambda name: meetings[name]))
        played.update(group)
        met.update(permutations(group, 2))
        found.append(tuple(sorted(group)))
    return found
