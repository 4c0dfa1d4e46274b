import pickle
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from interop.kinds import CONNECT_FOUR, KINDS, KUHN, PENNIES, Kind, cases
from open_spiel.python.algorithms import cfr, exploitability, mcts

import joute
from joute.interop.openspiel import OpenSpielBot, load, register

ALONE = cases(Kind("tron", {"players": 1}), tier="full")


def searcher(simulations):
    """The maker of OpenSpiel's tree search."""

    def make(game, player):
        rng = np.random.RandomState(player)
        evaluator = mcts.RandomRolloutEvaluator(1, rng)
        return mcts.MCTSBot(game, 1.4, simulations, evaluator, random_state=rng)

    return make


def played(state, rng):
    """The states of a random game, chance included."""
    states = [state]
    while not state.is_terminal():
        state = state.clone()
        if state.is_chance_node():
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(outcomes, p=odds)))
        elif state.is_simultaneous_node():
            known = [state.legal_actions(player) for player in range(state.num_players())]
            state.apply_actions([int(rng.choice(each)) if each else 0 for each in known])
        else:
            state.apply_action(int(rng.choice(state.legal_actions())))
        states.append(state)
    return states


@pytest.mark.parametrize("kind", KINDS + ALONE)
def test_a_game_passes_the_random_simulations_of_openspiel(kind, capfd):
    game = load(kind.name, **kind.values)
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize("kind", KINDS)
def test_the_returns_and_the_tensor_are_those_of_the_game(kind):
    game, rules = load(kind.name, **kind.values), joute.game(kind.name, **kind.values)
    observer = game.make_py_observer()
    *states, last = played(game.new_initial_state(), np.random.default_rng(2))
    assert tuple(last.returns()) == rules.at(last.state).returns
    assert states[0].returns() == [0.0] * rules.players
    for player in range(rules.players):
        observer.set_from(last, player)
        seen = rules.at(last.state).features(player)
        assert np.array_equal(observer.dict["features"], seen)
        assert observer.tensor.shape == (seen.size,)


@pytest.mark.parametrize("kind", KINDS)
def test_a_state_is_written_and_read_again(kind):
    game = load(kind.name, **kind.values)
    states = played(game.new_initial_state(), np.random.default_rng(3))
    middle = states[len(states) // 2]
    _, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, middle))
    assert str(again) == str(middle)
    for player in range(game.num_players()):
        assert again.information_state_string(player) == middle.information_state_string(player)


@pytest.mark.game("virus")
@pytest.mark.parametrize(("name", "values"), [(KUHN, {}), ("virus", {"size": 5})])
def test_a_game_is_pickled_by_its_name_and_parameters(name, values):
    game = load(name, **values)
    again = pickle.loads(pickle.dumps(game))
    assert str(again) == str(game)
    states = played(again.new_initial_state(), np.random.default_rng(1))
    assert states[-1].is_terminal()


def test_openspiel_knows_a_game_by_its_short_name():
    assert register(KUHN) == "joute_kuhn"
    assert pyspiel.load_game("joute_kuhn").num_players() == 2


@pytest.mark.game("virus")
def test_parameters_are_written_as_openspiel_writes_them():
    joute.interop.openspiel.register("virus")
    game = pyspiel.load_game("joute_virus(size=5)")
    assert game.num_distinct_actions() == 26
    assert game.get_parameters() == load("virus", size=5).get_parameters()


def test_a_game_or_a_parameter_that_is_not_there_is_refused():
    with pytest.raises(joute.GameError, match="kuhn has no parameter 'ante'"):
        load(KUHN, ante=2)


def test_a_player_who_was_dealt_no_other_card_has_the_same_information():
    game = load(KUHN)
    told = []
    for other in (1, 2):
        state = game.new_initial_state()
        state.apply_action(0)
        state.apply_action([outcome for outcome, _ in state.chance_outcomes()][other - 1])
        told.append([state.information_state_string(player) for player in (0, 1)])
    assert told[0][0] == told[1][0]
    assert told[0][1] != told[1][1]


def test_choices_at_once_are_a_node_of_all_players():
    state = load(PENNIES).new_initial_state()
    assert state.current_player() == pyspiel.PlayerId.SIMULTANEOUS
    assert [state.legal_actions(player) for player in (0, 1)] == [[0, 1], [0, 1]]
    state.apply_actions([0, 1])
    assert state.state[:3] == [0, 1, 1]


def test_regret_is_as_small_as_in_the_game_that_openspiel_has_itself():
    ours, theirs = load(KUHN), pyspiel.load_game("kuhn_poker")
    solvers = [cfr.CFRSolver(game) for game in (ours, theirs)]
    for _ in range(100):
        for solver in solvers:
            solver.evaluate_and_update_policy()
    left = [
        exploitability.exploitability(game, solver.average_policy())
        for game, solver in zip((ours, theirs), solvers, strict=True)
    ]
    assert left[0] == pytest.approx(left[1], abs=1e-9)
    assert left[0] < 0.02


def test_a_bot_of_openspiel_takes_the_win_in_a_position_of_joute():
    position = joute.game(CONNECT_FOUR).position([0, 1, 0, 1, 0, 1])
    assert joute.bot(OpenSpielBot(searcher(200))).think(position).action == 0


@pytest.mark.game("virus")
def test_a_game_is_loaded_by_its_path_and_with_numbers_of_numpy():
    assert str(load(Path(CONNECT_FOUR))) == str(load(CONNECT_FOUR))
    assert str(load("virus", size=np.int64(5))) == str(load("virus", size=5))


def test_a_bot_of_openspiel_sits_in_a_match(tmp_path):
    theirs = OpenSpielBot(searcher(60))
    match = joute.match(CONNECT_FOUR, theirs, "builtin:random", games=6, seed=1)
    assert match.score > 0.5
    assert all(record.verify().ok for record in match.records)
    assert not any(record.faults for record in match.records)


@pytest.mark.game("virus")
def test_the_tree_search_of_openspiel_plays_virus_against_that_of_joute():
    theirs = joute.bot(OpenSpielBot(searcher(10)), name="theirs")
    match = joute.match("virus", theirs, "builtin:uct?simulations=300", games=4, seed=1, size=5)
    assert [record.verify().ok for record in match.records] == [True] * 4
    assert not any(record.faults for record in match.records)
    assert match.score < 0.5  # of a search that looks thirty times as far
    assert match.table()[0]["name"] == "uct?simulations=300"


@pytest.mark.full
@pytest.mark.parametrize("name", joute.games())
def test_a_bot_of_openspiel_plays_every_game(name):
    def make(game, player):
        simultaneous = game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
        drawn = pyspiel.make_uniform_random_bot(player, 1)
        return drawn if simultaneous else searcher(2)(game, player)

    short = {"plies": 20} if name == "vampires" else {}
    match = joute.match(name, OpenSpielBot(make), "builtin:random", games=2, seed=2, **short)
    assert not any(record.faults for record in match.records)
