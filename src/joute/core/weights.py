"""Files of learned weights: a row of numbers, with the command that learned them.

Where a game keeps its weights in another order, it has files of its own.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from joute.files import drafted


def read_weights(path: Path, count: int) -> np.ndarray:
    """The weights of a file, float32[count]. Raises ValueError for a file of another number."""
    with np.load(path, allow_pickle=False) as kept:
        weights: np.ndarray = kept["weights"].astype(np.float32)
    if weights.shape != (count,):
        raise ValueError(f"{path}: expected {count} weights, got {weights.shape}")
    return weights


def save_weights(weights: np.ndarray, path: Path, command: str) -> None:
    """Writes weights, rounded to 11 bits, with the command that learned them."""
    with drafted(path, durable=True) as draft, draft.open("wb") as file:
        np.savez_compressed(file, weights=weights.astype(np.float16), learned=np.array(command))
