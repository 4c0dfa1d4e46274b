"""The player of a student project: each sentence of its specification, and that its search is true.

The search is compared with a plain one that has no pruning and a deck that is a list.
"""

from collections import Counter

import numpy as np
import pytest
from games.love_letter.plain_utbm import plain, positions
from games.love_letter.rounds import (
    as_listed,
    choice_number,
    legal_actions,
    play_number,
    scene,
    set_deck,
    turn,
)
from games.poker import Poker

from joute import bots
from joute.bots import BuiltinError, Seating, View
from joute.core.interface import CHANCE, OVER, determinize, draw, mover, play, start
from joute.core.random import generator
from joute.games.love_letter.players import utbm
from joute.games.love_letter.players.utbm import negamax, shuffle, work
from joute.games.love_letter.players.utbm_values import count_unseen, kept, weight, worth
from joute.games.love_letter.rules import make
from joute.games.love_letter.state import (
    BARON,
    CARDS,
    CHANCELLOR,
    COPIES,
    COUNTESS,
    CURRENT,
    ENDED,
    GUARD,
    HANDMAID,
    KING,
    PHASE,
    PLAYED,
    POOL,
    PRIEST,
    PRINCE,
    PRINCESS,
    SPY,
)

UNSEEN = [1, 4, 2, 1, 0, 2, 1, 1, 1, 1]  # by card; 14 in all
TOTAL = sum(UNSEEN)


def choose(game, state, name="utbm", seed=1):
    """The action that it plays, as [card, target, guess] or [keep, first, second]."""
    table = Seating(game, int(mover(game, state)), seed, 1.0)
    bot = bots.make(name, {}, table, study=True)
    return as_listed(bot.play(np.array(state, np.int16)).action)


def weigh(card, other=SPY, unseen=UNSEEN, spied=False, protected=False):
    return weight(card, other, unseen, sum(unseen), spied, protected)


# Values of cards.


@pytest.mark.parametrize(
    ("card", "expected"),
    [
        (SPY, 0.5),
        (GUARD, 2 / TOTAL),
        (PRIEST, 0.15),
        (HANDMAID, 0.20),
        (PRINCE, 0.15 + 1 / TOTAL),
        (CHANCELLOR, 0.25),
        (KING, 1.5 / TOTAL),
        (COUNTESS, 1.75 / TOTAL),
        (PRINCESS, 2 / TOTAL),
    ],
)
def test_a_card_has_the_weight_of_the_report(card, expected):
    assert weigh(card) == pytest.approx(expected)


def test_a_baron_is_worth_the_unseen_cards_below_the_other_card():
    for other in range(CARDS):
        assert weigh(BARON, other) == pytest.approx(sum(UNSEEN[:other]) / TOTAL - 0.8)


def test_a_spy_is_worth_nothing_when_one_is_face_up_already():
    assert weigh(SPY, spied=True) == 0.0


def test_a_prince_is_worth_less_when_the_princess_was_seen():
    assert weigh(PRINCE, unseen=[*UNSEEN[:PRINCESS], 0]) == pytest.approx(0.15)


def test_cards_that_an_opponent_under_a_handmaid_does_not_suffer_are_worth_less():
    costs = [weigh(card) - weigh(card, protected=True) for card in range(CARDS)]
    aimed = {GUARD, PRIEST, BARON, KING}
    assert costs == pytest.approx([0.15 * (card in aimed) for card in range(CARDS)])


def test_seen_are_the_cards_face_up_the_own_hand_and_all_that_was_played():
    game, state = scene([GUARD, KING], PRIEST, face_up=(HANDMAID, PRINCE, CHANCELLOR))
    turn(game, state, play_number(PRIEST, 1), ("draw", PRINCE), play_number(PRINCE, 1))
    turn(game, state, ("draw", BARON), ("draw", SPY))
    unseen = [0] * CARDS
    for player, own in ((0, [GUARD, SPY]), (1, [BARON])):
        seen = Counter([HANDMAID, PRINCE, CHANCELLOR, PRIEST, PRINCE, KING, *own])
        assert count_unseen(game, state, player, unseen) == 21 - seen.total()
        assert unseen == [COPIES[card] - seen[card] for card in range(CARDS)]


