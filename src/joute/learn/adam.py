"""Gradient descent whose steps follow the moments of the gradients.

Kingma and Ba, "Adam: a method for stochastic optimization" (2015).
"""

from collections.abc import Iterator

import numpy as np

KEPT, SQUARES_KEPT, TINY = 0.9, 0.999, 1e-8


class Adam:
    """Weights on their way, with the moments of their gradients."""

    def __init__(self, weights: np.ndarray) -> None:
        self.weights = weights.astype(np.float32)
        self._mean, self._square = np.zeros_like(self.weights), np.zeros_like(self.weights)
        self._steps = 0

    def step(self, gradient: np.ndarray, rate: float) -> None:
        """Makes a step against a gradient, float32 as the weights."""
        self._steps += 1
        self._mean += (1 - KEPT) * (gradient - self._mean)
        self._square += (1 - SQUARES_KEPT) * (gradient**2 - self._square)
        mean = self._mean / (1 - KEPT**self._steps)
        square = self._square / (1 - SQUARES_KEPT**self._steps)
        self.weights -= (rate * mean / (np.sqrt(square) + TINY)).astype(np.float32)


def rates(steps: int, first: float, last: float) -> Iterator[float]:
    """The rates of so many steps, which get smaller along half a cosine, down to `last`."""
    for step in range(steps):
        yield max(first * (1 + np.cos(np.pi * step / steps)) / 2, last)
