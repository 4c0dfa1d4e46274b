"""The frozen rule player of Love Letter: each of its rules, that it does not peek, its strength."""

import numpy as np
import pytest
from games.love_letter.rounds import (
    as_listed,
    choice_number,
    play_number,
    scene,
    turn,
)
from games.poker import Poker
from helpers import some

from joute.bots import BuiltinError, Seating, make
from joute.core.interface import CHANCE, OVER, determinize, draw, mover, pick, play, start
from joute.core.random import generator
from joute.games.love_letter.rules import make as make_game
from joute.games.love_letter.state import (
    BARON,
    CHANCELLOR,
    COUNTESS,
    GUARD,
    HANDMAID,
    KING,
    KNOWN,
    PRIEST,
    PRINCE,
    PRINCESS,
    SPY,
    WINNERS,
    members,
)


def choose(game, state, seed=1):
    """The action that it plays, as [card, target, guess] or [keep, first, second]."""
    bot = make("rules", {}, Seating(game, int(mover(game, state)), seed, 1.0))
    return as_listed(bot.play(np.array(state, np.int16)).action)


def chosen(hands, drawn, **values):
    """Its choices in such a round, whatever is drawn among equals."""
    game, state = scene(hands, drawn, **values)
    return {tuple(choose(game, state, seed)) for seed in range(60)}


def with_seen(hands, drawn, holder=1):
    """Its choices when it has seen the hand of another."""
    game, state = scene(hands, drawn)
    state[KNOWN + holder] |= 1
    return {tuple(choose(game, state, seed)) for seed in range(60)}


def test_a_countess_that_must_be_played_is_played():
    assert chosen([KING, GUARD], COUNTESS) == {(COUNTESS,)}


def test_a_guard_names_a_card_that_was_seen():
    assert with_seen([GUARD, KING, SPY], BARON) == {(GUARD, 1, KING)}


def test_a_guard_that_was_seen_cannot_be_named_and_loses_to_a_baron():
    assert with_seen([GUARD, GUARD, SPY], BARON) == {
        (GUARD, who, guess) for who in (1, 2) for guess in (2, 4, 5, 6, 0)
    }
    assert with_seen([BARON, GUARD, SPY], HANDMAID) == {(BARON, 1)}


def test_a_baron_is_not_played_against_a_higher_card_that_was_seen_if_it_may_stay():
    assert with_seen([BARON, KING, SPY], HANDMAID) == {(HANDMAID,)}


def test_a_prince_makes_the_princess_be_discarded():
    assert with_seen([PRINCE, PRINCESS, SPY], HANDMAID) == {(PRINCE, 1)}


@pytest.mark.parametrize(
    ("pair", "card"),
    [
        ((SPY, GUARD), SPY),
        ((PRIEST, KING), PRIEST),
        ((BARON, HANDMAID), HANDMAID),
        ((BARON, PRINCE), PRINCE),
        ((BARON, CHANCELLOR), BARON),
        ((BARON, BARON), BARON),
        ((PRIEST, HANDMAID), HANDMAID),
        ((PRIEST, BARON), PRIEST),
        ((HANDMAID, KING), HANDMAID),
        ((COUNTESS, PRINCESS), COUNTESS),
        ((KING, PRINCESS), KING),
    ],
)
def test_the_lower_card_is_played_but_for_the_exceptions(pair, card):
    for held, drawn in (pair, pair[::-1]):
        assert {each[0] for each in chosen([held, GUARD, GUARD], drawn)} == {card}


def test_a_guard_names_the_likeliest_its_own_other_card_counted_as_seen():
    found = chosen([GUARD, GUARD], PRIEST, face_up=(HANDMAID, PRINCE, CHANCELLOR))
    assert found == {(GUARD, 1, SPY), (GUARD, 1, BARON)}


