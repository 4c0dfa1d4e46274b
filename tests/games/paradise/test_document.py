"""The sheet of Paradise and the projects of `joute new` say what is true."""

import re
from pathlib import Path

import pytest

from joute.core.interface import CHANCE, OVER, accepts, draw, mover, observe, play, start, tell
from joute.core.random import generator
from joute.core.registry import make
from joute.games.paradise.state import BOOK, CARDS, MINION
from joute.i18n.words import LANGUAGES

ROOT = Path(__file__).parents[3]
SHEET = (ROOT / "docs" / "en" / "paradise.md").read_text("utf-8")
TEMPLATES = sorted((ROOT / "src/joute/games/paradise/templates").glob("function.*.py.txt"))
SHOWN = re.findall(r"```python\n(.*?)```", SHEET, re.DOTALL)
GAME = make("paradise")


@pytest.mark.parametrize("source", [*SHOWN, *(path.read_text("utf-8") for path in TEMPLATES)])
def test_the_bot_shown_plays_legal_actions_to_the_end(source):
    space = {}
    exec(source, space)
    state, rng = start(GAME).tolist(), generator(1)
    while (player := mover(GAME, state)) != OVER:
        if player == CHANCE:
            play(GAME, state, draw(GAME, state, [0] * 16, [0.0] * 16, rng))
            continue
        action = space["play"](observe(GAME, state, player), None)
        assert accepts(GAME, state, action)
        play(GAME, state, action)


def test_the_projects_of_both_languages_hold_the_bot_of_the_sheet():
    assert len(TEMPLATES) == 2
    [shown] = SHOWN
    lines = {line.split("#")[0].strip() for line in shown.splitlines() if '"""' not in line}
    for path in TEMPLATES:
        text = path.read_text("utf-8")
        assert lines <= {line.split("#")[0].strip() for line in text.splitlines()}


def test_the_table_of_cards_is_that_of_the_rules():
    for number, card in enumerate(BOOK[:CARDS]):
        figures = f"{card.attack}/{card.health}" if card.kind == MINION else "spell"
        row = (
            f"| {number} | {card.copies} | {card.title} | `{card.word}` | {card.cost} | {figures} |"
        )
        assert row in SHEET


def test_every_key_of_an_observation_is_in_the_sheet():
    state = start(GAME).tolist()
    for card in (7, 7, 7, 0, 0, 1, 1, 8):
        play(GAME, state, card)
    assert str(tell(GAME, state, 0, 2)).replace("'", '"') in SHEET
    play(GAME, state, 2)
    view = observe(GAME, state, 0)
    assert not [key for key in (*view, *view["boards"][0][0]) if f"`{key}`" not in SHEET]


def test_what_is_told_of_a_draw_is_as_shown():
    state = start(GAME).tolist()
    for player in (0, 1):
        assert str(tell(GAME, state, player, 7)).replace("'", '"') in SHEET


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_command_of_the_contest_prints_what_is_shown(run, language):
    sheet = (ROOT / "docs" / language / "paradise.md").read_text("utf-8")
    shown = r"```\njoute (paradise [^\n]*--seed[^\n]*)\n```\n\n```\n(.*?)```"
    [(command, printed)] = re.findall(shown, sheet, re.DOTALL)
    outcome = run("--lang", language, *command.split())
    assert (outcome.code, outcome.out) == (0, printed)
