"""Agents of `joute paradise`: in processes of their own, or in this one."""

import os
import re
import sys
import zipfile
from pathlib import Path

import pytest
from games.paradise.dueling import FAILING, PRINTING, duel, plies, settle

from joute.play.record import read_record


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    settle(tmp_path)


def test_both_ways_play_the_same_game(run):
    isolated = duel(run, "face", "face.py", "--records", "apart")
    assert isolated.code == 0
    assert "at the start" not in isolated.out
    inside = duel(run, "face", "face.py", "--debug", "--records", "inside")
    assert inside.out.startswith("at the start\nat the start\n")
    assert "at the end [True]" in inside.out
    assert plies("apart/1.jsonl") == plies("inside/1.jsonl")
    # Buffs are what the original could not hand to its processes.
    assert any(
        line.get("text") == "play wolf"
        for line in read_record(Path("inside/1.jsonl").read_bytes()).plies
    )


def test_every_agent_of_every_game_has_a_process_of_its_own(run):
    Path("printing.py").write_text(PRINTING, encoding="utf-8")
    asked = ("printing", "printing", "--n-games", 2, "--records", "kept")
    assert duel(run, *asked).code == 0
    assert len({_output(number, seat) for number in (1, 2) for seat in (0, 1)}) == 4
    assert duel(run, *asked, "--debug").out.count(f"{os.getpid()}\n") > 100


def _output(number, seat):
    """The lines that an agent printed in a game, all of them the same."""
    record = read_record(Path(f"kept/{number}.jsonl").read_bytes())
    [text] = {line["output"] for line in record.plies if line.get("player") == seat}
    return text


def test_in_this_process_agents_and_games_share_nothing(run):
    before = sys.path.copy()
    outcome = duel(run, "team", "team.agent", "--debug", "--n-games", 2)
    assert (outcome.code, sys.path) == (0, before)
    assert outcome.out.count("asked 1\n") == 4
    assert outcome.out.count("reads True\n") == 4
    assert "asked 2" not in outcome.out


def test_in_this_process_libraries_are_shared_and_not_loaded_twice(run):
    place = Path("venv/site-packages")
    place.mkdir(parents=True)
    (place / "joutes_library.py").write_text("print('loaded')\n")
    text = "import sys\nsys.path.append('venv/site-packages')\nimport joutes_library\n"
    Path("user.py").write_text(text + PRINTING, encoding="utf-8")
    assert duel(run, "user", "user", "--debug").out.count("loaded\n") == 1


@pytest.mark.parametrize("debug", [[], ["--debug"]])
def test_an_agent_that_fails_is_told_and_makes_the_command_fail(run, debug):
    outcome = duel(run, "failing", "builtin:greedy", *debug)
    assert outcome.code == 1
    assert outcome.out.startswith("game 1: agent 2 (greedy) wins, turn ")
    assert "agent 1 (failing): " in outcome.out
    assert "faults, the first in game 1 at ply 9:\ncrash\n" in outcome.out
    assert "KeyError: 'player_mane'" in outcome.out
    assert "inside.py" not in outcome.out + outcome.err
    as_it_comes = ("agent 1: Traceback" in outcome.err, "at the end too" in outcome.err)
    assert as_it_comes == (bool(debug), bool(debug))


@pytest.mark.parametrize("debug", [[], ["--debug"]])
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("import nowhere_to_be_found\n", "No module named"),
        ("a = 1\n", "it needs def start(), def play(state)"),
    ],
)
def test_an_agent_that_does_not_start_ends_it(run, debug, text, reason):
    Path("broken.py").write_text(text)
    outcome = duel(run, "builtin:greedy", "broken", "--n-games", 3, *debug)
    assert (outcome.code, outcome.out) == (1, "")
    assert "agent 2 (broken): did not start" in outcome.err
    assert outcome.err.count(reason) == 1


