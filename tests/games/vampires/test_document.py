"""The sheet of Vampires vs Werewolves and the projects of `joute new` are true."""

import json
import re
from pathlib import Path

import pytest
from games.vampires.maps import ALL

from joute.core.interface import (
    CHANCE,
    OVER,
    chances,
    draw,
    expand,
    legal,
    mover,
    observe,
    play,
    properties,
    start,
    tell,
)
from joute.core.random import generator
from joute.core.registry import make
from joute.games.vampires.map import CAUSES, map_errors
from joute.games.vampires.order import RULES

ROOT = Path(__file__).parents[3]
SHEET = (ROOT / "docs" / "en" / "vampires.md").read_text("utf-8")
TEMPLATES = sorted((ROOT / "src/joute/games/vampires/templates").glob("function.*.py.txt"))


def fenced(kind):
    """The blocks of one kind in the sheet."""
    return re.findall(rf"```{kind}\n(.*?)```", SHEET, re.DOTALL)


@pytest.mark.parametrize("source", [*fenced("python"), *(p.read_text("utf-8") for p in TEMPLATES)])
@pytest.mark.parametrize("text", ["", *ALL.values()])
def test_the_bot_shown_plays_legal_orders_to_the_end(source, text):
    space = {}
    exec(source, space)
    game = make("vampires", map=text, plies=60)
    state, rng = start(game).tolist(), generator(1)
    out, weights = [0] * 1024, [0.0] * 1024
    while (player := mover(game, state)) != OVER:
        if player == CHANCE:
            play(game, state, draw(game, state, out, weights, rng))
            continue
        for action in expand(game, state, space["play"](observe(game, state, player), None)):
            play(game, state, action)


def test_the_projects_of_both_languages_hold_the_bot_of_the_sheet():
    assert len(TEMPLATES) == 2
    [shown] = fenced("python")
    lines = {line.split("#")[0].strip() for line in shown.splitlines() if '"""' not in line}
    for path in TEMPLATES:
        text = path.read_text("utf-8")
        assert lines <= {line.split("#")[0].strip() for line in text.splitlines()}


def test_the_map_shown_is_one_and_every_cause_is_named():
    [example] = fenced("xml")
    assert map_errors(example) == []
    assert {cause for cause in CAUSES if f"`{cause}`" not in SHEET} == set()


def test_every_rule_and_every_key_of_an_observation_is_named():
    rules = SHEET.partition("| rule | |")[2].partition("\n\n")[0]
    rows = {int(number) for number in re.findall(r"^\| (\d) \|", rules, re.MULTILINE)}
    assert rows | {8} == set(RULES)
    assert "(rule 8)" in SHEET
    game = make("vampires")
    seen = observe(game, start(game).tolist(), 0)
    assert {key for key in seen if f"`{key}`" not in SHEET} == set()


def test_the_events_shown_are_told_so():
    move, outcome = map(json.loads, re.findall(r'`(\{"player".*?\})`', SHEET))
    text = '<Map Rows="1" Columns="3"><Vampires X="0" Y="0" Count="7"/>'
    text += '<Humans X="1" Y="0" Count="9"/><Werewolves X="2" Y="0" Count="1"/></Map>'
    game = make("vampires", map=text)
    state = start(game).tolist()
    out = [0] * properties(game).max_legal
    assert move["action"] in out[: legal(game, state, out)]
    assert tell(game, state, 1, move["action"]) == move
    for action in expand(game, state, [move["move"]]):
        play(game, state, action)
    weights = [0.0] * 1024
    out = [0] * 1024
    assert outcome["action"] in out[: chances(game, state, out, weights)]
    assert tell(game, state, 0, outcome["action"]) == outcome
