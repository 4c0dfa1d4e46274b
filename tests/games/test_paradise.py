"""Paradise: its cards one by one, its words, and what a player may not know."""

import random
from collections import Counter
from itertools import combinations
from math import comb
from statistics import mean, stdev

import pytest
from games.duel_tables import GAME, QUIRKS, WORDS, choices, table, texts

from joute.games import GameError, make, parameters
from joute.games.interface import (
    CHANCE,
    OVER,
    ActionError,
    chances,
    determinize,
    draw,
    fault_action,
    mover,
    observe,
    parse,
    pending,
    pick,
    play,
    points,
    properties,
    render,
    returns,
    seen,
    start,
    stream,
    tell,
)
from joute.games.paradise_cards import (
    AIMED,
    BOOK,
    CARDS,
    DECK_CARDS,
    HOUNDS,
    MINION,
    SHOT,
)
from joute.games.paradise_state import (
    AIM,
    AIMS,
    BASE,
    DECK,
    DECK_SIZE,
    DESTROYED,
    DRAWING,
    FATIGUE,
    HAND,
    HAND_SIZE,
    HERO,
    LIFE,
    MAX_LIFE,
    OWN,
    PHASE,
    PLAY,
    SHOOTING,
    STRIKE,
    TARGETS,
    TURN,
    block,
    minion,
)
from joute.games.random import generator
from joute.play.chance import Streams

END, POWER = 0, 1


def do(state, *words, game=GAME):
    """Play actions by their words; a shot or a draw is an outcome given by its words."""
    for text in words:
        action = parse(game, state, text)
        if mover(game, state) != CHANCE:
            assert action in choices(state, game), text
        play(game, state, action)
    return state


def board(state, player):
    """The minions of a player, as `wolf 1/1`."""
    return [
        f"{BOOK[each['card']].word} {each['attack']}/{each['health']}"
        for each in observe(GAME, state, player)["boards"][player]
    ]


def health(state):
    return observe(GAME, state, 0)["health"]


# The turn.


def test_the_first_player_has_three_cards_and_the_second_four_and_the_first_draws():
    state, drawn = start(GAME).tolist(), []
    while mover(GAME, state) == CHANCE:
        drawn.append(stream(GAME, state))
        play(GAME, state, len(drawn) % 2)
    assert drawn == ["deck 0"] * 3 + ["deck 1"] * 4 + ["deck 0"]
    assert observe(GAME, state, 0)["hand_size"] == [4, 4]
    assert observe(GAME, state, 0)["mana"] == [1, 0]
    assert texts(state)[0] == "end"


def test_a_turn_begins_with_mana_the_power_and_every_minion_awake():
    state = table(boards=(["zraptor"], ["zwolf"]), mana=3)
    do(state, "power", "end", "draws mole")
    seen_by = observe(GAME, state, 1)
    assert (seen_by["to_move"], seen_by["mana"], seen_by["max_mana"]) == (1, [1, 4], [3, 4])
    assert [each["turns"] for side in seen_by["boards"] for each in side] == [1, 1]
    assert "attack 1 hero" in texts(state)
    assert "power" in texts(state)
    assert pending(GAME, state) == 0


def test_mana_stops_at_ten():
    state = do(table(mana=10), "end", "draws mole")
    assert observe(GAME, state, 0)["max_mana"] == [10, 10]


def test_a_card_drawn_into_a_full_hand_is_destroyed():
    state = table(hands=((), ["mole", "mole", "cobra", "cobra", "wolf", "wolf", "raptor", "raptor",
                              "alpha", "alpha"]))  # fmt: skip
    before = observe(GAME, state, 0)["unseen"]
    do(state, "end", "draws fireball")
    view = observe(GAME, state, 1)
    assert len(view["hand"]) == 10
    assert WORDS["fireball"] not in view["hand"]
    assert view["deck_size"][1] == 14
    assert observe(GAME, state, 0)["unseen"] == before
    assert state[block(1) + DESTROYED + WORDS["fireball"]] == 1


