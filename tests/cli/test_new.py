import ast
import json

import pytest

from joute.cli.new import STYLES
from joute.core.registry import names


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("style", STYLES)
def test_a_new_project_is_ready_to_be_checked_and_run(run, tmp_path, style, language):
    folder = tmp_path / "mine"
    made = run("new", folder, "--style", style, "--lang", language)
    assert made.code == 0
    assert sorted(path.name for path in folder.iterdir()) == ["bot.py", "contest.toml"]
    assert f"joute check {folder / 'bot.py'}" in made.out
    assert "joute match virus" in made.out
    assert "joute contest run" in made.out
    checked = run("check", folder / "bot.py", "--skip", "determinism")
    assert checked.code == 0, checked.out
    shown = json.loads(run("contest", "show", folder / "contest.toml", "--json").out)
    bots = [each["value"] for each in shown["keys"] if each["key"].endswith(".bot")]
    assert bots == ["bot.py", "builtin:random", "builtin:greedy"]


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("style", STYLES)
def test_the_bot_of_a_new_project_is_short_and_commented(run, tmp_path, style, language):
    run("new", tmp_path / "mine", "--style", style, "--lang", language)
    text = (tmp_path / "mine" / "bot.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 20
    assert text.count("#") >= 3
    assert max(len(line) for line in text.splitlines()) <= 100
    name = {"function": "play", "hx2": "ia"}[style]
    assert name in [node.name for node in ast.parse(text).body if hasattr(node, "name")]


def test_every_game_has_a_project(run, tmp_path):
    for game in names():
        assert run("new", tmp_path / game, "--game", game).code == 0
        shown = run("contest", "show", tmp_path / game / "contest.toml")
        assert shown.code == 0, (game, shown.err)


def test_a_folder_that_holds_something_is_left_alone(run, tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    outcome = run("new", tmp_path)
    assert outcome.code == 2
    assert str(tmp_path) in outcome.err
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_an_empty_folder_is_taken(run, tmp_path):
    assert run("new", tmp_path).code == 0
