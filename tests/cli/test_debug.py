"""One position of a record, with the bot in the user's own terminal."""

import os
import signal
from pathlib import Path

import pytest
from cli.apart import run_apart
from games.mistakes import in_french
from helpers import need
from host.sources import IN_C, written

from joute.host.child import errors
from joute.play.record import read_record

pytestmark = pytest.mark.game("virus")

STOPS = """
def play(observation, clock):
    best = observation["legal"][0]
    breakpoint()
    return best
"""
FAILS = """
def deeper(number):
    return 1 / number

def play(observation, clock):
    return deeper(0)
"""
LOOPS = """
def play(observation, clock):
    print("thinking", flush=True)
    while True:
        pass
"""
PROGRAM = """#!/bin/sh
while read -r line; do
  case "$line" in
    *'"type":"start"'*) echo '{"type":"ready"}' ;;
    *'"type":"play"'*) echo "asked now" >&2; echo '{"type":"action","action":ACTION}' ;;
  esac
done
"""


@pytest.fixture
def place(record):
    """The position after three plies, as the command takes it."""
    return f"{record}@3"


@pytest.fixture
def played(record):
    """The line of the record on what was played there."""
    lines = read_record(record.read_bytes()).plies
    assert lines[3]["by"] == "bot"
    return lines[3]


def bot(folder, source, name="mine.py"):
    path = folder / name
    path.write_text(source)
    path.chmod(0o755)
    return path


def test_breakpoint_opens_the_debugger_at_the_bots_line(terminal, tmp_path, place, played):
    screen = terminal("debug", place, bot(tmp_path, STOPS))
    before = screen.wait_for("(Pdb) ")
    name = ("ann", "bob")[played["player"]]
    assert f"ply 4: {name} played {played['text']}" in before
    assert "no clock runs" in before
    assert "mine.py(5)play()" in before
    screen.press("p 'best', best in observation['legal']\n")
    screen.wait_for("('best', True)")
    screen.press("c\n")
    screen.wait_for("which is legal.")
    assert screen.process.wait() == 0
    assert screen.as_before()


def test_a_debugger_that_is_left_is_told_as_such(terminal, tmp_path, place):
    screen = terminal("debug", place, bot(tmp_path, STOPS))
    screen.wait_for("(Pdb) ")
    screen.press("q\n")
    told = screen.wait_for("did not answer.")
    assert "You left the debugger" in told
    assert "Traceback" not in told
    assert screen.process.wait() == 1


def test_post_mortem_opens_it_where_the_bot_fails(terminal, tmp_path, place):
    screen = terminal("debug", place, bot(tmp_path, FAILS), "--post-mortem")
    assert "ZeroDivisionError" in screen.wait_for("(Pdb) ")
    screen.press("p 'number', number\n")
    screen.wait_for("('number', 0)")
    screen.press("q\n")
    screen.wait_for("fails here:")
    assert screen.process.wait() == 1


def test_ctrl_c_says_where_the_bot_was(terminal, tmp_path, place):
    screen = terminal("debug", place, bot(tmp_path, LOOPS), "--fresh")
    screen.wait_for("thinking")
    os.kill(_child(screen.process.pid), signal.SIGINT)
    assert 'mine.py", line ' in screen.wait_for("KeyboardInterrupt")
    assert screen.process.wait() == 1


COUNTS = """
import sys

class Bot:
    turns = 0

    def play(self, observation, clock):
        self.turns += 1
        print("turn", self.turns, flush=True)
        print("error", self.turns, file=sys.stderr, flush=True)
        if self.turns == 1:
            raise ValueError
        breakpoint() if STOPS else None
        return observation["legal"][0]
"""


def counting(folder, stops=False):
    return bot(folder, COUNTS.replace("STOPS", str(stops)))


def test_a_bot_with_state_has_had_its_earlier_turns_which_show_nothing(tmp_path, record):
    turns = [line for line in read_record(record.read_bytes()).plies if line["by"] == "bot"]
    last = turns[-1]
    count = sum(line["player"] == last["player"] for line in turns)
    place, mine = f"{record}@{last['ply']}", counting(tmp_path)
    outcome = run_apart("debug", place, mine, "--lang", "en")
    assert outcome.code == 0
    assert f"in the earlier turns of its seat first, {count - 1} in all" in outcome.out
    printed = [line for line in outcome.out.splitlines() if line.startswith("turn ")]
    assert printed == [f"turn {count}"]
    assert outcome.err == f"error {count}\n"
    assert f" of {count - 1} are those of the record." in outcome.out
    alone = run_apart("debug", place, mine, "--fresh", "--lang", "en")
    assert alone.code == 1  # it fails in its first turn
    assert "earlier turns" not in alone.out
    assert alone.out.count("turn 1") == 1


def test_no_breakpoint_stops_in_earlier_turns(terminal, tmp_path, record):
    [*_, last] = [line for line in read_record(record.read_bytes()).plies if line["by"] == "bot"]
    screen = terminal("debug", f"{record}@{last['ply']}", counting(tmp_path, stops=True))
    assert screen.wait_for("(Pdb) ").count("\nturn ") == 1
    screen.press("c\n")
    screen.wait_for("which is legal.")
    assert screen.process.wait() == 0


