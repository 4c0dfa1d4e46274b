"""The built-in bots of Paradise: what they play, and how strong they are."""

import numpy as np
import pytest
from games.paradise.tables import GAME, QUIRKS, table
from games.poker import Poker

from joute.bots import BuiltinError, Seating, make
from joute.core.interface import (
    CHANCE,
    OVER,
    accepts,
    describe,
    determinize,
    draw,
    legal_actions,
    mover,
    play,
    returns,
    start,
)
from joute.core.random import generator
from joute.games.paradise.players.simple import WON, linear
from joute.games.paradise.state import HERO, MANA, POWER_USED, block

NAMES = ("curve", "face", "greedy", "turn")


def choose(name, state, player=0, game=GAME):
    """The action of a bot in a state that it must leave alone, as text."""
    known = np.array(state, np.int16)
    choice = make(name, {}, Seating(game, player, 1, 10.0)).play(known)
    assert known.tolist() == list(state)
    return describe(game, state, choice.action)


def turn(name, state):
    """All that a bot plays in a turn, as texts."""
    state, played = state.copy(), []
    while not played or played[-1] != "end":
        played.append(choose(name, state))
        action = make(name, {}, Seating(GAME, 0, 1, 10.0)).play(np.array(state, np.int16)).action
        play(GAME, state, action)
        if mover(GAME, state) == CHANCE and played[-1] != "end":
            play(GAME, state, draw(GAME, state, [0] * 16, [0.0] * 16, generator(1)))
    return played


def test_the_evaluation_is_the_frozen_one():
    state = table(boards=(["raptor", "wolf"], ["mole"]))
    state[block(0) + HERO], state[block(1) + HERO] = 20, 11
    expected = 21.5 * 20 - 33.6 * 11 + 41.1 * 2 - 19.4 + 54 * 3 + 60.5 * 5 - 88.5 * 3 - 84.7
    assert linear(state, 0) == pytest.approx(expected)
    state[block(1) + HERO] = 2
    play(GAME, state, 1)
    assert (linear(state, 0), linear(state, 1)) == (WON, -WON)


def test_face_plays_minions_then_everything_at_the_hero():
    state = table([["mole", "fireball", "raptor"], []], [["wolf"], ["ultrasaur"]])
    assert turn("face", state) == [
        "play raptor", "play mole", "fireball hero", "power", "attack 1 hero", "end",
    ]  # fmt: skip


def test_face_wins_first_if_an_attack_does():
    state = table([["mole"], []], [["mole", "raptor"], []])
    state[block(1) + HERO] = 3
    assert choose("face", state) == "attack 2 hero"


def test_one_that_strays_does_anything_legal():
    state = table([["mole", "fireball"], []], [["wolf"], ["ultrasaur"]])
    bot = make("face", {"stray": "1"}, Seating(GAME, 0, 1, 10.0))
    found = {bot.play(np.array(state, np.int16)).action for _ in range(200)}
    assert found == set(legal_actions(GAME, state))


@pytest.mark.parametrize("stray", ["-0.1", "1.1"])
def test_a_share_is_from_nought_to_one(stray):
    with pytest.raises(BuiltinError, match=r"stray must be in 0\.\.1"):
        make("face", {"stray": stray}, Seating(GAME, 0, 1, 10.0))


def test_curve_spends_its_mana_then_trades_without_loss():
    state = table([["mole", "fireball"], []], [["snapjaw", "mole"], ["raptor", "snapjaw", "wolf"]])
    state[block(0) + MANA] = 8
    # The fireball kills the raptor, whose attack is highest; then the Snapjaw kills a wolf.
    assert turn("curve", state) == [
        "fireball 1", "play mole", "attack 1 2", "attack 2 hero", "power", "end",
    ]  # fmt: skip


def test_curve_counts_poison_and_kill_command():
    state = table([["kill command"], []], [["cobra"], ["rhino", "cobra"]])
    assert turn("curve", state)[:2] == ["kill command 1", "attack 1 hero"]
    assert choose("curve", table(boards=(["cobra"], ["ultrasaur", "mole"]))) == "attack 1 2"


def test_greedy_takes_what_the_evaluation_gains_most_by():
    state = table([["ultrasaur", "mole"], []], [["raptor"], ["raptor"]])
    assert choose("greedy", state) == "play ultrasaur"
    state = table([["deadly shot"], []], [[], ["ultrasaur", "mole"]])
    assert choose("greedy", state) == "play deadly shot"


def test_greedy_ends_the_turn_when_nothing_is_gained():
    state = table(boards=(["mole"], ["ultrasaur"]))
    state[block(0) + POWER_USED] = 1
    assert turn("greedy", state) == ["attack 1 hero", "end"]


@pytest.mark.parametrize("name", NAMES)
def test_no_bot_shoots_its_own_hero(name):
    state = table([["fireball", "kill command"], []], [[], ["wolf"]])
    assert " me" not in choose(name, state, game=QUIRKS)


@pytest.mark.parametrize("name", NAMES)
def test_a_bot_plays_legally_whatever_the_opponent_holds(name):
    rng, other = generator(5), generator(6)
    bots = [make(name, {}, Seating(GAME, player, 1, 10.0)) for player in (0, 1)]
    state = start(GAME).tolist()
    while (player := mover(GAME, state)) != OVER:
        if player == CHANCE:
            play(GAME, state, draw(GAME, state, [0] * 16, [0.0] * 16, rng))
            continue
        action = bots[player].play(np.array(state, np.int16)).action
        assert accepts(GAME, state, action)
        imagined = state.copy()
        determinize(GAME, imagined, player, other)
        assert bots[player].play(np.array(imagined, np.int16)).action == action
        play(GAME, state, action)


def wins(first, second, games, seed):
    """The number of games, seats in turn, that the first bot wins."""
    rng, won = generator(seed), 0
    for number in range(games):
        names = (first, second) if number % 2 == 0 else (second, first)
        bots = [
            make(name, {}, Seating(GAME, p, seed + number, 1.0)) for p, name in enumerate(names)
        ]
        state = start(GAME).tolist()
        while (player := mover(GAME, state)) != OVER:
            if player == CHANCE:
                play(GAME, state, draw(GAME, state, [0] * 16, [0.0] * 16, rng))
            else:
                play(GAME, state, bots[player].play(np.array(state, np.int16)).action)
        values = [0.0, 0.0]
        returns(GAME, state, values)
        won += values[number % 2] > 0
    return won


@pytest.mark.parametrize("name", NAMES)
def test_a_bot_beats_the_random_one(name):
    assert wins(name, "random", 40, seed=3) >= 38


@pytest.mark.parametrize("name", ["curve", "face", "turn"])
def test_other_games_are_refused(name):
    with pytest.raises(BuiltinError, match=f"builtin:{name} plays paradise, not poker"):
        make(name, {}, Seating(Poker(), 0, 1, 1.0))
