"""The table of Paradise on the terminal: what is drawn, warnings, the course of a game in words."""

import pytest
from games.paradise.tables import GAME, QUIRKS, do, table

from joute.cli.playing.drawing import Marks, terminal
from joute.core.interface import OVER, mover, parse, play, tell
from joute.games.paradise.state import BASE, DECK, DECK_SIZE, FATIGUE, HERO, LIFE, block, minion
from joute.games.paradise.telling import narrate, witness
from joute.i18n import words
from joute.text import plain

NAMES = ("Ann", "Bob")


@pytest.fixture
def french():
    words.speak("fr")
    yield
    words.speak("en")


def board(state, player=0, *, columns=78, marks=None):
    """The lines of the table."""
    drawing = terminal(GAME).draw(GAME, state, player, marks or Marks(names=NAMES))
    lines = drawing.wide if columns == 78 else drawing.narrow
    return [plain(line).rstrip() for line in lines]


def course(state, *actions, viewer=0, game=GAME):
    """The lines of the log that the viewer reads of these actions and outcomes."""
    lines = []
    for text in actions:
        action = parse(game, state, text)
        event = tell(game, state, viewer, action) | witness(game, state, action)
        lines += [plain(line) for line in narrate(event, NAMES)]
        play(game, state, action)
    return lines


def test_the_table_shows_both_sides_and_what_can_be_done():
    state = table(
        [["wolf", "fireball", "ultrasaur"], ["mole"] * 2],
        [["mole", "zcobra"], ["rhino", "raptor"]],
        mana=4,
    )
    assert board(state) == [
        "   1  Bob  30 health  mana 4/4  power ready  hand 2  deck 21",
        "rhino      raptor",
        "1: 2/5 c   2: 3/2 c",
        "-" * 78,
        "mole       cobra",
        "1: 1/3 *   2: 2/3 p",
        ">  0  Ann  30 health  mana 4/4  power ready  hand 3  deck 20",
        " 1 wolf (1) 1/1*        2 fireball (4)*        3 ultrasaur (10) 7/14",
    ]


def test_what_can_be_done_is_lit_and_nothing_on_the_other_side():
    state = table([["wolf", "ultrasaur"], []], [["mole", "zmole"], ["raptor"]], mana=1)
    drawing = terminal(GAME).draw(GAME, state, 0, Marks(names=NAMES))
    lit = [text.split()[0] for line in drawing.wide for text, style in line if style == "legal"]
    assert lit == ["mole", "1"]
    other = terminal(GAME).draw(GAME, state, 1, Marks(names=NAMES))
    assert not [text for line in other.wide for text, style in line if style == "legal"]


def test_a_hand_is_shown_to_its_player_until_the_game_is_over():
    state = table([["ultrasaur"], ["hyena"]])
    assert not [line for line in board(state) if "hyena" in line]
    assert not [line for line in board(state, 1) if "ultrasaur" in line]
    over = board(state, marks=Marks(names=NAMES, over=True))
    assert [line for line in over if "hyena" in line and "ultrasaur" not in line]


def test_the_fullest_table_fits_on_80_columns_and_is_narrow_on_44():
    spells, strong = ["kill command", "deadly shot"] * 5, ["rhino", "cobra", *["ultrasaur"] * 5]
    full = table([spells, []], [strong, ["hatchling"] * 7])
    for player in (0, 1):
        for number in range(7):
            place = minion(block(player), number)
            full[place + BASE] = full[place + LIFE] = 12
    full[block(0) + FATIGUE] = full[block(0) + HERO] = 3
    for language in words.LANGUAGES:
        words.speak(language)
        wide, narrow = board(full), board(full, columns=44)
        words.speak("en")
        assert max(map(len, wide)) <= 78
        assert len(wide) <= 15
        assert max(map(len, narrow)) <= 44
        assert "2:12/12*pc 3:12/12*c " in wide[5]


# Warnings.


def warnings(state):
    return [text for text in board(state)[-2:] if "You can win" in text or "Danger" in text]


