"""The first turns of the tree that `utbm` searches, each node with its value and its children.

The search itself keeps no tree and leaves out what cannot change its choice. Here the nodes that
are shown are all searched to the end, so that each has its true value; below them alpha-beta
leaves out as much as in the report.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from joute.bots.explain import SearchNode, after, ranked
from joute.core.interface import play
from joute.games.love_letter.players.utbm_turns import NegamaxWork, may_come, playable, top
from joute.games.love_letter.players.utbm_values import kept, way, worth
from joute.games.love_letter.state import (
    CARDS,
    CHOOSING,
    CURRENT,
    DRAWING,
    ENDED,
    FOR_TURN,
    HANDS,
    NONE,
    PHASE,
    PRINCE,
    REASON,
    STARTING,
)

INFINITY = 1e9  # beyond every value

Turn = tuple[tuple[int, ...], list[int]]
"""The actions and outcomes of a turn, and the state after it."""


class TurnTree:
    """A tree of turns under one deal of the cards, `depth` turns deep."""

    def __init__(self, game: Any, state: list[int], depth: int, work: NegamaxWork) -> None:
        self._game = game
        self._state = state
        self._depth = depth
        self._work = work
        self._player = state[CURRENT]

    def root(self, cards: Iterable[int], shown: int) -> SearchNode:
        """The root, with `shown` turns below it, the first of them by one of these cards."""
        nodes = [
            self._node(line, reached, 0, shown - 1)
            for card in cards
            for line, reached in self._played(self._state, (), card)
        ]
        return SearchNode((), self._state, None, None, len(nodes), ranked(nodes))

    def _node(self, line: tuple[int, ...], state: list[int], level: int, shown: int) -> SearchNode:
        """The node after the turn of a level (from 0), with so many turns below it shown."""
        turns = [] if self._over(state, level) else list(self._turns(state))
        if shown <= 0 or not turns:
            value = self._value(state, level, -INFINITY, INFINITY)
            return SearchNode(line, state, value, None, len(turns), ())
        nodes = ranked(self._node(*turn, level + 1, shown - 1) for turn in turns)
        return SearchNode(line, state, -(nodes[0].value or 0.0), None, len(nodes), nodes)

    def _over(self, state: list[int], level: int) -> bool:
        return state[PHASE] in (ENDED, STARTING) or level + 1 >= self._depth

    def _value(self, state: list[int], level: int, alpha: float, beta: float) -> float:
        """The value of the state after the turn of a level, for whoever took that turn."""
        if self._over(state, level):
            value = float(worth(self._game, state, self._player, self._work.unseen))
            return -value if level % 2 else value
        best = -INFINITY
        for _, reached in self._turns(state):
            best = max(best, self._value(reached, level + 1, max(-beta, best), -alpha))
            if best >= -alpha:
                break
        return -best

    def _turns(self, state: list[int]) -> Iterator[Turn]:
        """The turns of whoever is to draw."""
        for drawn in range(CARDS):
            if may_come(state, drawn):
                before = after(self._game, state, (drawn,))
                for which in range(2):
                    card = int(playable(before, which))
                    if card != NONE:
                        yield from self._played(before, (drawn,), card)

    def _played(self, state: list[int], line: tuple[int, ...], card: int) -> Iterator[Turn]:
        """The ways in which a turn goes on by a card: more than one after a Prince on oneself."""
        mover = state[CURRENT]
        reached, line = self._step(state, line, way(self._game, state, card, self._work.unseen))
        while True:
            if reached[PHASE] == CHOOSING:
                choice = kept(self._game, reached, self._work.unseen)
                reached, line = self._step(reached, line, choice)
            elif reached[PHASE] != DRAWING or reached[REASON] == FOR_TURN:
                yield line, reached
                return
            elif card == PRINCE and reached[HANDS + mover] == NONE:
                drawn = [each for each in range(CARDS) if may_come(reached, each)]
                for each in drawn:
                    end, whole = self._step(reached, line, each)
                    yield whole, end
                return
            else:
                reached, line = self._step(reached, line, top(reached, self._work))

    def _step(
        self, state: list[int], line: tuple[int, ...], action: int
    ) -> tuple[list[int], tuple[int, ...]]:
        reached = list(state)
        play(self._game, reached, int(action))
        return reached, (*line, int(action))
