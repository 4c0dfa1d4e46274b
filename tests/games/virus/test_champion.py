"""The champion of a game is its strongest bot; that of Virus plays what can be solved perfectly."""

import pytest
from games.pennies import Pennies
from search.positions import position

from joute.bots import BuiltinError, Seating, make
from joute.core.interface import legal, mover, play, properties, start
from joute.games.virus.players import champion as virus_champion
from joute.games.virus.rules import MOVER, STONE, Virus, VirusGrid
from joute.search.alphabeta_search import AlphaBetaResult, Solver


def seated(game, **options):
    """The champion at a table where a turn may take as long as it takes."""
    return make("champion", options, Seating(game, 0, 0, 1e6))


@pytest.mark.parametrize(("size", "starter", "lead"), [(3, 0, 9), (3, 1, 9), (4, 0, 0), (4, 1, 0)])
def test_small_boards_are_played_perfectly(size, starter, lead):
    game = Virus(size)
    state = start(game)
    play(game, state, starter)
    bot, solver = seated(game, seconds="1000"), Solver(game, state, 16)
    while mover(game, state) >= 0:
        side = mover(game, state)
        assert solver.settle(state).value == (lead if side == starter else -lead)
        choice = bot.play(state)
        assert choice.message.endswith("solved")
        play(game, state, choice.action)
    final = state[2 * starter].bit_count() - state[2 - 2 * starter].bit_count()
    assert final == lead


@pytest.mark.parametrize("plies", [84, 86, 88, 92])
def test_the_last_cells_are_played_perfectly(plies):
    game, state = position(10, plies, seed=plies)
    choice = seated(game, seconds="1000").play(state)
    value = Solver(game, state).settle(state).value
    assert f"{value:+.0f} at the end" in choice.message
    assert choice.value == (value > 0) - (value < 0)
    assert choice.line[0] == choice.action


def test_what_cannot_be_solved_in_time_is_searched(monkeypatch):
    monkeypatch.setattr(virus_champion.Solver, "settle", lambda *_, **__: None)
    game, state = position(10, 84, seed=1)
    assert "simulations" in seated(game, seconds="0.01").play(state).message


def test_a_win_that_is_proven_is_played(monkeypatch):
    game, state = position(10, 84, seed=1)
    won = AlphaBetaResult(40, 3.0, 1, 500, False, [40])
    monkeypatch.setattr(virus_champion.Solver, "settle", lambda *_: won)
    choice = seated(game, seconds="0.01").play(state)
    assert choice.message == "a5: +3 or more at the end, 500 nodes, won"
    assert (choice.action, choice.value) == (40, 1)


@pytest.mark.parametrize("game", [Virus(10), Virus(8, voluntary_pass=False), VirusGrid(12)])
def test_every_size_is_played(game):
    state = start(game)
    play(game, state, 0)
    choice = seated(game, seconds="0.005").play(state)
    out = [0] * properties(game).max_legal
    assert choice.action in out[: legal(game, state.tolist(), out)]


def test_a_game_without_a_champion_is_refused_with_a_sentence():
    with pytest.raises(BuiltinError, match=r"pennies has none \(there are: .*virus"):
        seated(Pennies())


def test_a_negative_time_is_refused():
    with pytest.raises(BuiltinError, match="seconds must be above 0"):
        seated(Virus(10), seconds="-1")


def test_the_options_of_a_game_s_champion_can_be_given():
    game, state = position(10, 20, seed=1)
    choice = seated(game, simulations="50", exploration="0.5").play(state)
    assert "50 simulations" in choice.message
    assert 45 <= sum(choice.visits.values()) <= 50
    with pytest.raises(BuiltinError, match="simulations"):
        seated(game, simulations="50", seconds="1")


def test_an_option_of_another_champion_is_refused():
    with pytest.raises(BuiltinError, match="trust"):
        seated(Virus(10), trust="1")


def test_the_same_simulations_play_the_same_game():
    def actions():
        game, state = position(10, 60, seed=3)
        bots = [seated(game, simulations="60") for _ in range(2)]
        played = []
        while mover(game, state) >= 0:
            played.append(bots[mover(game, state)].play(state).action)
            play(game, state, played[-1])
        return played

    assert actions() == actions()


def test_every_option_of_a_choice_is_explained():
    game, state = position(10, 20, seed=1)
    options = seated(game, simulations="200").explain(state)
    visits = [option.visits for option in options]
    assert visits == sorted(visits, reverse=True)
    assert {option.value is None for option in options if option.visits == 0} <= {True}


def test_a_pass_without_a_choice_is_explained():
    game = position(10, 0, 0)[0]
    state = start(game)
    play(game, state, 0)  # chance says who starts
    state[:MOVER] = 0
    state[:2] = STONE[10, 0]
    for cell in (1, 10, 11):  # around the only stone of the mover
        state[2:4] |= STONE[10, cell]
    [option] = seated(game, simulations="50").explain(state)
    assert option.line == (100,)


@pytest.mark.parametrize("seed", [1, 2, 5, 17])
def test_what_is_explained_first_is_what_is_played(seed):
    game, state = position(10, 84, seed)
    played = seated(game, simulations="300").play(state)
    options = seated(game, simulations="300").explain(state)
    assert (options[0].line, options[0].value) == ((played.action,), played.value)
    assert len({option.line for option in options}) == len(options)
