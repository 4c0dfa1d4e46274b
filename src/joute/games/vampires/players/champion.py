"""Vampires vs Werewolves, as well as it is played here: expectimax by `race`, and who is foreseen.

One who plays as `vampires_model` says has a few orders where others have dozens, so that a search
which knows it looks much further ahead. How likely that is of the other is learned from what was
played: each turn that was foreseen makes it likelier, one that was not all but rules it out. Beyond
`BELIEF` the search takes it to be so; else it takes the other to play as well as it can.

Options: `seconds` of CPU per turn (default: a tenth of the time that it may take), or `nodes` per
turn, which is reproducible; `trust`, the odds at first that the other is foreseen (0: he never is).
"""

import numpy as np

from joute.bots import Choice, Table, budget, other_game, refused
from joute.bots.expectimax import THIN, ExpectimaxBot
from joute.core.interface import start
from joute.games.vampires.players.model import Foreseen, Trust, foreseen
from joute.games.vampires.players.race import DECISIVE, race
from joute.games.vampires.state import TURNS, Vampires
from joute.i18n.words import Sentence
from joute.search.expectimax import MAX_DEPTH, Expectimax

TRUST = 1.0  # odds
BELIEF = 0.7  # a probability: one turn that was foreseen is enough to begin with


class ChampionBot:
    """See the module."""

    def __init__(self, table: Table, seconds: float | None, nodes: int, trust: float) -> None:
        game, rival = table.game, 1 - table.player
        self._generator = foreseen(game, rival)
        self._search = _search(game, self._generator)
        self._usual, self._reply = (
            ExpectimaxBot(table, search, seconds, nodes, MAX_DEPTH, DECISIVE)
            for search in (_search(game, foreseen(game)), self._search)
        )
        self._trust = Trust(game, table.player, trust)

    def play(self, state: np.ndarray) -> Choice:
        """A whole order."""
        self._trust.learn(state)
        trusted = self._trust.probability() > BELIEF
        choice = self._reply_to(state) if trusted else self._usual.play(state)
        self._trust.expect(state, choice.line)
        return choice

    def _reply_to(self, state: np.ndarray) -> Choice:
        """What is best if the other plays as foreseen."""
        self._generator.begin[0] = state[TURNS]
        self._search.forget()
        return self._reply.play(state)


def _search(game: Vampires, generator: Foreseen) -> Expectimax:
    search = Expectimax(game, start(game), generator, race(game), THIN)
    search.search(start(game), nodes=1)  # compiled now, when no clock runs
    return search


def make(
    table: Table, *, seconds: float = 0.0, nodes: int = 0, trust: float = TRUST
) -> ChampionBot:
    """The bot. Raises BuiltinError for another game, or an option out of range."""
    if not isinstance(table.game, Vampires):
        raise other_game("champion", "vampires", table)
    if seconds < 0 or nodes < 0 or trust < 0:
        raise refused("champion", Sentence("error.builtin.trust"))
    return ChampionBot(table, None if nodes else budget(table, seconds), nodes, trust)
