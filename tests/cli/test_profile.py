"""The time that a bot's answers take, and the functions that take it."""

import json

import pytest

from joute.contest.run.match import run_match
from joute.play.profiling import summary
from joute.play.record import actions_of, read_record

pytestmark = pytest.mark.game("virus")

WEIGHS = """
def weigh(action):
    total = action
    for number in range(20000):
        total += number % 7
    return total

def play(observation, clock):
    return max(observation["legal"], key=weigh)
"""
LEAVES = """
import os

def play(observation, clock):
    os._exit(3)
"""
PROGRAM = """#!/bin/sh
while read -r line; do
  case "$line" in
    *'"type":"start"'*) echo '{"type":"ready"}' ;;
    *) legal=${line#*'"legal":['}; echo "{\\"type\\":\\"action\\",\\"action\\":${legal%%[],]*}}" ;;
  esac
done
"""


def bot(folder, source, name="mine.py"):
    path = folder / name
    path.write_text(source)
    path.chmod(0o755)
    return path


def profiled(run, *words):
    outcome = run("profile", *words, "--json")
    return outcome.code, json.loads(outcome.out)


@pytest.fixture
def kept(run, tmp_path):
    """The folder of a match of a bot that weighs its actions."""
    mine = bot(tmp_path, WEIGHS)
    folder = tmp_path / "kept"
    asked = ("--games", 2, "--seed", 1, "--param", "size=4", "--records", folder)
    run("match", "virus", mine, "builtin:random", *asked)
    return folder / "records"


def test_the_functions_of_a_bot_stand_in_the_order_of_their_time(run, tmp_path):
    asked = ("--param", "size=3", "--positions", 4, "--move-seconds", 5)
    code, found = profiled(run, bot(tmp_path, WEIGHS), *asked)
    assert code == 0
    assert found["limit_ms"] == 5000
    assert len(found["answers"]) == 4
    assert 0 < found["median_ms"] <= found["p95_ms"] <= found["max_ms"]
    named = {each["function"]: each for each in found["functions"]}
    assert found["functions"][0] == named["weigh"]
    assert named["weigh"]["file"].endswith("mine.py")
    assert named["weigh"]["line"] == 2
    assert named["play"]["calls"] == 4
    assert named["play"]["own_ms"] < named["weigh"]["own_ms"] < named["play"]["total_ms"]
    assert "hasattr" not in str(named)  # only what reads the answer calls it


def test_recorded_positions_are_those_of_the_bot_by_that_name(run, tmp_path, kept):
    mine = tmp_path / "mine.py"
    code, found = profiled(run, mine, kept, "--positions", 1000)
    places = []
    legal = 0
    for path in sorted(kept.glob("*.jsonl")):
        record = read_record(path.read_bytes())
        seat = [each["name"] for each in record.header["bots"]].index("mine")
        turns = [line for line in record.plies if line.get("player") == seat]
        places += [f"{path}@{line['ply']}" for line in turns if actions_of(line)]
        legal += len(turns)
    assert code == 0
    assert sorted(each["place"] for each in found["answers"]) == sorted(places)
    [play] = [each for each in found["functions"] if each["function"] == "play"]
    assert play["calls"] == legal


def test_the_slowest_answer_is_named_as_joute_debug_takes_it(run, tmp_path, kept):
    outcome = run("profile", tmp_path / "mine.py", kept, "--positions", 3, "--lines", 1)
    assert outcome.code == 0
    assert "3 answers of " in outcome.out
    assert f"    joute debug {kept}" in outcome.out
    assert "mine.py:2 weigh" in outcome.out
    assert "more; --lines shows them" in outcome.out
    french = run("profile", tmp_path / "mine.py", kept, "--positions", 1, "--lang", "fr").out
    assert "1 réponse de" in french
    assert "de processeur sous le profileur" in french


def test_of_a_program_there_are_times_alone(run, tmp_path):
    asked = (bot(tmp_path, PROGRAM, "mine.sh"), "--param", "size=3", "--positions", 2)
    code, found = profiled(run, *asked)
    assert code == 0
    assert found["functions"] is None
    assert [each["fault"] for each in found["answers"]] == ["", ""]
    assert "bots in Python only" in run("profile", *asked).out