def test_what_cannot_be_played_is_told_as_it_comes_in_this_process(run):
    Path("wrong.py").write_text(FAILING.replace('state["player_mane"]', "(1, 99)"))
    outcome = duel(run, "wrong", "builtin:greedy", "--debug")
    assert "agent 1: the turn ends: (1, 99) names no card, minion or target\n" in outcome.err


def test_an_interface_of_ours_can_be_forced(run):
    Path("ours.py").write_text("def play(observation, clock):\n    return 0\n")
    assert duel(run, "function:ours.py", "builtin:face", "--debug").code == 0
    Path("ours.py").write_text("def play(observation, clock):\n    return 2.5\n")
    outcome = duel(run, "function:ours.py", "builtin:face", "--debug")
    assert outcome.code == 1
    assert "illegal action" in outcome.out


def test_the_contests_agent_for_people_has_the_keyboard_in_this_process(run, monkeypatch):
    Path("typed.txt").write_text("4\n" * 60)
    with Path("typed.txt").open(encoding="utf-8") as file:
        monkeypatch.setattr("sys.stdin", file)
        assert duel(run, "loop", "builtin:face", "--debug").code == 0


def test_to_quit_the_debugger_is_to_stop(run):
    text = FAILING.replace('return state["player_mane"]', "import bdb; raise bdb.BdbQuit")
    Path("stopped.py").write_text(text)
    outcome = duel(run, "stopped", "builtin:face", "--debug", "--n-games", 4)
    assert outcome.code == 3
    assert outcome.err == "joute: stopped with 0 of 4 games played\n"


FROM_ABOVE = """
import json

from agent.helper import pick

with open("agent/priorities.json") as file:
    PRIORITIES = json.load(file)


def start():
    with open("agent/priorities.json") as file:
        print("at the start", file.read())


def play(state):
    return pick(PRIORITIES), None


def end(victory):
    pass
"""


@pytest.mark.parametrize("debug", [[], ["--debug"]])
@pytest.mark.parametrize("module", ["agent", "agent.agent1", "agent/agent.py"])
def test_an_agent_finds_its_files_from_the_folder_above_as_in_the_contest(run, debug, module):
    folder = Path("agent")
    folder.mkdir()
    (folder / "__init__.py").touch()
    for name in ("agent.py", "agent1.py"):
        (folder / name).write_text(FROM_ABOVE)
    (folder / "helper.py").write_text("def pick(priorities):\n    return priorities['end']\n")
    (folder / "priorities.json").write_text('{"end": 4}')
    outcome = duel(run, module, module, *debug, "--records", "kept")
    assert (outcome.code, outcome.err) == (0, "")
    assert {action for player, action in plies("kept/1.jsonl") if player is not None} == {0}
    assert outcome.out.count('at the start {"end": 4}') == (2 if debug else 0)


@pytest.mark.parametrize("top", ["", "agent/"])
def test_an_agent_in_a_zip_finds_its_files_as_in_a_folder(run, top):
    with zipfile.ZipFile("mine.zip", "w") as archive:
        archive.writestr(f"{top}__init__.py", "")
        archive.writestr(f"{top}agent.py", FROM_ABOVE)
        archive.writestr(f"{top}helper.py", "def pick(priorities):\n    return priorities['end']\n")
        archive.writestr(f"{top}priorities.json", '{"end": 4}')
    outcome = duel(run, "mine.zip", "mine.zip", "--records", "kept")
    assert (outcome.code, outcome.err) == (0, "")
    assert {action for player, action in plies("kept/1.jsonl") if player is not None} == {0}


def test_an_agent_of_one_file_reads_what_lies_beside_it_but_not_the_other_agent(run):
    text = PRINTING.replace("print(os.getpid())", "open('one.txt'), open('other.py')")
    Path("one.py").write_text(text)
    Path("one.txt").touch()
    Path("other.py").write_text(PRINTING)
    outcome = duel(run, "one", "other")
    assert outcome.code == 1
    assert re.search(r"Error: \[Errno \d+\] [\w ]+: 'other.py'", outcome.out)
