"""Chance from a game's seed: named streams, each independent of the others and of the bots.

The n-th number of a stream is a hash of the seed, the stream's name and n. So nobody who has seen
some of them can say the next, as could be done with the outputs of a fast generator; and they are
the same whatever happens elsewhere: a pair of games from one seed sees the same deals. An outcome
takes one number of its stream and the game's exact probabilities.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import Any

from joute.core.interface import chances, openings, properties, stream

OPENING = "opening"  # the stream of the random plies before the bots are asked
SCHEME = 2
"""The version of drawing from a seed, a part of every game's identity: raised when that changes."""
_BITS = 128  # of a number


def commitment(seed: str) -> str:
    """The hash that a record shows of its seed before the end: only this seed has it."""
    return _digest("commitment", seed)


def derive(seed: str, *names: object) -> str:
    """A seed (32 hex digits) of its own for whatever the names stand for."""
    return _digest("seed", seed, *names)


def _digest(*parts: object) -> str:
    text = "\0".join(str(part) for part in parts)
    return hashlib.blake2b(text.encode(), digest_size=_BITS // 8).hexdigest()


class Streams:
    """The streams of one game. The same calls in the same order give the same draws."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._taken: Counter[str] = Counter()

    def copy(self) -> Streams:
        """Streams that go on from here, whatever becomes of these."""
        copied = Streams(self._seed)
        copied._taken.update(self._taken)
        return copied

    def number(self, name: str) -> int:
        """The next number of a stream, below 2^128."""
        self._taken[name] += 1
        return int(_digest("stream", self._seed, name, self._taken[name]), 16)

    def _below(self, name: str, bound: int) -> int:
        return self.number(name) * bound >> _BITS

    def outcome(self, game: Any, state: Any) -> int:
        """The outcome of chance in this state, from the stream that the game names."""
        outcomes = [0] * properties(game).max_outcomes
        weights = [0.0] * properties(game).max_outcomes
        count: int = chances(game, state, outcomes, weights)
        rest = (self.number(stream(game, state)) >> _BITS - 53) * 2.0**-53
        for index in range(count - 1):
            rest -= weights[index]
            if rest < 0.0:
                return outcomes[index]
        return outcomes[count - 1]

    def opening_length(self, game: Any, bounds: tuple[int, int]) -> int:
        """The number of random plies that open the game, from lo..hi.

        Where all choose at once they are whole rounds, a ply for each player, and lo is rounded up.
        """
        lowest, highest = bounds
        facts = properties(game)
        step = facts.players if facts.simultaneous else 1
        lowest = -(-lowest // step) * step
        return lowest + step * self._below(OPENING, max(highest - lowest, 0) // step + 1)

    def opening_action(self, game: Any, state: Any) -> int:
        """A random action for the opening."""
        actions = openings(game, state)
        return actions[self._below(OPENING, len(actions))]