def test_an_empty_deck_hurts_more_each_turn_and_kills():
    state = table()
    for player in (0, 1):
        state[block(player) + DECK : block(player) + DECK + CARDS] = [0] * CARDS
        state[block(player) + DECK_SIZE] = 0
    for turns in range(14):
        assert mover(GAME, state) == (turns % 2), turns
        do(state, "end")
    assert health(state) == [2, 2]
    do(state, "end")
    assert (mover(GAME, state), health(state)) == (OVER, [2, 0])
    values = [0.0, 0.0]
    returns(GAME, state, values)
    assert values == [1.0, -1.0]
    assert [points(GAME, state, player) for player in (0, 1)] == [2, 0]


def test_the_power_costs_two_and_hits_the_hero_once_a_turn():
    state = do(table(), "power")
    assert health(state) == [30, 28]
    assert observe(GAME, state, 0)["mana"][0] == 8
    assert "power" not in texts(state)
    assert "power" not in texts(table(mana=1))


def test_an_action_that_kills_ends_the_game_at_once():
    state = table()
    state[block(1) + HERO] = 2
    do(state, "power")
    assert mover(GAME, state) == OVER
    values = [0.0, 0.0]
    returns(GAME, state, values)
    assert values == [1.0, -1.0]


# The cards.


def test_there_are_25_cards():
    assert sum(card.copies for card in BOOK) == DECK_CARDS
    assert Counter(card.kind for card in BOOK[:CARDS]) == {MINION: 11, AIMED: 3, SHOT: 1, HOUNDS: 1}


def test_a_minion_that_came_this_turn_sleeps():
    state = do(table([["raptor"], []]), "play raptor")
    assert board(state, 0) == ["raptor 3/2"]
    assert texts(state) == ["end", "power"]


def test_no_minion_is_played_on_a_full_board():
    state = table([["wolf", "hounds", "fireball"], []], [["mole"] * 7, ["mole"]])
    assert not [text for text in texts(state) if text.startswith("play")]
    assert "fireball hero" in texts(state)


def test_a_card_that_costs_too_much_stays_in_the_hand():
    state = table([["fireball", "wolf", "raptor"], []], mana=1)
    assert texts(state) == ["end", "play wolf"]


def test_both_blows_land_with_the_attack_of_before():
    state = table(boards=(["wolf", "raptor"], ["raptor", "alpha"]))
    do(state, "attack 2 1")
    assert board(state, 0) == ["wolf 1/1"]
    assert board(state, 1) == ["alpha 2/2"]
    assert "attack 1 hero" in texts(state)
    assert "attack 1 hero" not in texts(do(state, "attack 1 hero"))


def test_a_minion_that_attacked_does_not_again():
    state = do(table(boards=(["snapjaw"], ["mole"])), "attack 1 hero")
    assert texts(state) == ["end", "power"]
    assert health(state) == [30, 28]


def test_wolves_and_alphas_add_up():
    state = table(boards=(["alpha", "raptor", "alpha", "wolf", "wolf", "mole"], []))
    assert board(state, 0) == [
        "alpha 4/2", "raptor 7/2", "alpha 4/2", "wolf 3/1", "wolf 2/1", "mole 3/3",
    ]  # fmt: skip


@pytest.mark.parametrize("sides", [(["cobra"], ["ultrasaur"]), (["ultrasaur"], ["cobra"])])
def test_poison_kills_attacking_and_defending(sides):
    state = do(table(boards=sides), "attack 1 1")
    assert board(state, 0) == board(state, 1) == []


def test_poison_does_nothing_to_heroes():
    assert health(do(table(boards=(["cobra"], [])), "attack 1 hero")) == [30, 28]


def test_deadly_shot_takes_any_enemy_minion_equally_often():
    state = do(table([["deadly shot"], []], [[], ["mole", "wolf", "ultrasaur"]]), "deadly shot")
    assert (mover(GAME, state), stream(GAME, state)) == (CHANCE, "shots")
    out, weights = [0] * CARDS, [0.0] * CARDS
    assert chances(GAME, state, out, weights) == 3
    assert weights[:3] == [1 / 3] * 3
    do(state, "hits 3")
    assert board(state, 1) == ["mole 2/3", "wolf 1/1"]
    assert mover(GAME, state) == 0


