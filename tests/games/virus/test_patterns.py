"""The learned evaluation of Virus is a sum over windows, alike under every symmetry of the grid."""

from hashlib import blake2b
from importlib.resources import files

import numpy as np
import pytest
from search.positions import position

from joute.core.interface import mover, play
from joute.games.virus import learning as virus_learning
from joute.games.virus.players import evaluation as virus
from joute.games.virus.players import patterns as virus_patterns
from joute.games.virus.players import weights as virus_weights
from joute.games.virus.rules import Virus, VirusGrid
from joute.search.alphabeta_search import AlphaBeta
from joute.search.evaluation import evaluate, terms

PLIES = [0, 1, 13, 30, 52, 71, 95]


def drawn():
    """Weights that no two patterns share by chance."""
    rng = np.random.default_rng(1)
    return rng.normal(size=virus_patterns.first_weights().size).astype(np.float32)


def summed(weights, game, state):
    """The value by the terms."""
    form = virus_learning.form()
    places = np.zeros(virus_learning.MOST_TERMS, np.int32)
    amounts = np.zeros(virus_learning.MOST_TERMS, np.float32)
    count = terms(form, game, state, places, amounts)
    return float(weights[places[:count]] @ amounts[:count])


def mirrored(game, state, board):
    """The state whose grid is that of `state`, as `board` arranges it."""
    cells = board(np.arange(game.size**2).reshape(game.size, game.size)).ravel()
    after = [0, 0, 0, 0, *state[4:]]
    for player in (0, 1):
        for place, cell in enumerate(cells):
            word, bit = divmod(int(cell), 5 * game.size)
            row, column = divmod(bit, game.size)
            if state[2 * player + word] >> (11 * row + column) & 1:
                word, bit = divmod(place, 5 * game.size)
                row, column = divmod(bit, game.size)
                after[2 * player + word] |= 1 << (11 * row + column)
    return after


@pytest.mark.parametrize("plies", PLIES)
def test_the_value_is_the_sum_of_its_terms(plies):
    weights = drawn()
    game, state = position(10, plies, plies)
    evaluation, player = virus_patterns.evaluation(weights), mover(game, state)
    value = evaluate(evaluation, game, state.tolist(), player)
    assert value == pytest.approx(summed(weights, game, state.tolist()), abs=1e-3)
    assert evaluate(evaluation, game, state.tolist(), 1 - player) == -value


@pytest.mark.parametrize("plies", PLIES)
def test_the_first_weights_are_the_fitted_evaluation(plies):
    game, state = position(10, plies, plies)
    first = virus_patterns.evaluation(virus_patterns.first_weights())
    for player in (0, 1):
        expected = evaluate(virus.fitted(), game, state.tolist(), player)
        assert evaluate(first, game, state.tolist(), player) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("board", [np.flipud, np.fliplr, np.transpose, np.rot90])
def test_a_state_and_its_mirror_image_are_worth_the_same(board):
    weights = drawn()
    for plies in PLIES:
        game, state = position(10, plies, plies)
        other = mirrored(game, state.tolist(), board)
        assert summed(weights, game, other) == pytest.approx(
            summed(weights, game, state.tolist()), abs=1e-3
        )


def test_compiled_and_pure_python_evaluate_alike():
    game, state = position(10, 40, seed=1)
    evaluation = virus_weights.learned()
    found = AlphaBeta(game, state, evaluation).search(state, depth=1)
    assert not found.solved
    after = state.tolist()
    play(game, after, found.action)
    value = evaluate(evaluation, game, after, mover(game, state))
    assert found.value == pytest.approx(value, abs=1e-9)


def test_the_shipped_weights_are_small_and_say_how_they_were_learned():
    file = files("joute.games.virus.players").joinpath(virus_weights.SHIPPED)
    assert len(file.read_bytes()) < 2_000_000
    with file.open("rb") as opened:
        assert str(np.load(opened)["learned"]).startswith("joute learn virus --")


def test_the_shipped_weights_are_those_that_were_measured():
    content = files("joute.games.virus.players").joinpath(virus_weights.SHIPPED).read_bytes()
    assert blake2b(content, digest_size=8).hexdigest() == "c8a303a31582816b"


def test_weights_are_read_as_they_were_written(tmp_path):
    weights = virus_weights.shipped_weights()
    virus_learning.save(weights, tmp_path / "w.npz", "by hand")
    assert np.array_equal(virus_learning.load(tmp_path / "w.npz"), weights)


@pytest.mark.parametrize("content", [b"", b"hello", "other", "short"])
def test_a_file_of_something_else_is_refused(tmp_path, content):
    path = tmp_path / "w.npz"
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content == "other":
        np.savez(path, numbers=np.zeros(3))
    else:
        np.savez(path, weights=np.zeros(3))
    with pytest.raises(ValueError, match=r"w\.npz: these are no weights of Virus"):
        virus_learning.load(path)


@pytest.mark.parametrize("game", [Virus(8), VirusGrid(12)])
def test_it_judges_the_grid_it_was_learned_on_and_no_other(game):
    assert "learned" not in virus_weights.evaluations(game)
    assert "learned" in virus_weights.evaluations(Virus(10))
