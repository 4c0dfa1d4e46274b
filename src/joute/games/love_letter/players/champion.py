"""Love Letter's champion: the best answer to opponents as it knows them by what they have played.

Information-set search in which the opponents choose by models: by chance, by the rules of
`builtin:rules`, or by the habits of players who search. What they have played says which of these
an opponent follows, and with each what they may hold (`Likelihoods`). What it has learned of an
opponent it keeps for the rounds that follow. With few cards left in the deck the best answer is
found exactly, where the time allows.

Options: `seconds` of CPU per action, or `simulations`, which is reproducible; `exploration`, how
much is spent on what looks worse so far; `exact`, how many cards are left in the deck where exact
play begins (default 3; -1: never).
"""

from typing import Any

import numpy as np

from joute.bots import BuiltinBot, BuiltinError, Choice, Seating, refused
from joute.bots.explain import Belief, Option
from joute.bots.montecarlo import TreeBot
from joute.core.interface import properties
from joute.games.love_letter.players.habits import (
    NOWHERE,
    ChoiceHabits,
    crowd,
    learned,
    level,
    stage,
)
from joute.games.love_letter.players.outlook import LATE, Endgame, Outlook, outlook
from joute.games.love_letter.players.policies import (
    BY_ACTION,
    BY_DECISION,
    BY_HABITS,
    BY_RULES,
    MODELS,
    by_rules,
    forced,
    worth,
)
from joute.games.love_letter.state import (
    AIMED,
    BARON,
    CARDS,
    CHANCELLOR,
    CLASSIC_COPIES,
    COPIES,
    COUNTESS,
    FACE_UP,
    GUARD,
    GUESSES,
    HANDMAID,
    HANDS,
    KING,
    KNOWN,
    NONE,
    PRINCE,
    PRINCESS,
    ROUND,
    Entry,
    LoveLetter,
    log,
)
from joute.games.love_letter.text import (
    unseen,
)
from joute.i18n.words import Sentence
from joute.search.ismcts_search import EXPLORATION, Ismcts

USUAL_SECONDS = 0.1
SHARE = 0.4  # of the time that an action may take, at most
TREE_LOG2 = 17  # the opponents' choices take no room
PRIOR = (0.05, 0.02, 0.83, 0.1)  # by model, of the only opponent, who has not played yet
PRIOR_OF_MORE = (0.1, 0.05, 0.6, 0.25)  # the same of each of several
STUDIED = (0.02, 0.02, 0.06, 0.9)  # the same of an opponent whose habits were watched
DOUBT = 0.02  # that is left of each model, whatever was played in the rounds before
LIKELIEST = np.array([1.0, 0.0])  # guesses of who names one with most copies unseen
SLIP = 0.1  # how often a player by rules or habits does something else: nobody keeps to them


class _Champion:
    def __init__(
        self,
        seat: Seating,
        outlook: Outlook,
        bot: TreeBot,
        models: tuple[float, ...],
    ) -> None:
        self._game = seat.game
        self._player = seat.player
        self._outlook = outlook
        self._bot = bot
        self._round = 0
        prior = np.tile(models, (seat.game.players, 1)).T
        self._before = prior  # [models, players], when this round began
        self._now = prior

    def play(self, state: np.ndarray) -> Choice:
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
            self._before = (self._now + DOUBT) / (1 + len(MODELS) * DOUBT)
        read = Likelihoods(self._game, state, self._player, self._outlook.habits)
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


