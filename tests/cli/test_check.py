import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from web.entered import NETWORK

from joute.cli.checking import CHECKS, Reasons
from joute.cli.playing.session import make_spec
from joute.cli.trial import Reply, Trial
from joute.core.interface import legal, mover, pending, properties
from joute.core.registry import make
from joute.host.protocol import Fault, InfrastructureError
from joute.play.game import usual_costs
from joute.play.referee import play_game
from joute.play.seats import answer as answered
from joute.play.seats import open_seat
from joute.play.trial_positions import drawn, recorded, told

pytestmark = pytest.mark.game("virus")

EXAMPLES = Path(__file__).parents[2] / "examples"

BOTS = {
    "good": "def play(observation, clock):\n    return observation['legal'][0]\n",
    "illegal": "def play(observation, clock):\n    return 0\n",
    "endless": "def play(observation, clock):\n    while True:\n        pass\n",
    "dead": "import nothing_of_this_name\n\ndef play(observation, clock):\n    return 0\n",
    "talking": (
        "def play(observation, clock):\n    print('I give up')\n    raise RuntimeError('no idea')\n"
    ),
    "random": (
        "import os\n\n"
        "def play(observation, clock):\n"
        "    legal = observation['legal']\n"
        "    return legal[int.from_bytes(os.urandom(4), 'big') % len(legal)]\n"
    ),
}


@pytest.fixture
def bot(tmp_path):
    def write(name: str):
        path = tmp_path / f"{name}.py"
        path.write_text(BOTS[name], encoding="utf-8")
        return path

    return write


def _findings(run, *arguments):
    outcome = run("check", *arguments, "--json")
    return outcome.code, {each["check"]: each for each in json.loads(outcome.out)}


def test_a_good_bot_passes_every_check(run, bot):
    outcome = run("check", bot("good"))
    assert outcome.code == 0, outcome.out
    for check in ("start", *CHECKS):
        assert f"ok       {check}: " in outcome.out
    assert "of 10 s" in outcome.out
    assert "failed" not in outcome.out


def test_what_the_slowest_answer_took_and_what_is_allowed_are_numbers(run, tmp_path):
    path = tmp_path / "asleep.py"
    path.write_text("import time\n\ndef play(observation, clock):\n    time.sleep(60)\n")
    skipped = ("--skip", "games", "--skip", "determinism")
    code, findings = _findings(run, path, "--move-seconds", "0.1", *skipped)
    assert code == 1 and not findings["time"]["ok"]
    assert findings["time"]["allowed_ms"] == 100
    assert findings["time"]["took_ms"] < 100 < findings["time"]["wall_ms"]
    assert findings["start"]["took_ms"] < findings["start"]["allowed_ms"] == 10_000
    assert findings["positions"]["took_ms"] is None


def test_a_bot_that_is_late_again_and_again_is_not_played_or_asked_on(run, bot):
    code, findings = _findings(run, bot("endless"), "--move-seconds", "0.1")
    assert code == 1
    assert "3 faults in 3 turns" in findings["games"]["said"]
    assert "3 of 3 positions" in findings["positions"]["said"]


def test_a_bot_that_does_not_start_is_told_why_and_not_tried_further(run, bot):
    code, findings = _findings(run, bot("dead"))
    assert code == 1
    assert list(findings) == ["start"]
    assert "nothing_of_this_name" in "\n".join(findings["start"]["detail"])


@pytest.mark.parametrize("program", ["true", "false", "cat"])
def test_an_interpreter_that_is_no_python_is_not_told_as_a_busy_machine(run, bot, program):
    outcome = run("check", bot("good"), "--python", shutil.which(program))
    assert outcome.code == 2 and outcome.out == ""
    assert f"--python: {shutil.which(program)} is no Python 3" in outcome.err


def test_an_illegal_answer_fails_the_games_and_the_positions(run, bot):
    code, findings = _findings(run, bot("illegal"))
    assert code == 1
    for check in ("games", "positions"):
        assert not findings[check]["ok"]
        assert "illegal action" in findings[check]["detail"]


def test_a_crash_is_shown_with_its_traceback_and_what_the_bot_printed(run, bot):
    outcome = run("check", bot("talking"))
    assert outcome.code == 1
    assert "RuntimeError: no idea" in outcome.out
    assert "talking.py" in outcome.out
    assert "it printed:" in outcome.out
    assert "I give up" in outcome.out
    assert "Traceback" not in outcome.err


