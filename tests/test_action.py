"""The action for GitHub, `check/action.yml`: its steps run here as a runner would run them."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
ACTION = yaml.safe_load((ROOT / "check" / "action.yml").read_text("utf-8"))
STEPS = [step for step in ACTION["runs"]["steps"] if "run" in step]
FIRST = "def play(observation, clock):\n    return observation['legal'][0]\n"
CRASH = "def play(observation, clock):\n    return 1 / 0\n"
# Joute is there already, from this repository: installing it is the one thing not done here.
INSTALL = 'python -m pip install --quiet "$GITHUB_ACTION_PATH/.."'


def steps_run(folder: Path, **inputs: str) -> list[int]:
    """The exit codes of the steps in a repository's folder, up to the first that fails."""
    programs = folder / "programs"
    programs.mkdir()
    # No link: a virtual environment is found by the path of its interpreter.
    shim = f'#!/bin/sh\nexec "{sys.executable}" "$@"\n'
    (programs / "python").write_text(shim)
    (programs / "python").chmod(0o755)
    values = {name: each.get("default", "") for name, each in ACTION["inputs"].items()} | inputs
    base = os.environ | {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "GITHUB_ACTION_PATH": str(ROOT / "check"),
        "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
        "LC_ALL": "C.UTF-8",
    }
    codes = []
    for step in STEPS:
        if step["run"].strip() == INSTALL:
            continue
        own = {
            name: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda found: values[found[1]], text)
            for name, text in step.get("env", {}).items()
        }
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        codes.append(subprocess.run(command, cwd=folder, env=base | own).returncode)
        if codes[-1]:
            break
    return codes


def test_no_step_has_an_input_in_its_command():
    assert all("${{" not in step["run"] for step in STEPS)
    assert all(step["shell"] == "bash" for step in STEPS)
    assert INSTALL in [step["run"].strip() for step in STEPS]


@pytest.mark.game("virus")
@pytest.mark.full
def test_a_bot_is_checked_and_its_ladder_stands_in_the_summary(tmp_path):
    (tmp_path / "my bot.py").write_text(FIRST)
    assert steps_run(tmp_path, game="virus", bot="my bot.py", games="4") == [0, 0]
    summary = (tmp_path / "summary.md").read_text("utf-8")
    assert summary.startswith("### virus: my bot stands on rung 0 of ")
    assert "| 1 | random | not decided |" in summary


@pytest.mark.game("virus")
def test_a_bot_that_fails_the_check_fails_the_run(tmp_path):
    (tmp_path / "mine.py").write_text(CRASH)
    assert steps_run(tmp_path, game="virus", bot="mine.py") == [1]
    assert not (tmp_path / "summary.md").exists()


def test_the_documents_show_inputs_that_the_action_has():
    for language in ("en", "fr"):
        text = (ROOT / "docs" / language / "ladder.md").read_text("utf-8")
        shown = yaml.safe_load(re.search(r"```yaml\n(.*?)```", text, re.DOTALL)[1])
        [step] = [each for each in shown["jobs"]["joute"]["steps"] if "with" in each]
        required = {name for name, each in ACTION["inputs"].items() if each.get("required")}
        assert required <= step["with"].keys() <= ACTION["inputs"].keys()