def test_deadly_shot_needs_an_enemy_minion():
    assert "play deadly shot" not in texts(table([["deadly shot"], []], [["mole"], []]))


@pytest.mark.parametrize(
    ("spell", "own", "damage"),
    [("arcane shot", [], 2), ("fireball", [], 6), ("kill command", [], 3),
     ("kill command", ["mole"], 5)],
)  # fmt: skip
def test_a_spell_hits_the_hero_or_a_minion(spell, own, damage):
    sides = (own, ["ultrasaur", "mole"])
    assert health(do(table([[spell], []], sides), f"{spell} hero"))[1] == 30 - damage
    assert (
        board(do(table([[spell], []], sides), f"{spell} 1"), 1)[0] == f"ultrasaur 7/{14 - damage}"
    )
    assert f"{spell} me" not in texts(table([[spell], []], sides))


def test_a_rhino_gives_charge_while_it_lives():
    state = do(table([["rhino", "raptor", "arcane shot"], []], [[], ["raptor"]]), "play rhino")
    assert "attack 1 hero" in texts(state)
    do(state, "play raptor")
    assert {"attack 1 hero", "attack 2 hero"} <= set(texts(state))
    state[minion(block(0), 0) + LIFE] = 1
    do(state, "attack 1 1")
    assert board(state, 0) == ["raptor 3/2"]
    assert "attack 1 hero" not in texts(state)


def test_a_hyena_feeds_on_every_death_of_its_side_but_not_of_the_other():
    state = table(boards=(["hyena", "cobra", "mole"], ["cobra", "hyena"]))
    do(state, "attack 2 1")
    assert board(state, 0) == ["hyena 4/3", "mole 1/3"]
    assert board(state, 1) == ["hyena 4/3"]
    assert observe(GAME, state, 0)["boards"][0][0]["max_health"] == 3


def test_hounds_come_one_for_each_enemy_as_many_as_fit_and_charge():
    enemies = ["mole", "wolf", "raptor"]
    state = do(table([["hounds"], []], [["zmole"] * 5, enemies]), "hounds")
    assert board(state, 0) == ["mole 1/3"] * 5 + ["hound 1/1"] * 2
    assert [text for text in texts(state) if "hero" in text] == ["attack 6 hero", "attack 7 hero"]
    assert "play hounds" not in texts(table([["hounds"], []], [["mole"], []]))


def test_a_highmane_leaves_cubs_where_there_is_room():
    state = table([["fireball"], []], [[], ["highmane", *["mole"] * 6]])
    do(state, "fireball 1")
    assert board(state, 1) == ["mole 1/3"] * 6 + ["cub 2/2"]
    state = do(table([["fireball"], []], [[], ["highmane", "wolf"]]), "fireball 1")
    assert board(state, 1) == ["wolf 1/1", "cub 3/2", "cub 3/2"]


def test_equal_positions_are_equal_states():
    def position(*words):
        sides = (["raptor", "alpha"], ["raptor", "mole"])
        return do(table([["wolf", "arcane shot"], []], sides), *words)

    one = position("attack 1 1", "power", "arcane shot hero", "play wolf")
    assert one == position("arcane shot hero", "attack 1 1", "play wolf", "power")
    assert one[minion(block(1), 1) : minion(block(1), 7)] == [0] * 36
    assert one[block(0) + HAND : block(0) + DECK] == [0] * 10


# Quirks.


def test_only_quirks_let_a_player_shoot_himself():
    state = table([["fireball"], []])
    assert "fireball me" not in texts(state)
    assert "fireball me" in texts(state, QUIRKS)
    assert health(do(state, "fireball me", game=QUIRKS)) == [24, 30]


def test_with_quirks_a_turn_begins_after_a_kill_and_both_may_have_lost():
    state = table([["fireball"], []])
    state[block(0) + HERO] = 5
    do(state, "fireball me", game=QUIRKS)
    assert (mover(QUIRKS, state), state[PHASE]) == (CHANCE, DRAWING)
    do(state, "draws mole", game=QUIRKS)
    assert mover(QUIRKS, state) == OVER
    state = table([["fireball"], []])
    state[block(0) + HERO], state[block(1) + HERO] = 5, 1
    state[block(1) + DECK : block(1) + DECK + CARDS] = [0] * CARDS
    state[block(1) + DECK_SIZE] = 0
    do(state, "fireball me", game=QUIRKS)
    values = [1.0, 1.0]
    returns(QUIRKS, state, values)
    assert (mover(QUIRKS, state), values) == (OVER, [0.0, 0.0])


