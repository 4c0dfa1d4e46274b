"""Many games stepped together are the games that plain Python plays one by one."""

import copy
import pickle
import threading
from pathlib import Path

import numpy as np
import pytest
from games.examples import FOLDER, ConnectFour
from games.odd_one_out import OddOneOut
from games.pennies import Pennies
from games.poker import Poker
from games.samples import samples
from hypothesis import given, settings
from hypothesis import strategies as st
from library.batches import PlainGame, exact
from library.waiting import Waiting

import joute
from joute.core.features import features_shape
from joute.core.interface import OVER, parameters, properties, start
from joute.core.registry import make

KUHN = Path(__file__).parents[1] / "games" / "kuhn.py"
TINY = [Pennies(), OddOneOut(), Poker()]
GAMES = [*TINY, ConnectFour(), *(each.QUICK[0] for each in samples().values())]


def called(game):
    return properties(game).name


def at_random(batch, steps):
    for _ in range(steps):
        batch.step(batch.random_actions())
    return batch


def everything(batch, count):
    """All that the first `count` games of a batch show."""
    found = (batch.states, batch.player, batch.legal, batch.over, batch.rewards, batch.features)
    return [array[:count].tolist() for array in found] + listed(batch)[:count]


def listed(batch):
    """The legal actions of each game, from the lists."""
    rows, counts = batch.legal_actions.tolist(), batch.legal_counts.tolist()
    return [row[:count] for row, count in zip(rows, counts, strict=True)]


# Arrays.


@pytest.mark.parametrize("game", GAMES, ids=called)
def test_arrays_have_the_shapes_and_types_that_are_told(game):
    facts, batch = properties(game), joute.Batch(game, 6)
    found = {
        name: (getattr(batch, name).dtype, getattr(batch, name).shape)
        for name in (
            "player", "legal", "legal_actions", "legal_counts", "over", "rewards", "features",
        )
    }  # fmt: skip
    assert found == {
        "player": (np.int8, (6,)),
        "legal": (np.bool_, (6, facts.max_actions)),
        "legal_actions": (np.int32, (6, facts.max_legal)),
        "legal_counts": (np.int32, (6,)),
        "over": (np.bool_, (6,)),
        "rewards": (np.float32, (6, facts.players)),
        "features": (np.float32, (6, *features_shape(game))),
    }
    actions = batch.random_actions()
    assert (actions.dtype, actions.shape) == (np.int64, (6,))
    assert batch.step(actions) is batch.rewards
    means = batch.playouts(1)
    assert (means.dtype, means.shape) == (np.float32, (6, facts.players))


def test_arrays_keep_their_place():
    batch = joute.Batch(Poker(), 5)
    kept = {
        name: getattr(batch, name)
        for name in (
            "player", "legal", "legal_actions", "legal_counts", "over", "rewards", "features",
            "states",
        )
    }  # fmt: skip
    means = batch.playouts(2)
    at_random(batch, 3)
    batch.begin()
    batch.begin(np.arange(5) < 2)
    batch.reset(4)
    assert {name for name, array in kept.items() if getattr(batch, name) is not array} == set()
    assert batch.playouts(2) is means
    fresh = joute.Batch(Poker(), 5, seed=4)
    assert all(np.array_equal(getattr(fresh, name), array) for name, array in kept.items())


@pytest.mark.parametrize("game", [KUHN, ConnectFour()], ids=["path", "rules"])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    "again",
    [copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))],
    ids=["copied", "pickled"],
)
def test_a_batch_that_was_pickled_or_copied_goes_on_as_the_first_does(game, threads, again):
    first = at_random(joute.Batch(game, 7, seed=3, threads=threads, restart=True), 2)
    _ = first.legal, first.features
    other, before = again(first), everything(first, 7)
    shown = everything(at_random(other, 5), 7)
    assert everything(first, 7) == before
    assert everything(at_random(first, 5), 7) == shown


def test_random_actions_are_an_array_of_their_own():
    batch = joute.Batch(ConnectFour(), 50)
    first = batch.random_actions()
    kept = first.copy()
    batch.step(first)
    assert batch.random_actions() is not first
    assert np.array_equal(first, kept)


# The games.


