"""Learns habits of Love Letter: how a player who searches chooses.

Two to six players play single rounds by information-set search, without any model of each other.
A chance of one of two choices is how often it was taken, of all times when there were both: which
card is played where the choice was free (not where a Countess is due, nor where another's card was
seen, which says more than any habit), and whether a Prince is for oneself. The weights of what is
chosen from more, a Guard's guess and the card kept of a Chancellor's, are those that make what was
chosen likeliest (Bradley and Terry's model, by Hunter's minorization-maximization, 2004).
"""

from typing import Any, NamedTuple

import numpy as np

from joute.contest.rating.sprt import H1, Hypotheses, SequentialTest
from joute.core.interface import CHANCE, OVER, draw, mover, play, start
from joute.core.random import generator
from joute.core.registry import make
from joute.core.weights import save_weights
from joute.games.love_letter.players.habits import (
    CROWDS,
    LEARNED,
    LEVELS,
    NOWHERE,
    SIZE,
    STAGES,
    ChoiceHabits,
    as_weights,
    crowd_of,
    level,
    load,
    of_weights,
    stage_of,
)
from joute.games.love_letter.players.policies import forced, known_to
from joute.games.love_letter.state import (
    CARDS,
    GUARD,
    HANDS,
    NOBODY,
    NONE,
    PHASE,
    PLAYED,
    PLAYING,
    PRINCE,
    SECOND,
    THIRD,
    card_kept,
    targets,
)
from joute.games.love_letter.text import unseen
from joute.learn.fit import FittedWeights
from joute.learn.self_play import Promotion
from joute.learn.training import Trainer
from joute.search.ismcts_search import Ismcts

TABLES = 2, 3, 4, 6  # players of a round
TREE_LOG2 = 14
KEPT_ASIDE = 20  # one choice in so many is for judging the fit
SIMULATIONS_TESTED = 2000  # an action: who looks less far has other habits
HYPOTHESES = Hypotheses(0, 50)
MOST_PAIRS = 200
PLAY, GUESS, AIM, KEEP = range(4)
FIELDS = 7  # of a choice
STEPS = 50  # of the fit of weights, which are exact to three digits by then
EVEN = of_weights(np.full(SIZE, 0.5))
EACH_ONCE = 2.0  # of two choices, each is taken to have been seen once more


class Choices(NamedTuple):
    """The choices of players, a row each: its kind, the stage, the crowd, and more by kind.

    - PLAY, where either of two cards could be: nobody to choose, the card played, the card kept, 0;
    - GUESS: the level of the card named, how many cards are of each level, 0;
    - AIM, a Prince's that could be for others: the card kept, whether it was for oneself, 0, 0;
    - KEEP: the card kept of a Chancellor's, and the different cards that there were, or NONE.
    """

    cases: np.ndarray  # int8[choices, FIELDS]


def trainer(game: Any) -> Trainer:
    """The parts of the training."""

    def rounds(_: np.ndarray, seed: int, count: int, simulations: int) -> Choices:
        return self_play(seed, count, simulations)

    return Trainer(
        game,
        "love-letter",
        lambda: np.full(SIZE, 0.5, np.float32),
        lambda: load(LEARNED),
        load,
        save_weights,
        Choices,
        rounds,
        lambda played, _, seed: fit(played, seed),
        promoted,
    )


def self_play(seed: int, count: int, simulations: int) -> Choices:
    """The choices in rounds by search. The same arguments give the same rounds.

    As many rounds are of each of TABLES as of the others, or one more of the first ones.
    """
    found: list[list[int]] = []
    for number, players in enumerate(TABLES):
        rounds = (count + len(TABLES) - 1 - number) // len(TABLES)
        found += at_table(make("love-letter", players=players), seed, rounds, simulations)
    return Choices(np.array(found, np.int8).reshape(-1, FIELDS))


def at_table(game: Any, seed: int, count: int, simulations: int) -> list[list[int]]:
    """The choices in the rounds at one table."""
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
                found += cases(game, state, player, action)
            play(game, state, action)
    return found


def is_free(state: np.ndarray, player: int) -> bool:
    """Whether the player may play either of two different cards and has not seen the other's."""
    held, drawn = int(state[HANDS + player]), int(state[SECOND])
    open_choice = state[PHASE] == PLAYING and held != drawn and not forced(held, drawn)
    return bool(open_choice) and not known_to(state, targets(state), player)


