"""Nothing that cannot be is dealt by `determinize`, all that may be is; all that is told is so."""

from typing import Any

import pytest
from games.changed import alike
from games.kuhn import ACTIONS, CARDS, PLIES, Kuhn
from games.odd_one_out import OddOneOut
from games.pennies import Pennies
from games.poker import Poker
from games.samples import samples
from library.little import Little

from joute.core import deals
from joute.core.deals import misdeal
from joute.core.interface import CHANCE, mover, observe, properties, rules_of, start
from joute.core.random import below
from joute.i18n.words import speaking

GAMES = [Kuhn(), Poker(), Pennies(), OddOneOut(), Little()]
GAMES += [game for each in samples().values() for game in each.QUICK]
HIDING = [
    game for game in GAMES if properties(game).hidden_information or properties(game).simultaneous
]


@pytest.mark.parametrize("game", HIDING, ids=lambda game: properties(game).name)
def test_our_games_deal_what_can_be_and_all_of_it(game):
    assert misdeal(game) is None


def dealing(card):
    """Kuhn poker in which `determinize` deals the other player a card by a rule of one's own."""

    def determinize(game, state, player, rng):
        other = 1 - player
        if state[other] >= 0:
            state[other] = card(int(state[player]), int(state[other]), rng)

    return alike(Kuhn, determinize=determinize)


def told(game):
    """The law that a game is said to break, and the plies that lead there."""
    found = misdeal(game)
    assert found is not None
    with speaking("en"):
        return str(found.law), found.actions


def test_a_card_that_the_player_holds_itself_is_impossible():
    law, actions = told(dealing(lambda mine, theirs, rng: below(rng, CARDS)))
    assert len(actions) == 2 and actions[0] != actions[1]
    assert law.startswith("a determinization agrees with all that is known: for player 0, which ")
    card = actions[0]
    assert f'which observes {{"actions": [], "card": {card}, "dealt": 2}}, determinize' in law
    assert f"deals [{card}, {card}, -1, -1, -1, 2], and no play leads there" in law


def other(mine, rank):
    """A card that the player does not hold, by its rank."""
    return rank + (rank >= mine >= 0)


def test_a_card_that_is_never_dealt_is_told():
    law, actions = told(dealing(lambda mine, theirs, rng: other(mine, below(rng, 1))))
    assert len(actions) == 1  # player 1 does not know yet which card player 0 holds
    assert "for player 1, which observes" in law and "determinize deals in 256 draws never" in law
    assert law.endswith("whose probability is 33%")


def test_a_card_that_stays_as_it_is_is_told():
    law, _ = told(dealing(lambda mine, theirs, rng: theirs + 0 * below(rng, 1)))
    assert "in 256 draws never" in law


def test_one_card_of_very_many_is_told_though_none_of_the_others_is_likely():
    most = 40

    def chances(game, state, out, weights):
        cards = [card for card in range(most) if card != state[0]]
        for place, card in enumerate(cards):
            out[place], weights[place] = card, 1 / len(cards)
        return len(cards)

    def facts(game):
        return properties(Kuhn())._replace(max_outcomes=most)

    def fair(game, state, player, rng):
        if state[1 - player] >= 0:
            mine = int(state[player])
            state[1 - player] = other(mine, below(rng, most - (mine >= 0)))

    def first(game, state, player, rng):
        if state[1 - player] >= 0:
            state[1 - player] = other(int(state[player]), below(rng, 1))

    changed = {"chances": chances, "properties": facts}
    assert misdeal(alike(Kuhn, determinize=fair, **changed)) is None
    assert "whose probability is" in told(alike(Kuhn, determinize=first, **changed))[0]


def test_a_hand_that_is_not_dealt_anew_among_others_is_told():
    def determinize(game, state, player, rng):
        rules_of(Poker)["determinize"](game, changed := list(state), player, rng)
        for each in (0, 1):  # the card of player 2 stays
            state[each] = changed[each] if changed[each] != state[2] else state[each]

    assert "in 256 draws never" in told(alike(Poker, determinize=determinize))[0]


def test_numbers_that_nobody_sees_need_not_be_dealt_anew():
    def begin(game):
        return [*start(Kuhn()).tolist(), 0, 0]

    def play(game, state, action):
        state[PLIES + 1] = action  # the last outcome, and a count
        state[PLIES + 2] += 1 + action
        rules_of(Kuhn)["play"](game, state, action)

    class Listed(list):
        """A state that `tolist` gives as it is."""

        def tolist(self):
            return list(self)

    assert misdeal(alike(Kuhn, start=lambda game: Listed(begin(game)), play=play)) is None


@pytest.mark.parametrize("ordered", [False, True])
def test_hands_may_be_dealt_in_another_order(ordered):
    """Two hidden cards of four, whose owner sees them in the order in which they came."""

    def determinize(game, state, player, rng):
        if player == 1:
            for place in range(min(int(state[PLIES]), 2)):
                state[place] = -1
            for place in range(min(int(state[PLIES]), 2)):
                free = [card for card in range(4) if card not in state[:2]]
                state[place] = free[below(rng, len(free))]
            if ordered and state[PLIES] >= 2:
                state[:2] = sorted(state[:2])

    def chances(game, state, out, weights):
        cards = [card for card in range(4) if card != state[0]]
        for place, card in enumerate(cards):
            out[place], weights[place] = card, 1 / len(cards)
        return len(cards)

    def observing(game, state, player):
        hand = [int(card) for card in state[:2]] if player == 0 else []
        return {"hand": hand, "plies": int(state[PLIES])}

    def facts(game):
        return properties(Kuhn())._replace(max_outcomes=4)

    changed = {"determinize": determinize, "chances": chances, "observe": observing}
    sights = {"seen": lambda game, state, player, action: action if player == 0 else -1}
    game = alike(Kuhn, properties=facts, tell=lambda *_: None, **changed, **sights)
    assert misdeal(game) is None


def test_nothing_is_said_where_a_player_cannot_count_the_plies(monkeypatch):
    """Player 0 may wait unseen, and `determinize` deals more plies than were played."""

    def determinize(game, state, player, rng):
        if mover(game, state) != CHANCE and player == 1:
            state[ACTIONS] = below(rng, 2)
            state[PLIES] = 3 + 2 * below(rng, 9)

    def observing(game: Any, state: Any, player: int):
        return {} if player == 1 else observe(Kuhn(), state, player)

    game = alike(Kuhn, determinize=determinize, observe=observing)
    monkeypatch.setattr(deals, "_WAYS", 20)
    assert misdeal(game) is None