@pytest.mark.parametrize("restart", [False, True])
@pytest.mark.parametrize("game", GAMES, ids=called)
@settings(max_examples=5)
@given(seed=st.integers(0, 2**64), choices=st.lists(st.integers(0, 999), min_size=1, max_size=9))
def test_every_ply_is_that_of_plain_python(game, restart, seed, choices):
    count, masked, counted = 3, len(choices) % 2, seed % 2
    batch = joute.Batch(game, count, seed=seed, restart=restart)
    plain = [PlainGame(game, seed, number, restart) for number in range(count)]
    for choice in choices:
        found = [np.flatnonzero(row).tolist() for row in batch.legal] if masked else None
        assert found in (None, [each.legal for each in plain])
        assert not counted or listed(batch) == [each.legal for each in plain]
        assert batch.player.tolist() == [each.player for each in plain]
        assert np.array_equal(batch.features, [each.features for each in plain])
        actions = [each.legal[choice % len(each.legal)] if each.legal else 0 for each in plain]
        batch.step(actions)
        for each, action in zip(plain, actions, strict=True):
            each.step(action)
        assert batch.states.tolist() == [each.state for each in plain]
        assert batch.over.tolist() == [each.over for each in plain]
        assert np.array_equal(batch.rewards, np.float32([each.rewards for each in plain]))


@pytest.mark.parametrize("restart", [False, True])
@pytest.mark.parametrize("game", GAMES, ids=called)
def test_whole_games_are_those_of_plain_python(game, restart):
    batch = joute.Batch(game, 2, seed=9, restart=restart)
    plain = [PlainGame(game, 9, number, restart) for number in range(2)]
    for _ in range(min(properties(game).max_plies + 3, 250)):
        actions = batch.random_actions()
        assert batch.legal[batch.player != OVER, actions[batch.player != OVER]].all()
        batch.step(actions)
        for each, action in zip(plain, actions.tolist(), strict=True):
            each.step(action)
        assert batch.states.tolist() == [each.state for each in plain]
        assert batch.over.tolist() == [each.over for each in plain]
        assert np.array_equal(batch.rewards, np.float32([each.rewards for each in plain]))


@pytest.mark.parametrize(
    "game", [each for each in GAMES if not properties(each).chance], ids=called
)
def test_positions_play_as_the_batch_does(game):
    batch = joute.Batch(game, 4, seed=3)
    positions = [joute.Game(game).start() for _ in range(4)]
    for _ in range(9):
        assert batch.player.tolist() == [each.player for each in positions]
        assert [np.flatnonzero(row).tolist() for row in batch.legal] == [
            each.legal for each in positions
        ]
        for each, seen in zip(positions, batch.features, strict=True):
            assert each.over or np.array_equal(each.features(each.player), seen)
        actions = batch.random_actions().tolist()
        batch.step(actions)
        positions = [
            each if each.over else each.play(action)
            for each, action in zip(positions, actions, strict=True)
        ]


@pytest.mark.parametrize("game", GAMES, ids=called)
def test_neither_threads_nor_the_number_of_games_change_a_game(game):
    alone, many, four = (
        at_random(joute.Batch(game, count, seed=5, threads=threads, restart=True), 12)
        for count, threads in ((5, 1), (13, 3), (13, 4))
    )
    assert everything(alone, 5) == everything(many, 5)
    assert everything(many, 13) == everything(four, 13)
    assert alone.playouts(3).tolist() == many.playouts(3)[:5].tolist()


def test_games_of_a_batch_and_of_other_seeds_are_others():
    seeds = (0, 1, 2**32, 2**63, -1)
    batches = [at_random(joute.Batch(ConnectFour(), 20, seed=seed), 6) for seed in seeds]
    states = [tuple(row) for batch in batches for row in batch.states.tolist()]
    assert len(set(states)) > 90


def test_a_batch_without_a_seed_draws_one():
    batches = [at_random(joute.Batch(ConnectFour(), 20, seed=None), 6) for _ in range(2)]
    states = [tuple(row) for batch in batches for row in batch.states.tolist()]
    assert len(set(states)) > 30


@pytest.mark.parametrize("game", GAMES, ids=called)
def test_random_actions_are_the_same_whether_lists_are_kept_or_not(game):
    batches = [joute.Batch(game, 5, seed=2, restart=True) for _ in range(3)]
    _ = batches[1].legal, batches[2].legal_counts
    shown = [everything(at_random(batch, 15), 5) for batch in batches]
    assert shown[0] == shown[1] == shown[2]


