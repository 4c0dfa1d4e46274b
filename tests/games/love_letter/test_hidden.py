"""Facts that a player of Love Letter may not know: never shown, and redrawn by their chances."""

import itertools
from collections import Counter

import pytest
from games.love_letter.rounds import choice_number, give, play_number, scene, turn

from joute.core.interface import (
    CHANCE,
    OVER,
    chances,
    determinize,
    draw,
    mover,
    observe,
    pick,
    play,
    render,
    seen,
    start,
    tell,
)
from joute.core.random import below, generator
from joute.games.love_letter.rules import make
from joute.games.love_letter.state import (
    ALIVE,
    BARON,
    BOTTOM,
    BOTTOM_COUNT,
    BOTTOM_KNOWN,
    CARDS,
    CHANCELLOR,
    COUNTESS,
    CURRENT,
    GUARD,
    HANDMAID,
    HANDS,
    KING,
    KNOWN,
    NONE,
    PHASE,
    POOL,
    PRIEST,
    PRINCE,
    PRINCESS,
    SECOND,
    SECOND_KNOWN,
    SPY,
    STARTING,
    THIRD,
    members,
)
from joute.play.chance import Streams

DRAWS = 6000
TABLES = [{"players": players} for players in range(2, 7)]
TABLES += [{"players": 3, "deck": "classic"}, {"players": 2, "tokens": 2}]


def hidden_places(game, state, player):
    """The places of cards that a player has not seen, but for the deck."""
    places = [
        HANDS + other
        for other in members(state[ALIVE])
        if state[HANDS + other] != NONE and not state[KNOWN + other] >> player & 1
    ]
    if state[CURRENT] != player:
        if state[SECOND] != NONE and not state[SECOND_KNOWN] >> player & 1:
            places.append(SECOND)
        if state[THIRD] != NONE:
            places.append(THIRD)
    bottom = range(state[BOTTOM_COUNT])
    return places + [
        BOTTOM + each for each in bottom if not state[BOTTOM_KNOWN + each] >> player & 1
    ]


def hidden_cards(state, places):
    """The cards in these places, in the deck and set aside: a list, the places' first."""
    pool = [card for card in range(CARDS) for _ in range(state[POOL + card])]
    return [state[place] for place in places] + pool


def with_cards(state, places, cards):
    """The state with these cards in the places, and the rest of them in the deck."""
    other = list(state)
    for place, card in zip(places, cards, strict=False):
        other[place] = card
    for card in range(CARDS):
        other[POOL + card] = cards[len(places) :].count(card)
    return other


def consistent(game, state, player):
    """By exact enumeration: every state that may be for a player, and its probability."""
    places = hidden_places(game, state, player)
    cards = hidden_cards(state, places)
    counts = Counter(
        tuple(with_cards(state, places, list(order))) for order in itertools.permutations(cards)
    )
    total = sum(counts.values())
    return {each: count / total for each, count in counts.items()}


def late(*plies, hands, drawn, deck, **values):
    """A state with few cards left, after these plies."""
    game, state = scene(hands, drawn, deck=deck, **values)
    turn(game, state, *plies)
    return game, state


