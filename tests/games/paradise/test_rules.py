"""Paradise: its turns and its cards, one by one."""

from collections import Counter

import pytest
from games.paradise.tables import GAME, QUIRKS, WORDS, do, table, texts

from joute.core.errors import GameError
from joute.core.interface import (
    CHANCE,
    OVER,
    chances,
    fault_action,
    mover,
    observe,
    parameters,
    pending,
    play,
    points,
    returns,
    start,
    stream,
)
from joute.core.registry import make
from joute.games.paradise.state import (
    AIMED,
    BOOK,
    CARDS,
    DECK,
    DECK_CARDS,
    DECK_SIZE,
    DESTROYED,
    DRAWING,
    HAND,
    HERO,
    HOUNDS,
    LIFE,
    MINION,
    PHASE,
    SHOT,
    block,
    minion,
)

END, POWER = 0, 1


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


def test_only_quirks_let_a_player_shoot_itself():
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
