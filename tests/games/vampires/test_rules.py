"""Vampires vs Werewolves by example: the rules, and what bots and people see and write."""

import json
import pickle

import numpy as np
import pytest
from games.vampires.maps import CROWD, FIELD, LINE, PAIR, SMALL

from joute.core.errors import ActionError, GameError
from joute.core.interface import (
    CHANCE,
    OVER,
    accepts,
    chances,
    describe,
    draw,
    expand,
    fault_action,
    legal,
    mover,
    observe,
    parameters,
    parse,
    pending,
    pick,
    play,
    points,
    properties,
    render,
    returns,
    start,
    stream,
    tell,
)
from joute.core.random import generator
from joute.core.registry import make
from joute.games.vampires.forecast import Encounter, forecast
from joute.games.vampires.order import (
    Broken,
    OrderError,
    actions,
    changes,
    check,
    law,
    moves_of,
    read,
    write,
)
from joute.games.vampires.state import (
    BITS,
    DONE,
    EMPTY,
    HUMANS,
    MOVES,
    STOP,
    VAMPIRES,
    WEREWOLVES,
    WON,
    word_of,
)


def opened(text="", **values):
    """A game and its first state."""
    game = make("vampires", map=text, **values)
    return game, start(game).tolist()


def worded(broken):
    """A broken rule with its reason as text."""
    return broken._replace(reason=str(broken.reason))


def ordered(game, state, *moves):
    """Play an order, battles not included."""
    for action in expand(game, state, [list(move) for move in moves]):
        play(game, state, action)


def held(game, state):
    """The contents of the cells: {(x, y): '12V'}."""
    names = "hVW"
    return {
        (x, y): f"{max(counts)}{names[counts.index(max(counts))]}"
        for x, y, *counts in observe(game, state, 0)["cells"]
    }


def value(game, state):
    """The return of the Vampires."""
    values = [0.0, 0.0]
    returns(game, state, values)
    assert values[1] == -values[0]
    return values[0]


def line(*groups):
    """A map of one row; a group is '3h', '2V', '4W', or '.'."""
    names = {"h": "Humans", "V": "Vampires", "W": "Werewolves"}
    body = "".join(
        f'<{names[group[-1]]} X="{x}" Y="0" Count="{group[:-1]}"/>'
        for x, group in enumerate(groups)
        if group != "."
    )
    return f'<Map Rows="1" Columns="{len(groups)}">{body}</Map>'


# The rules.


def test_units_go_to_an_empty_cell_and_join_their_own():
    game, state = opened(line("5V", ".", ".", "5W"))
    ordered(game, state, (0, 0, 2, 1, 0))
    assert held(game, state) == {(0, 0): "3V", (1, 0): "2V", (3, 0): "5W"}
    assert mover(game, state) == 1
    ordered(game, state, (3, 0, 5, 2, 0))
    ordered(game, state, (0, 0, 3, 1, 0))
    assert held(game, state) == {(1, 0): "5V", (2, 0): "5W"}


def test_as_many_as_the_humans_convert_them_all():
    game, state = opened(line("5V", "5h", ".", "5W"))
    ordered(game, state, (0, 0, 5, 1, 0))
    assert held(game, state) == {(1, 0): "10V", (3, 0): "5W"}
    assert [points(game, state, player) for player in (0, 1)] == [10, 5]


def test_half_as_many_again_kill_enemies_without_loss():
    game, state = opened(line("9V", "6W"))
    ordered(game, state, (0, 0, 9, 1, 0))
    assert held(game, state) == {(1, 0): "9V"}
    assert (mover(game, state), value(game, state)) == (OVER, 1.0)


