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
from joute.games.love_letter.learning import FIELDS, cases, fitted
from joute.games.love_letter.players import champion
from joute.games.love_letter.players.habits import as_weights, learned, of_weights
from joute.learn.exploiting import Responder

SEEN_BEFORE = 4.0  # choices that the habits of players who search count for, of each kind


def decision(game: Any, state: Any, player: int, actions: list[int]) -> list[list[int]] | None:
    """The choices of the bot in its turn, as `cases` lists them, or None."""
    return cases(game, state, player, actions[0]) or None


def fit(told: Sequence[list[list[int]]]) -> np.ndarray:
    """Habits by these choices, float32[SIZE]."""
    rows = [row for decision in told for row in decision]
    return as_weights(fitted(np.array(rows, np.int64).reshape(-1, FIELDS), learned(), SEEN_BEFORE))


def bot(seat: Seating, weights: np.ndarray, seconds: float) -> BuiltinBot:
    """The champion that believes its opponents to have these habits."""
    return champion.responding(seat, of_weights(weights), seconds)


def save(weights: np.ndarray, path: Path, command: str) -> None:
    """Writes habits as `joute learn love-letter` does."""
    save_weights(weights, path, command)


RESPONDER = Responder(decision, fit, bot, save)
