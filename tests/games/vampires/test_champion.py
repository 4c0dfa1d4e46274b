"""Vampires' champion: how it foresees a plain player, when it believes that, and what follows."""

from itertools import pairwise

import numpy as np
import pytest
from games.pennies import Pennies
from games.vampires.maps import FIELD
from games.vampires.plain_turns import listed
from games.vampires.positions import course

from joute.bots import BuiltinError, Seating, make
from joute.core.interface import play, start
from joute.core.registry import make as make_game
from joute.games.vampires.map import VampiresMap, write_map
from joute.games.vampires.order import actions
from joute.games.vampires.players import champion as vampires_champion
from joute.games.vampires.players.champion import WIDTHS, Trust, foreseen
from joute.games.vampires.players.nearest import NearestBot
from joute.games.vampires.players.orders import orders
from joute.games.vampires.state import TURNS, VAMPIRES, WEREWOLVES, cell_at, put


def on(columns, rows, humans, vampires, werewolves, **values):
    """A game on a map of so many columns and rows, and its first state."""
    text = write_map(VampiresMap(rows, columns, tuple(humans), vampires, werewolves))
    game = make_game("vampires", map=text, **values)
    return game, start(game)


def after(game, state, *moves):
    """The state after an order."""
    known = state.copy()
    for action in actions(game, moves):
        play(game, known, action)
    return known


def scattered(seed):
    """A game, and a state of it with one group of Vampires and up to four of Werewolves."""
    rng = np.random.default_rng(seed)
    cells = [divmod(int(each), 5) for each in rng.permutation(30)]
    counts = [int(each) for each in rng.integers(1, 9, 30)]
    kinds = [(*cell, count) for cell, count in zip(cells, counts, strict=True)]
    houses = int(rng.integers(0, 10))
    game, state = on(6, 5, kinds[2 : 2 + houses], kinds[0], kinds[1])
    for x, y, count in kinds[12 : 12 + int(rng.integers(0, 4))]:
        put(game, state, cell_at(game, x, y), WEREWOLVES, count)
    return game, state


# Who is foreseen.


JUST_ENOUGH = on(9, 3, [(2, 1, 7)], (4, 1, 6), (5, 1, 4))
SURROUNDED = on(2, 2, [(1, 0, 9), (0, 1, 9)], (0, 0, 3), (1, 1, 3))


@pytest.mark.parametrize(("game", "state"), [*map(scattered, range(60)), JUST_ENOUGH, SURROUNDED])
def test_what_is_foreseen_are_the_ties_that_nearest_draws(game, state):
    drawn = {
        tuple(NearestBot(Seating(game, 0, each, 1.0)).play(state).action) for each in range(99)
    }
    assert {tuple(turn) for turn in listed(foreseen(game, 0), game, state)} == drawn


def test_who_has_two_groups_and_who_is_not_taken_to_be_plain_may_do_as_they_like():
    game, state = on(5, 5, [(2, 2, 3)], (0, 0, 4), (4, 4, 4))
    everything = listed(orders(game), game, state)
    assert listed(foreseen(game), game, state) == everything
    assert len(listed(foreseen(game, 0), game, state)) == 1
    assert listed(foreseen(game, 1), game, state) == everything
    put(game, state, cell_at(game, 4, 0), VAMPIRES, 2)
    assert listed(foreseen(game, 0), game, state) == listed(orders(game), game, state)


def test_the_further_ahead_the_fewer_orders_are_listed():
    game, state = on(9, 9, [(2, 2, 3), (6, 2, 2), (6, 6, 4)], (4, 4, 9), (0, 8, 4))
    put(game, state, cell_at(game, 8, 8), VAMPIRES, 5)
    generator = foreseen(game, 1)
    counts = []
    for turns in range(8):
        state[TURNS] = turns
        counts.append(len(listed(generator, game, state)))
    first, second, later = (len(listed(orders(game, width), game, state)) for width in WIDTHS)
    assert first > second > later
    assert counts == [first, first, second, second, later, later, later, later]
    generator.begin[0] = 6
    assert len(listed(generator, game, state)) == first


# Beliefs.


def test_nearest_is_soon_believed_to_be_what_it_is():
    game, state = on(9, 9, [(4, 4, 3)], (0, 0, 4), (8, 8, 4))
    trust = Trust(game, 1, 1.0)
    bot = NearestBot(Seating(game, 0, 1, 1.0))
    known = []
    for x in (7, 6, 5):
        for action in bot.play(state).action:
            play(game, state, action)
        trust.learn(state)
        known.append(trust.probability())
        order = actions(game, [[x + 1, 8, 4, x, 8]])
        trust.expect(state, order)
        for action in order:
            play(game, state, action)
    assert known[0] > vampires_champion.BELIEF
    assert all(one < other for one, other in pairwise(known))


@pytest.mark.parametrize("move", [[0, 0, 4, 1, 0], [0, 0, 3, 1, 1]])
def test_who_goes_elsewhere_or_splits_is_believed_no_more(move):
    game, state = on(9, 9, [(4, 4, 3)], (0, 0, 4), (8, 8, 4))
    trust = Trust(game, 1, 9.0)
    trust.learn(after(game, state, move))
    assert trust.probability() < 0.01