class Likelihoods:
    """The likelihoods of models and hands by the log of a round; made for each decision.

    For each opponent and each model of how they choose: how likely what they played is, by the card
    that they hold now. A player who played p and kept k had both, and held either of them before:
    so with L(k) the likelihood before the turn and M(p | k) that of the choice between the two, the
    likelihood after it is M(p | k) (L(k) + L(p)) / 2, since the cards come in any order equally
    often. A Guard that missed, a Baron that was won, and a Chancellor's choice say something of the
    card itself; after a Prince or a King it is another one.

    The likelihoods are multiplied with how many copies of a card are unseen to be a belief.
    """

    def __init__(
        self, game: LoveLetter, state: Any, observer: int, habits: ChoiceHabits | None = None
    ) -> None:
        """Reads the log of `state`; `habits` are those of the players (None: those learned)."""
        self._habits = learned() if habits is None else habits
        self.likelihoods = np.ones((len(MODELS), game.players, CARDS))
        self._observer = observer
        self._alive = set(range(game.players))
        self._protected: set[int] = set()
        self._out_of_sight = list(CLASSIC_COPIES if game.classic else COPIES)
        for card in map(int, state[FACE_UP : FACE_UP + 3]):
            if card != NONE:
                self._out_of_sight[card] -= 1
        now = np.array(unseen(game, state, observer), float)
        self._chance = (now + 1e-9) / (now + 1e-9).sum()  # of a card that is drawn, roughly
        entries = log(state)
        for place, entry in enumerate(entries):
            if entry.played:
                after = entries[place + 1] if place + 1 < len(entries) else None
                self._turn(entry, None if after is None or after.played else after)

    def _turn(self, entry: Entry, discarded: Entry | None) -> None:
        """Reads one turn: the card played, and the one that was discarded by it."""
        player = entry.player
        self._protected.discard(player)
        self._out_of_sight[entry.card] -= 1
        place = self._place()
        if player != self._observer:
            self._play(entry, place)
        if discarded is not None:
            self._out_of_sight[discarded.card] -= 1
            self._discard(entry, discarded)
        elif entry.card == GUARD and entry.target is not None:
            self.likelihoods[:, entry.target, entry.guess] = 0.0
        if entry.card == HANDMAID:
            self._protected.add(player)
        elif entry.card == KING and entry.target is not None:
            self._exchange(player, entry.target)
        elif entry.card == CHANCELLOR and player != self._observer:
            self._keep(player)

    def _place(self, drawn: int = 0) -> tuple[int, int]:
        """The stage and the crowd of the choices in a turn, with so many cards drawn in it."""
        # Out of sight are the deck, the hands, and the card set aside.
        deck = sum(self._out_of_sight) - len(self._alive) - 1
        return stage(max(deck - drawn, 0)), crowd(len(self._alive) - 1)

    def _play(self, entry: Entry, place: tuple[int, int]) -> None:
        before = self.likelihoods[:, entry.player]
        before[:] = 0.5 * (before + before[:, [entry.card]]) * self._choice(entry, place)

    def _choice(self, entry: Entry, place: tuple[int, int]) -> np.ndarray:
        """The likelihood of a choice by model (rows) and by the card that was kept."""
        card, player = entry.card, entry.player
        found = np.empty((len(MODELS), CARDS))
        others = len(self._alive - self._protected - {player})
        habits = self._habits.plays[(*place, int(others == 0))]
        for kept in range(CARDS):
            must = forced(card, kept)
            found[:, kept] = float(card == COUNTESS) if must else 1.0
            if not must and card != kept:
                found[BY_DECISION, kept] = 0.5
                ways = _ways(card, others)
                found[BY_ACTION, kept] = ways / (ways + _ways(kept, others))
                keeps = by_rules(card, kept) == card
                found[BY_RULES, kept] = SLIP / 2 + (1 - SLIP) * keeps
                found[BY_HABITS, kept] = SLIP / 2 + (1 - SLIP) * habits[card, kept]
        found[:BY_RULES] /= _ways(card, others) if card == PRINCE else 1
        if card == PRINCE and others:
            found[BY_RULES] *= _aims(np.zeros(CARDS), entry.target == player, others)
            found[BY_HABITS] *= _aims(self._habits.oneself[place], entry.target == player, others)
        elif card == GUARD and entry.target is not None:
            found[:BY_RULES] /= GUESSES
            found[BY_RULES] *= self._guess(entry.guess, LIKELIEST)
            found[BY_HABITS] *= self._guess(entry.guess, self._habits.guesses[place])
        return found

    def _guess(self, guess: int | None, weights: np.ndarray) -> np.ndarray:
        """The likelihood of a guess by the card that was kept, with weights by level of copies."""
        found = np.full(CARDS, SLIP / GUESSES)
        for kept in range(CARDS):
            copies = self._out_of_sight.copy()
            copies[kept] -= 1
            copies[GUARD] = -1
            most = max(copies)
            levels = [level(number, most) for number in copies]
            each = [0.0 if there == NOWHERE else weights[there] for there in levels]
            if guess is not None:
                found[kept] += (1 - SLIP) * each[guess] / sum(each)
        return found

    def _discard(self, entry: Entry, discarded: Entry) -> None:
        """Reads a discarded card: a hand that is new, or a player that is out."""
        player, card = discarded.player, discarded.card
        self.likelihoods[:, player] = self.likelihoods[:, player, [card]]
        if entry.card != PRINCE or card == PRINCESS:
            self._alive.discard(player)
        if entry.card == BARON and entry.target is not None:
            winner = entry.player if player == entry.target else entry.target
            self.likelihoods[:, winner, : card + 1] = 0.0

    def _exchange(self, one: int, other: int) -> None:
        """Exchanges two hands after a King, whatever the models of the two players."""
        beliefs = self.likelihoods[:, [one, other]].mean(axis=0)
        models = self.likelihoods[:, [one, other]].mean(axis=2)
        total = np.maximum(beliefs.sum(axis=1, keepdims=True), 1e-12)
        beliefs = CARDS * beliefs / total
        self.likelihoods[:, one] = models[:, [0]] * beliefs[1]
        self.likelihoods[:, other] = models[:, [1]] * beliefs[0]
        for known in {one, other} & {self._observer}:
            self.likelihoods[:, known] = 1.0
            self.likelihoods[:, other if known == one else one] = 1.0

    def _keep(self, player: int) -> None:
        """Reads a Chancellor's choice: of three cards the best was kept, or any."""
        held = self.likelihoods[:, player] * self._chance
        before = np.maximum(held.sum(axis=1, keepdims=True), 1e-12)
        held /= before
        # By chance the card kept is the one held before in one case of three.
        found = held / self._chance / 3 + 2 / 3
        worths = np.array([worth(card, CARDS) for card in range(CARDS)])
        order = worths[:, None] > worths
        drawn = order @ self._chance + self._chance / 2  # the chance that a drawn one is below
        mine = order @ held[BY_RULES] + held[BY_RULES] / 2
        best = held[BY_RULES] / self._chance * drawn**2 + 2 * mine * drawn
        found[BY_RULES] = SLIP * found[BY_RULES] + (1 - SLIP) * best
        weights = self._habits.keeps[self._place(drawn=2)]
        best = keeping(held[BY_HABITS], self._chance, weights) / self._chance
        found[BY_HABITS] = SLIP * found[BY_HABITS] + (1 - SLIP) * best
        self.likelihoods[:, player] = before * found


