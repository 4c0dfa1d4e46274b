"""Tron, as well as it is played here: a duel with the nearest rival, and then the filling search.

In the arena it looks ahead by alpha-beta over rounds for territory, in the duel with the nearest of
the others: he chooses as if he had seen its choice, then both move. The rest keep what they are
nearest to. A bike that no other can meet any more fills what is left to it, as one alone does.

Options: `seconds` of CPU per action (default: a tenth of the time that it may take), or `nodes` per
action, which is reproducible; `draw`, the log-odds that it takes two for who go out together.
"""

from typing import Any

import numpy as np

from joute.bots import BuiltinError, Choice, Table, outlook
from joute.bots.fill import FillBot
from joute.bots.fill import make as make_fill
from joute.bots.territory import DECISIVE
from joute.bots.tron_rivals import Rivals
from joute.bots.tron_territory import territory
from joute.games.interface import describe, properties
from joute.games.tron_solo import Solo
from joute.games.tron_state import CELLS, HEAD, Tron
from joute.search.alphabeta import AlphaBeta
from joute.search.alphabeta_tree import MAX_DEPTH
from joute.search.fill import Filler
from joute.search.graph import Graph

CRASH = -30.0  # log-odds, of going out with a rival while others go on
DRAW = -4.0  # log-odds: two that both avoid it lose less than they win from others
SHARE = 0.1  # of an action's time, by default: nobody waits for a bot that plays against people
MARGIN_SECONDS = 0.02  # kept back for what happens around the search, but
MARGIN_SHARE = 0.3  # of an action's time at most
ROUNDS = 4  # of the filling search, where nodes are counted


class ArenaBot:
    """See the module."""

    def __init__(self, table: Table, seconds: float | None, nodes: int | None, draw: float) -> None:
        self._game = table.game
        self._player = table.player
        self._seconds = seconds
        self._nodes = nodes
        self._rivals = Rivals(table.game, table.player)
        duel, state = self._rivals.first()
        self._territory = territory(duel, draw if table.game.players == 2 else CRASH)
        self._search = AlphaBeta(duel, state, self._territory)
        self._filler = Filler(
            Graph(table.game.directions, table.game.neighbour, table.game.partner), table.seed
        )
        self._path: list[int] = []  # the cells of the way it fills, the next one first
        self._search.search(state, nodes=1)  # compiled now, when no clock runs
        self._filler.warm(int(state[HEAD]))

    def play(self, state: np.ndarray) -> Choice:
        """A direction."""
        rival = self._rivals.nearest(state)
        if rival is None:
            return self._filling(state)
        others = self._rivals.others(state, rival)
        self._territory.standing[:] = others + [0] * (len(self._territory.standing) - len(others))
        found = self._search.search(
            self._rivals.duel(state, rival), MAX_DEPTH, self._nodes, self._seconds
        )
        text = describe(self._game, state.tolist(), found.action)
        return Choice(
            found.action,
            f"{text}: {found.value:+.2f} at depth {found.depth}, {found.nodes} nodes",
            outlook(found.value, DECISIVE),
            (found.action,),
        )

    def _filling(self, state: np.ndarray) -> Choice:
        head = int(state[HEAD + self._player])
        found = self._fill(state, head, ROUNDS)
        self._path = found.cells[1:]
        action = found.directions[0]
        text = describe(self._game, state.tolist(), action)
        message = f"{text}: fills {len(found.cells)} cells of at most {found.most}"
        return Choice(action, message, line=(action,))

    def _fill(self, state: np.ndarray, head: int, rounds: int) -> Any:
        taken = state[CELLS:] != 0
        known = None if taken[self._path].any() else self._path
        seconds = None if self._nodes else self._seconds
        return self._filler.fill(taken, head, rounds, seconds, known)


def make(
    table: Table, *, seconds: float = 0.0, nodes: int = 0, draw: float = DRAW
) -> ArenaBot | FillBot:
    """The bot. Raises BuiltinError for a game that is not Tron or an option out of range."""
    if not isinstance(table.game, Tron | Solo):
        raise BuiltinError(f"builtin:champion plays tron, not {properties(table.game).name}")
    if seconds < 0 or nodes < 0:
        raise BuiltinError("builtin:champion: seconds and nodes must be at least 0")
    if isinstance(table.game, Solo):
        return make_fill(table, seconds=seconds or table.move_seconds)
    budget = None
    if not nodes:
        limit = table.move_seconds - min(MARGIN_SECONDS, MARGIN_SHARE * table.move_seconds)
        budget = min(seconds or SHARE * table.move_seconds, limit)
    return ArenaBot(table, budget, nodes or None, draw)