def test_parameters_that_cannot_be_are_refused():
    with pytest.raises(GameError, match="quirks must be true or false, got 1"):
        make("paradise", quirks=1)
    assert parameters(QUIRKS) == {"quirks": True}
    assert fault_action(GAME, table(), 0) == END


# Words.


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("end", END),
        ("End turn", END),
        ("pass", END),
        ("power", POWER),
        ("hero power", POWER),
        ("attack 2 hero", STRIKE + TARGETS),
        ("attack 1 2", STRIKE + 2),
        ("attack 1 the face", STRIKE),
        ("attack with 1 on 2", STRIKE + 2),
        ("play wolf", PLAY),
        ("wolf", PLAY),
        ("timber wolf", PLAY),
        ("timber", PLAY),
        ("play 1", PLAY),
        ("play wolf #3", PLAY + 2),
        ("play 3", PLAY + 2),
        ("fireball hero", AIM + AIMS),
        ("fire hero", AIM + AIMS),
        ("cast fireball at 2", AIM + AIMS + 2),
        ("play 2 hero", AIM + AIMS),
        ("fireball me", AIM + AIMS + OWN),
        ("shot", PLAY + 3),
        ("deadly", PLAY + 3),
    ],
)
def test_an_action_is_read_as_people_type_it(text, action):
    state = table([["wolf", "fireball", "wolf", "deadly shot"], []])
    assert parse(GAME, state, text) == action


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "'end', 'power'"),
        ("play", "'end', 'power'"),
        ("attack", "'attack 2 hero'"),
        ("attack 8 hero", "'attack 2 hero'"),
        ("attack hero 1", "'attack 2 hero'"),
        ("attack 1 me", "'attack 2 hero'"),
        ("attack 1 2 3", "'attack 2 hero'"),
        ("fireball", "'fireball hero' or 'fireball 2'"),
        ("wolf hero", "'play wolf'"),
        ("raptor", "a card of the hand: wolf, fireball, alpha, mole"),
        ("dire", "a card of the hand"),
        ("play 5", "a card of the hand"),
        ("wolf #2", "a card of the hand"),
        ("wolf #9", "a card of the hand"),
        ("7", "a card of the hand"),
    ],
)
def test_a_text_that_is_no_action_says_what_is_expected(text, expected):
    state = table([["wolf", "fireball", "alpha", "mole"], []])
    with pytest.raises(ActionError) as raised:
        parse(GAME, state, text)
    assert expected in str(raised.value)


def test_an_empty_hand_and_outcomes_that_cannot_be_are_said():
    with pytest.raises(ActionError, match="the hand is empty"):
        parse(GAME, table(), "play wolf")
    state = start(GAME).tolist()
    with pytest.raises(ActionError, match="'draws CARD'"):
        parse(GAME, state, "draws ace")
    state = do(table([["deadly shot"], []], [[], ["mole"]]), "deadly")
    with pytest.raises(ActionError, match="'hits 1'"):
        parse(GAME, state, "hits 9")


def test_the_second_of_two_cards_is_told_apart_to_its_owner_only():
    state = table([["wolf", "mole", "wolf"], []])
    assert texts(state)[2:] == ["play wolf", "play mole", "play wolf #3"]
    action = PLAY + 2
    assert tell(GAME, state, 0, action)["text"] == "play wolf #3"
    assert tell(GAME, state, 1, action)["text"] == "play wolf"
    assert tell(GAME, state, 1, action) == tell(GAME, state, 1, PLAY)


def test_a_full_table_fits_a_terminal():
    words = ["kill command", "deadly shot", "arcane shot", "hatchling", "ultrasaur"] * 2
    full = ["hatchling", "ultrasaur", "highmane", *["snapjaw"] * 4]
    state = table([words, words], [full, full])
    for player in (0, 1):
        state[block(player) + FATIGUE] = 7
        for number in range(7):
            place = minion(block(player), number)
            state[place + BASE], state[place + LIFE], state[place + MAX_LIFE] = 21, 17, 17
    for player in (0, 1, None):
        lines = render(GAME, state, player).splitlines()
        assert len(lines) <= 22
        assert max(map(len, lines)) <= 80
    assert "over" in render(GAME, ended(), 0)