@pytest.mark.parametrize(
    ("groups", "outcome", "after"),
    [
        (("2V", "3h", ".", "1W"), WON + 4, {(1, 0): "4V", (3, 0): "1W"}),
        (("2V", "3h", ".", "1W"), 2, {(1, 0): "2h", (3, 0): "1W"}),
        (("2V", "3h", ".", "1W"), WON, {(3, 0): "1W"}),
        (("4V", "3W", "."), WON + 2, {(1, 0): "2V"}),
        (("4V", "3W", "."), 3, {(1, 0): "3W"}),
    ],
)
def test_fewer_must_fight(groups, outcome, after):
    game, state = opened(line(*groups))
    ordered(game, state, (0, 0, int(groups[0][0]), 1, 0))
    assert mover(game, state) == CHANCE
    play(game, state, outcome)
    assert held(game, state) == after


def test_survivors_beyond_a_byte_are_255():
    game, state = opened(line("250V", "255h", ".", "1W"))
    ordered(game, state, (0, 0, 250, 1, 0))
    play(game, state, WON + 400)
    assert held(game, state)[1, 0] == "255V"
    assert points(game, state, 0) == 255


@pytest.mark.parametrize(("wrap", "joined", "converted"), [(False, 255, 255), (True, 24, 174)])
def test_joining_counts_stop_at_255_or_wrap_at_256(wrap, joined, converted):
    game, state = opened(CROWD, wrap_counts=wrap)
    ordered(game, state, (0, 0, 230, 1, 0))
    assert held(game, state)[1, 0] == f"{converted}V"
    assert points(game, state, 0) == converted
    game, state = opened(line("140V", "140h", ".", "1W"), wrap_counts=wrap)
    ordered(game, state, (0, 0, 140, 1, 0))
    assert held(game, state)[1, 0] == f"{joined if wrap else 255}V"


def test_a_cell_that_wraps_to_nothing_is_empty():
    game, state = opened(line("128V", "128h", ".", "1W"), wrap_counts=True)
    ordered(game, state, (0, 0, 128, 1, 0))
    assert held(game, state) == {(3, 0): "1W"}
    assert (mover(game, state), value(game, state)) == (OVER, -1.0)


def test_both_extinct_is_a_win_of_the_werewolves():
    game, state = opened(line("1V", "1W"))
    ordered(game, state, (0, 0, 1, 1, 0))
    play(game, state, 0)
    assert held(game, state) == {}
    assert (mover(game, state), value(game, state)) == (OVER, -1.0)


@pytest.mark.parametrize(
    ("groups", "result"), [(("3V", ".", "2W"), 1), (("2V", ".", "3W"), -1), (("2V", ".", "2W"), 0)]
)
def test_at_the_limit_the_larger_species_wins(groups, result):
    for plies in (DONE, DONE), (STOP,):
        game, state = opened(line(*groups), plies=2)
        for ply in plies:
            assert mover(game, state) != OVER
            play(game, state, ply)
        assert (mover(game, state), value(game, state)) == (OVER, result)


def test_only_the_clock_passes_and_stops():
    game, state = opened(SMALL)
    assert not accepts(game, state, DONE)
    assert not accepts(game, state, STOP)
    assert fault_action(game, state, 0) == DONE
    before = held(game, state)
    play(game, state, DONE)
    assert (held(game, state), mover(game, state)) == (before, 1)


def test_battles_are_fought_after_the_sure_results_from_the_top():
    text = (
        '<Map Rows="3" Columns="3"><Humans X="0" Y="0" Count="4"/><Humans X="2" Y="0" Count="3"/>'
    )
    text += '<Humans X="1" Y="0" Count="1"/><Vampires X="1" Y="1" Count="6"/>'
    text += '<Werewolves X="1" Y="2" Count="2"/></Map>'
    game, state = opened(text)
    ordered(game, state, (1, 1, 2, 1, 2), (1, 1, 2, 2, 0), (1, 1, 1, 1, 0), (1, 1, 1, 0, 0))
    assert held(game, state)[1, 0] == "2V"
    assert observe(game, state, 0)["arriving"] == [[0, 0, 1], [2, 0, 2], [1, 2, 2]]
    assert stream(game, state) == "battles"
    for outcome in (WON + 3, 2):
        play(game, state, outcome)
    assert observe(game, state, 0)["arriving"] == [[1, 2, 2]]
    assert describe(game, state, 1) == "1 werewolves survive"
    play(game, state, 1)
    assert held(game, state) == {(0, 0): "3V", (1, 0): "2V", (2, 0): "2h", (1, 2): "1W"}


