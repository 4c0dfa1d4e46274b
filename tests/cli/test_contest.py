import json
import os
import signal
import subprocess

import pytest
from cli.apart import command, environment
from helpers import wait_until

CONTEST = """
bots = ["builtin:random", "builtin:greedy"]
[contest]
games = 4
workers = 1
[game]
size = 4
"""


@pytest.fixture
def config(tmp_path):
    path = tmp_path / "spring.toml"
    path.write_text(CONTEST, encoding="utf-8")
    return path


def test_a_contest_is_run_once_and_then_there_is_nothing_left(run, config):
    first = run("contest", "run", config)
    assert first.code == 0
    assert "4 games in " in first.out
    assert "greedy" in first.out
    assert "joute verify" in first.out
    second = run("contest", "run", config)
    assert second.code == 0
    assert "nothing left to play: 4 games are there" in second.out


def test_json_of_a_run_holds_the_summary_and_the_standings(run, config):
    data = json.loads(run("contest", "run", config, "--json").out)
    assert (data["summary"]["played"], data["summary"]["already"]) == (4, 0)
    assert {line["name"] for line in data["standings"]} == {"random", "greedy"}


def test_standings_can_be_seen_before_and_after(run, config):
    assert "0 games played, 4 left" in run("contest", "standings", config).out
    run("contest", "run", config)
    outcome = run("contest", "standings", config)
    assert "4 games played, 0 left" in outcome.out
    data = json.loads(run("contest", "standings", config, "--json").out)
    assert sum(line["games"] for line in data["standings"]) == 8
    assert data["status"]["done"] == 4


def test_show_prints_every_setting_with_its_origin(run, config):
    outcome = run("contest", "show", config, "--workers", 2)
    lines = [line.split() for line in outcome.out.splitlines()]
    assert ["contest.games", "4", "the", "file"] in lines
    assert ["contest.workers", "2", "the", "command", "line"] in lines
    assert ["limits.move_seconds", "10.0", "usual"] in lines
    assert ["game.voluntary_pass", "true", "the", "game"] in lines
    data = json.loads(run("contest", "show", config, "--json").out)
    assert {"key": "contest.games", "value": 4, "origin": "file"} in data["keys"]
    assert data["status"]["left"] == 4


def test_what_is_printed_is_in_french_too(run, config):
    assert "4 à jouer" in run("contest", "show", config, "--lang", "fr").out
    assert "V-N-D" in run("contest", "run", config, "--lang", "fr").out


def test_an_unknown_key_is_refused_with_the_nearest(run, tmp_path):
    config = tmp_path / "wrong.toml"
    config.write_text(CONTEST.replace("workers", "worker"), encoding="utf-8")
    outcome = run("contest", "run", config)
    assert outcome.code == 2
    assert "workers" in outcome.err


def test_ctrl_c_stops_a_contest_and_the_same_command_goes_on(run, tmp_path):
    started, go = tmp_path / "started", tmp_path / "go"
    bot = tmp_path / "waiting.py"
    bot.write_text(
        "import os\n"
        f"open({str(started)!r}, 'w').close()\n"
        "def play(observation, clock):\n"
        f"    while not os.path.exists({str(go)!r}):\n"
        "        pass\n"
        "    return observation['legal'][0]\n",
        encoding="utf-8",
    )
    config = tmp_path / "waiting.toml"
    config.write_text(
        'bots = ["waiting.py", "builtin:random"]\n[contest]\ngames = 2\nworkers = 1\n'
        "[game]\nsize = 4\n[limits]\nmove_seconds = 3600\n",
        encoding="utf-8",
    )
    process = subprocess.Popen(
        command("contest", "run", config),
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    )
    try:
        wait_until(started.exists, what="the bot's start")
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=120)
    finally:
        process.kill()
    assert process.returncode == 3
    assert "the same command goes on where it was" in err
    assert "Traceback" not in err
    go.touch()
    outcome = run("contest", "run", config)
    assert (outcome.code, outcome.err) == (0, "")
    assert "2 games in " in outcome.out


def test_a_folder_in_use_is_told_without_a_traceback(run, config):
    import fcntl

    run("contest", "run", config)
    with (config.parent / "spring.results" / "lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        outcome = run("contest", "run", config)
    assert outcome.code == 2
    assert "another joute is playing into this folder" in outcome.err
