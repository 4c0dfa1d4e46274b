"""Random games of Paradise agree, state by state, with the slow rules of `paradise_oracle`."""

import random

import pytest
from games.paradise.oracle import DECK, Oracle

from joute.core.interface import CHANCE, OVER, legal, mover, observe, play, properties, start
from joute.core.interface import returns as values_of
from joute.games.paradise.rules import make
from joute.games.paradise.state import (
    AIM,
    AIMS,
    OWN,
    PHASE,
    PLAY,
    SHOOTING,
    STRIKE,
    TARGETS,
    VICTIM,
    drawer,
)

KINDS = {16: "cub", 17: "hound"}


def meant(action):
    """An action's number as the oracle says it."""

    def aimed(target):
        return "own hero" if target == OWN else target - 1 if target else "hero"

    if action >= STRIKE:
        number, target = divmod(action - STRIKE, TARGETS)
        return ("attack", number, aimed(target))
    if action >= AIM:
        place, target = divmod(action - AIM, AIMS)
        return ("aim", place, aimed(target))
    return ("play", action - PLAY) if action >= PLAY else (("end",), ("power",))[action]


def compare(game, state, oracle):
    """Whether both say the same of everything, to either player."""
    views = [observe(game, state, player) for player in (0, 1)]
    assert views[0]["turn"] == oracle.turn
    assert (mover(game, state) == OVER) == oracle.over
    for number, player in enumerate(oracle.players):
        view = views[number]
        assert view["hand"] == player.hand
        for key, value in {
            "health": max(player.health, 0),
            "mana": player.mana,
            "max_mana": player.maximum,
            "fatigue": player.fatigue,
            "power_used": player.power_used,
            "hand_size": len(player.hand),
            "deck_size": len(player.deck),
        }.items():
            assert view[key][number] == value, key
        hidden = player.deck + player.destroyed
        assert view["unseen"][number] == [hidden.count(card) for card in range(16)]
        hidden += player.hand
        assert views[1 - number]["unseen"][number] == [hidden.count(card) for card in range(16)]
        board = [
            {
                "kind": KINDS.get(each["card"], each["card"]),
                "attack": each["attack"],
                "health": each["health"],
                "most": each["max_health"],
                "turns": each["turns"],
                "attacked": each["attacked"],
                "charge": each["charge"],
            }
            for each in view["boards"][number]
        ]
        assert board == [
            {
                **{key: each[key] for key in ("kind", "health", "most", "turns", "attacked")},
                "attack": player.attack_of(each),
                "charge": player.charges(each),
            }
            for each in player.board
        ]
    if not oracle.over:
        assert mover(game, state) == oracle.who
        choices = [0] * properties(game).max_legal
        choices = choices[: legal(game, state, choices)]
        # The oracle lists cards as they stand in the hand; those with a target are last here.
        assert sorted(map(str, map(meant, choices))) == sorted(map(str, oracle.legal()))


def chance(game, state, oracle, decks, victims):
    """Let chance do in the state what it did to the oracle."""
    while mover(game, state) == CHANCE:
        if state[PHASE] == SHOOTING:
            play(game, state, VICTIM + victims.pop())
        else:
            play(game, state, decks[drawer(state)].pop())


def agree(game, seed):
    """Play a random game on both sides; how many plies it took."""
    rng = random.Random(seed)
    decks = [rng.sample(DECK, 25) for _ in (0, 1)]
    victims = []

    def choose(count):
        victims.append(rng.randrange(count))
        return victims[-1]

    oracle = Oracle(decks, choose, game.quirks)
    state = start(game).tolist()
    chance(game, state, oracle, decks, victims)
    compare(game, state, oracle)
    plies, keen = 0, seed % 3
    while not oracle.over:
        choices = [0] * properties(game).max_legal
        choices = choices[: legal(game, state, choices)]
        if keen == 1 and len(choices) > 1:
            choices = choices[1:]  # nobody ends a turn early: full boards
        elif keen == 2:
            choices = [each for each in choices if each < STRIKE or (each - STRIKE) % 8]
        action = rng.choice(choices)
        oracle.play(meant(action))
        play(game, state, action)
        chance(game, state, oracle, decks, victims)
        compare(game, state, oracle)
        plies += 1
    values = [0.0, 0.0]
    values_of(game, state, values)
    dead = oracle.dead()
    assert values == ([0.0, 0.0] if all(dead) else [1.0 - 2.0 * each for each in dead])
    return plies


@pytest.mark.parametrize("quirks", [False, True])
def test_random_games_agree_with_the_oracle(quirks):
    assert sum(agree(make(quirks=quirks), seed) for seed in range(9)) > 200


@pytest.mark.thorough
@pytest.mark.parametrize("quirks", [False, True])
@pytest.mark.parametrize("part", range(4))
def test_thousands_of_random_games_agree_with_the_oracle(part, quirks):
    for seed in range(1000 + 300 * part, 1300 + 300 * part):
        agree(make(quirks=quirks), seed)
