"""Facts that random games show together, and no state of them alone."""

from collections.abc import Iterator
from typing import Any

from joute.core.interface import (
    CHANCE,
    determinize,
    has_points,
    mover,
    pending,
    play,
    points,
    properties,
    returns,
    start,
)
from joute.core.random import generator
from joute.i18n.words import Sentence

_DECIDED = 10  # games with a winner and a leader in points, before anything is said of them
_WRONG = 0.75  # of them, whose leader does not win


class Evidence:
    """All that was seen in the random games of a game."""

    def __init__(self, game: Any) -> None:
        self._game = game
        self._drawn = not properties(game).hidden_information  # whether determinize changed a state
        self._counted = not properties(game).simultaneous  # whether pending was above 0
        self._asked = set[int]()  # players
        self._decided = self._wrong = 0  # games that had a leader in points, and it did not win

    def look(self, state: list[int], seed: int) -> None:
        """Takes a state that is not over into account."""
        self._drawn = self._drawn or self._is_drawn(state, seed)
        self._counted = self._counted or pending(self._game, state) > 0
        self._asked.add(int(mover(self._game, state)))

    def _is_drawn(self, state: list[int], seed: int) -> bool:
        """Whether a determinization for one of the players is another state."""
        rng = generator(seed)
        for player in range(properties(self._game).players):
            guess = state.copy()
            determinize(self._game, guess, player, rng)
            if guess != state:
                return True
        return False

    def ended(self, actions: list[int]) -> None:
        """Takes a whole game into account: who won it, and who led in points."""
        if not has_points(self._game):
            return
        players = range(properties(self._game).players)
        state: list[int] = start(self._game).tolist()
        for action in actions:
            play(self._game, state, action)
        final = [0.0] * len(players)
        returns(self._game, state, final)
        winners = _highest(final)
        leaders = _highest([float(points(self._game, state, each)) for each in players])
        if len(winners) < len(players) and len(leaders) < len(players):
            self._decided += 1
            self._wrong += winners.isdisjoint(leaders)

    def laws(self, plies: int) -> Iterator[tuple[Sentence, str]]:
        """The laws that are broken, after so many plies, each with its operation."""
        if not self._drawn:
            yield Sentence("error.law.hidden.never", plies=plies), "determinize"
        if not self._counted and len(self._asked - {CHANCE}) > 1:
            yield Sentence("error.law.pending.never", plies=plies), "pending"

    def notes(self) -> Iterator[Sentence]:
        """Things that no law forbids, and that an author may not have meant."""
        if self._decided >= _DECIDED and self._wrong >= _WRONG * self._decided:
            told = {"wrong": self._wrong, "games": self._decided}
            yield Sentence("game.check.points", **told)


def _highest(values: list[float]) -> set[int]:
    return {place for place, value in enumerate(values) if value == max(values)}
