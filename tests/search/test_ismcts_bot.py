"""The bots that search states which they think possible: what they play and say, and refuse."""

import numpy as np
import pytest
from games.pennies import Pennies
from search.ismcts_signature import GAMES, state_after
from search.plain import actions_of

from joute.bots import BuiltinError, Seating, make
from joute.core.interface import mover, properties
from joute.core.registry import make as make_game

OPTIONS = {"ismcts": {"simulations": "40"}, "flat": {"simulations": "10"}}
TABLES = [
    ("love-letter", 13),
    ("love-letter for 4", 20),
    ("paradise", 60),
    ("poker", 4),
    ("virus", 12),
]


def seated(name, game, state, seed=1, move_seconds=10.0, **options):
    return make(name, options, Seating(game, int(mover(game, state)), seed, move_seconds))


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize(("game_name", "plies"), TABLES)
def test_they_play_any_game_legally_and_reproducibly(name, game_name, plies):
    game = GAMES[game_name]
    state = state_after(game, plies, plies)
    before = state.copy()
    choices = [seated(name, game, state, **OPTIONS[name]).play(state) for _ in range(2)]
    assert choices[0] == choices[1]
    assert choices[0].action in actions_of(game, state.tolist())
    assert np.array_equal(state, before)


@pytest.mark.parametrize("name", OPTIONS)
def test_they_play_where_all_choose_at_once(name):
    game = Pennies()
    state = state_after(game, 3, 1)
    assert seated(name, game, state, **OPTIONS[name]).play(state).action in (0, 1)


@pytest.mark.game("love-letter")
def test_the_message_names_what_was_looked_at_most():
    game = GAMES["love-letter"]
    state = state_after(game, 13, 13)
    choice = seated("ismcts", game, state, simulations="500").play(state)
    first, *rest = choice.message.removeprefix("500 simulations: ").split(", ")
    assert choice.message.startswith("500 simulations: ")
    assert first.endswith("%)") and len(rest) == 1


@pytest.mark.game("love-letter")
def test_a_forced_action_is_said_to_be():
    game = GAMES["love-letter"]
    state = state_after(game, 7, 7)
    assert seated("ismcts", game, state).play(state).message == "no other choice"


@pytest.mark.game("love-letter")
def test_a_game_of_several_rounds_is_searched_to_the_end_of_this_one():
    game = make_game("love-letter", tokens=6)
    state = state_after(game, 13, 13)
    message = seated("ismcts", game, state, simulations="300").play(state).message
    assert message.startswith("300 simulations: ")
    assert seated("ismcts", game, state).search._horizon.__class__.__name__ == "RoundEnd"
    single = make_game("love-letter")
    assert seated("ismcts", single, state).search._horizon.__class__.__name__ == "End"


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize(
    ("move_seconds", "options", "expected"),
    [
        (2.0, {}, 0.2),  # a tenth
        (2.0, {"seconds": "0.5"}, 0.5),
        (2.0, {"seconds": "5"}, 1.98),  # never all of it
        (0.01, {}, 0.001),
    ],
)
def test_the_time_is_a_share_of_what_is_allowed(name, move_seconds, options, expected):
    game = GAMES["poker"]
    bot = seated(name, game, state_after(game, 4, 1), move_seconds=move_seconds, **options)
    assert bot.seconds == pytest.approx(expected)


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"simulations": "-1"}, "must be above 0"),
        ({"seconds": "-1"}, "must be above 0"),
        ({"simulations": "5", "seconds": "1"}, "not both"),
    ],
)
def test_options_out_of_range_are_refused(name, options, words):
    game = GAMES["poker"]
    with pytest.raises(BuiltinError, match=f"builtin:{name}: .*{words}"):
        seated(name, game, state_after(game, 4, 1), **options)


@pytest.mark.game("love-letter")
def test_many_may_observe():
    game = GAMES["love-letter"]
    state = state_after(game, 13, 13)
    one, many = (
        seated("ismcts", game, state, observers=each, simulations="300").play(state)
        for each in ("one", "many")
    )
    assert one == seated("ismcts", game, state, simulations="300").play(state)
    assert many.message != one.message
    with pytest.raises(BuiltinError, match="observers must be one or many, not 'all'"):
        seated("ismcts", game, state, observers="all")


def test_an_exploration_below_nothing_is_refused():
    game = GAMES["poker"]
    with pytest.raises(BuiltinError, match="builtin:ismcts: exploration must be 0 or more, got -1"):
        seated("ismcts", game, state_after(game, 4, 1), exploration="-1")


def test_every_game_has_bounds_that_exploration_is_measured_by():
    for game in GAMES.values():
        facts = properties(game)
        assert facts.lowest_return < facts.highest_return