def test_an_order_has_255_moves_at_most():
    game, state = opened(FIELD)
    play(game, state, expand(game, state, "0,0 x1 -> 1,0")[0])
    state[MOVES] = 255
    out = [0] * properties(game).max_legal
    assert out[: legal(game, state, out)] == [DONE]
    assert pick(game, state, out, generator(1)) == DONE


def test_large_grids_and_crowds_have_wide_states():
    wide = '<Map Rows="255" Columns="255"><Vampires X="0" Y="0" Count="9"/>'
    game, state = opened(f'{wide}<Werewolves X="254" Y="254" Count="9"/></Map>')
    assert start(game).dtype == np.int32
    ordered(game, state, (0, 0, 9, 1, 1))
    ordered(game, state, (254, 254, 9, 253, 253))
    assert held(game, state) == {(1, 1): "9V", (253, 253): "9W"}
    humans = "".join(f'<Humans X="{x}" Y="1" Count="255"/>' for x in range(200))
    crowd = '<Map Rows="2" Columns="200"><Vampires X="0" Y="0" Count="9"/>'
    assert start(opened(f'{crowd}<Werewolves X="9" Y="0" Count="9"/>{humans}</Map>')[0]).dtype == (
        np.int32
    )
    assert start(make("vampires")).dtype == np.int16


def test_the_word_of_every_cell_is_exact():
    assert all(word_of(cell) == cell // BITS for cell in range(257 * 257))


def test_whole_groups_move_where_they_do_not_split():
    game, state = opened(SMALL, split=False)
    out = [0] * properties(game).max_legal
    choices = moves_of(game, out[: legal(game, state, out)])
    assert choices == [[0, 0, 3, 1, 0], [0, 0, 3, 0, 1], [0, 0, 3, 1, 1]]
    assert worded(check(game, state, [[0, 0, 2, 1, 0]])) == Broken(8, 1, (0, 0), "2 of 3 leave 0,0")
    assert check(game, state, [[0, 0, 2, 1, 0], [0, 0, 1, 1, 0]]) is None


# Making a game.


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"map": 5}, "map must be the text of a map, got 5"),
        ({"map": "<Map/>"}, "line 1, column 1: Map has no Rows"),
        ({"plies": 3}, "plies must be even, as both players have turns; got 3"),
        ({"plies": 0}, "plies must be in 2..10000, got 0"),
        ({"plies": True}, "plies must be in 2..10000, got True"),
        ({"split": 1}, "split must be true or false, got 1"),
        ({"wrap_counts": "no"}, "wrap_counts must be true or false, got 'no'"),
    ],
)
def test_a_game_that_cannot_be_made_is_refused(values, words):
    with pytest.raises(GameError, match=words):
        make("vampires", **values)


def test_a_game_is_made_again_from_its_parameters():
    for values in ({}, {"map": FIELD, "plies": 20, "split": False, "wrap_counts": True}):
        game = make("vampires", **values)
        again = make("vampires", **parameters(game))
        assert parameters(again) == parameters(game)
        assert (start(again) == start(game)).all()
        assert all(getattr(again, key) == getattr(game, key) for key in game._fields[:-2])


# Observations.


