import random

from games.doubted import objections

from joute.core.interface import (
    CHANCE,
    OVER,
    chances,
    legal_actions,
    mover,
    objection,
    play,
    properties,
    start,
)
from joute.core.registry import make
from joute.games.paradise.objection import PLAY
from joute.games.paradise.rules import MOST_BOARD
from joute.games.paradise.state import BOARD_SIZE, BOOK, HAND, HAND_SIZE, MANA, MINION, block
from joute.i18n.words import catalog


def test_an_illegal_action_is_told_with_the_rule_that_it_breaks():
    found = objections(make("paradise"), 40)
    rules = {key for key in catalog("en") if key.startswith("error.paradise.illegal.")}
    # A full board is rare among random players; a test of its own makes one.
    assert rules - found.keys() <= {"error.paradise.illegal.full"}
    assert found["error.paradise.illegal.prey"].endswith(" needs an enemy minion")
    assert "mana; you have " in found["error.paradise.illegal.mana"]


def test_with_quirks_a_spell_at_one_s_own_hero_breaks_no_rule():
    assert "error.paradise.illegal.own" not in objections(make("paradise", quirks=True), 10)


def peaceful(seed):
    """The states of a game in which both play minions and attack nobody."""
    game, source = make("paradise"), random.Random(seed)
    facts = properties(game)
    out, weights = [0] * facts.max_outcomes, [0.0] * facts.max_outcomes
    state = start(game).tolist()
    while (player := mover(game, state)) != OVER:
        if player == CHANCE:
            play(game, state, source.choice(out[: chances(game, state, out, weights)]))
            continue
        own = block(player)
        yield game, state, own
        cards = [each - PLAY for each in legal_actions(game, state) if PLAY <= each < PLAY + 10]
        kinds = {place: BOOK[int(state[own + HAND + place])].kind for place in cards}
        minions = [PLAY + place for place, kind in kinds.items() if kind == MINION]
        play(game, state, minions[0] if minions else 0)


def test_an_eighth_minion_finds_the_board_full():
    for game, state, own in (each for seed in range(20) for each in peaceful(seed)):
        if state[own + BOARD_SIZE] < MOST_BOARD:
            continue
        for place in range(int(state[own + HAND_SIZE])):
            card = BOOK[int(state[own + HAND + place])]
            if card.kind == MINION and card.cost <= state[own + MANA]:
                assert objection(game, state, PLAY + place).key == "error.paradise.illegal.full"
                return
    raise AssertionError("no board was full")