def ended():
    state = table()
    state[block(1) + HERO] = 1
    return do(state, "power")


# What a player may not know.


def random_states(count, game=GAME):
    """States of random games: (state, an action or outcome that is about to come)."""
    rng = random.Random(count)
    for _ in range(count):
        state = start(game).tolist()
        while mover(game, state) != OVER:
            if mover(game, state) == CHANCE:
                out, weights = [0] * CARDS, [0.0] * CARDS
                options = out[: chances(game, state, out, weights)]
            else:
                options = choices(state, game)
                # Cards are hoarded now and then, so that hands overflow.
                options = options[:1] if rng.random() < 0.4 else options
            action = rng.choice(options)
            yield state, action
            play(game, state, action)


def disguised(state, player, rng):
    """The same state to `player`: everything that he cannot know is dealt anew."""
    other = state.copy()
    own, his = block(player), block(1 - player)
    for first in (own, his):
        pool = []
        for place in (DECK, DESTROYED):
            for card in range(CARDS):
                pool += [card] * other[first + place + card]
                other[first + place + card] = 0
        size = other[first + HAND_SIZE] if first == his else 0
        pool += other[first + HAND : first + HAND + size]
        rng.shuffle(pool)
        for place in range(size):
            other[first + HAND + place] = pool.pop()
        for _ in range(other[first + DECK_SIZE]):
            other[first + DECK + pool.pop()] += 1
        for card in pool:
            other[first + DESTROYED + card] += 1
    return other


def test_what_a_player_cannot_know_changes_nothing_that_he_sees():
    rng, drawn, changed = random.Random(1), Counter(), 0
    for state, action in random_states(12):
        for player in (0, 1):
            other = disguised(state, player, rng)
            changed += other != state
            assert observe(GAME, other, player) == observe(GAME, state, player)
            assert render(GAME, other, player) == render(GAME, state, player)
            assert mover(GAME, other) == mover(GAME, state)
            if mover(GAME, state) == CHANCE and state[PHASE] != SHOOTING:
                told = tell(GAME, state, player, action)
                drawn[told["text"]] += 1
                if told["card"] < 0:
                    every = [tell(GAME, state, player, card) for card in range(CARDS)]
                    assert every == [told] * CARDS
    assert changed > 1000
    assert drawn["a card is destroyed"] > 10
    assert drawn["draws a card"] > 100


def test_an_opponents_card_looks_the_same_wherever_it_was_in_his_hand():
    rng, compared = random.Random(2), 0
    for state, action in random_states(12):
        player = mover(GAME, state)
        if player == CHANCE or not PLAY <= action < STRIKE:
            continue
        first, place = block(player), action - PLAY
        size, aim = state[first + HAND_SIZE], None
        if action >= AIM:
            place, aim = divmod(action - AIM, AIMS)
        other, new = state.copy(), rng.randrange(size)
        hand = other[first + HAND : first + HAND + size]
        hand.insert(new, hand.pop(place))
        other[first + HAND : first + HAND + size] = hand
        moved = PLAY + new if aim is None else AIM + AIMS * new + aim
        assert tell(GAME, other, 1 - player, moved) == tell(GAME, state, 1 - player, action)
        assert seen(GAME, other, 1 - player, moved) == seen(GAME, state, 1 - player, action)
        compared += new != place
    assert compared > 100


def test_what_is_seen_tells_apart_what_can_be_told_apart():
    state = table([["wolf", "fireball", "mole", "arcane shot"], []], [["mole"], ["wolf"]])
    codes = [seen(GAME, state, 1, action) for action in choices(state)]
    assert len(set(codes)) == len(codes)
    assert [seen(GAME, state, 0, action) for action in choices(state)] == choices(state)


