"""The examples in the sheet of Virus run as they are shown."""

import json
import re
from pathlib import Path

import pytest
from play.playing import actions, plies, virus

from joute.core.interface import describe, observe, parse, play, properties, start
from joute.core.registry import make
from joute.games.virus.saves import export_saves
from joute.play.referee import play_game

SHEET = (Path(__file__).parents[3] / "docs" / "en" / "virus.md").read_text("utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", SHEET, re.DOTALL)


@pytest.mark.parametrize("prefix", ["", "hx2:"])
def test_the_example_of_a_bot_plays_without_a_fault(tmp_path, prefix):
    (tmp_path / "bot.py").write_text(EXAMPLES[0], "utf-8")
    bot = f"{prefix}{tmp_path / 'bot.py'}"
    result = play_game(virus(bot, "builtin:random", size=10))
    assert result.faults == []
    assert result.ending == "finished"
    assert result.returns[0] == 1
    assert all("fault" not in ply for ply in plies(result))


def test_the_example_of_reading_saves_reads_them(tmp_path, monkeypatch, capsys):
    result = play_game(virus(size=10))
    (tmp_path / "saves.js").write_text(export_saves([result.record]), "utf-8")
    monkeypatch.chdir(tmp_path)
    exec(compile(EXAMPLES[1], "virus.md", "exec"), {})
    assert capsys.readouterr().out == f"a_b {actions(result)}\n"


def test_every_key_of_an_observation_is_in_the_sheet():
    game = make("virus")
    state = start(game).tolist()
    play(game, state, 0)
    table = SHEET.split("## What a bot observes")[1].split("## ")[0]
    keys = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
    assert keys == list(observe(game, state, 0))


def test_the_numbers_and_texts_of_actions_are_as_shown():
    game = make("virus")
    state = start(game).tolist()
    shown = [json.loads(each) for each in re.findall(r'`(\{"player".*?\})`', SHEET)]
    for told in shown[::-1]:  # the draw is shown last
        action = told["action"]
        if told["player"] < 0:
            assert describe(game, state, action) == told["text"]
            play(game, state, action)
        else:
            assert parse(game, state, told["text"]) == action == 3 * 10 + 6
    assert len(shown) == 2
    assert properties(game).opening_plies == (2, 4)
