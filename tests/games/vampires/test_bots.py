"""The built-in bots of Vampires: nearest and expectimax, and how strong they are."""

import numpy as np
import pytest
from games.poker import Poker
from games.vampires.maps import ALL, CROWD
from games.vampires.positions import course

from joute.bots import BuiltinError, Seating, make
from joute.contest.run.match import run_match
from joute.core.interface import mover, play, start
from joute.core.registry import make as make_game
from joute.games.vampires.map import VampiresMap, write_map
from joute.games.vampires.order import moves_of
from joute.games.vampires.state import VAMPIRES, cell_at, put
from joute.host.names import parse_bot
from joute.play.game import acceptable
from joute.search.expectimax_search import Expectimax


def on(columns, rows, humans, vampires, werewolves, **values):
    """A game on a map of so many columns and rows, and its first state."""
    text = write_map(VampiresMap(rows, columns, tuple(humans), vampires, werewolves))
    game = make_game("vampires", map=text, **values)
    return game, start(game)


def choose(text, game, state, seed=1, move_seconds=10.0):
    """The choice of a bot in a state that it must leave alone."""
    spec = parse_bot(f"builtin:{text}")
    table = Seating(game, int(mover(game, state)), seed, move_seconds)
    bot = make(spec.name, spec.options, table)
    before = state.copy()
    choice = bot.play(state)
    assert np.array_equal(state, before)
    return choice


def moves(text, game, state, seed=1):
    """The moves of its order."""
    return moves_of(game, choose(text, game, state, seed).action)


@pytest.mark.parametrize("text", ["nearest", "nearest?stray=1", "expectimax?nodes=300"])
@pytest.mark.parametrize("name", ALL)
def test_a_bot_gives_whole_legal_orders_that_can_be_repeated(name, text):
    game = make_game("vampires", map=ALL[name], plies=20)
    for number, state in enumerate(course(game, 5)):
        known = np.array(state, start(game).dtype)
        actions = choose(text, game, known, number).action
        assert acceptable(game, state, actions)
        after = known.copy()
        for action in actions:
            play(game, after, action)
        assert mover(game, after) != mover(game, state)
        assert choose(text, game, known, number).action == actions


# Nearest.


def test_nearest_goes_to_the_nearest_humans_that_it_can_convert():
    game, state = on(9, 3, [(2, 1, 5), (7, 1, 4)], (4, 1, 4), (8, 2, 1))
    assert {tuple(moves("nearest", game, state, seed)[0][3:]) for seed in range(20)} <= {
        (5, 0), (5, 1), (5, 2),
    }  # fmt: skip


def test_nearest_goes_to_enemies_that_it_is_sure_to_kill_if_there_are_no_such_humans():
    game, state = on(9, 3, [(2, 1, 7)], (4, 1, 6), (5, 1, 4))
    assert moves("nearest", game, state) == [[4, 1, 6, 5, 1]]


def test_nearest_flees_from_others():
    game, state = on(9, 3, [(2, 1, 7)], (4, 1, 5), (5, 1, 4))
    assert {tuple(moves("nearest", game, state, seed)[0][3:]) for seed in range(20)} == {
        (3, 0), (3, 1), (3, 2),
    }  # fmt: skip


def test_nearest_starts_no_battle_on_its_way():
    game, state = on(5, 2, [(1, 0, 9), (1, 1, 9), (4, 0, 2)], (0, 0, 3), (4, 1, 1))
    assert moves("nearest", game, state) == [[0, 0, 3, 0, 1]]


def test_nearest_lets_a_group_stay_that_others_of_its_own_come_to():
    game, state = on(5, 1, [(3, 0, 2)], (0, 0, 3), (4, 0, 9))
    put(game, state, cell_at(game, 1, 0), VAMPIRES, 5)
    assert moves("nearest", game, state) == [[0, 0, 3, 1, 0]]


def test_nearest_never_brings_more_together_than_a_cell_holds():
    game = make_game("vampires", map=CROWD)
    state = start(game)
    put(game, state, cell_at(game, 2, 0), VAMPIRES, 230)
    for seed in range(20):
        found = moves("nearest", game, state, seed)
        assert len({tuple(move[3:]) for move in found}) == len(found) == 2


