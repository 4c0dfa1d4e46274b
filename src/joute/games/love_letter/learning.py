"""Learns habits of Love Letter: which of two cards a player who searches plays.

Two to six players play single rounds by information-set search, without any model of each other.
The habit to play a card and keep another is how often that was chosen, of all times when the choice
was free: not where a Countess is due, nor where the other's card was seen, which says more than any
habit.
"""

from typing import Any, NamedTuple

import numpy as np

from joute.contest.rating.sprt import H1, Hypotheses, SequentialTest
from joute.core.interface import CHANCE, OVER, draw, mover, play, start
from joute.core.random import generator
from joute.core.registry import make
from joute.core.weights import save_weights
from joute.games.love_letter.players.habits import (
    LEARNED,
    SHAPE,
    SIZE,
    crowd,
    load,
    stage,
)
from joute.games.love_letter.players.policies import forced, known_to
from joute.games.love_letter.state import (
    ALIVE,
    BOTTOM_COUNT,
    CARDS,
    HANDS,
    PHASE,
    PLAYED,
    PLAYING,
    RANDOM,
    SECOND,
    members,
    targets,
)
from joute.learn.fit import FittedWeights
from joute.learn.self_play import Promotion
from joute.learn.training import Trainer
from joute.search.ismcts_search import Ismcts

TABLES = 2, 3, 4, 6  # players of a round
TREE_LOG2 = 14
KEPT_ASIDE = 20  # one choice in so many is for judging the fit
SIMULATIONS_TESTED = 400  # an action
HYPOTHESES = Hypotheses(0, 50)
MOST_PAIRS = 200


class FreeChoices(NamedTuple):
    """The choices of players where they could play either of two cards."""

    cases: np.ndarray  # int8[choices, 5]: stage, crowd, nobody to choose, card played, card kept


def trainer(game: Any) -> Trainer:
    """The parts of the training."""

    def rounds(_: np.ndarray, seed: int, count: int, simulations: int) -> FreeChoices:
        return self_play(seed, count, simulations)

    return Trainer(
        game,
        "love-letter",
        lambda: np.full(SIZE, 0.5, np.float32),
        lambda: load(LEARNED),
        load,
        save_weights,
        FreeChoices,
        rounds,
        lambda played, _, seed: fit(played, seed),
        promoted,
    )


def self_play(seed: int, count: int, simulations: int) -> FreeChoices:
    """The free choices of rounds by search. The same arguments give the same rounds.

    As many rounds are of each of TABLES as of the others, or one more of the first ones.
    """
    found: list[list[int]] = []
    for number, players in enumerate(TABLES):
        rounds = (count + len(TABLES) - 1 - number) // len(TABLES)
        found += at_table(make("love-letter", players=players), seed, rounds, simulations)
    return FreeChoices(np.array(found, np.int8).reshape(-1, len(SHAPE)))


def at_table(game: Any, seed: int, count: int, simulations: int) -> list[list[int]]:
    """The free choices of the rounds at one table."""
    search, rng = Ismcts(game, seed, tree_log2=TREE_LOG2), generator(seed)
    found: list[list[int]] = []
    out, weights = [0] * CARDS, [0.0] * CARDS
    for _ in range(count):
        state = start(game)
        while (player := int(mover(game, state))) != OVER:
            if player == CHANCE:
                action = int(draw(game, state, out, weights, rng))
            else:
                action = search.search(state, simulations).best
                if is_free(state, player):
                    found.append(case(state, player, action))
            play(game, state, action)
    return found


def is_free(state: np.ndarray, player: int) -> bool:
    """Whether the player may play either of two different cards and has not seen the other's."""
    held, drawn = int(state[HANDS + player]), int(state[SECOND])
    open_choice = state[PHASE] == PLAYING and held != drawn and not forced(held, drawn)
    return bool(open_choice) and not known_to(state, targets(state), player)


def case(state: np.ndarray, player: int, action: int) -> list[int]:
    """A choice: the stage, the crowd, whether there is nobody to choose, the card played, kept."""
    card = action // PLAYED
    held, drawn = int(state[HANDS + player]), int(state[SECOND])
    deck = int(state[RANDOM]) + int(state[BOTTOM_COUNT])
    alone = not members(targets(state))
    others = len(members(int(state[ALIVE]))) - 1
    return [stage(deck), crowd(others), int(alone), card, drawn if card == held else held]


def fit(played: FreeChoices, seed: int) -> FittedWeights:
    """Habits by what was chosen, each taken to have been seen once more each way."""
    aside = np.random.default_rng(seed).permutation(len(played.cases)) % KEPT_ASIDE == 0
    counts = np.ones(SHAPE)
    np.add.at(counts, tuple(played.cases[~aside].T), 1)
    weights = (counts / (counts + counts.swapaxes(-2, -1))).astype(np.float32).ravel()
    loss = -np.mean(likelihoods(weights, played.cases[aside]))
    return FittedWeights(weights, int((~aside).sum()), float(loss))


def likelihoods(weights: np.ndarray, cases: np.ndarray) -> np.ndarray:
    """The logarithm of how likely habits make each of some choices."""
    found: np.ndarray = np.log(weights.reshape(SHAPE)[tuple(cases.T)])
    return found


def promoted(new: np.ndarray, old: np.ndarray, seed: int) -> Promotion:
    """Whether the new habits are shown to foretell rounds better: those that make each likelier."""
    test, points = SequentialTest(HYPOTHESES), 0.0
    while not test.decision and test.pairs < MOST_PAIRS:
        pair = 0.0
        for number in (0, 1):
            # A round at each table, so that no table is all that counts.
            seeded = seed + 2 * test.pairs + number
            played = self_play(seeded, len(TABLES), SIMULATIONS_TESTED)
            gain = np.sum(likelihoods(new, played.cases) - likelihoods(old, played.cases))
            pair += (1 + float(np.sign(gain))) / 2
        points += pair
        test.add([pair])
    return Promotion(test.decision == H1, test.pairs, points / (2 * test.pairs))