@pytest.mark.parametrize("game", GAMES, ids=called)
def test_masks_and_lists_agree_when_some_games_are_stepped_or_begun(game):
    batch = joute.Batch(game, 6, seed=4)
    some = np.arange(6) % 2 == 0
    for number in range(8):
        _ = batch.legal if number == 2 else batch.legal_counts if number == 4 else None
        batch.step(batch.random_actions(), where=some if number % 3 else None)
    batch.begin(~some)
    batch.step(batch.random_actions(), where=some)
    assert [np.flatnonzero(row).tolist() for row in batch.legal] == listed(batch)
    fresh = joute.Batch(game, 6)
    fresh.states[:], fresh.player[:] = batch.states, batch.player
    assert listed(fresh) == listed(batch)


def test_random_actions_are_equally_likely():
    batch = joute.Batch(ConnectFour(), 70_000)
    counts = np.bincount(batch.random_actions(), minlength=7)
    assert abs(counts - 10_000).max() < 500


def test_a_game_is_named_or_given_or_is_a_file():
    path = str(FOLDER / "connect_four.py")
    batches = [
        at_random(joute.Batch(game, 3, seed=1), 5)
        for game in (ConnectFour(), joute.game(path), path)
    ]
    shown = [everything(batch, 3) for batch in batches]
    assert shown[0] == shown[1] == shown[2]
    assert repr(batches[2]) == "Batch('connect-four', 3)"


@pytest.mark.game("virus")
def test_parameters_go_with_a_name():
    assert joute.Batch("virus", 2, size=4).legal.shape == (2, 17)


# Beginning anew.


def test_without_restart_a_game_stays_over():
    batch = at_random(joute.Batch(Pennies(), 3), 6)
    assert batch.over.all() and (batch.player == OVER).all()
    assert not batch.legal.any() and not batch.features.any()
    assert np.abs(batch.rewards).sum(1).all()
    assert batch.random_actions().tolist() == [0, 0, 0]
    before = batch.states.copy()
    assert not batch.step([7, 7, 7]).any()
    assert batch.over.all() and np.array_equal(batch.states, before)


def test_with_restart_the_last_step_says_how_it_ended():
    batch = at_random(joute.Batch(Pennies(), 3, restart=True), 6)
    assert batch.over.all() and (batch.player == 0).all()
    assert np.abs(batch.rewards).sum(1).all()
    assert np.array_equal(batch.states, np.tile(start(Pennies()), (3, 1)))
    assert not at_random(batch, 1).over.any() and not batch.rewards.any()


def test_begin_begins_those_that_are_over():
    batch = at_random(joute.Batch(ConnectFour(), 200, seed=2), 15)
    over, before = batch.over.copy(), batch.states.copy()
    assert 0 < over.sum() < 200
    batch.begin()
    assert not batch.over.any() and not batch.rewards[over].any()
    assert batch.legal[over].all() and not batch.states[over].any()
    assert np.array_equal(batch.states[~over], before[~over])


def test_begin_begins_those_that_are_named():
    batch = at_random(joute.Batch(ConnectFour(), 4), 3)
    batch.begin(np.array([True, False, False, True]))
    assert batch.states.any(axis=1).tolist() == [False, True, True, False]


def test_reset_begins_all_and_goes_on_with_chance():
    batch = joute.Batch(Poker(), 50, seed=1)
    first = batch.states.copy()
    batch.reset()
    assert not np.array_equal(batch.states, first)
    batch.reset(1)
    assert np.array_equal(batch.states, first)


def test_where_leaves_other_games_as_they_are():
    batch = joute.Batch(ConnectFour(), 3)
    assert batch.legal.all()
    batch.step([1, 99, 3], where=[True, False, True])
    assert batch.player.tolist() == [1, 0, 1]
    assert batch.states.any(axis=1).tolist() == [True, False, True]
    assert not batch.over.any()


@pytest.mark.parametrize("kind", ["int8", "uint64", ">i4", "int64"])
def test_actions_are_any_array_of_integers(kind):
    actions = np.arange(14).astype(kind)[::2] // 2
    actions.flags.writeable = False
    batch, other = joute.Batch(ConnectFour(), 7), joute.Batch(ConnectFour(), 7)
    batch.step(actions)
    other.step([0, 1, 2, 3, 4, 5, 6])
    assert np.array_equal(batch.states, other.states)


# Features and playouts.


def test_features_of_a_player_are_there_when_it_is_not_its_turn():
    batch = at_random(joute.Batch(ConnectFour(), 3), 3)
    first, second = batch.features_of(0), batch.features_of(1)
    assert np.array_equal(second, batch.features)
    assert np.array_equal(first, second[:, [1, 0, 2]])  # own, others', free


