"""The built-in bots of Tron: the wall-hugger and territory, and those that play every game."""

import numpy as np
import pytest
from games.tron.maps import ALL, superset

from joute.bots import BuiltinError, Seating, View, make
from joute.core.interface import OVER, legal, mover, pending, play, returns, start
from joute.core.maps import find_map, shipped
from joute.core.registry import make as make_game
from joute.games.tron.arena import CHOICE
from joute.games.tron.map import read_map

LEFT, UP, RIGHT, DOWN = range(4)
BASELINES = ["territory", "wall", "greedy", "random"]


def room(*rows, **options):
    return make_game("tron", map=superset("room", "\n".join(rows)), **options)


def played(game, *actions):
    state = start(game)
    for action in actions:
        play(game, state, action)
    return state


def choose(name, game, state, seed=1, **options):
    """The choice of a bot in a state that it must leave alone."""
    bot = make(name, options, Seating(game, mover(game, state), seed, 10.0))
    before = state.copy()
    choice = bot.play(state)
    assert np.array_equal(state, before)
    return choice


def choices(name, game, state):
    """All that a bot plays in a state, over many seeds."""
    return {choose(name, game, state, seed).action for seed in range(30)}


def play_game(game, names, seed=1):
    """The returns of a game between built-in bots, each of whose actions must be legal."""
    tables = [Seating(game, player, 100 * seed + player, 10.0) for player in range(len(names))]
    bots = [make(name, {}, table) for name, table in zip(names, tables, strict=True)]
    views = [View(table) for table in tables]
    state, dtype = start(game).tolist(), start(game).dtype
    out = [0] * 6
    while mover(game, state) != OVER:
        player = mover(game, state)
        known = np.array(views[player].of(state), dtype)
        action = bots[player].play(known).action
        assert action in out[: legal(game, state, out)]
        play(game, state, action)
    values = [0.0] * game.players
    returns(game, state, values)
    return values


# Sight.


def test_the_wall_hugger_keeps_to_the_wall():
    game = room("#######", "#     #", "#     #", "#1    #", "#     #", "#######", players=1)
    assert choices("wall", game, start(game)) == {DOWN}
    assert choices("wall", game, played(game, DOWN)) == {RIGHT}
    assert choose("wall", game, start(game)).message == "down: 18 cells, 3 walls"


def test_the_wall_hugger_does_not_shut_itself_out_of_the_larger_part():
    game = room("#######", "# #   #", "#  1  #", "# #   #", "#######", players=1)
    assert LEFT not in choices("wall", game, start(game))


def test_the_wall_hugger_knows_that_a_pair_can_be_used_once():
    game = room("########", "#A1A   #", "########", players=1)
    assert choose("wall", game, start(game)).message == "left: 3 cells, 3 walls"


def test_territory_cuts_the_other_off():
    # To the left of the door bike 0 keeps 9 cells for itself if it closes it.
    game = room("#########", "#   #   #", "# 1    2#", "#   #   #", "#########")
    assert choices("territory", game, start(game)) == {RIGHT}


def test_territory_does_not_enter_a_cell_where_it_may_be_met_if_it_leads():
    game = room("##########", "#        #", "#   1 2###", "#     ####", "##########")
    assert RIGHT not in choices("territory", game, start(game))


def test_of_more_than_two_nobody_enters_a_cell_where_it_may_be_met():
    game = room("########", "##1 2  #", "## #  ##", "#    3##", "########")
    assert choices("territory", game, start(game)) == {DOWN}


def test_with_turns_nobody_is_met():
    rows = ("#######", "##1 2##", "## # ##", "## ####", "#######")
    both = room(*rows), room(*rows, order="turns")
    values = [choose("territory", game, start(game)).message for game in both]
    assert values[0].startswith("down") and values[1].startswith("down")


def test_alone_territory_counts_the_moves_that_can_be_made():
    game = room("########", "#   1  #", "#  ### #", "########", players=1)
    assert choose("territory", game, start(game)).message == "left: +5.00"


def test_greedy_looks_at_the_end_of_the_round():
    # Bike 1 can only go left, and bike 2 goes on whatever they do.
    game = room("#######", "#1 2###", "# #####", "# #3  #", "#######", players=3)
    assert choices("greedy", game, start(game)) == {DOWN}
    assert choose("greedy", game, start(game)).message == "leads by 0"


# Blind spots.


@pytest.mark.parametrize("name", BASELINES)
def test_no_bot_looks_at_what_another_has_chosen_already(name):
    game = make_game("tron", map=ALL["duel"], players=2)
    actions = []
    for first in (LEFT, RIGHT, DOWN, UP):
        state = start(game)
        play(game, state, first)
        if name == "greedy":  # looks at what the others may have chosen: it is given a guess
            state[CHOICE] = DOWN
        assert mover(game, state) == 1
        assert pending(game, state) == 1
        actions.append(choose(name, game, state).action)
    assert len(set(actions)) == 1


# Every game.


@pytest.mark.full
@pytest.mark.parametrize("name", shipped("tron"))
def test_they_play_legally_on_every_shipped_map_with_any_number_of_bikes(name):
    text = find_map("tron", name)
    starts = sum(sign.isdigit() for rows in read_map(text).floors for row in rows for sign in row)
    for players in range(1, starts + 1):
        game = make_game("tron", map=text, players=players)
        play_game(game, (BASELINES * 2)[:players], seed=players)


@pytest.mark.parametrize("order", ["simultaneous", "turns"])
@pytest.mark.parametrize("name", ALL)
def test_a_game_of_theirs_is_legal_and_can_be_repeated(name, order):
    game = make_game("tron", map=ALL[name], players=2, order=order)
    names = ["wall", "territory"]
    assert play_game(game, names, seed=4) == play_game(game, names, seed=4)


def test_they_play_in_teams():
    text = find_map("tron", "cross")
    game = make_game("tron", map=text, players=4, teams=[[0, 2], [1, 3]])
    names = ["territory", "random", "territory", "random"]
    values = sum(play_game(game, names, seed)[0] for seed in range(10))
    assert values > 5


def score(one, other, games, **options):
    """The mean return of a bot against another on the duel's map, over both starts and seats."""
    total = 0.0
    for number in range(games):
        game = make_game(
            "tron", map=find_map("tron", "duel"), players=2, rotation=number % 2, **options
        )
        if number // 2 % 2:
            total += play_game(game, [other, one], number)[1]
        else:
            total += play_game(game, [one, other], number)[0]
    return total / games


def test_territory_beats_the_wall_hugger_and_that_beats_random():
    assert score("territory", "wall", 40) > 0.8
    assert score("territory", "random", 40) > 0.8
    assert score("wall", "random", 40) > 0.6


def test_with_turns_alpha_beta_can_look_ahead_for_territory():
    game = make_game("tron", map=find_map("tron", "duel"), players=2, order="turns")
    options = {"depth": "4", "evaluation": "territory"}
    ahead = make("alphabeta", options, Seating(game, 0, 1, 10.0))
    other = make("territory", {}, Seating(game, 1, 1, 10.0))
    state = start(game)
    while mover(game, state) != OVER:
        bot = (ahead, other)[mover(game, state)]
        play(game, state, bot.play(state.copy()).action)
    values = [0.0, 0.0]
    returns(game, state, values)
    assert values == [1.0, -1.0]


@pytest.mark.game("virus")
@pytest.mark.parametrize("name", ["territory", "wall"])
def test_bots_of_tron_refuse_other_games(name):
    with pytest.raises(BuiltinError, match=f"builtin:{name} plays tron, not virus"):
        make(name, {}, Seating(make_game("virus"), 0, 1, 1.0))
