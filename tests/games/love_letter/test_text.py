"""Love Letter as people and bots read and write it, and what its sheet and templates say."""

import re
from pathlib import Path

import pytest
from games.love_letter.rounds import choice_number, legal_actions, play_number, scene, turn

from joute.core.errors import ActionError
from joute.core.interface import (
    CHANCE,
    OVER,
    describe,
    draw,
    mover,
    observe,
    parameters,
    parse,
    pick,
    play,
    render,
    start,
    stream,
    tell,
)
from joute.core.random import generator
from joute.games.love_letter.rules import make
from joute.games.love_letter.state import (
    BARON,
    CHANCELLOR,
    COPIES,
    COUNTESS,
    GUARD,
    KING,
    NAMES,
    PRIEST,
    PRINCE,
    PRINCESS,
    SPY,
)

ROOT = Path(__file__).parents[3]
SHEET = (ROOT / "docs" / "en" / "love-letter.md").read_text("utf-8")
TEMPLATES = sorted((ROOT / "src/joute/games/love_letter/templates").glob("function.*.py.txt"))
TABLES = [{"players": players} for players in range(2, 7)]
TABLES += [{"players": 4, "deck": "classic"}, {"players": 6, "tokens": "official"}]


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("guard 1 princess", play_number(GUARD, 1, PRINCESS)),
        ("Guard 1: Spy", play_number(GUARD, 1, SPY)),
        ("g 2 prie", play_number(GUARD, 2, PRIEST)),
        ("1 2 9", play_number(GUARD, 2, PRINCESS)),
        ("play guard on player 1, guess king", play_number(GUARD, 1, KING)),
        ("baron 1", play_number(BARON, 1)),
        ("baron", play_number(BARON)),
        ("prince 0", play_number(PRINCE, 0)),
        ("cou", play_number(COUNTESS)),
        ("princess", play_number(PRINCESS)),
    ],
)
def test_a_card_is_read_as_people_type_it(text, action):
    game, state = scene([GUARD, PRIEST, BARON], SPY)
    assert parse(game, state, text) == action


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "a card, with a target"),
        ("pri 1", "a card, with a target"),
        ("jester", "a card, with a target"),
        ("12", "a card, with a target"),
        ("priest 1 spy", "a card, with a target"),
        ("guard 1", "a guess, like"),
        ("guard 1 pri", "a guess, like"),
        ("guard one spy", "a target in 0..2"),
        ("baron 3", "a target in 0..2"),
    ],
)
def test_what_names_no_card_or_target_is_refused(text, words):
    game, state = scene([GUARD, PRIEST, BARON], SPY)
    with pytest.raises(ActionError, match=words):
        parse(game, state, text)


def choosing():
    """A Chancellor's choice between King, Chancellor and Spy."""
    game, state = scene([KING, PRIEST], CHANCELLOR)
    turn(game, state, play_number(CHANCELLOR), ("draw", CHANCELLOR), ("draw", SPY))
    return game, state


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("keep king, return spy, chancellor", (KING, SPY, CHANCELLOR)),
        ("chancellor keep king, spy last", (KING, CHANCELLOR, SPY)),
        ("king, spy first", (KING, SPY, CHANCELLOR)),
        ("keep chancellor, return king then spy", (CHANCELLOR, KING, SPY)),
        ("7 0 6", (KING, SPY, CHANCELLOR)),
        ("k s", (KING, SPY, CHANCELLOR)),
    ],
)
def test_a_choice_is_read_as_people_type_it(text, cards):
    game, state = choosing()
    assert parse(game, state, text) == choice_number(*cards)


@pytest.mark.parametrize("text", ["", "keep", "keep king", "keep baron, spy", "king king spy", "x"])
def test_a_choice_that_is_not_clear_is_refused(text):
    game, state = choosing()
    with pytest.raises(ActionError, match="'keep A, return B, C' of spy, chancellor, king"):
        parse(game, state, text)


def test_equal_cards_need_not_be_named():
    game, state = scene([KING, PRIEST], CHANCELLOR)
    turn(game, state, play_number(CHANCELLOR), ("draw", SPY), ("draw", SPY))
    assert parse(game, state, "keep king") == choice_number(KING, SPY, SPY)
    game, state = scene([KING, PRIEST], CHANCELLOR, deck=[SPY])
    turn(game, state, play_number(CHANCELLOR), ("draw", SPY))
    assert parse(game, state, "keep spy") == choice_number(SPY, KING)
    assert describe(game, state, choice_number(SPY, KING)) == "keep spy, return king"
    assert tell(game, state, 1, choice_number(SPY, KING)) == {
        "player": 0, "action": 1740, "text": "keep a card, return a card",
    }  # fmt: skip


def test_outcomes_of_chance_are_read_and_wrong_ones_refused():
    game = make()
    state = start(game).tolist()
    assert parse(game, state, "player 1 starts") == 1
    for text in ("player 2 starts", "nobody"):
        with pytest.raises(ActionError, match="player 0 starts"):
            parse(game, state, text)
    play(game, state, 0)
    assert parse(game, state, "face up: king") == KING
    for text in ("", "a card"):
        with pytest.raises(ActionError, match="player 1 draws guard"):
            parse(game, state, text)