def test_determinize_deals_each_consistent_hand_as_often_as_chance_does():
    """Seven unseen cards: three in the opponent's hand, two in his deck, two destroyed."""
    pool = [0, 0, 1, 9, 9, 9, 9]
    state = table()
    first = block(1)
    state[first + DECK : first + DECK + CARDS] = [0] * CARDS
    for card in (0, 9):
        state[first + DECK + card] += 1
    for card in (1, 9):
        state[first + DESTROYED + card] += 1
    state[first + HAND : first + HAND + 3] = [0, 9, 9]
    state[first + HAND_SIZE], state[first + DECK_SIZE] = 3, 2
    expected = Counter()
    for hand in combinations(range(7), 3):
        for deck in combinations(sorted(set(range(7)) - set(hand)), 2):
            rest = set(range(7)) - set(hand) - set(deck)
            parts = (hand, deck, rest)
            expected[tuple(tuple(sorted(pool[i] for i in part)) for part in parts)] += 1
    total, draws, rng = comb(7, 3) * comb(4, 2), 20_000, generator(3)
    found = Counter()
    for _ in range(draws):
        guess = state.copy()
        determinize(GAME, guess, 0, rng)
        found[dealt(guess, first)] += 1
        assert guess[first + DECK_SIZE] == 2
    assert sum(expected.values()) == total
    assert set(found) == set(expected)
    for deal, ways in expected.items():
        expected_count = draws * ways / total
        assert abs(found[deal] - expected_count) < 5 * expected_count**0.5, deal


def dealt(state, first):
    """The cards of hand, deck and destroyed of a player, each sorted."""
    counts = [
        tuple(card for card in range(CARDS) for _ in range(state[first + place + card]))
        for place in (DECK, DESTROYED)
    ]
    return tuple(sorted(state[first + HAND : first + HAND + state[first + HAND_SIZE]])), *counts


def test_a_player_does_not_know_which_of_his_own_cards_were_destroyed():
    state = table()
    first = block(0)
    state[first + DECK + 9] -= 1
    state[first + DESTROYED + 9] += 1
    state[first + DECK_SIZE] -= 1
    rng, found = generator(1), Counter()
    for _ in range(2500):
        guess = state.copy()
        determinize(GAME, guess, 0, rng)
        found[dealt(guess, first)[2]] += 1
    assert set(found) == {(card,) for card in range(CARDS)}
    for card in range(CARDS):
        expected = 100 * BOOK[card].copies
        assert abs(found[card,] - expected) < 5 * expected**0.5


def test_a_deck_is_one_order_whatever_the_players_do():
    orders = []
    for seed in range(2):
        rng, state, streams = random.Random(seed), start(GAME).tolist(), Streams("5" * 32)
        order = {"deck 0": [], "deck 1": []}
        while mover(GAME, state) != OVER:
            if mover(GAME, state) == CHANCE:
                name = stream(GAME, state)
                outcome = streams.outcome(GAME, state)
                if name in order:
                    order[name].append(outcome)
                play(GAME, state, outcome)
            else:
                play(GAME, state, rng.choice(choices(state)))
        orders.append(order)
    for name in ("deck 0", "deck 1"):
        shortest = min(len(order[name]) for order in orders)
        assert shortest > 8
        assert orders[0][name][:shortest] == orders[1][name][:shortest]
    assert orders[0]["deck 0"][:shortest] != orders[0]["deck 1"][:shortest]


@pytest.mark.full
def test_random_games_are_as_long_as_the_specification_says():
    """Uniform over the legal actions, the end included: 77.3 decisions and 23.7 turns a game."""
    games, rng = 2000, generator(8)
    decisions, turns, out, weights = [], [], [0] * properties(GAME).max_legal, [0.0] * CARDS
    for _ in range(games):
        state, asked = start(GAME).tolist(), 0
        while (player := mover(GAME, state)) != OVER:
            if player == CHANCE:
                play(GAME, state, draw(GAME, state, out, weights, rng))
            else:
                asked += 1
                play(GAME, state, pick(GAME, state, out, rng))
        decisions.append(asked)
        turns.append(state[TURN])
    for found, expected in ((decisions, 77.3), (turns, 23.7)):
        error = stdev(found) / games**0.5
        assert abs(mean(found) - expected) < 3 * error + 0.05