def test_an_observation_has_the_documented_keys():
    game, state = opened(LINE, plies=20)
    assert observe(game, state, 0) == {
        "rows": 1,
        "columns": 5,
        "cells": [[0, 0, 0, 2, 0], [2, 0, 3, 0, 0], [4, 0, 0, 0, 2]],
        "player": 0,
        "species": "vampires",
        "to_move": 0,
        "turn": 0,
        "plies": 20,
        "counts": [2, 2],
        "humans": 3,
        "split": True,
        "wrap_counts": False,
        "leaving": [],
        "arriving": [],
        "legal": actions(game, [[0, 0, 1, 1, 0]])[:1] + actions(game, [[0, 0, 2, 1, 0]])[:1],
    }
    seen = observe(game, state, 1)
    assert (seen["player"], seen["species"], seen["legal"]) == (1, "werewolves", [])


def test_a_state_in_an_array_is_seen_as_one_in_a_list():
    game, state = opened(SMALL)
    array = start(game)
    for choice in (parse(game, state, "0,0 x2 -> 1,1"), DONE):
        assert json.loads(json.dumps(observe(game, array, 0))) == observe(game, state, 0)
        assert render(game, array) == render(game, state)
        for each in (DONE, STOP, choice):
            assert accepts(game, array, each) is accepts(game, state, each)
        play(game, array, choice)
        play(game, state, choice)
    broken = [check(game, each, [[3, 2, 4, 2, 2]]) for each in (array, state)]
    assert worded(broken[0]) == worded(broken[1])
    assert observe(game, array, 1) == observe(game, state, 1)


def test_half_an_order_is_seen_by_what_is_left_and_where_units_go():
    game, state = opened(SMALL)
    action = parse(game, state, "0,0 x2 -> 1,1")
    told = tell(game, state, 1, action)
    assert told == {
        "player": 0,
        "action": action,
        "text": "0,0 x2 -> 1,1",
        "move": [0, 0, 2, 1, 1],
    }
    play(game, state, action)
    seen = observe(game, state, 0)
    assert pending(game, state) == 1
    assert seen["cells"][0] == [0, 0, 0, 1, 0]
    assert (seen["leaving"], seen["arriving"]) == ([[0, 0]], [[1, 1, 2]])
    assert seen["legal"] == [DONE]
    assert seen["counts"] == [3, 3]
    assert describe(game, state, DONE) == "done"
    assert tell(game, state, 0, DONE) == {"player": 0, "action": DONE, "text": "done"}
    assert render(game, state).splitlines()[-1] == "vampires on their way: 2 to 1,1"
    play(game, state, DONE)
    assert held(game, state)[1, 1] == "4V"


def test_a_battle_is_told_with_its_cell():
    game, state = opened(line("1V", "2h", "1W"))
    ordered(game, state, (0, 0, 1, 1, 0))
    told = {"player": CHANCE, "action": 2, "text": "2 humans survive", "cell": [1, 0]}
    assert tell(game, state, 0, 2) == told
    assert observe(game, state, 0)["to_move"] == CHANCE
    assert render(game, state).splitlines()[-1] == "vampires fighting: 1 to 1,0"


def test_a_board_is_drawn_with_its_groups():
    game, state = opened(CROWD)
    assert render(game, state).splitlines() == [
        "      0    1    2",
        "0  230V 200h    .",
        "1   90h    .    .",
        "2     . 200h 230W",
        "vampires 230, werewolves 230, humans 490; turn 0 of 200",
        "vampires to move",
    ]
    game, state = opened(line("9V", "6W"))
    ordered(game, state, (0, 0, 9, 1, 0))
    assert render(game, state).splitlines()[-1].endswith("turn 1 of 200")


def test_a_large_board_fits_a_terminal():
    body = '<Vampires X="0" Y="0" Count="12"/><Werewolves X="24" Y="19" Count="12"/>'
    game, state = opened(f'<Map Rows="20" Columns="25">{body}</Map>')
    lines = render(game, state).splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80


# Texts.