def test_the_end_of_a_turn_is_worth_the_mean_of_the_pairs_that_may_come():
    game, state = scene([GUARD, KING], PRIEST)
    turn(game, state, play_number(PRIEST, 1))
    unseen, expected = [0] * CARDS, 0.0
    total = count_unseen(game, state, 0, unseen)
    for card, copies in enumerate(unseen):
        pair = weigh(GUARD, card, unseen) + weigh(card, GUARD, unseen)
        expected += copies * pair / (2 * total)
    assert worth(game, state, 0, [0] * CARDS) == pytest.approx(expected, abs=5.1e-6)
    assert worth(game, state, 0, [0] * CARDS) == round(expected, 5)


def test_a_round_that_is_over_is_worth_whether_one_is_in():
    game, state = scene([GUARD, KING], SPY)
    turn(game, state, play_number(GUARD, 1, KING))
    assert [worth(game, state, each, [0] * CARDS) for each in (0, 1)] == [0.75, 0.0]


def test_a_spy_face_up_is_worth_the_bonus_in_or_out():
    game, state = scene([PRINCESS, GUARD], SPY)
    turn(game, state, play_number(SPY), ("draw", BARON), play_number(GUARD, 0, PRINCESS))
    assert [worth(game, state, each, [0] * CARDS) for each in (0, 1)] == [0.5, 0.75]
    game, state = scene([GUARD, PRINCESS], SPY)
    turn(game, state, play_number(SPY), ("draw", BARON), play_number(BARON, 0))
    assert [worth(game, state, each, [0] * CARDS) for each in (0, 1)] == [0.5, 0.75]
    game, state = scene([GUARD, KING], SPY)
    turn(game, state, play_number(SPY), ("draw", HANDMAID), play_number(HANDMAID))
    turn(game, state, ("draw", PRINCESS), play_number(GUARD), ("draw", PRIEST))
    turn(game, state, play_number(PRIEST, 0), ("draw", BARON), play_number(BARON, 1))
    assert [worth(game, state, each, [0] * CARDS) for each in (0, 1)] == [1.5, 0.0]


def test_a_spy_lost_with_the_hand_is_no_bonus():
    game, state = scene([GUARD, SPY], KING)
    turn(game, state, play_number(GUARD, 1, SPY))
    assert [worth(game, state, each, [0] * CARDS) for each in (0, 1)] == [0.75, 0.0]


def test_a_showdown_is_worth_the_same_to_both_whoever_wins_it():
    game, state = scene([GUARD, KING], HANDMAID, deck=[])
    turn(game, state, play_number(HANDMAID))
    assert state[PHASE] == ENDED
    assert [worth(game, state, each, [0] * CARDS) for each in (0, 1)] == [0.75, 0.75]


# How cards are played.


def test_a_guard_names_the_character_of_which_most_are_unseen():
    game, state = scene([GUARD, KING], COUNTESS, face_up=(SPY, PRIEST, BARON))
    assert utbm.way(game, state, GUARD, [0] * CARDS) == play_number(GUARD, 1, HANDMAID)
    game, state = scene([GUARD, KING], SPY, face_up=(PRIEST, BARON, HANDMAID))
    assert utbm.way(game, state, GUARD, [0] * CARDS) == play_number(GUARD, 1, PRINCE)


def test_cards_that_can_aim_at_nobody_are_played_all_the_same():
    game, state = scene([HANDMAID, PRIEST], SPY)
    turn(game, state, play_number(HANDMAID), ("draw", PRINCE))
    assert utbm.way(game, state, PRIEST, [0] * CARDS) == play_number(PRIEST)
    assert utbm.way(game, state, PRINCE, [0] * CARDS) == play_number(PRINCE, 1)


