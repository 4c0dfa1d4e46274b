"""Love Letter's champion: the best answer to opponents as it knows them by what they have played.

Information-set search in which the opponents choose by models, by chance or by the rules of
`builtin:rules`. What they have played says which of these an opponent follows, and with each what
they may hold (`beliefs`). What it has learned of an opponent it keeps for the rounds that follow.
With few cards left in the deck the best answer is found exactly, where the time allows.

Options: `seconds` of CPU per action (at most 0.1 by default), or `simulations`, which is
reproducible; `exploration`, how much is spent on what looks worse so far; `exact`, how many cards
are left in the deck where exact play begins (default 3; -1: never).
"""

import numpy as np

from joute.bots import BuiltinError, Choice, Seating, refused
from joute.bots.explain import Belief, Option
from joute.bots.montecarlo import TreeBot
from joute.core.interface import properties
from joute.games.love_letter.players.beliefs import Likelihoods
from joute.games.love_letter.players.endgame import LATE, Endgame
from joute.games.love_letter.players.outlook import Outlook, outlook
from joute.games.love_letter.state import HANDS, KNOWN, NONE, ROUND, LoveLetter
from joute.games.love_letter.text import unseen
from joute.i18n.words import Sentence
from joute.search.ismcts import EXPLORATION, Ismcts

USUAL_SECONDS = 0.1
SHARE = 0.4  # of the time that an action may take, at most
TREE_LOG2 = 17  # the opponents' choices take no room
PRIOR = (0.3, 0.1, 0.6)  # by model, of an opponent who has not played yet
DOUBT = 0.02  # that is left of each model, whatever was played in the rounds before


class LoveLetterChampion:
    """See the module."""

    def __init__(self, table: Seating, outlook: Outlook, bot: TreeBot) -> None:
        self._game = table.game
        self._player = table.player
        self._outlook = outlook
        self._bot = bot
        self._round = 0
        prior = np.tile(PRIOR, (table.game.players, 1)).T
        self._before = prior  # [models, players], when this round began
        self._now = prior

    def play(self, state: np.ndarray) -> Choice:
        """The action, with the values of the first few."""
        self._look(state)
        return self._bot.play(state)

    def explain(self, state: np.ndarray) -> list[Option]:
        """Every action, the best first."""
        self._look(state)
        return self._bot.explain(state)

    def beliefs(self, state: np.ndarray) -> list[Belief]:
        """The cards that each opponent may hold, by what they have played; the likeliest first."""
        self._look(state)
        copies = np.array(unseen(self._game, state, self._player), float)
        found = []
        for other in range(self._game.players):
            held = int(state[HANDS + other])
            if other == self._player or held == NONE:
                continue
            likely = self._outlook.hands[other] * copies
            if int(state[KNOWN + other]) >> self._player & 1:
                likely = np.eye(len(copies))[held]
            elif likely.sum() <= 0.0:  # nothing that is left explains what was played
                likely = copies
            likely = likely / likely.sum()
            ranked = np.argsort(-likely, kind="stable").tolist()
            found += [Belief(other, each, float(likely[each])) for each in ranked if likely[each]]
        return found

    def _look(self, state: np.ndarray) -> None:
        """Reads the round so far for the likelihoods of each opponent's models and hands."""
        if state[ROUND] != self._round:
            self._round = int(state[ROUND])
            self._before = (self._now + DOUBT) / (1 + len(PRIOR) * DOUBT)
        read = Likelihoods(self._game, state, self._player)
        found = read.likelihoods * self._before[:, :, None]
        found /= np.maximum(found.sum(axis=(0, 2), keepdims=True), np.finfo(float).tiny)
        self._outlook.likelihoods[:] = found
        self._outlook.hands[:] = found.sum(axis=0)
        self._learn(found, state)

    def _learn(self, found: np.ndarray, state: np.ndarray) -> None:
        """Notes how likely each model of each opponent is by now."""
        copies = np.array(unseen(self._game, state, self._player), float)
        for other in range(self._game.players):
            weights = copies
            held = int(state[HANDS + other])
            if held != NONE and int(state[KNOWN + other]) >> self._player & 1:
                weights = np.arange(len(copies)) == held
            models = found[:, other] @ weights
            if held != NONE and models.sum() > 0:
                self._now = self._now.copy()
                self._now[:, other] = models / models.sum()


def make(
    table: Seating,
    *,
    seconds: float = 0.0,
    simulations: int = 0,
    exploration: float = EXPLORATION,
    exact: int = LATE,
) -> LoveLetterChampion:
    """The bot. Raises BuiltinError for another game, or for an option out of range."""
    game = table.game
    if not isinstance(game, LoveLetter):
        other = properties(game).name
        raise BuiltinError(
            Sentence("error.builtin.champion_plays", game="love-letter", other=other)
        )
    if simulations < 0 or seconds < 0:
        raise refused("champion", Sentence("error.builtin.amounts"))
    if simulations and seconds:
        both = Sentence("error.builtin.both", one="simulations", other="seconds")
        raise refused("champion", both)
    expected = outlook(game)
    try:
        sampled = Ismcts(game, table.seed, exploration, expected, TREE_LOG2)
    except ValueError as error:
        raise refused("champion", error) from None
    search = Endgame(game, expected, sampled, exact)
    budget = min(seconds or USUAL_SECONDS, SHARE * table.move_seconds)
    bot = TreeBot(table, search, simulations or None, budget)
    return LoveLetterChampion(table, expected, bot)