def test_actions_and_outcomes_are_read_as_they_are_written_and_more_leniently():
    game, state = opened(SMALL)
    action = actions(game, [[0, 0, 2, 1, 1]])[0]
    assert describe(game, state, action) == "0,0 x2 -> 1,1"
    for text in ("0,0 x2 -> 1,1", "(0,0)x2>(1,1)", " 0, 0 * 2 => 1 ,1 ", "0,0 X2 to 1,1"):
        assert parse(game, state, text) == action
    assert parse(game, state, "0,0 -> 1,1") == actions(game, [[0, 0, 3, 1, 1]])[0]
    assert [parse(game, state, text) for text in ("done", "Pass", "stop")] == [DONE, DONE, STOP]
    assert [describe(game, state, each) for each in (DONE, STOP)] == ["pass", "stop"]


@pytest.mark.parametrize(
    "text", ["", "0,0", "north", "0,0 x2 -> 2,2", "0,0 x0 -> 1,1", "9,9 -> 9,8", "0,0 x256 -> 1,1"]
)
def test_what_is_no_move_is_refused(text):
    game, state = opened(SMALL)
    with pytest.raises(ActionError):
        parse(game, state, text)


def test_outcomes_name_the_survivors():
    game, state = opened(line("1V", "2h", "1W"))
    ordered(game, state, (0, 0, 1, 1, 0))
    assert parse(game, state, "2 vampires survive") == WON + 2
    assert parse(game, state, "0 humans survive") == 0
    for text in ("2 werewolves survive", "512 humans survive", "done"):
        with pytest.raises(ActionError, match="'7 vampires survive' or '7 humans survive'"):
            parse(game, state, text)


# Whole orders.


def test_an_order_is_read_from_text_and_written():
    game, state = opened(FIELD)
    moves = [[3, 4, 5, 4, 4], [5, 5, 2, 5, 6]]
    assert write(moves) == "3,4 x5 -> 4,4; 5,5 x2 -> 5,6"
    for text in (write(moves), "3,4x5>4,4\n\n 5 , 5 x 2 > 5,6 ;", write(moves) + "; Done"):
        assert read(game, state, text) == moves
    assert read(game, state, "0,0 -> 1,1; 9,9 -> 9,8") == [[0, 0, 4, 1, 1], [9, 9, 0, 9, 8]]
    assert read(game, state, "done") == []


def test_an_answer_is_an_order_or_small_choices():
    game, state = opened(FIELD)
    moves = [[0, 0, 1, 1, 1], [0, 0, 2, 0, 1], [0, 0, 1, 1, 1]]
    found = expand(game, state, moves)
    assert [describe(game, state, each) for each in found[:-1]] == [
        "0,0 x2 -> 0,1",
        "0,0 x2 -> 1,1",
    ]
    assert found[-1] == DONE
    assert expand(game, state, tuple(map(tuple, moves))) == found
    assert expand(game, state, write(moves)) == found
    assert expand(game, state, found) == found
    assert expand(game, state, found[0]) == found[:1]
    play(game, state, found[0])
    assert expand(game, state, " DONE ") == [DONE]
    with pytest.raises(ActionError, match="an order is half chosen"):
        expand(game, state, moves)
    play(game, state, found[1])
    play(game, state, DONE)
    assert mover(game, state) == 1


@pytest.mark.parametrize(
    "answer",
    [None, True, 1.5, {}, [[0, 0, 1, 1]], [[0, 0, 1.0, 1, 1]], [5, [0, 0, 1, 1, 1]], [True]],
)
def test_an_answer_that_is_no_order_is_refused(answer):
    game, state = opened(FIELD)
    with pytest.raises(ActionError, match="expected moves"):
        expand(game, state, answer)


