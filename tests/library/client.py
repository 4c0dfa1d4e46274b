"""A program of somebody who only reads the reference: typed, and free of ignores.

It prints `fine` in the end. The tests run it, and check its types with mypy and pyright.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import joute
from joute.core.interface import points


def lead(position: joute.Position, player: int) -> float:
    """The lead in cells."""
    scores: list[int] = position.observe(player)["scores"]
    return float(scores[player] - scores[1 - player])


@joute.kernel
def fast_lead(game: Any, state: npt.NDArray[np.int64], player: int) -> float:
    """The same as a kernel, which is compiled with the search."""
    return float(points(game, state, player) - points(game, state, 1 - player))


def edges_first(position: joute.Position) -> list[float]:
    """Weights of the legal actions."""
    return [2.0 if action < 6 else 1.0 for action in position.legal]


def alike(position: joute.Position) -> npt.NDArray[np.float64]:
    """Weights of the legal actions, as an array."""
    return np.ones(len(position.legal))


def last(observation: Mapping[str, Any], clock: Any) -> int:
    """A bot: the last legal action."""
    action: int = observation["legal"][-1]
    return action


class Lookahead:
    """A bot that looks at positions."""

    def think(self, position: joute.Position) -> joute.Thought:
        """The action that a short search likes."""
        found = joute.search.alphabeta(position, depth=2, evaluate=fast_lead)
        return joute.Thought(found.action, found.text, value=None, line=found.line)


def walk(game: joute.Game) -> joute.Position:
    """A game at random, looked at on the way."""
    chosen = random.Random(1)
    position = game.start(seed=7)
    while not position.over:
        player: int = position.player
        legal: list[int] = position.legal
        texts: list[str] = position.texts
        assert len(legal) == len(texts) > 0
        seen: npt.NDArray[np.float32] = position.features(player)
        assert seen.shape == game.features_shape
        imagined = position.determinized(player, seed=1)
        assert imagined.observe(player) == position.observe(player)
        assert position.play(np.int64(legal[0])) == position.play(legal[0])
        position = position.play(chosen.choice(texts))
    returns: tuple[float, ...] = position.returns
    assert sum(returns) == 0 and str(position) and position._repr_html_()
    return position


def refused(game: joute.Game) -> None:
    """Mistakes are errors of one kind."""
    try:
        game.start().play("zz")
    except joute.ActionError as error:
        assert isinstance(error, joute.GameError) and str(error)
    for wrong in ("nobody", "./nowhere.py"):
        try:
            joute.game(wrong)
        except joute.Error as error:
            assert str(error)
        else:
            raise SystemExit(f"{wrong} is a game")


def searches(position: joute.Position) -> None:
    """Python and kernels find the same."""
    slow = joute.search.uct(position, simulations=100, evaluate=lead, policy=edges_first)
    fast = joute.search.uct(position, simulations=100, evaluate=fast_lead, policy=edges_first)
    assert slow == fast and sum(slow.visits.values()) == 100
    deep: joute.search.SearchResult = joute.search.alphabeta(position, depth=2, evaluate=lead)
    assert deep.action in position.legal and deep.value is not None
    assert joute.search.ismcts(position, simulations=50).nodes == 50
    assert joute.search.flat(position, simulations=5, policy=alike).text
    assert joute.search.expectimax(position, depth=1).line


def matches(folder: Path) -> None:
    """Matches, contests and records."""
    result = joute.match("virus", last, Lookahead(), "builtin:random", games=2, seed=1, size=5)
    table: joute.Standings = result.table()
    low, high = result.interval
    assert len(table) == 3 and low <= result.score <= high
    for record in result.records:
        assert record.verify().ok and record.positions[-1].returns == record.returns
    path = folder / "game.jsonl"
    path.write_bytes(result.records[0].content)
    assert joute.record(path).bots == result.records[0].bots
    cup = joute.contest(
        {
            "contest": {"games": 2, "seed": "cup", "folder": str(folder / "cup")},
            "game": {"name": "virus", "size": 5},
            "bots": ["builtin:greedy", "builtin:random"],
        }
    )
    assert cup.run().left == 0 and len(cup.table()) == 2 and len(cup.records) == 2


def batches() -> None:
    """Many games at once."""
    batch = joute.Batch("virus", 64, seed=1, threads=2, size=5)
    generator = np.random.default_rng(1)
    for _ in range(20):
        odds = generator.random(batch.legal.shape) * batch.legal
        rewards: npt.NDArray[np.float32] = batch.step(odds.argmax(axis=1))
        assert rewards.shape == (64, 2)
    assert batch.player.shape == (64,) and batch.over.dtype == np.bool_


def main() -> None:
    """Run all of it."""
    assert "virus" in joute.games()
    game = joute.game("virus", size=5)
    walk(game)
    refused(game)
    searches(game.start(seed=7))
    with joute.bot("builtin:uct?simulations=50") as bot:
        thought: joute.Thought = bot.think(game.start(seed=7))
        assert thought.visits is not None and thought.value is not None
    with tempfile.TemporaryDirectory() as folder:
        matches(Path(folder))
    batches()
    print("fine")


if __name__ == "__main__":
    main()
