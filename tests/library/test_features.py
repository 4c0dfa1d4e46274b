"""Features show a player what it may see, in numbers from -1 to 1, and nothing else."""

import re
from pathlib import Path

import numpy as np
import pytest
from games.examples import ConnectFour, Othello
from games.odd_one_out import OddOneOut
from games.pennies import Pennies
from games.poker import Poker
from games.samples import samples

from joute.core.batch import Batch
from joute.core.features import HASHED, features_of, features_shape
from joute.core.interface import (
    CHANCE,
    OVER,
    chances,
    determinize,
    has_rule,
    legal_actions,
    mover,
    observe,
    play,
    properties,
    start,
)
from joute.core.random import below, generator
from joute.core.registry import make

SHEETS = Path(__file__).parents[2] / "docs" / "en"
HASHING = [Pennies(), OddOneOut(), Poker(), Othello()]
GAMES = [*HASHING, ConnectFour(), *(game for each in samples().values() for game in each.QUICK)]


def called(game):
    return properties(game).name


def states(game, seed, most=40):
    """The states of a random game, at most so many, spread over it."""
    rng, state, found = generator(seed), start(game).tolist(), []
    while mover(game, state) != OVER:
        found.append(state.copy())
        choices = [0] * properties(game).max_outcomes
        if mover(game, state) == CHANCE:
            count = chances(game, state, choices, [0.0] * len(choices))
            choices = choices[:count]
        else:
            choices = legal_actions(game, state)
        play(game, state, choices[below(rng, len(choices))])
    return [*found[:: max(1, len(found) // most)], state]


@pytest.mark.parametrize("game", GAMES, ids=called)
def test_features_are_from_minus_one_to_one_and_of_their_shape(game):
    for state in states(game, 1):
        for player in range(properties(game).players):
            found = features_of(game, state, player)
            assert (found.dtype, found.shape) == (np.float32, features_shape(game))
            assert np.abs(found).max() <= 1


@pytest.mark.parametrize("game", GAMES, ids=called)
def test_states_that_a_player_cannot_tell_apart_have_equal_features(game):
    rng = generator(2)
    for state in states(game, 2, 12):
        for player in range(properties(game).players):
            expected = features_of(game, state, player)
            for _ in range(6):
                guess = state.copy()
                determinize(game, guess, player, rng)
                assert np.array_equal(features_of(game, guess, player), expected)


@pytest.mark.parametrize("game", GAMES, ids=called)
def test_features_are_the_same_compiled_and_in_plain_python(game):
    found = states(game, 3, 12)
    batch = Batch(game, len(found))
    batch.states[:] = found
    for player in range(properties(game).players):
        expected = [features_of(game, state, player) for state in found]
        assert np.array_equal(batch.features_of(player), expected)


@pytest.mark.parametrize("game", GAMES, ids=called)
def test_features_tell_apart_what_a_player_sees_differently(game):
    for player in range(properties(game).players):
        seen = {}
        for state in states(game, 4):
            numbers = features_of(game, state, player).tobytes()
            seen.setdefault(numbers, []).append(observe(game, state, player))
        assert len(seen) > 1


def test_a_game_without_features_has_those_of_its_observation():
    for game in HASHING:
        assert not has_rule(type(game), "features")
        assert features_shape(game) == (HASHED,)
    one, other = ([deal, -1, -1, -1, -1, -1, 1] for deal in (0, 4))
    assert not np.array_equal(features_of(Poker(), one, 0), features_of(Poker(), other, 0))
    assert np.array_equal(features_of(Poker(), one, 1), features_of(Poker(), other, 1))


# The planes of boards.


@pytest.mark.game("virus")
@pytest.mark.parametrize("size", [4, 7, 10])
def test_virus_looks_alike_to_both_players(size):
    game = make("virus", size=size)
    for state in states(game, 5):
        other = [*state[2:4], *state[:2], 1 - state[4] if state[4] >= 0 else state[4], state[5]]
        for player in range(2):
            assert np.array_equal(
                features_of(game, state, player), features_of(game, other, 1 - player)
            )


@pytest.mark.game("virus")
def test_a_grid_of_virus_that_is_turned_or_mirrored_has_its_planes_so():
    from joute.games.virus.rules import VirusGrid

    game = VirusGrid(5)
    for state in states(game, 6):
        cells = np.array(state[:25]).reshape(5, 5)
        for change in (np.rot90, np.flipud, np.fliplr, np.transpose):
            changed = [*change(cells).reshape(-1).tolist(), *state[25:]]
            planes = np.array([change(plane) for plane in features_of(game, state, 0)])
            assert np.array_equal(features_of(game, changed, 0), planes)


@pytest.mark.game("virus")
def test_virus_has_the_same_planes_on_bits_and_on_cells():
    from joute.games.virus.rules import VirusGrid

    bits, cells = make("virus", size=6), VirusGrid(6)
    rng, one, other = generator(7), start(bits).tolist(), start(cells).tolist()
    play(bits, one, 1)
    play(cells, other, 1)
    while mover(bits, one) != OVER:
        choices = legal_actions(bits, one)
        action = choices[below(rng, len(choices))]
        play(bits, one, action)
        play(cells, other, action)
        for player in range(2):
            assert np.array_equal(features_of(bits, one, player), features_of(cells, other, player))


@pytest.mark.game("paradise")
def test_paradise_looks_alike_to_both_players():
    from joute.games.paradise.state import BLOCK, BLOCKS, PLAYER

    game = make("paradise")
    half = BLOCKS + BLOCK
    for state in states(game, 9):
        other = [*state[:BLOCKS], *state[half:], *state[BLOCKS:half]]
        other[PLAYER] = 1 - state[PLAYER]
        for player in range(2):
            found = features_of(game, other, 1 - player)
            assert np.array_equal(features_of(game, state, player), found)


@pytest.mark.game("love-letter")
@pytest.mark.parametrize("deck", ["2019", "classic"])
def test_cards_face_up_are_parts_of_the_copies_of_their_deck(deck):
    from joute.games.love_letter.features import CARDS, PLAYER
    from joute.games.love_letter.state import CLASSIC_COPIES, COPIES, FACE_UP

    game = make("love-letter", players=2, deck=deck)
    state = states(game, 3)[-1]
    place = PLAYER * 2
    shown, expected = features_of(game, state, 0)[place : place + CARDS], np.zeros(CARDS)
    for card in state[FACE_UP : FACE_UP + 3]:
        expected[card] += 1 / (CLASSIC_COPIES if deck == "classic" else COPIES)[card]
    assert expected.sum() > 0
    assert np.allclose(shown, expected)


@pytest.mark.game("vampires")
def test_vampires_counts_units_in_parts_of_255():
    game = make("vampires", plies=4)
    first, second = (features_of(game, start(game), player) for player in range(2))
    assert np.array_equal(first[[0, 1, 2]], second[[1, 0, 2]])
    cells = np.array(game.cells).reshape(game.rows, game.columns)
    for plane, kind in ((0, 2), (1, 3), (2, 1)):
        counts = np.where(cells // 256 == kind, cells % 256, 0)
        assert np.allclose(first[plane] * 255, counts)
    assert (first[5].all(), second[5].any()) == (True, False)
    assert (first[7].all(), second[7].any()) == (True, False)


# The sheets.


@pytest.mark.parametrize("name", list(samples()))
def test_the_sheet_says_the_shape_and_counts_the_planes(name):
    text = (SHEETS / f"{name}.md").read_text("utf-8").split("\n## Features\n")[1].split("\n## ")[0]
    [shape] = re.findall(r"`float32` of the\s+shape `(.*?)`", text)
    for game in samples()[name].QUICK:
        values = game._asdict()
        if name == "tron":
            values |= dict(zip(("floors", "rows", "columns"), game.shape.tolist(), strict=True))
        assert eval(shape, {}, values) == features_shape(game)
    planes = re.findall(r"^\| (\d) \|", text, re.MULTILINE)
    if len(features_shape(game)) == 3:
        assert planes == [str(number) for number in range(int(shape[1]))]