def test_a_win_in_this_turn_is_pointed_out_when_the_damage_is_there():
    """10 mana: the power 2, a fireball 6, a kill command 5 with a minion; the wolf 1."""
    state = table([["fireball", "kill command"], []], [["wolf", "zmole"], []])
    state[block(1) + HERO] = 14
    assert warnings(state) == ["You can win this turn: 14 damage against 14 health"]
    done = do(state.copy(), "fireball hero", "kill command hero", "attack 1 hero")
    assert (done[block(1) + HERO], mover(GAME, do(done, "power"))) == (2, OVER)
    for mana, most in ((9, 14), (8, 12), (4, 7), (3, 6), (2, 3)):
        state = table([["fireball", "kill command"], []], [["wolf", "zmole"], []], mana=mana)
        state[block(1) + HERO] = most
        assert warnings(state), mana
        state[block(1) + HERO] = most + 1
        assert not warnings(state), mana


def test_danger_is_said_when_the_minions_there_and_the_power_can_kill():
    state = table(boards=[[], ["raptor", "wolf"]], mana=1)
    state[block(0) + HERO] = 7
    assert warnings(state) == [
        "Danger: enemy minions and power can do 7 next turn; you have 7 health"
    ]
    state[block(0) + HERO] = 8
    assert warnings(state) == []


# The course.


def test_the_course_tells_what_was_played_and_who_died():
    state = table([["wolf", "fireball", "kill command"], []], [["cobra", "mole"], ["raptor"] * 2])
    assert course(
        state, "play wolf", "attack 1 1", "attack 1 1", "kill command hero", "power", "end"
    ) == [
        "Ann  plays Timber Wolf",
        "Ann  Emperor Cobra attacks Bloodfen Raptor: both die",
        "Ann  Dire Mole attacks Bloodfen Raptor: both die",
        "Ann  plays Kill Command at the hero: Bob -5 health",
        "Ann  uses the power: Bob -2 health",
        "Ann  ends the turn",
    ]


def test_a_shot_at_oneself_is_told_by_whose_health_it_costs():
    state = table([["fireball"], []])
    assert course(state, "fireball me", game=QUIRKS) == [
        "Ann  plays Fireball at the hero: Ann -6 health"
    ]


def test_the_victim_of_a_shot_is_named_and_a_highmane_leaves_its_cubs():
    state = table([["deadly shot"], []], [[], ["mole", "highmane"]])
    assert course(state, "play deadly shot", "hits 2") == [
        "Ann  plays Deadly Shot",
        "The shot destroys Savannah Highmane",
    ]
    assert board(state)[1].split() == ["mole", "cub", "cub"]
    full = table([["fireball"], []], [[], ["highmane", *["mole"] * 6]])
    assert course(full, "fireball 1") == [
        "Ann  plays Fireball at Savannah Highmane: Savannah Highmane dies"
    ]


def test_a_draw_is_told_by_card_only_to_who_draws():
    for viewer, text in ((0, "Ann  draws Timber Wolf"), (1, "Ann  draws a card")):
        state = table(boards=[[], []])
        do(state, "end", "draws mole", "end")
        assert course(state, "draws wolf", viewer=viewer) == [text]


def test_a_card_that_is_destroyed_and_an_empty_deck_are_told():
    state = table(
        [[], ["mole"] * 2 + ["raptor"] * 2 + ["wolf"] * 2 + ["alpha"] * 2 + ["cobra"] * 2]
    )
    told = course(state, "end", "draws fireball")
    assert told == ["Ann  ends the turn", "Bob  draws a card into a full hand: it is destroyed"]
    empty = table()
    first = block(1)
    empty[first + DECK : first + DECK + 16] = [0] * 16
    empty[first + DECK_SIZE] = 0
    assert course(empty, "end") == ["Ann  ends the turn: the deck of Bob is empty, -1 health"]


def test_the_course_is_told_in_french(french):
    state = table([["fireball"], []], [["cobra"], ["raptor"] * 2])
    assert course(state, "fireball 1", "attack 1 1", "end", viewer=1) == [
        "Ann  joue Boule de feu sur Raptor rougefange\u202f: Raptor rougefange meurt",
        "Ann  Cobra empereur attaque Raptor rougefange\u202f: tous deux meurent",
        "Ann  finit son tour",
    ]


def test_of_two_equal_minions_that_fight_the_dead_one_is_told_by_its_owner():
    state = table([[], []], [["wolf", "alpha"], ["wolf"]])
    state[minion(block(0), 0) + LIFE] = 2
    assert course(state, "attack 1 1") == [
        "Ann  Timber Wolf attacks Timber Wolf: the Timber Wolf of Bob dies"
    ]
