"""`joute contest plan`: what would be played."""

import json
import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.game("virus")

KNOCKOUT = """
bots = ["builtin:random", "builtin:greedy", "builtin:greedy?", "builtin:random?"]
[contest]
format = "knockout"
workers = 1
[game]
size = 4
"""


@pytest.fixture
def config(tmp_path):
    path = tmp_path / "spring.toml"
    path.write_text(KNOCKOUT, encoding="utf-8")
    return path


def test_a_plan_shows_the_games_their_number_and_the_time(run, config):
    out = run("contest", "plan", config).out
    assert sum(" - " in line for line in out.splitlines()) == 2
    assert "0 games played, at most 18 left" in out
    assert "4 games are certain now; the others, 18 with these at most" in out
    assert "with 1 at once, if every turn takes all of its time" in out
    data = json.loads(run("contest", "plan", config, "--json").out)
    assert (data["certain"], data["left"], data["expected"]) == (4, 18, None)


def test_a_plan_after_some_games_tells_how_long_the_others_take(run, config):
    run("contest", "run", config)
    out = run("contest", "plan", config).out
    assert "0 left" in out
    assert "at most" not in out
    config.write_text(KNOCKOUT.replace('"knockout"', '"double-knockout"'), encoding="utf-8")
    assert "if games go on as the" in run("contest", "plan", config).out


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("contest plan spring.toml", "4 left"),
        ("strength virus --folder taken", "name a new folder"),
        ("compare virus champion missing.py", "no file or folder"),
    ],
)
def test_nobody_waits_for_a_compiler_where_nothing_is_played(config, tmp_path, command, said):
    config.write_text('bots = ["builtin:champion", "builtin:alphabeta"]\n[game]\nname = "virus"\n')
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "letter.txt").touch()
    words = [sys.executable, "-m", "joute", *command.split()]
    environment = {**os.environ, "JOUTE_CACHE": str(tmp_path / "cache")}
    ran = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert said in ran.stdout + ran.stderr
    assert not [*(tmp_path / "cache").rglob("*.nbc")]


def test_a_plan_says_which_files_of_a_pattern_are_left_out(run, config):
    (config.parent / "class").mkdir()
    for name in ("ada.py", "Thumbs.db"):
        (config.parent / "class" / name).write_text("def play(observation, clock): return 0\n")
    config.write_text('bots = ["builtin:random", "class/*"]\n')
    outcome = run("contest", "plan", config)
    assert outcome.code == 0 and "ada" in outcome.out
    assert outcome.err.startswith("joute: class/*: these files are left out")
    assert outcome.err.endswith(": class/Thumbs.db\n")


def test_a_long_plan_is_cut_unless_all_of_it_is_asked_for(run, config):
    text = KNOCKOUT.replace('format = "knockout"', "games = 20")
    config.write_text(text, encoding="utf-8")
    out = run("contest", "plan", config).out
    assert "… and 30 more (--all shows them)" in out
    whole = run("contest", "plan", config, "--all").out
    assert sum(" - " in line for line in whole.splitlines()) == 60
    assert "--all" not in whole


def test_a_plan_is_said_in_french_too(run, config):
    assert "4 parties sont certaines" in run("contest", "plan", config, "--lang", "fr").out


def test_standings_of_a_knockout_have_its_stages(run, config):
    out = run("contest", "run", config).out
    assert "stage" in out
    assert "beaten" not in out


def test_a_run_whose_time_is_up_says_what_is_left(run, config):
    config.write_text(KNOCKOUT.replace("workers", "minutes = 1e-9\nworkers"), encoding="utf-8")
    outcome = run("contest", "run", config)
    assert outcome.code == 0
    assert "18 games are left; the same command goes on" in outcome.out