def test_who_has_two_groups_is_not_plain():
    game, state = on(9, 9, [(4, 4, 3)], (0, 0, 4), (8, 8, 4))
    put(game, state, cell_at(game, 0, 8), VAMPIRES, 2)
    state[TURNS], state[0] = 1, 1
    trust = Trust(game, 1, 9.0)
    trust.expect(state, actions(game, [[8, 8, 4, 7, 7]]))
    there = after(game, after(game, state, [8, 8, 4, 7, 7]), [0, 0, 4, 1, 1])
    trust.learn(there)
    assert trust.probability() < 0.01


def test_nothing_is_learned_without_knowing_what_was_before():
    game, state = on(9, 9, [(4, 4, 3)], (0, 0, 4), (8, 8, 4))
    trust = Trust(game, 1, 1.0)
    state[TURNS] = 7
    trust.learn(state)
    assert trust.probability() == 0.5


def test_nothing_is_learned_of_a_turn_that_followed_a_battle():
    game, state = on(3, 3, [], (0, 0, 4), (1, 0, 4))
    trust = Trust(game, 0, 1.0)
    trust.expect(state, actions(game, [[0, 0, 4, 1, 0]]))
    state[TURNS] = 2
    trust.learn(state)
    assert trust.probability() == 0.5


def test_a_battle_that_a_plain_player_cannot_avoid_may_come_to_anything():
    game, state = on(2, 1, [], (0, 0, 4), (1, 0, 4))
    trust = Trust(game, 1, 1.0)
    state[TURNS] = 1
    trust.learn(state)
    assert trust.probability() > 0.5


# Play.


def champion(game, player=0, **options):
    return make_champion(Seating(game, player, 1, 10.0), **options)


make_champion = vampires_champion.make


@pytest.mark.full
@pytest.mark.game("virus")
def test_it_plays_as_before_against_who_is_not_foreseen():
    game = make_game("vampires", map=FIELD, plies=20)
    expectimax = make(
        "expectimax", {"evaluation": "war", "nodes": "300"}, Seating(game, 0, 1, 10.0)
    )
    bot = champion(game, nodes=300, contempt=0.0)
    doubting = champion(game, nodes=300, trust=0.0, contempt=0.0)
    for known in course(game, 5):
        state = np.array(known, start(game).dtype)
        expected = expectimax.play(state).action
        assert bot.play(state).action == expected
        assert doubting.play(state).action == expected


def test_it_looks_further_ahead_against_nearest():
    game, state = on(9, 9, [(4, 4, 3), (2, 6, 2)], (0, 0, 4), (8, 8, 4))
    for action in NearestBot(Seating(game, 0, 1, 1.0)).play(state).action:
        play(game, state, action)
    depths = {}
    for trust in (0.0, 1.0):
        message = champion(game, 1, nodes=20000, trust=trust).play(state).message
        depths[trust] = int(message.split("at depth ")[1].split(",")[0])
    assert depths[1.0] > depths[0.0] + 1


FEWER = on(7, 7, [], (3, 3, 9), (4, 4, 12))  # who attack first, with 37.5 %, or are chased


def test_who_holds_its_opponent_in_contempt_waits_rather_than_begin_a_battle_that_is_likely_lost():
    game, state = FEWER
    attack = actions(game, [[3, 3, 9, 4, 4]])
    assert champion(game, nodes=3000, contempt=0.0).play(state).action == attack
    assert champion(game, nodes=3000).play(state).action != attack


def test_explanations_hold_nobody_in_contempt():
    game, state = FEWER
    found = champion(game, nodes=3000).explain(state)
    assert found == champion(game, nodes=3000, contempt=0.0).explain(state)
    assert found[0].line == tuple(actions(game, [[3, 3, 9, 4, 4]]))


def test_an_explanation_does_not_change_what_is_played_after_it():
    game, state = FEWER
    bot = champion(game, nodes=3000)
    bot.explain(state)
    assert bot.play(state) == champion(game, nodes=3000).play(state)


def test_half_an_order_is_explained_too():
    game, state = on(7, 7, [], (3, 3, 9), (6, 6, 2))
    play(game, state, actions(game, [[3, 3, 5, 4, 4]])[0])
    bot = champion(game, nodes=100)
    assert [each.line for each in bot.explain(state)] == [(bot.play(state).action,)]


def test_contempt_is_not_in_the_value_that_is_told():
    game, state = FEWER
    even, scorn = (champion(game, nodes=3000, contempt=each).play(state).value for each in (0, 3))
    assert scorn < even  # the battle is the better choice against an equal
    forced, state = on(2, 1, [], (0, 0, 9), (1, 0, 12))  # nothing but the battle that ends it
    assert (
        champion(forced, nodes=100).play(state).message.startswith("0,0 x9 -> 1,0; done: -0.25 at")
    )


def test_what_cannot_be_is_refused_with_a_sentence():
    game = make_game("vampires", map=FIELD)
    with pytest.raises(BuiltinError, match="trust must be at least 0"):
        champion(game, trust=-1.0)
    for contempt in ("nan", "inf", "-inf", "much"):
        with pytest.raises(BuiltinError, match="contempt"):
            make("champion", {"contempt": contempt}, Seating(game, 0, 1, 10.0))
    with pytest.raises(BuiltinError, match="plays vampires, not pennies"):
        champion(Pennies())
