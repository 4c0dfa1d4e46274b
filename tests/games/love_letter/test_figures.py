"""Random rounds of Love Letter come out as the specification says, and compiled as in Python."""

import numpy as np
import pytest
from games.love_letter.kernels import (
    ASIDES,
    BONUSES,
    CHOICES,
    COUNTED,
    MOST,
    SHOWDOWNS,
    SQUARES,
    TIES,
    TURNS,
    tally,
)

from joute.core.interface import CHANCE, OVER, draw, mover, pick, play, start
from joute.core.random import generator
from joute.games.love_letter.rules import make
from joute.games.love_letter.state import PHASE, PLAYING

ROUNDS = 1_000_000

# By players: turns and their deviation, then in percent showdowns, tied showdowns, Spy bonuses and
# cards set aside that were drawn, with the digits after the point that are given; then the mean
# and the most legal choices.
FIGURES = {
    2: (5.54, 3.79, (4.5, 1), (0.25, 2), (22.8, 1), (0.32, 2), 5.1, 11),
    3: (10.11, 4.08, (14.4, 1), (0.8, 1), (34.0, 1), (1.0, 1), 7.2, 21),
    4: (12.93, 2.70, (53.1, 1), (2.6, 1), (45.4, 1), (4.2, 1), 9.8, 31),
    5: (13.48, 1.19, (88.1, 1), (4.8, 1), (51.9, 1), (7.4, 1), 13.5, 41),
    6: (12.83, 0.68, (98.5, 1), (6.2, 1), (51.8, 1), (8.6, 1), 18.2, 51),
}


def test_a_player_of_two_has_eight_turns_at_most_in_a_round():
    game, rng, longest = make(players=2), generator(1), 0
    actions, weights = [0] * 64, [0.0] * 10
    for _ in range(2_000):
        state, turns = start(game).tolist(), [0, 0]
        while (player := mover(game, state)) != OVER:
            if player == CHANCE:
                action = draw(game, state, actions, weights, rng)
            else:
                turns[player] += state[PHASE] == PLAYING
                action = pick(game, state, actions, rng)
            play(game, state, action)
        longest = max(longest, *turns)
    assert longest == 8


def counted(players, rounds, seed, kernel=tally):
    """Counts of events in so many random rounds."""
    game, counts = make(players=players), np.zeros(COUNTED, np.int64)
    root = start(game)
    arrays = root.copy(), np.zeros(64, np.int32), np.zeros(10)
    kernel(game, root, rounds, generator(seed), *arrays, counts)
    return counts


@pytest.mark.full
@pytest.mark.parametrize("players", range(2, 7))
def test_random_rounds_come_out_as_the_specification_says(players):
    turns, deviation, *shares, mean_choices, most = FIGURES[players]
    found = counted(players, ROUNDS, seed=players)
    mean = found[TURNS] / ROUNDS
    # Three standard errors of ours and of theirs, and half of the last digit that is given.
    assert abs(mean - turns) <= 3 * deviation * (2 / ROUNDS) ** 0.5 + 0.005
    assert abs((found[SQUARES] / ROUNDS - mean**2) ** 0.5 - deviation) <= 0.015
    kinds = (SHOWDOWNS, TIES, BONUSES, ASIDES)
    for kind, (percent, digits) in zip(kinds, shares, strict=True):
        share = found[kind] / ROUNDS
        error = (share * (1 - share) * 2 / ROUNDS) ** 0.5
        assert abs(100 * share - percent) <= 300 * error + 0.5 * 10**-digits, (kind, share)
    assert abs(found[CHOICES] / found[TURNS] - mean_choices) <= 0.06
    assert found[MOST] == most


@pytest.mark.parametrize("players", [2, 4])
def test_what_happens_is_the_same_compiled_and_in_python(players):
    assert counted(players, 60, 1).tolist() == counted(players, 60, 1, tally.function).tolist()