def cases(game: Any, state: np.ndarray, player: int, action: int) -> list[list[int]]:
    """The choices in an action, as rows of `Choices`; none where it was not free."""
    place = [stage_of(state), crowd_of(state)]
    held, drawn, others = int(state[HANDS + player]), int(state[SECOND]), int(targets(state))
    if state[PHASE] != PLAYING:
        there = sorted({held, drawn, int(state[THIRD])} - {NONE})
        return [[KEEP, *place, card_kept(action), *there, *[NONE] * (3 - len(there))]]
    card, how = divmod(action, PLAYED)
    kept = drawn if card == held else held
    found = []
    if is_free(state, player):
        found.append([PLAY, *place, int(not others), card, kept, 0])
    if how != NOBODY and not known_to(state, others, player):
        if card == GUARD:
            found.append([GUESS, *place, *_levels(game, state, player, how % 10), 0])
        elif card == PRINCE and others:
            found.append([AIM, *place, kept, int(how // 10 == player), 0, 0])
    return found


def _levels(game: Any, state: np.ndarray, player: int, guess: int) -> list[int]:
    """The level of a character that was named, and how many characters are of each level.

    One that is nowhere counts as one of those with the fewest copies.
    """
    copies = unseen(game, state, player)
    copies[GUARD] = -1
    levels = [level(each, max(copies)) for each in copies]
    counts = [levels.count(number) for number in range(LEVELS)]
    named = LEVELS - 1 if levels[guess] == NOWHERE else levels[guess]
    counts[named] = max(counts[named], 1)
    return [named, *counts]


def fit(played: Choices, seed: int) -> FittedWeights:
    """Habits by what was chosen, each choice taken to have been seen once more."""
    aside = np.random.default_rng(seed).permutation(len(played.cases)) % KEPT_ASIDE == 0
    weights = as_weights(fitted(played.cases[~aside], EVEN, EACH_ONCE))
    loss = -np.mean(likelihoods(weights, played.cases[aside]))
    return FittedWeights(weights, int((~aside).sum()), float(loss))


def fitted(rows: np.ndarray, begun: ChoiceHabits, seen: float) -> ChoiceHabits:
    """Habits by rows of `Choices`, begun with others that count as so many of each kind."""
    plays, aims = (rows[rows[:, 0] == kind].astype(np.int64) for kind in (PLAY, AIM))
    counts = seen * begun.plays
    np.add.at(counts, tuple(plays[:, 1:6].T), 1)
    both = counts + counts.swapaxes(-2, -1)
    oneself, times = seen * begun.oneself, np.full(begun.oneself.shape, seen)
    np.add.at(oneself, tuple(aims[:, 1:4].T), aims[:, 4])
    np.add.at(times, tuple(aims[:, 1:4].T), 1)
    known = begun.guesses, begun.keeps
    weights = [np.empty_like(part) for part in known]
    for at in np.ndindex(STAGES, CROWDS):
        here = rows[(rows[:, 1] == at[0]) & (rows[:, 2] == at[1])].astype(np.int64)
        for kind, part, before in zip((GUESS, KEEP), weights, known, strict=True):
            chosen = here[here[:, 0] == kind]
            part[at] = choice_weights(offered(kind, chosen), chosen[:, 3], before[at], seen)
    guesses, keeps = weights
    return ChoiceHabits(counts / both, guesses, oneself / times, keeps)


def offered(kind: int, rows: np.ndarray) -> np.ndarray:
    """The options of choices, int64[choices, options]: of how many each could be had."""
    if kind == GUESS:
        return rows[:, 4 : 4 + LEVELS]
    there: np.ndarray = (rows[:, 4:, None] == np.arange(CARDS)).any(axis=1)
    return there.astype(np.int64)


def choice_weights(
    counts: np.ndarray, taken: np.ndarray, before: np.ndarray, seen: float
) -> np.ndarray:
    """The weights of options, the greatest 1, that make what was taken likeliest.

    Args:
        counts: int64[choices, options], of how many each option could be had.
        taken: int64[choices].
        before: float64[options], weights that were known before.
        seen: how many choices between two those count for; here it is half as many an option.
    """
    wins = seen / 2 * len(before) * before / before.sum()
    of_all = wins.sum()  # as often was one chosen of all before
    np.add.at(wins, taken, 1)
    found: np.ndarray = before / before.max()
    for _ in range(STEPS):
        often = (counts / (counts @ found)[:, None]).sum(axis=0) + of_all / found.sum()
        found = wins / often
        found /= found.max()
    return found


def likelihoods(weights: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """The logarithm of how likely habits make each of some choices, rows of `Choices`."""
    habits, rows = of_weights(weights), rows.astype(np.int64)
    found = np.empty(len(rows))
    kinds = [rows[:, 0] == kind for kind in range(4)]
    found[kinds[PLAY]] = habits.plays[tuple(rows[kinds[PLAY], 1:6].T)]
    aims = rows[kinds[AIM]]
    oneself = habits.oneself[tuple(aims[:, 1:4].T)]
    found[kinds[AIM]] = np.where(aims[:, 4], oneself, 1 - oneself)
    for kind, part in ((GUESS, habits.guesses), (KEEP, habits.keeps)):
        chosen = rows[kinds[kind]]
        there = part[chosen[:, 1], chosen[:, 2]]
        total = (offered(kind, chosen) * there).sum(axis=1)
        found[kinds[kind]] = there[np.arange(len(chosen)), chosen[:, 3]] / total
    logarithms: np.ndarray = np.log(found)
    return logarithms


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
