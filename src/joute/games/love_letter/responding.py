"""The response of Love Letter's champion to one bot: its habits, as they were watched.

The habits are those of `players.habits`, begun with what players who search do, and moved towards
what the bot was seen to do.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from joute.bots import BuiltinBot, Seating
from joute.core.weights import save_weights
from joute.games.love_letter.learning import case, is_free
from joute.games.love_letter.players import champion
from joute.games.love_letter.players.habits import SHAPE, learned
from joute.learn.exploiting import Responder

SEEN_BEFORE = 4.0  # choices that the habits of players who search count for, of each kind


def decision(game: Any, state: Any, player: int, actions: list[int]) -> list[int] | None:
    """A free choice between two cards, as `case` describes it."""
    return case(state, player, actions[0]) if is_free(state, player) else None


def fit(told: Sequence[list[int]]) -> np.ndarray:
    """Habits, float64[STAGES, CROWDS, 2, CARDS, CARDS], by these choices."""
    counts = SEEN_BEFORE * learned()
    cases = np.array(told, np.int64).reshape(-1, len(SHAPE))
    np.add.at(counts, tuple(cases.T), 1)
    total = counts + counts.swapaxes(-2, -1)
    found: np.ndarray = np.divide(counts, total, out=np.full(SHAPE, 0.5), where=total > 0)
    return found


def bot(seat: Seating, weights: np.ndarray, seconds: float) -> BuiltinBot:
    """The champion that believes its opponents to have these habits."""
    return champion.responding(seat, weights, seconds)


def save(weights: np.ndarray, path: Path, command: str) -> None:
    """Writes habits as `joute learn love-letter` does."""
    save_weights(weights.astype(np.float32).ravel(), path, command)


RESPONDER = Responder(decision, fit, bot, save)