def test_a_bot_that_never_answers_is_timed_and_not_looked_at_any_further(run, tmp_path):
    never = "def play(observation, clock):\n    while True:\n        pass\n"
    asked = ("--param", "size=3", "--positions", 2, "--move-seconds", 0.1)
    outcome = run("profile", bot(tmp_path, never), *asked)
    assert outcome.code == 1
    assert "too slow: 2" in outcome.out and "No answer was in order" in outcome.out


LOOPS_LATER = """
import sys
turns = 0

def search():
    while True:
        pass

def play(observation, clock):
    global turns
    turns += "cProfile" in sys.modules
    if turns == 2:
        search()
    return observation["legal"][0]
"""


def test_a_turn_that_never_ends_under_the_profiler_is_interrupted_and_shown(run, tmp_path):
    asked = ("--param", "size=3", "--positions", 4, "--move-seconds", 0.05)
    mine = bot(tmp_path, LOOPS_LATER)
    code, found = profiled(run, mine, *asked)
    assert code == 0
    assert len(found["answers"]) == 4
    assert found["interrupted"] in [each["place"] for each in found["answers"]]
    assert found["functions"][0]["function"] == "search"
    assert "was interrupted: ply" in run("profile", mine, *asked).out


def test_a_bot_that_goes_on_though_it_is_interrupted_is_ended(run, tmp_path):
    ignores = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n"
    stubborn = ignores + LOOPS_LATER
    asked = ("--param", "size=3", "--positions", 4, "--move-seconds", 0.05)
    code, found = profiled(run, bot(tmp_path, stubborn), *asked)
    assert code == 0
    assert len(found["answers"]) == 4 and found["functions"] == []
    assert found["interrupted"]


def test_an_answer_that_is_a_fault_is_counted_and_makes_the_code_1(run, tmp_path):
    asked = ("--param", "size=3", "--positions", 2)
    outcome = run("profile", bot(tmp_path, LEAVES), *asked)
    assert outcome.code == 1
    assert "crash: 2" in outcome.out
    assert "its process ended with status" in outcome.out
    assert "No answer was in order" in outcome.out


def test_a_fault_is_shown_with_what_the_bot_printed(run, tmp_path):
    source = "def play(observation, clock):\n    print('no weights')\n    return 1 / 0\n"
    outcome = run("profile", bot(tmp_path, source), "--param", "size=3", "--positions", 2)
    assert outcome.code == 1
    assert "it printed:" in outcome.out and "| no weights" in outcome.out


def test_a_bot_that_does_not_start_is_asked_once_a_game(run, tmp_path):
    asked = ("--param", "size=3", "--positions", 100)
    code, found = profiled(run, bot(tmp_path, "import nothing_there"), *asked)
    assert code == 1
    assert {each["fault"] for each in found["answers"]} == {"start-up"}
    assert len(found["answers"]) < 10


def test_no_times_are_told_of_a_bot_that_does_not_start(run, tmp_path):
    outcome = run("profile", bot(tmp_path, "import nothing_there"), "--param", "size=3")
    assert "did not start" in outcome.out and "median" not in outcome.out


def test_breakpoint_does_not_stop_a_profile(run, tmp_path):
    source = "def play(observation, clock):\n    breakpoint()\n"
    outcome = run("profile", bot(tmp_path, source), "--param", "size=3", "--positions", 1)
    assert outcome.code == 1
    assert "pdb.py" not in outcome.out


def test_games_in_which_nobody_was_asked_are_refused(run, tmp_path):
    broken = bot(tmp_path, "import nothing_there", "broken.py")
    bots = [str(broken), "builtin:random"]
    run_match("virus", {"size": 3}, bots, 2, workers=1, folder=tmp_path / "kept")
    outcome = run("profile", broken, tmp_path / "kept" / "records")
    assert outcome.code == 2
    assert "no bot was asked anything" in outcome.err


def test_a_parameter_beside_records_is_refused(run, tmp_path, record):
    outcome = run("profile", bot(tmp_path, WEIGHS), record, "--param", "size=3")
    assert outcome.code == 2
    assert "leave --param out" in outcome.err


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        ([3.0], (3.0, 3.0, 3.0)),
        ([4.0, 1.0, 2.0, 3.0], (2.5, 4.0, 4.0)),
        ([float(number) for number in range(100, 0, -1)], (50.5, 95.0, 100.0)),
    ],
)
def test_times_are_summed_up_by_rank(times, expected):
    assert tuple(summary(times)) == expected