def test_each_round_has_streams_of_its_own():
    game = make(tokens=2)
    state = start(game).tolist()
    assert stream(game, state) == "starter 1"
    play(game, state, 0)
    assert stream(game, state) == "deck 1"
    game, state = scene([GUARD, PRIEST], SPY, tokens=2)
    turn(game, state, play_number(GUARD, 1, PRIEST))
    assert stream(game, state) == "starter 2"


@pytest.mark.parametrize("values", TABLES, ids=str)
def test_the_table_fits_a_terminal_for_everybody(values):
    game, rng = make(**values), generator(1)
    state, out, weights = start(game).tolist(), [0] * 64, [0.0] * 10
    while mover(game, state) != OVER:
        for player in (None, *range(game.players)):
            lines = render(game, state, player).splitlines()
            assert len(lines) <= 23
            assert max(map(len, lines)) < 80
        chance = mover(game, state) == CHANCE
        play(game, state, draw(game, state, out, weights, rng) if chance
             else pick(game, state, out, rng))  # fmt: skip
    assert "won by player" in render(game, state, 0)


def test_the_table_shows_a_player_what_it_knows():
    game, state = scene([PRIEST, KING, BARON], SPY)
    turn(game, state, play_number(PRIEST, 1), ("draw", CHANCELLOR))
    assert render(game, state, 0).splitlines() == [
        "round 1, 15 cards in the deck; player 1 to move",
        "player 0 (you): holds spy; tokens 0",
        "    priest 1",
        "player 1: holds king, ?; tokens 0",
        "player 2: holds ?; tokens 0",
        "unseen: spy 1, guard 6, priest 1, baron 2, handmaid 2, prince 2, chancellor 2,",
        "        countess 1, princess 1",
    ]
    turn(game, state, play_number(CHANCELLOR), ("draw", SPY), ("draw", COUNTESS))
    turn(game, state, choice_number(KING, SPY, COUNTESS))
    assert "at the bottom: a card of player 1, a card of player 1" in render(game, state, 0)
    assert "at the bottom: spy of player 1, countess of player 1" in render(game, state, 1)


def test_the_table_tells_how_a_round_ended():
    game, state = scene([SPY, KING], PRIEST, deck=[])
    assert "0 cards in the deck" in render(game, state, 0)
    turn(game, state, play_number(SPY))
    last = render(game, state, None).splitlines()[-1]
    assert last == "showdown: won by player 1; a token more for player 0’s spy"


# The sheet.


def test_the_sheet_lists_the_keys_of_the_observation():
    section = SHEET.split("## What a bot observes")[1].split("\n## ")[0]
    named = {key for row in re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
             for key in re.findall(r"`(\w+)`", row)}  # fmt: skip
    game, state = scene([GUARD, PRIEST], SPY)
    assert named == set(observe(game, state, 0))


def test_the_sheet_lists_the_cards_with_their_copies():
    rows = re.findall(r"^\| (\d) \| `(\w+)` \| (\d) \|", SHEET, re.MULTILINE)
    cards = zip(range(10), NAMES, COPIES, strict=True)
    assert rows == [(str(card), name, str(copies)) for card, name, copies in cards]


def test_the_sheet_lists_the_parameters_with_their_defaults():
    rows = dict(re.findall(r"^\| `(\w+)` \| (\S+) \|", SHEET, re.MULTILINE))
    defaults = {key: str(value) for key, value in parameters(make()).items()}
    assert {key: value.strip('`"') for key, value in rows.items() if key in defaults} == defaults


@pytest.mark.parametrize("values", TABLES, ids=str)
@pytest.mark.parametrize(
    "source",
    [
        *re.findall(r"```python\n(.*?)```", SHEET, re.DOTALL),
        *(p.read_text("utf-8") for p in TEMPLATES),
    ],
)
def test_the_bot_shown_plays_legal_actions_to_the_end(source, values):
    space = {}
    exec(source, space)
    game, rng = make(**values), generator(1)
    state, out, weights = start(game).tolist(), [0] * 64, [0.0] * 10
    while (player := mover(game, state)) != OVER:
        if player == CHANCE:
            play(game, state, draw(game, state, out, weights, rng))
            continue
        action = space["play"](observe(game, state, player), None)
        assert action in legal_actions(game, state)
        play(game, state, action)


def test_the_projects_of_both_languages_hold_the_bot_of_the_sheet():
    assert len(TEMPLATES) == 2
    [shown] = re.findall(r"```python\n(.*?)```", SHEET, re.DOTALL)
    lines = {line.split("#")[0].strip() for line in shown.splitlines() if '"""' not in line}
    for path in TEMPLATES:
        text = path.read_text("utf-8")
        assert lines <= {line.split("#")[0].strip() for line in text.splitlines()}