@pytest.mark.parametrize("game", TINY, ids=called)
def test_playouts_come_close_to_the_exact_values(game):
    batch = at_random(joute.Batch(game, 4, seed=1), 2)
    before = batch.states.copy()
    means = batch.playouts(20_000)
    assert np.array_equal(batch.states, before)
    expected = [exact(game, state) for state in batch.states.tolist()]
    widest = properties(game).highest_return - properties(game).lowest_return
    assert np.abs(means - np.array(expected)).max() < 0.03 * widest


def test_playouts_of_a_game_that_is_over_are_its_returns():
    batch = at_random(joute.Batch(OddOneOut(), 5), 12)
    assert np.allclose(batch.playouts(10), batch.rewards)


def test_the_interpreter_runs_on_while_games_are_played():
    flag = np.zeros(1, np.int64)
    batch = joute.Batch(Waiting(flag), 1)
    found = []
    other = threading.Thread(target=lambda: found.append(batch.playouts(1).tolist()))
    batch.step(batch.random_actions())  # compiled from here on
    flag[0] = 1
    batch.playouts(1)
    flag[0] = 0
    other.start()
    flag[0] = 1  # no game ends before
    other.join()
    assert found == [[[1.0]]]


# What is refused.


@pytest.mark.parametrize("masked", ["", "legal", "legal_counts"])
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("action", [-1, 7, 99, -(2**63), 3])
def test_an_illegal_action_is_refused_and_nothing_is_played(action, threads, masked):
    batch = joute.Batch(ConnectFour(), 9, threads=threads)
    for _ in range(6):
        batch.step(np.full(9, 3))
    if masked:
        getattr(batch, masked)
    before = batch.states.copy()
    actions = np.zeros(9, np.int64)
    actions[4:] = action
    with pytest.raises(joute.ActionError, match="legal in game 4 of the batch"):
        batch.step(actions)
    assert np.array_equal(batch.states, before)
    batch.step(actions, where=np.arange(9) < 4)
    assert batch.player.tolist() == [1] * 4 + [0] * 5


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: joute.Batch("no-such-game", 1), "no game 'no-such-game'"),
        (lambda: joute.Batch(Poker(), 0), "a batch of 0 games and 1 threads"),
        (lambda: joute.Batch(Poker(), -3), "a batch of -3 games"),
        (lambda: joute.Batch(Poker(), 2.5), "a batch of 2.5 games"),
        (lambda: joute.Batch(Poker(), True), "a batch of True games"),
        (lambda: joute.Batch(Poker(), 3, threads=0), "3 games and 0 threads"),
        (lambda: joute.Batch(Poker(), 3, threads="2"), "3 games and 2 threads"),
        (lambda: joute.Batch(Poker(), 3, ante=2), "parameters .ante. with a game that is made"),
        (lambda: joute.Batch(Poker(), 10**12), "poker: use fewer games"),
        (lambda: joute.Batch(Poker(), 2).playouts(0), "0 playouts"),
        (lambda: joute.Batch(Poker(), 2).features_of(3), "no player 3: expected 0 to 2"),
        (lambda: joute.Batch(Poker(), 2).step([0]), r"shape \(1,\)"),
        (lambda: joute.Batch(Poker(), 2).step(0), r"shape \(\)"),
        (lambda: joute.Batch(Poker(), 2).step([[0, 0]]), r"shape \(1, 2\)"),
        (lambda: joute.Batch(Poker(), 2).step([0.0, 1.0]), "type float64: expected 2 integers"),
        (lambda: joute.Batch(Poker(), 2).step([True, False]), "type bool: expected 2 integers"),
        (lambda: joute.Batch(Poker(), 2).step(["0", "1"]), "type <U1: expected 2 integers"),
        (lambda: joute.Batch(Poker(), 2).step([0, 0], where=[True]), r"shape \(1,\)"),
        (lambda: joute.Batch(Poker(), 2).step([0, 0], where=[0, 1]), "expected 2 booleans"),
        (lambda: joute.Batch(Poker(), 2).begin([0, 1]), "expected 2 booleans"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(call, words):
    with pytest.raises(joute.GameError, match=words):
        call()


@pytest.mark.game("vampires")
def test_masks_that_take_too_much_room_are_refused():
    batch = joute.Batch("vampires", 100_000)
    with pytest.raises(joute.GameError, match="vampires: use fewer games"):
        _ = batch.legal
    assert batch.legal_counts.shape == (100_000,)


@pytest.mark.parametrize("name", list(samples()))
def test_every_game_has_batches_of_its_usual_parameters(name):
    batch = joute.Batch(name, 2)
    assert parameters(batch.rules) == parameters(make(name))
    assert not at_random(batch, 3).over.any()