def _aims(chances: np.ndarray, oneself: bool, others: int) -> np.ndarray:
    """The likelihood of a Prince's target, with chances that it is for who plays it."""
    slipping: np.ndarray = SLIP / 2 + (1 - SLIP) * chances
    return slipping if oneself else (1 - slipping) / others


def keeping(held: np.ndarray, drawn: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The chance that a card is kept, of one that is `held` and two that are `drawn`.

    All are float64[CARDS]; each different card of the three is kept in proportion to its weight.
    """
    one, two, three = np.ix_(*[np.arange(CARDS)] * 3)
    total = weights[one] + weights[two] * (two != one)
    total = total + weights[three] * ((three != one) & (three != two))
    shares = held[one] * drawn[two] * drawn[three] / total
    found = np.zeros(CARDS)
    for axis, counts in enumerate((True, two != one, (three != one) & (three != two))):
        rest = tuple(each for each in range(3) if each != axis)
        found += (shares * counts).sum(axis=rest)
    kept: np.ndarray = found * weights
    return kept


def _ways(card: int, others: int) -> int:
    """The number of actions that play a card, with so many players who can be chosen."""
    if card == PRINCE:
        return others + 1
    if not AIMED >> card & 1 or others == 0:
        return 1
    return others * GUESSES if card == GUARD else others


def make(
    seat: Seating,
    *,
    seconds: float = 0.0,
    simulations: int = 0,
    exploration: float = EXPLORATION,
    exact: int = LATE,
) -> BuiltinBot:
    """The bot. Raises BuiltinError for another game, or for an option out of range."""
    game = seat.game
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
    try:
        return _champion(seat, outlook(game), simulations, seconds, exploration, exact)
    except ValueError as error:
        raise refused("champion", error) from None


def responding(seat: Seating, habits: ChoiceHabits, seconds: float) -> BuiltinBot:
    """The champion against opponents whose habits were watched."""
    return _champion(seat, outlook(seat.game, habits), seconds=seconds, models=STUDIED)


def _champion(
    seat: Seating,
    expected: Outlook,
    simulations: int = 0,
    seconds: float = 0.0,
    exploration: float = EXPLORATION,
    exact: int = LATE,
    models: tuple[float, ...] = (),
) -> BuiltinBot:
    """The bot that expects this of its opponents, and these models or else the usual ones.

    Raises ValueError for an option out of range.
    """
    sampled = Ismcts(seat.game, seat.seed, exploration, expected, TREE_LOG2)
    search = Endgame(seat.game, expected, sampled, exact)
    budget = None if simulations else min(seconds or USUAL_SECONDS, SHARE * seat.move_seconds)
    bot = TreeBot(seat, search, simulations or None, budget)
    usual = PRIOR if seat.game.players == 2 else PRIOR_OF_MORE
    return _Champion(seat, expected, bot, models or usual)
