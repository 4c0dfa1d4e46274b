"""Facts of Tron: its settings, its results, what is hidden, what bots and people are shown."""

import json
import random

import pytest
from games.tron.maps import ALL, DUEL, OPEN, superset
from helpers import COPIES

from joute.core.errors import ActionError, GameError
from joute.core.interface import (
    OVER,
    accepts,
    determinize,
    legal,
    mover,
    observe,
    parameters,
    parse,
    pending,
    play,
    points,
    properties,
    render,
    returns,
    start,
)
from joute.core.random import generator
from joute.core.registry import make
from joute.games.tron.rules import places
from joute.games.tron.text import living

LEFT, UP, RIGHT, DOWN, UPSTAIRS, DOWNSTAIRS = range(6)
LANE = superset("lane", "#######\n#1   2#\n#######")
FIELD = superset("field", "######\n#1  2#\n#    #\n#3  4#\n######")


def played(game, *actions):
    state = start(game).tolist()
    for action in actions:
        play(game, state, action)
    return state


def values(game, state):
    out = [0.0] * properties(game).players
    returns(game, state, out)
    return out


def free(game, state):
    out = [0] * 6
    return out[: legal(game, state, out)]


# Settings.


def test_without_a_map_one_bike_has_the_plain_room_and_more_an_arena():
    alone, two, four = (make("tron", players=players) for players in (1, 2, 4))
    assert (alone.cells - 1, two.cells - 1) == (165, 225)
    assert properties(alone).players == 1
    assert [properties(game).players for game in (two, four)] == [2, 4]


def test_no_players_means_one_for_each_start():
    assert properties(make("tron", map=FIELD, players=0)).players == 4


@pytest.mark.parametrize("name", ALL)
def test_a_game_is_made_again_from_its_parameters(name):
    game = make("tron", map=ALL[name], rotation=1)
    plain = json.loads(json.dumps(parameters(game)))
    again = make("tron", **plain)
    assert again.source.tobytes() == game.source.tobytes()
    assert start(again).tolist() == start(game).tolist()


def test_options_given_overrule_those_of_the_map():
    assert parameters(make("tron", map=OPEN))["wrap"] == "xy"
    assert parameters(make("tron", map=OPEN, wrap="none"))["wrap"] == "none"
    walled, open_ = make("tron", map=OPEN, wrap="none"), make("tron", map=OPEN)
    assert free(walled, start(walled).tolist()) == [RIGHT, DOWN]
    assert free(open_, start(open_).tolist()) == [UP, RIGHT, DOWN]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"players": 9}, "players must be in 0..8, got 9"),
        ({"players": True}, "players must be in 0..8"),
        ({"players": 3, "map": DUEL}, "'duel' has 2 starts, for 3 bikes"),
        ({"rotation": 2}, "rotation must be in 0..1, got 2"),
        ({"map": 7}, "map must be the text of a map, got 7"),
        ({"map": "tron 2\n"}, "line 1"),
        ({"order": "random"}, "order must be one of simultaneous, turns, got 'random'"),
        ({"trail": "fade"}, "trail must be one of stay, vanish"),
        ({"wrap": "z"}, "wrap must be one of none, x, y, xy"),
        ({"teams": [[0, 1]]}, "at least two teams"),
        ({"teams": [[0], [0]]}, "each in one team"),
        ({"teams": [[0, 1], []]}, "at least two teams"),
        ({"teams": [0, 1]}, "teams must be lists"),
        ({"speed": 3}, "tron has no parameter 'speed'"),
    ],
)
def test_settings_that_cannot_be_are_refused(given, words):
    with pytest.raises(GameError, match=words):
        make("tron", **given)


# Results.


def test_the_last_bike_wins():
    game = make("tron", map=FIELD, players=2)
    state = played(game, LEFT, DOWN)
    assert mover(game, state) == OVER
    assert values(game, state) == [-1.0, 1.0]
    assert places(game, state) == [2, 1]


def test_those_who_meet_in_a_cell_share_their_place():
    game = make("tron", map=LANE)
    state = played(game, RIGHT, LEFT, RIGHT, LEFT)
    assert mover(game, state) == OVER
    assert values(game, state) == [0.0, 0.0]
    assert points(game, state, 0) == points(game, state, 1) == 1
    assert render(game, state).splitlines()[1] == "## 1x1 *x2 2##"


def test_returns_of_four_count_those_outlived():
    game = make("tron", map=FIELD, players=4)
    state = played(game, LEFT, RIGHT, RIGHT, LEFT)  # two crash, then two meet
    assert living(game, state) == [2, 3]
    play(game, state, UP)
    play(game, state, RIGHT)
    assert mover(game, state) == OVER
    assert places(game, state) == [3, 3, 1, 2]
    assert values(game, state) == [-2 / 3, -2 / 3, 1.0, 1 / 3]


def test_a_team_lives_as_long_as_its_last_bike_and_shares_the_return():
    game = make("tron", map=FIELD, players=4, teams=[[0, 3], [1, 2]])
    state = played(game, LEFT, RIGHT, LEFT, LEFT)
    assert mover(game, state) == OVER
    assert living(game, state) == [3]
    assert values(game, state) == [1.0, -1.0, -1.0, 1.0]
    assert properties(game).zero_sum