def test_one_that_strays_goes_anywhere():
    game, state = on(9, 3, [(2, 1, 7)], (4, 1, 6), (5, 1, 4))
    found = {tuple(moves("nearest?stray=1", game, state, seed)[0][3:]) for seed in range(60)}
    assert len(found) == 8


# Expectimax.


def test_expectimax_says_what_it_found():
    game, state = on(5, 5, [(1, 0, 3), (3, 0, 4)], (2, 1, 8), (4, 4, 1))
    choice = choose("expectimax?depth=1", game, state)
    assert choice.message.startswith("2,1 x")
    assert "; done: +1" in choice.message
    assert "at depth 1" in choice.message


@pytest.mark.game("virus")
def test_expectimax_plays_games_where_a_turn_is_one_action():
    game = make_game("virus", size=4)
    state = start(game)
    play(game, state, 0)
    assert isinstance(choose("expectimax?depth=2&evaluation=lead", game, state).action, int)


@pytest.mark.parametrize(
    ("options", "move_seconds", "expected"),
    [
        ("", 2.0, (0.2, 1.4)),
        ("?seconds=1", 2.0, (1.0, 1.4)),
        ("?seconds=60", 2.0, (1.98, 1.4)),  # never longer than a turn, with a margin
        ("?seconds=60", 0.01, (0.007, 0.007)),
        ("?nodes=100", 2.0, (None, 1.4)),
        ("?depth=3", 2.0, (None, 1.4)),
        ("?depth=3&seconds=1", 2.0, (1.0, 1.4)),
    ],
)
def test_expectimax_keeps_within_the_time_of_a_turn(monkeypatch, options, move_seconds, expected):
    game, state = on(3, 3, [], (0, 0, 3), (2, 2, 3))
    seen = []
    search = Expectimax.search

    def remembered(self, state, depth=1, nodes=None, seconds=None, wall_seconds=None):
        seen.append((seconds, wall_seconds))
        return search(self, state, depth, nodes=50)

    monkeypatch.setattr(Expectimax, "search", remembered)
    choose(f"expectimax{options}", game, state, move_seconds=move_seconds)
    assert seen[-1] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("text", "game", "words"),
    [
        ("nearest", "virus", "builtin:nearest plays vampires, not virus"),
        ("expectimax?nodes=-1", "vampires", r"at least 0 and depth in 1\.\.64"),
        ("expectimax?thin=-1", "vampires", "at least 0"),
        ("expectimax?depth=65", "vampires", r"depth in 1\.\.64"),
        (
            "expectimax?evaluation=mine",
            "vampires",
            r"there are: reach, material, race, war, lead\)",
        ),
        ("expectimax?evaluation=reach", "virus", r"no evaluation 'reach' of virus.*lead\)"),
        ("expectimax", "", "zero-sum games for two, poker is not one"),
    ],
)
def test_a_bot_that_cannot_be_made_is_refused_with_a_sentence(text, game, words):
    spec = parse_bot(f"builtin:{text}")
    made = make_game(game) if game else Poker()
    with pytest.raises(BuiltinError, match=words):
        make(spec.name, spec.options, Seating(made, 0, 0, 10.0))


# Strength, over both sides.


def won(one, other, name, games):
    """The number of games that a bot wins against another, of so many on a shipped map."""
    bots = [f"builtin:{one}", f"builtin:{other}"]
    result = run_match("vampires", {}, bots, games, seed=1, workers=1, maps=[name])
    assert {tuple(game.bots) for game in result.games} >= {tuple(result.games[0].bots[::-1])}
    return {line.name.partition("?")[0]: line.won for line in result.standings}[one.split("?")[0]]


@pytest.mark.parametrize("name", ["symmetric", "village"])
def test_nearest_beats_random_and_expectimax_beats_nearest(name):
    assert won("nearest", "random", name, 10) >= 9
    assert won("expectimax?nodes=3000", "nearest", name, 10) >= 8
