"""The Tab key: the shells' scripts, the answers, and completion in the shells themselves."""

import os
import shlex
import subprocess
import sys

import pytest
from cli.apart import environment, run_apart
from cli.completions import tables, written
from cli.screen import Terminal
from helpers import PATIENCE, need

from joute.bots import BOTS
from joute.cli.completion import SCRIPTS, SHELLS
from joute.cli.suggestions import answer, suggested, table
from joute.core.registry import cards, names

OWN = [name for card in cards() for name in card.commands]
LOADED = """
import sys
sys.argv[1:] = ["__complete", "words", "match", "any", "builtin:"]
from joute.cli import run
run()
print(*sys.modules)
"""


def words(*typed):
    """The words offered for a command line."""
    return list(suggested(typed).words)


@pytest.fixture
def folder(tmp_path):
    """An empty folder; beside it a `joute` that answers as Joute does and else tells its words."""
    program = tmp_path / "bin" / "joute"
    program.parent.mkdir()
    asked = f'exec {shlex.quote(sys.executable)} -m joute "$@"'
    program.write_text(f'#!/bin/sh\n[ "$1" = __complete ] && {asked}\necho "ran: $*"\n')
    program.chmod(0o755)
    (tmp_path / "here").mkdir()
    return tmp_path / "here"


def place(folder):
    """The variables of a shell that runs in a folder."""
    path = f"{folder.parent / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return {"PATH": path, "HOME": str(folder), "PS1": "$ ", "XDG_CONFIG_HOME": str(folder)}


def test_the_tables_are_those_of_the_commands():
    changed = [
        path.name for path, table in tables().items() if path.read_text("utf-8") != written(table)
    ]
    assert changed == [], "scripts/completions makes them again"


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_of_each_shell_is_printed_as_it_is(run, shell):
    assert run("completion", shell) == (0, (SCRIPTS / f"joute.{shell}").read_text("utf-8"), "")


def test_another_shell_is_refused_with_those_that_there_are(run):
    outcome = run("completion", "tcsh")
    assert (outcome.code, outcome.out) == (2, "")
    assert "no script for the shell tcsh; there are scripts for bash, zsh, fish" in outcome.err


def test_commands_are_offered_and_those_below_them():
    assert words("mat") == ["match"]
    assert {"games", "play", "completion", *OWN} <= set(words(""))
    assert "standings" in words("contest", "")
    assert words("contest", "run", "--work") == ["--workers"]
    assert [name for name in OWN if not table()["commands"][name]] == []
    assert words("nothing", "") == []


def test_options_are_offered_in_place_of_arguments_until_two_hyphens():
    assert "--games" in words("match", "--") and "--lang" in words("match", "--")
    assert words("match", "--", "--g") == []
    assert words("--lang", "") == ["en", "fr"]
    assert words("games", "--lang=f") == ["--lang=fr"]


def test_a_value_that_the_help_lists_is_offered():
    assert words("completion", "") == sorted(SHELLS)
    assert "html" in words("export", "--format", "")
    assert words("completion", "bash", "") == []


def test_games_and_bots_are_offered_where_they_stand():
    first = names()[0]
    assert words("play", "") == names()
    assert words("play", first, "hu") == ["human"]
    general = {f"builtin:{name}" for name in BOTS}
    assert general <= set(words("match", first, "builtin:")) <= {*words("check", "builtin:")}
    assert suggested(("match", first, "")).files
    assert suggested(("match", "./")).files and not suggested(("match", "")).files


@pytest.mark.game("tron", "virus")
def test_bots_and_maps_of_another_game_are_not_offered():
    assert "builtin:territory" in words("match", "tron", "builtin:")
    assert "builtin:territory" not in words("match", "virus", "builtin:")
    assert words("play", "tron", "--map", "due") == ["duel"]
    assert words("play", "virus", "--map", "due") == []
    assert "builtin:territory" in words("check", "--game=tron", "builtin:")
    assert "builtin:territory" not in words("check", "--game=virus", "builtin:")


def test_bash_is_answered_with_the_part_behind_its_last_break():
    line = f"joute match {names()[0]} builtin:gree"
    assert answer(["bash", line, ' \n"=:']) == "files\ngreedy"
    assert answer(["bash", line, " \n"]) == "files\nbuiltin:greedy"
    assert answer(["bash", "joute games --lang=f", "=:"]) == "words\nfr"


def test_a_line_of_bash_may_be_quoted_and_unfinished():
    assert answer(["bash", "joute 'matc", ""]) == answer(["bash", 'joute "matc', ""])
    assert answer(["bash", "joute 'matc", ""]) == "words\nmatch"
    assert answer(["bash", "joute check 'my bots/a.py' --stri", ""]).startswith("words")
    assert answer(["bash", "joute matc'h\" '\"", ""]) == "words"
    assert answer(["bash"]) == answer(["words"]) == answer(["words", ""])


def test_an_answer_loads_no_command_and_nothing_heavy():
    done = subprocess.run(
        [sys.executable, "-c", LOADED], env=environment(), capture_output=True, text=True
    )
    loaded = set(done.stdout.splitlines()[-1].split())
    assert done.stderr == "" and "joute.cli.suggestions" in loaded
    assert not {"typer", "rich", "numpy", "numba", "msgspec", "joute.cli.main"} & loaded


def test_a_shell_is_answered_by_the_program():
    assert run_apart("__complete", "words", "matc") == (0, "words\nmatch\n", "")


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_a_shell_completes_commands_bots_and_files(shell, folder):
    (folder / "learnt.py").touch()
    start = {"bash": ["--norc", "--noprofile"], "zsh": ["-f"]}[shell]
    script = shlex.quote(str(SCRIPTS / f"joute.{shell}"))
    if shell == "zsh":
        script = f"/dev/null; autoload -U compinit; compinit -u -D; source {script}"
    terminal = Terminal(
        program=[need("env"), "-C", str(folder), need(shell), *start, "-i"], **place(folder)
    )
    try:
        terminal.press(f"source {script}; echo sour''ced\r")
        terminal.wait_for("sourced")
        terminal.press(f"joute matc\t{names()[0]} builtin:gree\tlear\t\r")
        terminal.wait_for(f"ran: match {names()[0]} builtin:greedy learnt.py")
    finally:
        terminal.close()


def test_fish_completes_commands_bots_and_files(folder):
    (folder / "learnt.py").touch()
    lines = ("joute matc", f"joute match {names()[0]} builtin:gre", "joute check lear")
    asked = "; ".join(f"complete -C {shlex.quote(line)}" for line in lines)
    done = subprocess.run(
        [need("fish"), "--no-config", "-c", f"source {SCRIPTS / 'joute.fish'}; {asked}"],
        env=environment(**place(folder)),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert (done.stdout.split(), done.stderr) == (["match", "builtin:greedy", "learnt.py"], "")
