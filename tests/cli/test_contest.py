import json
import os
import shutil
import signal
import subprocess

import pytest
from cli.apart import command, environment
from cli.test_match import is_hosted
from helpers import PATIENCE, wait_until

pytestmark = pytest.mark.game("virus")

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
    assert "there already" not in first.out
    assert "greedy" in first.out
    assert "joute verify" in first.out
    second = run("contest", "run", config)
    assert second.code == 0
    assert "nothing left to play: 4 games are there" in second.out


def test_of_a_contest_that_goes_on_the_games_that_were_there_are_told(run, config):
    run("contest", "run", config)
    config.write_text(CONTEST.replace("bots = [", 'bots = ["builtin:alphabeta?depth=1", '))
    assert "8 games in " in (outcome := run("contest", "run", config)).out
    assert "(4 were there already)" in outcome.out


def test_results_in_a_named_file_are_found_from_any_folder_and_missed_where_it_is_gone(
    run, config, monkeypatch
):
    monkeypatch.chdir(config.parent)
    assert run("contest", "run", config, "--store", "sqlite:///named.sqlite").code == 0
    elsewhere = config.parent / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    assert "4 games played, 0 left" in run("contest", "standings", config).out
    again = run("contest", "run", config, "--store", "sqlite:///../named.sqlite")
    assert "nothing left to play" in again.out
    (config.parent / "named.sqlite").unlink()
    for name in ("standings", "run"):
        outcome = run("contest", name, config)
        assert outcome.code == 2 and "named.sqlite: No such file or directory" in outcome.err
    assert list(elsewhere.iterdir()) == []


def test_a_file_of_results_that_a_contest_names_is_looked_for_beside_it(run, config, monkeypatch):
    config.write_text(CONTEST.replace("games = 4", 'games = 4\nstore = "sqlite:///own.sqlite"'))
    monkeypatch.chdir("/")
    assert run("contest", "run", config).code == 0
    assert (config.parent / "own.sqlite").is_file()


def test_results_that_are_gone_at_the_very_end_are_no_empty_ranking(run, config, monkeypatch):
    from joute.contest.run import runner

    play = runner.run_contest

    def played_and_gone(contest, *arguments, **more):
        done = play(contest, *arguments, **more)
        shutil.rmtree(contest.folder)
        return done

    monkeypatch.setattr(runner, "run_contest", played_and_gone)
    outcome = run("contest", "run", config)
    assert (outcome.code, outcome.out) == (1, "")
    assert "4 games were played into this folder, and 0 are there now" in outcome.err


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


def test_results_are_read_without_the_files_of_bots_and_a_line_says_so(run, config):
    bot = config.parent / "mine.py"
    bot.write_text("def play(observation, clock):\n    return observation['legal'][0]\n")
    config.write_text(CONTEST.replace("bots = [", 'bots = ["mine.py", '))
    assert run("contest", "run", config, "--trust-bots").code == 0
    bot.unlink()
    folder = config.with_suffix(".results")
    for words in (
        ("contest", "standings", folder),
        ("contest", "audit", folder),
        ("export", folder, "--format", "csv", "--out", config.parent / "csv"),
        ("plot", folder),
    ):
        outcome = run(*words)
        assert outcome.code == 0
        assert outcome.err.startswith("joute: the files of mine are not there any more. ")
        assert outcome.err.count("\n") == 1
    assert "12 games played, 0 left" in run("contest", "standings", folder).out
    assert "ne sont plus là" in run("contest", "standings", folder, "--lang", "fr").err


def test_show_prints_every_setting_with_its_origin(run, config):
    outcome = run("contest", "show", config, "--workers", 2)
    lines = [line.split() for line in outcome.out.splitlines()]
    assert ["contest.games", "4", "the", "file"] in lines
    assert ["contest.workers", "2", "the", "command", "line"] in lines
    assert ["limits.move_seconds", "10.0", "default"] in lines
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
    bot = tmp_path / "waiting.py"
    bot.write_text("def play(observation, clock):\n    while True:\n        pass\n")
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
        wait_until(lambda: is_hosted(bot), what="the bot's start")
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert process.returncode == 3
    assert "the same command goes on where it was" in err
    assert "Traceback" not in err
    bot.write_text("def play(observation, clock):\n    return observation['legal'][0]\n")
    outcome = run("contest", "run", config)
    assert outcome.code == 0
    assert "joute:" not in outcome.err
    assert "2 games in " in outcome.out


def test_a_folder_in_use_is_told_without_a_traceback(run, config):
    import fcntl

    run("contest", "run", config)
    with (config.parent / "spring.results" / "lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        outcome = run("contest", "run", config)
    assert outcome.code == 2
    assert "another joute is playing into this folder" in outcome.err


def test_files_that_break_the_rules_stop_the_contest_before_its_first_game(run, config, tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text("import colorsys\ndef play(observation, clock):\n    return 0\n")
    text = CONTEST.replace('"builtin:random"', '"mine.py"')
    config.write_text(
        f'{text}[submission]\nrequired = ["README"]\nforbidden_imports = ["colorsys"]\n'
    )
    outcome = run("contest", "run", config)
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.splitlines() == [
        "joute: nothing is played: these files break the contest’s rules",
        "  mine: there is no file README",
        "  mine: mine.py, line 1: imports colorsys, which the contest forbids",
    ]
    outcome = run("contest", "run", config, "--lang", "fr")
    assert "  mine\u202f: mine.py, ligne 1\u202f: importe colorsys" in outcome.err
    assert not (tmp_path / "spring.results").exists()


STRICT = """
[contest]
games = 4
workers = 1
[game]
size = 4
[faults]
illegal = "disqualification"
[[bots]]
bot = "wrong"
[[bots]]
bot = "builtin:random"
description = "Draws."
[[bots]]
bot = "builtin:greedy"
"""


def test_a_disqualified_bot_comes_last_with_the_reason_and_bots_are_presented(run, tmp_path):
    wrong = tmp_path / "wrong"
    wrong.mkdir()
    (wrong / "bot.py").write_text("def play(observation, clock):\n    return -3\n")
    (wrong / "joute.toml").write_text('authors = ["Ada", "Alan"]\ndescription = "Minus three."\n')
    config = tmp_path / "strict.toml"
    config.write_text(STRICT)
    outcome = run("contest", "run", config)
    assert (outcome.code, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    [out] = [line for line in lines if line.startswith(" disq. ")]
    assert out.split()[:2] == ["disq.", "wrong"]
    place = lines.index("wrong is disqualified; its results are void:")
    assert lines[place + 1].startswith("  illegal action, at ply ")
    assert "-3" in run(*lines[place + 2].split()[1:]).out  # joute replay ... --at ...
    told = lines.index("wrong, by Ada, Alan. Minus three.")
    assert (lines[told - 1], lines[told + 1]) == ("", "random: Draws.")
    assert "wrong est disqualifié" in run("contest", "standings", config, "--lang", "fr").out
    data = json.loads(run("contest", "standings", config, "--json").out)
    assert [len(line["disqualified"]) for line in data["standings"]] == [0, 0, 1]
    assert data["bots"][0]["authors"] == ["Ada", "Alan"]
    shown = run("contest", "show", config).out.splitlines()
    [told] = [line for line in shown if "bots[1].description" in line]
    assert told.rstrip().endswith("the bot’s joute.toml")
