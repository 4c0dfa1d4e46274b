"""The measurements of `bench paradise`: random games, against C and the original, and searches."""

from collections.abc import Iterator
from statistics import median
from time import thread_time
from typing import Any

from bench.ismcts import search_row, states
from bench.paradise_kernels import native_side, playout_rows
from bench.rows import Row
from joute.core.interface import start
from joute.core.registry import make
from joute.games.paradise.players.simple import Linear
from joute.games.paradise.players.value import learned, value
from joute.search.whole_turns import WholeTurns

SIMULATIONS = 100_000  # a second: the aim
POSITIONS = 40  # of a turn: what the champion looks at of those that follow
TURNS, ROUNDS = 300, 5


def rows() -> Iterator[Row]:
    """Measures, one after the other: under a minute."""
    native, why = native_side()
    yield from playout_rows(native, why)
    yield search_row(make("paradise"), "to the end of the game", SIMULATIONS)
    yield turns_row(make("paradise"))


def turns_row(game: Any, turns: int = TURNS, rounds: int = ROUNDS) -> Row:
    """Positions a second of whole turns by the learned value, and by an evaluation of ten products.

    The median of the rounds, in each of which one follows the other.
    """
    roots = states(game, turns)
    network, plain = (
        WholeTurns(game, start(game), each, POSITIONS) for each in (value(*learned()), Linear())
    )
    rates, ratios = [], []
    for _ in range(rounds):
        rate = _positions(network, roots)
        rates.append(rate)
        ratios.append(rate / _positions(plain, roots))
    return Row(
        "whole turns, learned value",
        median(rates),
        "positions/s",
        f"the linear evaluation, {turns} turns",
        median(ratios),
    )


def _positions(search: WholeTurns, roots: list[Any]) -> float:
    search.search(roots[0])  # compiled now
    began = thread_time()
    done = sum(search.search(root).positions for root in roots)
    return done / (thread_time() - began)