def test_a_bot_that_ends_in_an_earlier_turn_fails_there(run, tmp_path, record):
    [*_, last] = [line for line in read_record(record.read_bytes()).plies if line["by"] == "bot"]
    mine = bot(tmp_path, "import os\ndef play(observation, clock): os._exit(7)\n")
    outcome = run("debug", f"{record}@{last['ply']}", mine)
    assert outcome.code == 1
    assert "its process ended with status 7" in outcome.out


def test_what_a_bot_is_told_in_its_earlier_turns_is_told_once(run, tmp_path, record):
    source = "def ia(game, side):\n    raise ValueError((len(game['history']),))\n"
    [*_, last] = [line for line in read_record(record.read_bytes()).plies if line["by"] == "bot"]
    for words in ([], ["--fresh"]):
        outcome = run("debug", f"{record}@{last['ply']}", bot(tmp_path, source), *words)
        assert f"ValueError: ({last['ply'] - 1},)" in outcome.out  # all but the draw


def _child(pid):
    """The process that the command started."""
    return int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])


def test_an_illegal_answer_is_told_with_the_rule_that_it_breaks(run, tmp_path, place):
    outcome = run("debug", place, bot(tmp_path, "def play(observation, clock): return 999"))
    assert outcome.code == 1
    assert "999 is off the grid" in outcome.out


def test_a_bot_hears_the_names_and_the_seed_of_the_game(run, tmp_path, place, played):
    source = """
class Bot:
    def start(self, info):
        self.info = info
    def play(self, observation, clock):
        raise ValueError((self.info["names"], self.info["seed"]))
"""
    mine = bot(tmp_path, source)
    told = [
        next(line for line in run(*words).out.splitlines() if "ValueError: " in line)
        for words in (("debug", place, mine), ("replay", place[:-2], "--at", 3, "--bot", mine))
    ]
    assert "['ann', 'bob']" in told[0]
    assert told[0] == told[1]


def test_a_program_is_named_by_its_command_and_its_errors_appear(tmp_path, place):
    mine = bot(tmp_path, PROGRAM.replace("ACTION", "1"), "mine.sh")
    outcome = run_apart("debug", place, mine, "--lang", "en")
    assert outcome.code == 0
    assert f"The program: {mine}" in outcome.out
    assert "mine.sh plays b1, which is legal." in outcome.out
    assert outcome.err == 2 * "asked now\n"  # in an earlier turn of its seat too


def test_sources_are_built_and_play_the_position(run, tmp_path, place):
    need("cc")
    mine = written(tmp_path / "in_c", IN_C)
    outcome = run("debug", place, mine)
    assert outcome.code == 0, outcome.err
    assert f"{mine.name} plays" in outcome.out and "which is legal" in outcome.out
    assert f"The program: {tmp_path}" not in outcome.out
    (mine / "bot.c").write_text("int main(void) { return 0 }")
    broken = run("debug", place, mine)
    assert broken.code == 2 and "bot.c:1" in broken.err


def test_what_a_program_answers_is_judged_as_in_a_game(run, tmp_path, place):
    for action, said in ((0, "0, which is not legal here"), ("1 1", "no message of the protocol")):
        outcome = run(
            "debug", place, bot(tmp_path, PROGRAM.replace("ACTION", str(action)), "mine.sh")
        )
        assert outcome.code == 1
        assert said in outcome.out


def test_a_bot_that_does_not_start_says_how_it_ended(run, place):
    outcome = run("debug", place, "program:false")
    assert outcome.code == 1
    assert "its process ended with status 1" in outcome.out


def test_an_interpreter_that_is_not_there_is_told(run, tmp_path, place):
    outcome = run("debug", place, bot(tmp_path, STOPS), "--python", tmp_path / "absent")
    assert outcome.code == 1
    assert "did not start" in outcome.out


@pytest.mark.parametrize(
    ("subject", "player", "said"),
    [
        ("game.jsonl", "builtin:greedy", "expected a position of a record, as in game.jsonl@12"),
        ("{}@999", "builtin:greedy", "nobody chose after ply 999"),
        ("{}@3", "builtin:greedy", "a built-in bot has no process to debug"),
        ("{}@3", "human", "only bots in Python and programs"),
    ],
)
def test_what_cannot_be_debugged_is_refused(run, record, subject, player, said):
    outcome = run("debug", subject.format(record), player)
    assert outcome.code == 2
    assert said in outcome.err


@pytest.mark.parametrize("line", ["breakpoint()", "import pdb; pdb.set_trace()", "input()"])
def test_in_a_game_a_bot_that_wants_a_terminal_is_led_to_joute_debug(run, tmp_path, line):
    mine = bot(tmp_path, f"def play(observation, clock):\n    {line}\n    return 1\n")
    outcome = run("match", "virus", mine, "builtin:random", "--games", 2, "--param", "size=3")
    assert "a bot has no terminal in a game; joute debug RECORD@PLY BOT plays" in outcome.out
    assert "mine.py, line " in outcome.out


def test_that_sentence_is_french_for_who_reads_french():
    try:
        errors.refuse_debugger()
    except errors.NoTerminal as error:
        told = errors.of_terminal(error)
    assert "n’a pas de terminal" in in_french(told)
    assert "test_debug.py, ligne " in in_french(told)
    assert errors.of_terminal(ValueError("no idea")) == ""