@pytest.mark.parametrize(
    "answer",
    [
        " " * 1_000_000 + "x",
        "0,0" + " " * 1_000_000,
        ";" * 1_000_000,
        "9" * 1_000_000,
        "0" * 50_000,
        f"0,0 x{'9' * 5000} -> 1,1",
        [[0, 0, 10**5000, 1, 1]],
        "3,4 x5 -> 4,4;" * 70_000,
    ],
    ids=range(8),
)
def test_an_answer_of_any_length_is_refused_quickly_and_briefly(answer):
    game, state = opened(FIELD)
    with pytest.raises(ActionError) as caught:
        expand(game, state, answer)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("moves", "broken"),
    [
        ([], Broken(1, 0, None, "0 moves")),
        ([[0, 0, 1, 0, 1]] * 256, Broken(1, 0, None, "256 moves")),
        ([[1, 1, 1, 0, 1]], Broken(2, 1, (1, 1), "1,1 holds nobody, not vampires")),
        ([[1, 2, 1, 0, 1]], Broken(2, 1, (1, 2), "1,2 holds 1 humans, not vampires")),
        ([[4, 4, 1, 3, 3]], Broken(2, 1, (4, 4), "4,4 holds 4 werewolves, not vampires")),
        ([[0, 0, 1, 0, 1], [5, 0, 1, 4, 0]], Broken(2, 2, (5, 0), "5,0 is off the grid")),
        (
            [[0, 0, 3, 0, 1], [0, 0, 2, 0, 1]],
            Broken(3, 2, (0, 0), "5 leave 0,0, which holds 4"),
        ),
        ([[0, 0, 1, 0, 2]], Broken(4, 1, (0, 2), "0,2 is no neighbour of 0,0")),
        ([[0, 0, 1, 0, 0]], Broken(4, 1, (0, 0), "0,0 is no neighbour of 0,0")),
        ([[0, 0, 1, -1, 0]], Broken(4, 1, (-1, 0), "-1,0 is off the grid")),
        ([[0, 0, 0, 1, 0]], Broken(6, 1, (0, 0), "the count is 0")),
        ([[0, 0, 2, 1, 0], [0, 0, -1, 1, 1]], Broken(6, 2, (0, 0), "the count is -1")),
    ],
)
def test_the_first_broken_rule_is_named_with_its_move_and_cell(moves, broken):
    game, state = opened(FIELD)
    assert worded(check(game, state, moves)) == broken
    with pytest.raises(OrderError) as caught:
        expand(game, state, moves)
    assert worded(caught.value.broken) == broken
    where = f", move {broken.move}" if broken.move else ""
    assert str(caught.value) == f"rule {broken.rule}{where}: {broken.reason} ({law(broken.rule)})"


def test_no_cell_is_left_and_entered_in_one_order():
    game, state = opened(line("4V", ".", ".", ".", "4W"))
    ordered(game, state, (0, 0, 2, 1, 0))
    play(game, state, DONE)
    for moves in ([[0, 0, 1, 1, 0], [1, 0, 1, 2, 0]], [[1, 0, 1, 2, 0], [0, 0, 1, 1, 0]]):
        found = Broken(5, 2, (1, 0), "units leave 1,0 and others come there")
        assert worded(check(game, state, moves)) == found


def test_no_cell_receives_more_than_255():
    game, state = opened(CROWD)
    for move in ((0, 0, 230, 1, 0), (1, 0, 100, 0, 1)):
        ordered(game, state, move)
        play(game, state, DONE)
    assert held(game, state)[1, 0] == "155V"
    assert held(game, state)[0, 1] == "190V"
    both = [[0, 1, 100, 1, 1], [1, 0, 155, 1, 1]]
    assert check(game, state, both) is None
    both[0][2] = 101
    assert worded(check(game, state, both)) == Broken(7, 2, (1, 1), "256 come to 1,1")
    play(game, state, actions(game, both)[0])
    out = [0] * properties(game).max_legal
    choices = moves_of(game, out[: legal(game, state, out)])
    assert max(count for _, _, count, *target in choices if target == [1, 1]) == 100


def test_an_error_about_an_order_travels_between_processes():
    game, state = opened(PAIR)
    with pytest.raises(OrderError) as caught:
        expand(game, state, [])
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.broken.rule) == (str(caught.value), caught.value.broken.rule)


