"""Paradise as people type it and see it."""

import pytest
from games.paradise.tables import GAME, do, table, texts

from joute.core.errors import ActionError
from joute.core.interface import parse, render, start, tell
from joute.games.paradise.state import (
    AIM,
    AIMS,
    BASE,
    FATIGUE,
    HERO,
    LIFE,
    MAX_LIFE,
    OWN,
    PLAY,
    STRIKE,
    TARGETS,
    block,
    minion,
)

END, POWER = 0, 1


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