def test_teams_of_unlike_size_are_not_zero_sum():
    game = make("tron", map=FIELD, players=3, teams=[[0, 1], [2]])
    assert not properties(game).zero_sum
    state = played(game, LEFT, RIGHT, UP)
    play(game, state, LEFT)
    assert values(game, state) == [-1.0, -1.0, 1.0]


def test_alone_the_moves_are_the_score():
    game = make("tron", players=1)
    state = played(game, LEFT, LEFT, LEFT)
    assert mover(game, state) == OVER
    assert values(game, state) == [2.0]
    assert points(game, state, 0) == 2


def test_the_rooms_of_the_workshop_have_their_size():
    for name, cells in (("classic165", 165), ("template164", 164)):
        text = (COPIES / "tron" / f"{name}.txt").read_text("utf-8")
        game = make("tron", map=text, players=1)
        assert game.cells - 1 == cells
        assert observe(game, start(game).tolist(), 0)["heads"] == [[3, 5, 0]]


# Choices are hidden until all have chosen.


def test_a_choice_shows_nowhere_before_all_are_in():
    game = make("tron", map=FIELD, players=4)
    before = start(game).tolist()
    seen = []
    for first in range(4):
        state = before.copy()
        play(game, state, first)
        assert (mover(game, state), pending(game, state)) == (1, 1)
        seen.append((observe(game, state, 1), free(game, state), render(game, state, 1)))
    assert all(each == seen[0] for each in seen)
    assert seen[0][0] == {**observe(game, before, 1), "legal": [LEFT, DOWN], "player": 1}


def test_a_determinization_draws_the_choices_of_others_anew():
    game = make("tron", map=FIELD, players=4)
    state = played(game, RIGHT, DOWN)
    rng, drawn = generator(1), set()
    for _ in range(60):
        guess = state.copy()
        determinize(game, guess, 2, rng)
        play(game, guess, UP)
        play(game, guess, LEFT)
        drawn.add(tuple(observe(game, guess, 2)["floors"][0]))
        kept = state.copy()
        determinize(game, kept, 1, rng)
        assert kept[17] == state[17]
    assert len(drawn) == 4


def test_what_is_drawn_does_not_depend_on_what_was_chosen():
    game = make("tron", map=FIELD, players=4)
    guesses = []
    for first in (RIGHT, DOWN):
        state = played(game, first)
        determinize(game, state, 1, generator(5))
        guesses.append(state)
    assert guesses[0] == guesses[1]


# Observations.


def test_an_observation_is_as_the_sheet_says():
    game = make("tron", map=ALL["tower"], players=3)
    state = played(game, RIGHT, LEFT, LEFT)
    assert observe(game, state, 1) == {
        "width": 7,
        "height": 5,
        "wrap": "none",
        "trail": "stay",
        "order": "simultaneous",
        "teams": [],
        "floors": [
            ["#######", "#11 u #", "# A   #", "#  22 #", "#######"],
            ["#######", "#   b #", "#   A #", "#     #", "#######"],
            ["#######", "#   d #", "# 33  #", "#     #", "#######"],
        ],
        "heads": [[2, 3, 0], [3, 1, 0], [2, 2, 2]],
        "alive": [0, 1, 2],
        "player": 1,
        "to_move": 1,
        "round": 1,
        "points": [1, 1, 1],
        "legal": [],
    }


def test_the_referee_takes_any_direction_and_nothing_else():
    game = make("tron", map=DUEL)
    state = start(game).tolist()
    assert [action for action in range(-2, 9) if accepts(game, state, action)] == [*range(6)]
    over = played(game, LEFT, RIGHT)
    assert not accepts(game, over, 0)


@pytest.mark.parametrize("text", ["up", " UP ", "Up"])
def test_a_direction_is_read_in_any_case(text):
    game = make("tron", map=DUEL)
    assert parse(game, start(game).tolist(), text) == UP


def test_what_is_no_direction_is_refused_with_those_there_are():
    for name, words in (("duel", "left, up, right, down$"), ("tower", "upstairs, downstairs$")):
        game = make("tron", map=ALL[name])
        with pytest.raises(ActionError, match=words):
            parse(game, start(game).tolist(), "north")


def test_a_board_reads_well():
    game = make("tron", map=ALL["tower"], players=3)
    state = played(game, RIGHT, LEFT, LEFT)
    assert render(game, state).splitlines() == [
        "##############   ##############   ##############",
        "## 1>1   u  ##   ##       b  ##   ##       d  ##",
        "##   A      ##   ##       A  ##   ##  <3 3    ##",
        "##    <2 2  ##   ##          ##   ##          ##",
        "##############   ##############   ##############",
        "moves 1: 1, 2: 1, 3: 1",
    ]


def test_a_random_game_ends_within_its_bound_on_every_map():
    rng = random.Random(3)
    for text in ALL.values():
        for order in ("simultaneous", "turns"):
            game = make("tron", map=text, players=0, order=order)
            state = start(game).tolist()
            plies = 0
            while mover(game, state) != OVER:
                play(game, state, rng.choice(free(game, state)))
                plies += 1
            assert plies <= properties(game).max_plies
