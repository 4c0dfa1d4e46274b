import os
import subprocess
from pathlib import Path

import pytest
from cli.apart import command, environment, run_apart
from helpers import PATIENCE, english_words

WRONG = [
    (["nonsense"], "nonsense"),
    (["mach"], "match"),
    (["games", "--jsno"], "--json"),
    (["games", "poker"], "poker"),
    (["games", "virus", "more"], "more"),
    (["check"], "BOT"),
    (["check", "no/such/bot.py"], "bot.py"),
    (["check", "virus", "mine.py"], "joute check mine.py --game virus"),
    (["check", "mine.py", "virus"], "virus"),
    (["doctor", "virus"], "virus"),
    (["check", "builtin:nobody"], "nobody"),
    (["check", "human"], "human"),
    (["check", "builtin:random", "--game", "poker"], "poker"),
    (["check", "builtin:random", "--skip", "everything"], "everything"),
    (["check", "builtin:random", "--param", "size"], "size"),
    (["check", "builtin:random", "--param", "size=99"], "99"),
    (["match", "virus"], "BOT..."),
    (["match", "virus", "builtin:random"], "bots"),
    (["match", "virus", "builtin:random", "builtin:random", "--games", "three"], "--games"),
    (["match", "virus", "builtin:random", "builtin:random", "--games", "3"], "3"),
    (["match", "virus", "builtin:random", "builtin:random", "--games", "0"], "1"),
    (["match", "virus", "builtin:random", "builtin:random", "--games"], "--games"),
    (["match", "virus", "builtin:random", "builtin:random", "--move-seconds", "x"], "--move"),
    (["match", "virus", "builtin:random", "no.py"], "no.py"),
    (["contest"], "contest"),
    (["contest", "run"], "FILE"),
    (["contest", "run", "none.toml"], "none.toml"),
    (["contest", "run", "none.toml", "--json=3"], "--json"),
    (["contest", "show", "none.toml"], "none.toml"),
    (["contest", "standings", "none.toml"], "none.toml"),
    (["replay", "none.jsonl"], "none.jsonl"),
    (["verify", "none.jsonl"], "none.jsonl"),
    (["verify"], "PATH"),
    (["export", "none.jsonl"], "none.jsonl"),
    (["new"], "FOLDER"),
    (["new", "here", "--style", "baroque"], "baroque"),
    (["new", "here", "--game", "poker"], "poker"),
    (["--lang", "de", "games"], "de"),
    (["games", "--lang"], "--lang"),
]


@pytest.mark.game("virus")
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize(("arguments", "named"), WRONG, ids=lambda value: str(value)[:40])
def test_wrong_use_is_answered_in_a_sentence_that_names_it(
    run, tmp_path, monkeypatch, arguments, named, language
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JOUTE_LANG", language)
    outcome = run(*arguments)
    assert outcome.code == 2
    assert named in outcome.err
    assert outcome.err.startswith("joute: ")
    assert "Traceback" not in outcome.err
    assert outcome.out == ""
    assert list(tmp_path.iterdir()) == []
    if language == "fr":
        assert not english_words(outcome.err), outcome.err


def test_a_wrong_line_points_to_the_help_of_its_command(run):
    assert "joute match --help" in run("match", "--nope").err


def test_a_number_that_is_none_is_named_in_french_too(run, monkeypatch):
    monkeypatch.setenv("JOUTE_LANG", "fr")
    outcome = run("match", "virus", "a", "b", "--games", "trois")
    assert "--games\u202f: attendu\u202f: un nombre entier" in outcome.err


@pytest.mark.game("virus")
def test_no_traceback_reaches_the_user_of_a_real_process(tmp_path):
    config = tmp_path / "contest.toml"
    config.write_text('bots = ["builtin:random", "builtin:greedy"]\n[limits]\nmove_second = 1\n')
    outcome = run_apart("contest", "run", config)
    assert outcome.code == 2
    assert "move_seconds" in outcome.err
    assert "Traceback" not in outcome.err


def test_a_reader_that_leaves_early_is_no_error():
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as out:
        done = subprocess.run(
            command("games", "--json"),
            env=environment(),
            stdout=out,
            stderr=subprocess.PIPE,
            timeout=PATIENCE,
        )
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.game("virus")
def test_a_folder_that_cannot_be_made_is_named(run, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    outcome = run("new", blocked / "below")
    assert outcome.code == 2
    assert str(blocked) in outcome.err


def test_a_fault_of_the_program_is_not_hidden(run, monkeypatch):
    from joute.cli import main

    def broken() -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(main, "build", broken)
    with pytest.raises(ZeroDivisionError):
        run("games")


def test_ctrl_c_is_answered_with_code_3(run, monkeypatch):
    from joute.cli import main

    def stopped() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(main, "build", stopped)
    outcome = run("games")
    assert (outcome.code, outcome.err) == (3, "joute: interrupted\n")


def test_an_unreadable_path_is_told_as_such(run, tmp_path: Path):
    outcome = run("replay", tmp_path)
    assert outcome.code == 2
    assert str(tmp_path) in outcome.err