def test_illegal_answers_that_differ_in_numbers_leave_room_for_a_crash():
    reasons = Reasons()
    for number in range(5):
        reason = f"play answered {{'move': {number}}}: expected a whole number"
        reasons.add(Fault.ILLEGAL, ("illegal action", reason), f"ply {number}")
    reasons.add(Fault.CRASH, ("crash", "KeyError: 'grids'"), "ply 9")
    lines = "\n".join(reasons.listed())
    assert "{'move': 0}" in lines and "{'move': 1}" not in lines
    assert "KeyError: 'grids'" in lines


def test_illegal_answers_for_two_reasons_are_both_told():
    reasons = Reasons()
    for reason in ("1 is not legal: there is a stone on b1", "2 is not legal: c1 touches no stone"):
        reasons.add(Fault.ILLEGAL, ("illegal action", reason), "ply 1")
    assert sum("is not legal" in line for line in reasons.listed()) == 2


def test_late_answers_are_one_reason_however_late_each_was():
    reasons = Reasons()
    reasons.add(Fault.TIMEOUT, ("too late", "after 1013 ms"), "move 3")
    reasons.add(Fault.TIMEOUT, ("too late", "after 1014 ms"), "move 5")
    reasons.add(Fault.ILLEGAL, ("illegal", "0 is taken"), "move 7")
    reasons.add(Fault.ILLEGAL, ("illegal", "0 is taken"), "move 9")
    told = "\n".join(reasons.listed())
    assert told.count("late") == told.count("illegal") == 1
    assert "move 3" in told and "move 7" in told


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("return observation['grille']", "no key 'grille': use 'grid'"),
        ("import helper\n    return helper.f()", "the mistake shows in helper.py, line 2"),
    ],
)
def test_a_usual_mistake_ends_in_what_to_do(run, tmp_path, text, hint):
    (tmp_path / "bot.py").write_text(f"def play(observation, clock):\n    {text}\n")
    (tmp_path / "helper.py").write_text("def f():\n    return 1 / 0\n")
    skipped = [word for name in CHECKS if name != "positions" for word in ("--skip", name)]
    outcome = run("check", tmp_path / "bot.py", *skipped)
    assert outcome.code == 1
    assert f"         → {hint}" in outcome.out or f"→ an observation has {hint}" in outcome.out


@pytest.mark.game("love-letter")
def test_where_games_are_short_more_of_them_are_played(run, tmp_path):
    text = "ASKED = []\ndef play(observation, clock):\n    ASKED.append(1)\n"
    text += "    return observation['legal'][0 if len(ASKED) < 3 else 99]\n"
    (tmp_path / "bot.py").write_text(text)
    skipped = [word for name in CHECKS if name != "games" for word in ("--skip", name)]
    outcome = run("check", tmp_path / "bot.py", "--game", "love-letter", *skipped)
    assert outcome.code == 1 and "IndexError" in outcome.out