@pytest.mark.parametrize(
    ("other", "target"),
    [
        (SPY, 1),
        (GUARD, 0),
        (PRIEST, 0),
        (BARON, 0),
        (HANDMAID, 1),
        (CHANCELLOR, 1),
        (KING, 0),
        (PRINCESS, 1),
    ],
)
def test_a_prince_is_aimed_by_the_other_card(other, target):
    for pair in ((PRINCE, other), (other, PRINCE)):
        game, state = scene([pair[0], GUARD], pair[1])
        assert utbm.way(game, state, PRINCE, [0] * CARDS) == play_number(PRINCE, target)


def test_a_prince_beside_a_guard_is_for_the_opponent_where_a_card_is_likely():
    game, state = scene([GUARD, SPY], PRINCE, face_up=(PRIEST, PRIEST, KING))
    assert utbm.way(game, state, PRINCE, [0] * CARDS) == play_number(PRINCE, 1)


def test_a_prince_beside_a_second_spy_is_for_oneself():
    game, state = scene([SPY, GUARD], SPY)
    turn(game, state, play_number(SPY), ("draw", HANDMAID), play_number(GUARD, 0, KING))
    turn(game, state, ("draw", PRINCE))
    assert utbm.way(game, state, PRINCE, [0] * CARDS) == play_number(PRINCE, 0)


@pytest.mark.parametrize(
    ("held", "drawn", "expected"),
    [
        (SPY, (BARON, HANDMAID), choice_number(SPY, BARON, HANDMAID)),
        (BARON, (CHANCELLOR, PRIEST), choice_number(CHANCELLOR, BARON, PRIEST)),
        (PRINCESS, (GUARD, PRIEST), choice_number(PRIEST, GUARD, PRINCESS)),
        (BARON, (PRIEST,), choice_number(PRIEST, BARON)),
        (HANDMAID, (HANDMAID, BARON), choice_number(HANDMAID, BARON, HANDMAID)),
    ],
)
def test_a_chancellor_keeps_the_heaviest_card_and_returns_the_lightest_first(held, drawn, expected):
    game, state = scene([held, KING], CHANCELLOR)
    set_deck(state, [*drawn, *[GUARD] * 8 * (len(drawn) - 1)], GUARD)
    turn(game, state, play_number(CHANCELLOR), *(("draw", card) for card in drawn))
    assert kept(game, state, [0] * CARDS) == expected
    assert choose(game, state) == as_listed(expected)


# Choices without a search.


def test_the_princess_is_never_played():
    for card in (SPY, GUARD, PRIEST, BARON, HANDMAID, PRINCE, CHANCELLOR, KING, COUNTESS):
        for pair in ((PRINCESS, card), (card, PRINCESS)):
            game, state = scene([pair[0], GUARD], pair[1])
            assert choose(game, state)[0] == card


def test_of_two_equal_cards_one_is_played_and_a_forced_countess_is():
    game, state = scene([PRIEST, GUARD], PRIEST)
    assert choose(game, state) == [PRIEST, 1]
    game, state = scene([KING, GUARD], COUNTESS)
    assert choose(game, state) == [COUNTESS]


def test_a_guard_is_played_after_the_opponents_countess(monkeypatch):
    monkeypatch.setattr(utbm, "negamax", fake({GUARD: (0.0, 4), HANDMAID: (1.0, 4)}))
    game, state = scene([COUNTESS, HANDMAID], PRIEST)
    turn(game, state, play_number(PRIEST, 1), ("draw", GUARD))
    assert choose(game, state)[0] == HANDMAID
    game, state = scene([COUNTESS, HANDMAID], PRIEST)
    turn(game, state, play_number(COUNTESS), ("draw", GUARD))
    assert choose(game, state)[0] == GUARD


# The search.


def fake(values):
    """A search that finds these (value, turns to the leaf), by card."""

    def negamax(_game, _state, card, _depth, work):
        value, work.leaf[0] = values[card]
        return value

    return negamax


@pytest.mark.parametrize(
    ("guard", "king", "card"),
    [
        ((0.5, 1), (0.4, 4), GUARD),
        ((0.5, 1), (0.5, 4), KING),
        ((0.5, 4), (0.5, 3), GUARD),
        ((0.5, 4), (0.6, 1), KING),
    ],
)
def test_the_best_value_is_played_and_of_equal_ones_the_one_that_leads_farthest(
    guard, king, card, monkeypatch
):
    monkeypatch.setattr(utbm, "negamax", fake({GUARD: guard, KING: king}))
    game, state = scene([GUARD, PRIEST], KING)
    assert choose(game, state)[0] == card