LATE = {
    "a turn of two": late(hands=[PRIEST, KING], drawn=GUARD, deck=[PRINCESS, PRIEST]),
    "three hands": late(
        hands=[PRIEST, KING, SPY], drawn=GUARD, deck=[PRINCESS, PRIEST, PRIEST]
    ),
    "a hand seen": late(
        play_number(PRIEST, 1), hands=[PRIEST, KING, SPY], drawn=GUARD, deck=[GUARD, COUNTESS]
    ),
    "a turn with a hand seen": late(
        play_number(PRIEST, 1), ("draw", GUARD),
        hands=[PRIEST, KING, SPY], drawn=GUARD, deck=[GUARD, COUNTESS, HANDMAID],
    ),
    "a card due": late(
        play_number(PRINCE, 1), hands=[PRINCE, KING], drawn=GUARD, deck=[SPY, BARON, BARON]
    ),
    "a choice": late(
        play_number(CHANCELLOR), ("draw", SPY), ("draw", BARON),
        hands=[CHANCELLOR, KING], drawn=GUARD, deck=[SPY, BARON, PRIEST],
    ),
    "half a choice": late(
        play_number(CHANCELLOR), ("draw", SPY),
        hands=[CHANCELLOR, KING], drawn=GUARD, deck=[SPY, BARON, PRIEST],
    ),
    "cards at the bottom": late(
        play_number(CHANCELLOR), ("draw", SPY), ("draw", BARON), choice_number(3, 0, 1),
        hands=[CHANCELLOR, KING], drawn=GUARD, deck=[SPY, BARON, PRIEST],
    ),
    "a card drawn from the bottom": late(
        play_number(CHANCELLOR), ("draw", SPY), ("draw", BARON), choice_number(3, 0, 1),
        ("draw", SPY), hands=[CHANCELLOR, KING, PRINCE], drawn=GUARD, deck=[SPY, BARON],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LATE)
def test_determinize_draws_each_consistent_state_as_often_as_it_may_be(name):
    game, state = LATE[name]
    for player in range(game.players):
        expected = consistent(game, state, player)
        assert tuple(state) in expected
        rng, counts = generator(17 + player), Counter()
        for _ in range(DRAWS):
            guess = state.copy()
            determinize(game, guess, player, rng)
            counts[tuple(guess)] += 1
        assert set(counts) <= set(expected)
        for each, probability in expected.items():
            mean = DRAWS * probability
            assert abs(counts[each] - mean) <= 5 * (mean + 1) ** 0.5, (name, player)


def test_the_enumeration_has_the_sizes_that_combinatorics_gives():
    game, state = LATE["a turn of two"]
    # Player 0 sees two cards: the other holds a King, Princess, Priest or the Guard set aside.
    assert len(consistent(game, state, 0)) == 4
    # Player 1 sees a King: the other's two cards are of 5 hidden, Priest twice and Guard twice.
    assert len(consistent(game, state, 1)) == 3 * 3 - 1


def random_states(values, seed):
    """The states of a random game, with the action or outcome that follows each."""
    game, rng = make(**values), generator(seed)
    state, out, weights = start(game).tolist(), [0] * 64, [0.0] * CARDS
    while mover(game, state) != OVER:
        if mover(game, state) == CHANCE:
            action = draw(game, state, out, weights, rng)
        else:
            action = pick(game, state, out, rng)
        yield game, state, action
        play(game, state, action)


@pytest.mark.parametrize("values", TABLES, ids=str)
def test_whatever_a_player_may_not_know_is_changed_and_it_sees_the_same(values):
    rng, changed = generator(5), 0
    for seed in range(6):
        for game, state, _ in random_states(values, seed):
            for player in range(game.players):
                places = hidden_places(game, state, player)
                cards = hidden_cards(state, places)
                for _ in range(2):
                    shuffled = list(cards)
                    for place in range(len(shuffled) - 1, 0, -1):
                        other = below(rng, place + 1)
                        shuffled[place], shuffled[other] = shuffled[other], shuffled[place]
                    world = with_cards(state, places, shuffled)
                    changed += world != state
                    assert observe(game, world, player) == observe(game, state, player)
                    assert render(game, world, player) == render(game, state, player)
                    assert mover(game, world) == mover(game, state)
    assert changed > 100


@pytest.mark.parametrize("values", TABLES, ids=str)
def test_messages_differ_only_where_the_rules_show_something(values):
    rng, same = generator(6), 0
    for seed in range(6):
        for game, state, action in random_states(values, seed):
            for player in range(game.players):
                world = list(state)
                determinize(game, world, player, rng)
                if mover(game, state) == CHANCE and state[PHASE] != STARTING:
                    other = draw(game, world, [0] * CARDS, [0.0] * CARDS, rng)
                else:
                    other = action
                if not over_after(game, state, action) and not over_after(game, world, other):
                    alike = seen(game, state, player, action) == seen(game, world, player, other)
                    told = tell(game, state, player, action) == tell(game, world, player, other)
                    assert alike == told
                    same += told
    assert same > 50


def over_after(game, state, action):
    """Whether an action ends the round: then hands are opened."""
    after = list(state)
    play(game, after, action)
    return state[PHASE] != STARTING and (mover(game, after) == OVER or after[PHASE] == STARTING)


def test_a_draw_is_told_by_card_only_to_who_receives_it():
    game, state = scene([HANDMAID, GUARD, GUARD], SPY)
    turn(game, state, play_number(HANDMAID))
    told = [tell(game, state, each, KING) for each in range(3)]
    assert told[1] == {"player": CHANCE, "action": KING, "text": "player 1 draws king", "to": 1}
    assert told[0] == told[2]
    assert told[0] == {"player": CHANCE, "action": 10, "text": "player 1 draws a card", "to": 1}


def test_a_card_put_back_is_followed_by_its_chancellor_into_the_hand_that_draws_it():
    game, state = LATE["a card drawn from the bottom"]
    assert observe(game, state, 0)["known"] == [[1, SPY]]
    assert observe(game, state, 2)["known"] == []
    turn(game, state, play_number(KING, 2))
    assert observe(game, state, 0)["known"] == [[2, SPY]]


def test_who_knows_both_cards_of_a_pair_knows_the_one_that_stays():
    game, state = scene([KING, GUARD], CHANCELLOR, deck=[SPY])
    turn(game, state, play_number(CHANCELLOR), ("draw", SPY), choice_number(KING, SPY))
    state[KNOWN + 1] |= 1  # as after a Priest
    give(game, state, SPY)
    assert observe(game, state, 0)["known"] == [[1, GUARD], [1, SPY]]
    assert tell(game, state, 0, play_number(GUARD, 0, KING))["text"] == "guard 0 king"
    turn(game, state, play_number(SPY))
    assert mover(game, state) == OVER


def test_who_knows_one_of_two_equal_cards_knows_nothing_when_one_is_played():
    game, state = scene([PRIEST, GUARD], SPY)
    turn(game, state, play_number(PRIEST, 1), ("draw", GUARD))
    assert observe(game, state, 0)["known"] == [[1, GUARD]]
    turn(game, state, play_number(GUARD, 0, KING))
    assert observe(game, state, 0)["known"] == []


@pytest.mark.parametrize("lost", ["played", "prince", "chancellor"])
def test_what_was_seen_is_forgotten_when_the_hand_changes(lost):
    card = {"played": PRIEST, "prince": PRIEST, "chancellor": CHANCELLOR}[lost]
    game, state = scene([PRIEST, card, PRINCE], SPY)
    turn(game, state, play_number(PRIEST, 1))
    assert observe(game, state, 0)["known"] == [[1, card]]
    if lost == "played":
        turn(game, state, ("draw", GUARD), play_number(PRIEST, 0))
    elif lost == "prince":
        turn(game, state, ("draw", SPY), play_number(SPY))
        assert observe(game, state, 0)["known"] == [[1, card]]
        turn(game, state, ("draw", GUARD), play_number(PRINCE, 1))
    else:
        turn(game, state, ("draw", KING), play_number(CHANCELLOR))
    assert observe(game, state, 0)["known"] == []


def drawn_cards(game, seed, policy):
    """The starter of the first round, and each round's deck as the referee deals it."""
    streams, rng = Streams(seed), generator(policy)
    state, out = start(game).tolist(), [0] * 64
    starters, decks = [], []
    while mover(game, state) != OVER:
        if mover(game, state) != CHANCE:
            play(game, state, pick(game, state, out, rng))
            continue
        outcome = streams.outcome(game, state)
        if state[PHASE] == STARTING:
            starters.append(outcome)
            decks.append([])
        elif chances(game, state, out, [0.0] * CARDS) > 1:
            decks[-1].append(outcome)
        play(game, state, outcome)
    return starters[0], decks


@pytest.mark.parametrize("values", [{"tokens": 3}, {"players": 4, "tokens": 2}], ids=str)
def test_games_of_one_seed_have_the_same_decks_round_by_round(values):
    game, compared = make(**values), 0
    for seed in range(6):
        plays = [drawn_cards(game, str(seed), policy) for policy in range(4)]
        assert len({starter for starter, _ in plays}) == 1
        for (_, one), (_, other) in itertools.combinations(plays, 2):
            for mine, theirs in zip(one, other, strict=False):
                common = min(len(mine), len(theirs))
                assert mine[:common] == theirs[:common]
                compared += one is not other and mine != theirs
    assert compared
    assert drawn_cards(game, "one", 1) != drawn_cards(game, "two", 1)


def test_the_hands_are_open_after_a_showdown_and_not_after_an_elimination():
    game, state = scene([KING, GUARD, BARON], SPY, deck=[])
    turn(game, state, play_number(SPY))
    assert observe(game, state, 2)["known"] == [[0, KING], [1, GUARD]]
    game, state = scene([GUARD, PRIEST], PRINCESS)
    turn(game, state, play_number(GUARD, 1, PRIEST))
    assert observe(game, state, 1)["known"] == []
    assert observe(game, state, 1)["round_over"]["hands"] == [None, None]
