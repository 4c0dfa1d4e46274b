import json
import subprocess
import sys

import pytest
from cli.apart import environment
from helpers import PATIENCE

from joute.cli.commands import NAMES
from joute.core.registry import names
from joute.i18n.words import catalog

COMMANDS = [[name] for name in NAMES]
COMMANDS += [["contest", below] for below in ("run", "show", "standings")]
COMMANDS += [["map", below] for below in ("check", "show", "convert")]
COMMANDS += [["tron", below] for below in ("solo", "table", "report")]
COMMANDS.append([])

HEAVY = ("numpy", "numba", "sqlalchemy", "msgspec", "prompt_toolkit", "rich", "pydantic")
LIGHT_PARTS = ("joute.cli", "joute.i18n")
LIGHT = {
    "joute",
    "joute.core",
    "joute.core.card",
    "joute.core.errors",
    "joute.core.registry",
    "joute.core.starters",
    "joute.errors",
    "joute.files",
    "joute.machine",
    "joute.text",
}
CARDS = ("games", "commands", *(name.replace("-", "_") for name in names()))

SCRIPT = """
import json, os, sys
from joute.cli.main import main
for line in json.loads(sys.argv[1]):
    child = os.fork()
    if not child:
        sys.stdout = open(os.devnull, "w")
        code = main(line)
        print(code, *sorted(sys.modules), file=sys.stderr, flush=True)
        os._exit(0)
    os.waitpid(child, 0)
"""
"""Each command line in a process that has loaded the command line alone before."""


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_explains_itself_in_both_languages(run, command):
    english = run(*command, "--help")
    french = run(*command, "--help", "--lang", "fr")
    assert (english.code, english.err) == (0, "")
    assert (french.code, french.err) == (0, "")
    assert "Usage:" in english.out
    assert "Show this text and exit." in english.out
    assert "Utilisation" not in english.out
    assert "Usage\u202f:" in french.out
    assert "Affiche ce texte" in french.out
    for text in ("Show this", "Arguments:", "Commands:", "[required]", "[default"):
        assert text not in french.out


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_no_help_shows_a_key_instead_of_a_sentence(run, command):
    assert "help." not in run(*command, "--help").out


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_group_of_a_game_is_not_explained_as_the_argument_that_names_one(run, language):
    argument = catalog(language)["help.game_name"][:40]
    assert f"\n  {argument}" not in run("game", "--help", "--lang", language).out


def test_help_names_the_options_and_arguments_as_they_are_written(run):
    text = run("match", "--help").out
    assert "joute match [OPTIONS] GAME BOT..." in text
    for option in ("--games N", "--seed SEED", "--move-seconds T", "--param KEY=VALUE"):
        assert option in text


def test_without_a_command_the_help_is_shown_and_the_use_is_wrong(run):
    outcome = run()
    assert outcome.code == 2
    assert "Commands:" in outcome.out


def test_help_and_usage_errors_load_nothing_heavy():
    [loaded] = _modules([["--help"]])
    for name in HEAVY:
        assert name not in loaded
    parts = {name for name in loaded if name.startswith("joute")}
    games = {name for name in parts if name.startswith("joute.games")}
    assert games == {name for name in games if name.endswith(CARDS)}
    assert {name for name in parts - games if not name.startswith(LIGHT_PARTS)} <= LIGHT


def test_no_command_s_help_loads_what_computes_or_stores():
    lines = [[*command, "--help"] for command in COMMANDS]
    for line, loaded in zip(lines, _modules(lines), strict=True):
        for name in ("numpy", "numba", "sqlalchemy", "msgspec", "prompt_toolkit", "rich"):
            assert name not in loaded, line


def _modules(lines: list[list[str]]) -> list[set[str]]:
    """The modules that each command line has loaded by its end, which is a good one."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, json.dumps(lines)],
        env=environment(),
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=PATIENCE,
    )
    ended = [line.split() for line in done.stderr.splitlines()]
    assert [code for code, *_ in ended] == ["0"] * len(lines)
    return [set(loaded) for _, *loaded in ended]
