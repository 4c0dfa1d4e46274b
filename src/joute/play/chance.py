"""Chance from a game's seed: named streams, each independent of the others and of the bots.

A stream is a generator filled from a hash of the seed and the stream's name. An outcome takes one
uniform number of its stream and the game's exact probabilities, so the n-th draw of a deck is the
same whatever happens elsewhere, and a pair of games from one seed sees the same deals.
"""

import hashlib
from typing import Any

import numpy as np

from joute.games.interface import chances, openings, properties, stream
from joute.games.random import below, generator, uniform

OPENING = "opening"  # the stream of the random plies before the bots are asked


def commitment(seed: str) -> str:
    """What a record shows of its seed before the end: a hash that only this seed has."""
    return _digest("commitment", seed)


def derive(seed: str, *names: object) -> str:
    """A seed (32 hex digits) of its own for whatever the names stand for."""
    return _digest("seed", seed, *names)


def _digest(*parts: object) -> str:
    text = "\0".join(str(part) for part in parts)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


class Streams:
    """The streams of one game. The same calls in the same order give the same draws."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._generators: dict[str, np.ndarray] = {}

    def generator(self, name: str) -> np.ndarray:
        """The generator (uint64[2]) of a stream, where it stands."""
        if name not in self._generators:
            self._generators[name] = generator(int(_digest("stream", self._seed, name), 16))
        return self._generators[name]

    def outcome(self, game: Any, state: Any) -> int:
        """The outcome of chance in this state, from the stream that the game names."""
        outcomes = [0] * properties(game).max_outcomes
        weights = [0.0] * properties(game).max_outcomes
        count: int = chances(game, state, outcomes, weights)
        rest = uniform(self.generator(stream(game, state)))
        for index in range(count - 1):
            rest -= weights[index]
            if rest < 0.0:
                return outcomes[index]
        return outcomes[count - 1]

    def opening_length(self, game: Any, bounds: tuple[int, int]) -> int:
        """How many random plies open the game, from lo..hi.

        Where all choose at once they are whole rounds, a ply for each player, and lo is rounded up.
        """
        lowest, highest = bounds
        facts = properties(game)
        step = facts.players if facts.simultaneous else 1
        lowest = -(-lowest // step) * step
        length: int = lowest + step * below(
            self.generator(OPENING), max(highest - lowest, 0) // step + 1
        )
        return length

    def opening_action(self, game: Any, state: Any) -> int:
        """A random action for the opening."""
        actions = openings(game, state)
        return actions[below(self.generator(OPENING), len(actions))]