def test_changes_are_targets_in_order_each_with_its_sources():
    moves = [(1, 1, 1, 2, 2), (3, 1, 1, 4, 2), (3, 3, 1, 2, 2), (1, 1, 1, 0, 2), (3, 3, 2, 4, 2)]
    assert changes(moves) == [(2, 2), (1, 1), (3, 3), (4, 2), (3, 1), (0, 2)]
    assert changes([]) == []


# Forecasts.


def test_a_forecast_tells_sure_results_from_battles():
    text = (
        '<Map Rows="3" Columns="3"><Humans X="0" Y="0" Count="4"/><Humans X="2" Y="0" Count="3"/>'
    )
    text += '<Vampires X="1" Y="1" Count="14"/><Werewolves X="1" Y="2" Count="2"/></Map>'
    game, state = opened(text)
    moves = [[1, 1, 1, 2, 0], [1, 1, 2, 1, 2], [1, 1, 4, 0, 0], [1, 1, 1, 0, 1], [1, 1, 2, 2, 0]]
    moves += [[1, 1, 1, 1, 2]]
    assert forecast(game, state, moves) == [
        Encounter(2, 0, 3, HUMANS, 3, 1.0, 6.0, 0.0, overflow=False),
        Encounter(1, 2, 3, WEREWOLVES, 2, 1.0, 3.0, 0.0, overflow=False),
        Encounter(0, 0, 4, HUMANS, 4, 1.0, 8.0, 0.0, overflow=False),
        Encounter(0, 1, 1, EMPTY, 0, 1.0, 1.0, 0.0, overflow=False),
    ]
    assert forecast(game, state, [[1, 1, 1, 0, 0], [1, 1, 2, 1, 2]]) == [
        Encounter(0, 0, 1, HUMANS, 4, 0.125, 0.625, 3.5, overflow=False),
        Encounter(1, 2, 2, WEREWOLVES, 2, 0.5, 1.0, 1.0, overflow=False),
    ]


@pytest.mark.parametrize(("wrap", "left"), [(False, 255.0), (True, 174.0)])
def test_a_forecast_says_where_a_cell_overflows(wrap, left):
    game, state = opened(CROWD, wrap_counts=wrap)
    [found] = forecast(game, state, [[0, 0, 230, 1, 0]])
    assert (found.won, found.overflow) == (left, True)
    ordered(game, state, (0, 0, 200, 1, 0))
    play(game, state, DONE)
    [found] = forecast(game, state, [[0, 0, 30, 1, 0]])
    assert (found.kind, found.overflow) == (VAMPIRES, not wrap)


@pytest.mark.parametrize("seed", range(20))
def test_a_forecast_is_what_then_happens(seed):
    rng = generator(seed)
    game, state = opened(FIELD)
    out, weights = [0] * max(properties(game).max_legal, 1024), [0.0] * 1024
    while mover(game, state) != OVER:
        before, chosen = state.copy(), []
        while not chosen or chosen[-1] != DONE:
            chosen.append(pick(game, state, out, rng))
            play(game, state, chosen[-1])
        meetings = forecast(game, before, moves_of(game, chosen))
        fights = [(each.y, each.x, each) for each in meetings if each.chance < 1]
        for _, _, each in sorted(fights):
            count = chances(game, state, out, weights)
            chance = sum(w for o, w in zip(out[:count], weights, strict=False) if o >= WON)
            mean = sum(
                (o - WON) * w for o, w in zip(out[:count], weights, strict=False) if o >= WON
            )
            assert chance == pytest.approx(each.chance)
            assert mean / chance == pytest.approx(each.won)
            play(game, state, draw(game, state, out, weights, rng))
        found = {(x, y): max(counts) for x, y, *counts in observe(game, state, 0)["cells"]}
        assert all(found[each.x, each.y] == each.won for each in meetings if each.chance == 1)
