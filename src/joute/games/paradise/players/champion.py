"""Paradise's champion: the whole turn, the turns that follow, and a value learned from games.

All that can be done in the turn is looked at, and the best ends of it are played on against hands
drawn from the unseen cards, for two turns, or one in a hurry: `search.replies`; `value` says what
that is worth. A turn that wins is taken at once. Options: `seconds` of CPU per turn, or `worlds`
for an end on average, which is reproducible.
"""

from functools import cache

import numpy as np

from joute.bots import BuiltinBot, BuiltinError, Choice, Seating, refused
from joute.core.compiled import is_interpreting
from joute.core.interface import CHANCE, draw, mover, play, properties, start
from joute.core.random import generator
from joute.games.paradise.players.turn import (
    TurnPlanner,
)
from joute.games.paradise.players.value import learned, value
from joute.games.paradise.state import (
    BLOCKS,
    CARDS,
    MANA,
    MOST_MANA,
    Paradise,
)
from joute.i18n.words import Sentence
from joute.search.replies import Replies

USUAL_SECONDS = 0.1
SHARE = 0.4  # of the time that an action may take, at most
POSITIONS, FEWEST = 20_000, 500
POSITIONS_A_SECOND = 150_000  # such that they take a third of the time on a slow machine
REPLY_POSITIONS = 40  # the best-looking are met first, and more worlds say more than better replies
HURRIED_SECONDS = 0.05  # with less, more worlds say more than longer ones
TURNS, HURRIED_TURNS = 2, 1  # that a world is played on
# Worlds that the value of an end counts for: the square of how far two ends differ between worlds,
# over that of how far the value is from their means.
PRIOR, HURRIED_PRIOR = 6.0, 4.0


class _Champion(TurnPlanner):
    def __init__(self, seat: Seating, search: Replies, worlds: int | None, seconds: float) -> None:
        super().__init__(seat)
        self._search = search
        self._worlds = worlds
        self._seconds = seconds

    def _choices(self, state: np.ndarray, known: np.ndarray) -> list[Choice]:
        seconds = None if self._worlds is not None else self._seconds
        found = self._search.search(state, self._worlds, seconds)
        said = f"{found.positions} positions, {found.ends} ends, {found.worlds} worlds"
        return [
            Choice(action, said, found.value, tuple(found.actions[number:]))
            for number, action in enumerate(found.actions)
        ]


def make(seat: Seating, *, seconds: float = 0.0, worlds: int = -1) -> BuiltinBot:
    """The bot. Raises BuiltinError for another game, or for an option out of range."""
    if not isinstance(seat.game, Paradise):
        name = properties(seat.game).name
        raise BuiltinError(Sentence("error.builtin.champion_plays", game="paradise", other=name))
    return seated("champion", seat, seconds, worlds, peeks=False)


def seated(name: str, seat: Seating, seconds: float, worlds: int, peeks: bool) -> BuiltinBot:
    """The champion, or the same player that is shown the other's hand.

    Raises BuiltinError for an option out of range; `name` is the bot's.
    """
    if seconds < 0:
        raise refused(name, Sentence("error.paradise.seconds"))
    if worlds >= 0 and seconds:
        raise refused(name, Sentence("error.builtin.both", one="seconds", other="worlds"))
    budget = min(seconds or USUAL_SECONDS, SHARE * seat.move_seconds)
    most = POSITIONS if worlds >= 0 else int(budget * POSITIONS_A_SECOND)
    positions = min(max(most, FEWEST), POSITIONS)
    hurried = worlds < 0 and budget < HURRIED_SECONDS
    turns, prior = (HURRIED_TURNS, HURRIED_PRIOR) if hurried else (TURNS, PRIOR)
    if not is_interpreting():  # else it plays no turn
        _get_ready(seat.game)
    network = value(*learned())
    search = Replies(
        seat.game, network, positions, REPLY_POSITIONS, turns, seat.seed, prior, peeks=peeks
    )
    return _Champion(seat, search, worlds if worlds >= 0 else None, budget)


@cache
def _get_ready(game: Paradise) -> None:
    """Compiles and loads all that a turn needs, once in a process: no turn pays for it."""
    state, rng = start(game), generator(0)
    out, weights = [0] * CARDS, [0.0] * CARDS
    while mover(game, state) == CHANCE:
        play(game, state, draw(game, state, out, weights, rng))
    state[BLOCKS + MANA] = MOST_MANA  # so that there are ends to choose from
    Replies(game, value(*learned()), FEWEST, REPLY_POSITIONS, TURNS, 0).search(state, worlds=1)