@pytest.mark.parametrize(
    ("depth", "shortest", "longest", "count"), [(4, 0, 5, 40), (4, 6, 14, 3), (3, 4, 14, 20)]
)
def test_the_search_finds_what_a_plain_one_finds(depth, shortest, longest, count):
    room = work()
    for game, state in positions(count, shortest, longest):
        shuffle(state, room, generator(1))
        deck = room.order[: sum(state[POOL : POOL + CARDS])].tolist()
        for card in {action // PLAYED for action in legal_actions(game, state)}:
            root = np.array(state, np.int16)
            found = negamax(game, root, card, depth, room), room.leaf[0]
            assert found == plain(game, state, deck, state[CURRENT], depth, card)
            assert root.tolist() == state


def test_an_order_of_the_deck_is_drawn_from_what_is_left_of_it():
    _, state = scene([GUARD, KING], PRIEST, deck=[SPY, SPY, BARON], aside=PRINCE)
    room, orders = work(), set()
    for seed in range(40):
        shuffle(state, room, generator(seed))
        orders.add(tuple(room.order[:4]))
        assert sorted(room.order[:4]) == [SPY, SPY, BARON, PRINCE]
    assert len(orders) > 8


# Who it is, and what it may see.


def test_it_plays_legally_to_the_end_whatever_it_is_dealt():
    game, rng = make(players=2, tokens=2), generator(3)
    out, weights = [0] * 64, [0.0] * 10
    for number in range(40):
        state = start(game).tolist()
        seats = [bots.make("utbm", {}, Seating(game, each, number, 1.0)) for each in (0, 1)]
        views = [View(Seating(game, each, number, 1.0)) for each in (0, 1)]
        while (player := mover(game, state)) != OVER:
            if player == CHANCE:
                action = draw(game, state, out, weights, rng)
            else:
                known = np.array(views[player].of(state), np.int16)
                action = seats[player].play(known).action
                assert action in legal_actions(game, state)
            play(game, state, action)


def test_it_says_what_each_card_is_worth():
    game, state = scene([GUARD, KING], PRIEST)
    message = (
        bots.make("utbm", {}, Seating(game, 0, 1, 1.0)).play(np.array(state, np.int16)).message
    )
    assert message.startswith("guard ")
    assert ", priest " in message


def test_it_does_not_know_the_hand_and_the_one_that_peeks_does():
    game, state = scene([GUARD, PRINCESS], PRIEST)
    table = Seating(game, 0, 1, 1.0)
    messages = {"utbm": set(), "utbm-peek": set()}
    for seed in range(6):
        other = state.copy()
        determinize(game, other, 0, generator(seed))
        for name, found in messages.items():
            view = View(table, whole=bots.peeks(name))
            bot = bots.make(name, {}, table, study=True)
            found.add(bot.play(np.array(view.of(other), np.int16)).message)
    assert len(messages["utbm"]) == 1
    assert len(messages["utbm-peek"]) > 1


def test_who_peeks_may_not_play_where_it_counts():
    table = Seating(make(players=2), 0, 1, 1.0)
    with pytest.raises(BuiltinError, match=r"builtin:utbm-peek sees what is hidden .* compare"):
        bots.make("utbm-peek", {}, table)
    assert not bots.peeks("utbm")


@pytest.mark.parametrize(
    ("game", "options", "words"),
    [
        (
            make(players=3),
            {},
            "builtin:utbm plays love-letter for 2 players, not love-letter for 3",
        ),
        (Poker(), {}, "not poker for 3"),
        (make(players=2), {"depth": "0"}, r"builtin:utbm: depth must be in 1\.\.8, got 0"),
    ],
)
def test_what_it_cannot_play_it_refuses(game, options, words):
    with pytest.raises(BuiltinError, match=words):
        bots.make("utbm", options, Seating(game, 0, 1, 1.0))