def test_a_prince_is_for_an_opponent_where_one_may_be_chosen():
    assert chosen([PRINCE, GUARD, GUARD], KING) == {(PRINCE, 1), (PRINCE, 2)}
    game, state = scene([HANDMAID, PRINCE], SPY)
    turn(game, state, play_number(HANDMAID), ("draw", KING))
    assert choose(game, state) == [PRINCE, 1]


def test_a_guard_without_anyone_to_choose_is_played_all_the_same():
    game, state = scene([HANDMAID, GUARD], SPY)
    turn(game, state, play_number(HANDMAID), ("draw", KING))
    assert choose(game, state) == [GUARD]


@pytest.mark.parametrize(
    ("held", "drawn", "rest", "kept"),
    [
        (KING, (GUARD, PRINCESS), [GUARD] * 9, KING),
        (KING, (GUARD, PRINCESS), [GUARD], PRINCESS),
        (SPY, (PRIEST, GUARD), [GUARD], SPY),
        (SPY, (HANDMAID, GUARD), [GUARD], HANDMAID),
        (SPY, (KING,), [], KING),
    ],
)
def test_a_chancellor_keeps_the_highest_card_by_its_worth(held, drawn, rest, kept):
    game, state = scene([held, GUARD], CHANCELLOR, deck=[*drawn, *rest])
    turn(game, state, play_number(CHANCELLOR), *(("draw", card) for card in drawn))
    found = {tuple(choose(game, state, seed)) for seed in range(60)}
    assert {each[0] for each in found} == {kept}
    assert len(found) == len(drawn)
    assert choice_number(*min(found)) >= 640


def test_it_does_not_look_at_what_it_may_not_know():
    for players in (2, 4):
        game, rng = make_game(players=players), generator(players)
        state, out, weights = start(game).tolist(), [0] * 64, [0.0] * 10
        for _ in range(200):
            player = mover(game, state)
            if player == OVER:
                state = start(game).tolist()
                continue
            if player == CHANCE:
                play(game, state, draw(game, state, out, weights, rng))
                continue
            other = state.copy()
            determinize(game, other, player, rng)
            assert choose(game, other) == choose(game, state)
            play(game, state, pick(game, state, out, rng))


def test_it_plays_no_other_game():
    with pytest.raises(BuiltinError, match="builtin:rules plays love-letter, not poker"):
        make("rules", {}, Seating(Poker(), 0, 1, 1.0))


def share(by, players, rounds):
    """The share of the rounds that it wins against `builtin:random?by=...`, shared ones in part."""
    game, rng = make_game(players=players), generator(5)
    out, weights, won = [0] * 64, [0.0] * 10, 0.0
    for number in range(rounds):
        me, state = number % players, start(game).tolist()
        seeds = range(number * players, (number + 1) * players)
        tables = [Seating(game, each, seed, 1.0) for each, seed in enumerate(seeds)]
        bots = [make("random", {"by": by}, table) for table in tables]
        bots[me] = make("rules", {}, Seating(game, me, number, 1.0))
        while (player := mover(game, state)) != OVER:
            if player == CHANCE:
                action = draw(game, state, out, weights, rng)
            else:
                action = bots[player].play(np.array(state)).action
            play(game, state, action)
        winners = members(state[WINNERS])
        won += (me in winners) / len(winners)
    return won / rounds


@pytest.mark.full
@pytest.mark.parametrize(
    "case",
    some(
        [
            ("decision", 2, 0.790),
            ("decision", 3, 0.677),
            ("decision", 4, 0.581),
            ("action", 6, 0.293),
            ("action", 2, 0.744),
            ("action", 3, 0.612),
            ("action", 4, 0.505),
            ("decision", 6, 0.384),
        ],
        every=3,
    ),
)
def test_it_wins_so_many_rounds_against_players_who_choose_at_random(case):
    by, players, expected = case
    rounds = 8_000
    # Three standard errors, and what the expected share, of a million rounds, is known to.
    error = (expected * (1 - expected) / rounds) ** 0.5
    assert abs(share(by, players, rounds) - expected) <= 3 * error + 0.001