@pytest.mark.parametrize(
    ("bot", "name", "content"),
    [
        ("crlf.sh", "crlf.sh", "#!/bin/sh\r\nread x\r\n"),
        ("program:python3 nope", "other.py", ""),
    ],
)
def test_of_what_cannot_be_run_the_reason_is_looked_for_in_its_names(
    run, tmp_path, monkeypatch, bot, name, content
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text(content, newline="")
    (tmp_path / name).chmod(0o755)
    outcome = run("check", bot)
    assert outcome.code == 1 and "as on Windows (CRLF)" in outcome.out


def test_a_bot_that_draws_at_random_is_fine_but_told_that_it_cannot_be_repeated(run, bot):
    code, findings = _findings(run, bot("random"))
    assert code == 0
    assert [check for check, each in findings.items() if not each["ok"]] == ["determinism"]
    assert findings["determinism"]["detail"] and findings["determinism"]["remark"]
    outcome = run("check", bot("random"), "--skip", "games")
    assert outcome.code == 0
    assert "remark   determinism: it answers differently" in outcome.out


class Busy:
    """A seat whose machine is too busy to tell anything of the bot."""

    def __init__(self, last_try):
        self.last_try = last_try

    def start(self, message):
        return replace(answered(), fault=Fault.INFRASTRUCTURE, detail=BUSY)

    def close(self):
        pass


BUSY = "no answer after 12.03 s on the wall, of which others had the machine for 10.89 s"


def test_what_a_busy_machine_kept_from_being_told_is_tried_again(run, bot, monkeypatch):
    def opened(seat, spec, game, human):
        return Busy(spec.last_try) if not spec.last_try else open_seat(seat, spec, game, human)

    def played(spec):
        if not spec.last_try:
            raise InfrastructureError(BUSY)
        return play_game(spec)

    monkeypatch.setattr("joute.cli.trial.open_seat", opened)
    monkeypatch.setattr("joute.cli.checking.play_game", played)
    code, findings = _findings(run, bot("good"), "--param", "size=4")
    assert code == 0
    assert [name for name, each in findings.items() if each["ok"]] == ["start", *CHECKS]


def test_what_cannot_be_told_on_a_busy_machine_is_said_to_be_unknown(run, bot, monkeypatch):
    def never(*given):
        raise InfrastructureError(BUSY)

    monkeypatch.setattr("joute.cli.checking.play_game", never)
    outcome = run("check", bot("good"), "--skip", "positions", "--skip", "determinism")
    assert outcome.code == 1
    assert f"unknown  games: this cannot be told now, for the machine is too busy ({BUSY})" in (
        outcome.out
    )
    asked = Trial.ask
    busy = Reply(None, "", "infrastructure", ("fault", f"  | {BUSY}"), 0.0, 0.0)
    monkeypatch.setattr(Trial, "ask", lambda trial, position: busy)
    rest = [word for name in CHECKS if name != "positions" for word in ("--skip", name)]
    outcome = run("check", bot("good"), *rest)
    assert f"unknown  positions: this cannot be told now, for the machine is too busy ({BUSY})" in (
        outcome.out
    )
    monkeypatch.setattr(Trial, "ask", asked)
    monkeypatch.setattr("joute.cli.trial.open_seat", lambda *given: Busy(last_try=True))
    outcome = run("check", bot("good"), "--lang", "fr")
    assert "inconnu  démarrage\u202f: on ne peut pas le dire maintenant" in outcome.out


# What a bot is tried in.


def test_the_first_line_says_the_game_its_size_and_the_clock(run, bot):
    skipped = [word for name in CHECKS for word in ("--skip", name)]
    outcome = run("check", bot("good"), *skipped, "--param", "size=5", "--move-seconds", "2.5")
    assert outcome.out.splitlines()[0] == "virus size=5 voluntary_pass=true, 2.5 s a turn"
    outcome = run("check", bot("good"), *skipped, "--lang", "fr")
    assert outcome.out.splitlines()[0] == "virus size=10 voluntary_pass=true, 10 s par tour"


@pytest.mark.game("tron")
def test_a_project_is_checked_by_its_own_contest(run, tmp_path):
    run("new", tmp_path / "mine", "--game", "tron")
    bot, contest = tmp_path / "mine" / "bot.py", tmp_path / "mine" / "contest.toml"
    skipped = ("--skip", "games", "--skip", "determinism")
    for named in (bot, bot.parent):
        outcome = run("check", named, *skipped)
        assert outcome.code == 0, outcome.out
        assert outcome.out.startswith("tron ")
        assert outcome.out.splitlines()[0].endswith(f"({contest})")
    outcome = run("check", bot, "--game", "virus", *skipped)
    assert outcome.out.startswith("virus ") and str(contest) not in outcome.out


def test_a_bot_of_one_file_is_told_that_the_data_that_it_names_beside_it_is_out_of_reach(
    run, bot, tmp_path
):
    path = bot("good")
    path.write_text(path.read_text() + "\nWEIGHTS = 'data/../weights.json'\n", encoding="utf-8")
    (tmp_path / "weights.json").write_text("[]")
    (tmp_path / "unnamed.json").write_text("[]")
    skipped = [word for name in CHECKS for word in ("--skip", name)]
    code, findings = _findings(run, path, *skipped)
    assert code == 0 and findings["start"]["ok"]
    [line] = findings["start"]["detail"]
    assert "good.py names weights.json beside it" in line
    played = run("match", "virus", path, "builtin:random", "--games", "2", "--param", "size=3")
    assert "names weights.json beside it" in played.err


def test_an_attempt_at_the_network_is_told_once(run, tmp_path):
    path = tmp_path / "bot.py"
    path.write_bytes(NETWORK)
    _, findings = _findings(run, path, "--skip", "determinism", "--skip", "positions")
    assert not findings["isolation"]["ok"] and "network" in findings["isolation"]["said"]
    assert findings["games"]["ok"]


def test_a_check_can_be_left_out(run, bot):
    code, findings = _findings(run, bot("random"), "--skip", "determinism", "--skip", "games")
    assert code == 0
    assert list(findings) == ["start", "positions", "time"]


def test_a_built_in_bot_and_a_small_board_can_be_checked(run):
    code, findings = _findings(run, "builtin:greedy", "--param", "size=4")
    assert code == 0, findings


def test_the_findings_are_said_in_french_too(run, bot):
    outcome = run("check", bot("good"), "--lang", "fr")
    assert "ok       déterminisme\u202f: " in outcome.out
    slowest = [line for line in outcome.out.splitlines() if re.match(r" {9}\d", line)]
    assert slowest and all("\u202f: " in line for line in slowest)


def test_what_went_wrong_stands_under_its_place_and_a_colon_in_french(run, bot):
    outcome = run("check", bot("illegal"), "--lang", "fr")
    assert re.search(r"^ +coup \d+ contre \S+\u202f:$", outcome.out, re.MULTILINE)


def test_the_recorded_positions_are_of_this_game_and_somebody_is_to_move():
    game = make("virus")
    out = [0] * properties(game).max_legal
    positions = recorded(game)
    assert {position.player for position in positions} == {0, 1}
    counts = [legal(game, position.state, out) for position in positions]
    assert max(counts) >= 35
    assert min(counts) == 1


@pytest.mark.game("tron")
def test_recorded_positions_are_left_out_on_another_board():
    assert recorded(make("virus", size=6)) == []
    assert recorded(make("tron")) == []


def test_drawn_positions_are_the_same_every_time_and_ask_every_seat():
    game = make("virus", size=6)
    positions = drawn(game, 6)
    assert positions == drawn(game, 6)
    assert [position.player for position in positions] == [0, 1] * 3
    for position in positions:
        assert mover(game, position.state) == position.player


def test_what_was_told_on_the_way_to_a_position_are_its_actions():
    game = make("virus", size=6)
    for position in drawn(game, 4):
        events = told(game, position)
        assert [event["action"] for event in events] == position.actions


@pytest.mark.game("vampires")
def test_positions_are_drawn_where_a_turn_begins():
    game = make("vampires", plies=20)
    assert all(pending(game, position.state) == 0 for position in drawn(game, 6))


@pytest.mark.game("vampires")
def test_a_bot_that_answers_whole_orders_passes_every_check(run, tmp_path):
    run("new", tmp_path / "mine", "--game", "vampires")
    code, findings = _findings(run, tmp_path / "mine" / "bot.py", "--game", "vampires")
    assert code == 0, findings
    (tmp_path / "wrong.py").write_text("def play(observation, clock):\n    return '9,9 > 9,8'\n")
    code, findings = _findings(run, tmp_path / "wrong.py", "--game", "vampires")
    assert code == 1
    assert "rule 2, move 1: 9,9 is off the grid" in "\n".join(findings["positions"]["detail"])


# Against a contest's file.

CONTEST = """
bots = ["nobody.py", "builtin:random"]
[game]
size = 5
[limits]
move_seconds = 3
[submission]
required = ["README*"]
forbidden_imports = ["colorsys"]
"""
QUICK = ("--skip", "determinism", "--skip", "positions")


@pytest.fixture
def contest(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text(CONTEST, encoding="utf-8")
    return path


def test_a_bot_is_checked_by_the_rules_of_a_contest(run, bot, contest):
    code, findings = _findings(run, bot("good"), "--contest", contest, *QUICK)
    assert code == 1
    assert findings["submission"]["detail"] == ["there is no file README*"]
    assert [check for check, each in findings.items() if not each["ok"]] == ["submission"]
    assert "of 3 s" in findings["time"]["said"]
    (contest.parent / "readme.md").touch()
    code, findings = _findings(run, bot("good"), "--contest", contest, *QUICK)
    assert code == 0
    assert "as the contest asks" in findings["submission"]["said"]


def test_a_forbidden_import_is_shown_with_its_file_and_line(run, bot, contest):
    path = bot("good")
    path.write_text(f"import os\nimport colorsys\n{BOTS['good']}")
    outcome = run("check", path, "--contest", contest, *QUICK, "--skip", "games")
    assert outcome.code == 1
    assert "good.py, line 2: imports colorsys, which the contest forbids" in outcome.out
    path.write_text("def (:\n")
    outcome = run("check", path, "--contest", contest, "--lang", "fr")
    assert "good.py, ligne 1\u202f: illisible\u202f: " in outcome.out


@pytest.mark.parametrize(
    "option", [("--game", "virus"), ("--param", "size=5"), ("--move-seconds", "1")]
)
def test_what_a_contest_s_file_says_is_not_said_again(run, bot, contest, option):
    outcome = run("check", bot("good"), "--contest", contest, *option)
    assert outcome.code == 2
    assert f"leave {option[0]} out" in outcome.err


def test_a_contest_without_a_rule_for_files_finds_nothing_wrong_with_them(run, contest):
    contest.write_text("bots = []\n[game]\nsize = 4\n")
    code, findings = _findings(run, "builtin:greedy", "--contest", contest, *QUICK)
    assert (code, findings["submission"]["ok"]) == (0, True)


# Games with rules of their own for faults, and programs that connect.


@pytest.mark.game("vampires")
def test_a_fault_costs_what_the_game_says(run, tmp_path):
    (tmp_path / "wrong.py").write_text("def play(observation, clock):\n    return '9,9 > 9,8'\n")
    arguments = ("--game", "vampires", "--param", "plies=6", *QUICK)
    code, findings = _findings(run, tmp_path / "wrong.py", *arguments)
    assert code == 1
    assert findings["games"]["said"].startswith("4 faults in 4 turns")  # a game ends with the first
    spec = make_spec("vampires", {}, ["builtin:random"] * 2, 1.0, "seed")
    assert spec.costs == usual_costs("vampires") != usual_costs("virus")


@pytest.mark.game("vampires")
def test_a_program_that_connects_can_be_checked(run):
    program = f"tcp:python3 {EXAMPLES / 'vampires' / 'bots' / 'chasseur.py'}"
    code, findings = _findings(
        run, program, "--game", "vampires", "--param", "plies=4", "--skip", "determinism"
    )
    assert code == 0, findings
    assert findings["positions"]["ok"]
    assert float(findings["time"]["said"].split()[1]) > 0
    outcome = run("check", program, "--game", "virus")
    assert outcome.code == 2
    assert "play vampires, and no other game" in outcome.err


def test_a_bot_that_cannot_be_built_fails_with_the_words_of_its_build(run, tmp_path):
    order = '[build]\ncommand = "seq 40; exit 7"\n'
    (tmp_path / "joute.toml").write_text(order)
    outcome = run("check", tmp_path)
    assert outcome.code == 1
    assert "failed   build: it could not be built: the command 'seq 40; exit 7'" in outcome.out
    assert "| 30" in outcome.out and "| 31" not in outcome.out
    assert "(10 more lines)" in outcome.out and "start" not in outcome.out
    code, findings = _findings(run, tmp_path)
    assert code == 1 and list(findings) == ["build"] and not findings["build"]["ok"]


def test_a_match_of_a_bot_that_cannot_be_built_ends_as_a_failed_check(run, tmp_path):
    (tmp_path / "joute.toml").write_text('[build]\ncommand = "exit 7"\n')
    outcome = run("match", "virus", tmp_path, "builtin:random")
    assert outcome.code == 1
    assert "the command 'exit 7' ended with status 7" in outcome.err
    assert run("match", "virus", tmp_path, tmp_path / "none.py").code == 2


def test_a_build_that_only_looks_at_the_sources_is_not_said_to_have_made_files(run, tmp_path):
    (tmp_path / "bot.sh").write_text("#!/bin/sh\nexit 0\n")
    (tmp_path / "joute.toml").write_text('[build]\ncommand = "sh -n bot.sh"\nbot = "./bot.sh"\n')
    _, findings = _findings(run, tmp_path)
    assert findings["build"]["ok"]
    assert findings["build"]["said"].startswith("'sh -n bot.sh' ended well after ")


def test_a_build_that_makes_no_bot_fails_and_is_told_as_whole_json(run, tmp_path):
    (tmp_path / "joute.toml").write_text('[build]\ncommand = "cp /bin/true bt"\n')
    code, findings = _findings(run, tmp_path)
    assert code == 1 and list(findings) == ["build"] and not findings["build"]["ok"]
    assert (
        "the build made no bot './bot': bot './bot': no file or folder bot;"
        in (findings["build"]["said"])
    )


def test_the_seconds_of_a_turn_are_written_as_the_language_writes_them(run, bot):
    skipped = [option for check in CHECKS for option in ("--skip", check)]
    outcome = run("check", bot("good"), "--move-seconds", "0.5", *skipped, "--lang", "fr")
    assert "0,5 s par tour" in outcome.out
