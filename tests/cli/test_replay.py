import json

import pytest
from helpers import PATIENCE
from web.recorded_games import builtin

from joute.cli.replay import move
from joute.cli.steps import quoted, read_game
from joute.cli.terminal import names_of
from joute.play.record import read_record

pytestmark = pytest.mark.game("virus")

THIN = "\N{NARROW NO-BREAK SPACE}"


def test_without_a_terminal_every_ply_is_printed(run, record):
    outcome = run("replay", record)
    plies = read_record(record.read_bytes()).plies
    assert outcome.code == 0
    assert "virus (size=5, voluntary_pass=true): ann (0) - bob (1)" in outcome.out
    assert "before the game" in outcome.out
    for ply in plies:
        assert f"ply {ply['ply'] + 1}: " in outcome.out
    assert f"finished after {len(plies)} plies" in outcome.out
    assert outcome.out.count("stones:") == len(plies) + 1


def test_at_prints_that_ply_and_the_board_after_it(run, record):
    line = read_record(record.read_bytes()).plies[3]
    outcome = run("replay", record, "--at", 4)
    name = ("ann", "bob")[line["player"]]
    assert f"ply 4: {name} plays {line['text']}" in outcome.out
    assert outcome.out.count("stones:") == 1
    assert "finished" not in outcome.out


def test_before_the_first_ply_stands_the_first_position(run, record):
    outcome = run("replay", record, "--at", 0)
    assert "stones: 2 to 2" in outcome.out


def test_a_ply_that_is_not_there_is_refused_with_those_that_are(run, record):
    last = read_record(record.read_bytes()).plies[-1]["ply"] + 1
    outcome = run("replay", record, "--at", 999)
    assert outcome.code == 2
    assert f"the plies are 1 to {last}, and 0 is the start" in outcome.err


def test_a_failure_is_shown_with_its_traceback_and_what_the_bot_printed(run, faulty_record):
    faulty = next(p for p in read_record(faulty_record.read_bytes()).plies if "fault" in p)
    outcome = run("replay", faulty_record, "--at", faulty["ply"] + 1)
    assert "bob failed" in outcome.out
    assert "crash" in outcome.out
    assert "which cost it the turn" in outcome.out
    assert "RuntimeError: no idea" in outcome.out
    assert "I was here" in outcome.out
    assert "ms of CPU" in outcome.out


def test_a_replay_says_what_to_do_about_a_usual_mistake(run, tmp_path):
    bot = tmp_path / "narrow.py"
    bot.write_text("def play(observation): return 1")
    asked = ("--games", 2, "--param", "size=3", "--records", tmp_path / "kept")
    run("match", "virus", "builtin:random", bot, *asked)
    kept, *_ = (tmp_path / "kept" / "records").glob("*.jsonl")
    assert "→ a bot is called as play(observation, clock)" in run("replay", kept).out


def test_a_record_keeps_why_a_bot_failed_in_english_and_shows_it_in_the_readers_language(
    run, tmp_path
):
    bot = tmp_path / "far.py"
    bot.write_text("def play(observation, clock): return 999")
    bots = ("builtin:random", bot)
    asked = ("--games", 2, "--param", "size=3", "--records", tmp_path / "kept", "--lang", "fr")
    match = run("match", "virus", *bots, *asked)
    assert "a répondu 999, qui n’est pas légal ici" in match.out
    kept, *_ = (tmp_path / "kept" / "records").glob("*.jsonl")
    faulty = next(p for p in read_record(kept.read_bytes()).plies if "fault" in p)
    assert faulty["detail"].startswith("answered 999, which is not legal here: 999 is off the grid")
    french = "a répondu 999, qui n’est pas légal ici\u202f: 999 est hors de la grille"
    for language, shown in (("en", faulty["detail"]), ("fr", french)):
        assert f"  | {shown}" in run("replay", kept, "--lang", language).out


def test_what_the_terminal_shows_is_in_french_too(run, faulty_record):
    outcome = run("replay", faulty_record, "--lang", "fr")
    assert "avant la partie" in outcome.out
    assert "ce qui lui coûte le tour" in outcome.out
    assert "terminée après" in outcome.out


def test_the_board_and_the_players_stand_after_a_thin_space_and_a_colon_in_french(run, record):
    printed = run("replay", record, "--at", 0, "--lang", "fr").out
    assert f"(size=5, voluntary_pass=true){THIN}: ann (0) - bob (1)" in printed
    assert f"    pions{THIN}: 2 à 2\n" in printed


def test_json_holds_the_header_the_steps_and_the_end(run, record):
    data = json.loads(run("replay", record, "--json").out)
    plies = read_record(record.read_bytes()).plies
    assert data["header"]["game"] == "virus"
    assert [step["ply"] for step in data["steps"]] == [0, *(line["ply"] + 1 for line in plies)]
    assert data["end"]["ending"] == "finished"
    assert len(json.loads(run("replay", record, "--at", 2, "--json").out)["steps"]) == 1


def test_a_record_that_is_not_true_is_not_shown(run, record, tmp_path):
    changed = tmp_path / "changed.jsonl"
    changed.write_bytes(record.read_bytes().replace(b'"ann"', b'"eve"'))
    outcome = run("replay", changed)
    assert outcome.code == 1
    assert "line 1" in outcome.err
    assert outcome.out == ""


def test_what_a_bot_wrote_cannot_steer_the_terminal():
    assert quoted("a\x1b[2Jb\nc") == ["  | a\N{REPLACEMENT CHARACTER}[2Jb", "  | c"]


def test_keys_lead_where_they_say(faulty_record):
    game = read_game(faulty_record)
    last = len(game.steps) - 1
    faults = [place for place, step in enumerate(game.steps) if "fault" in step.line]
    assert move(game, 0, "right") == 1
    assert move(game, 0, "left") == 0
    assert move(game, 5, "left") == 4
    assert move(game, last, "right") == last
    assert move(game, 3, "home") == 0
    assert move(game, 3, "end") == last
    assert move(game, 0, "n") == faults[0]
    assert move(game, faults[0], "n") == faults[1]
    assert move(game, faults[1], "p") == faults[0]
    assert move(game, faults[0], "p") == faults[0]
    assert move(game, last, "n") == last
    assert move(game, 3, "unknown") == 3


@pytest.mark.parametrize(
    ("sent", "keys"),
    [
        ("q", ["q"]),
        ("\x1b[C\x1b[D", ["right", "left"]),
        ("\x1bOH\x1b[F", ["home", "end"]),
        ("\x1b[1~\x1b[4~", ["home", "end"]),
        ("\x1b", ["escape"]),
        ("\x1b[15~n", ["n"]),
        ("np", ["n", "p"]),
    ],
)
def test_keys_are_known_by_what_terminals_send(sent, keys):
    assert keys == names_of(sent)


def test_on_a_terminal_keys_step_through_the_game_until_q(terminal, faulty_record):
    last = len(read_game(faulty_record).steps) - 1
    screen = terminal("replay", faulty_record)
    screen.wait_for(f"step 0 of {last}")
    screen.press("\x1b[C")
    screen.wait_for(f"step 1 of {last}")
    screen.press("n")
    screen.wait_for("no idea")
    screen.press("\x1b[F")
    assert "finished after" in screen.wait_for(f"step {last} of {last}")
    screen.press("\x1b[H")
    screen.wait_for(f"step 0 of {last}")
    screen.press("q")
    assert screen.process.wait(timeout=PATIENCE) == 0
    screen.wait_for("\x1b[?1049l")


def test_ctrl_c_leaves_the_replay_and_the_terminal_as_it_was(terminal, record):
    screen = terminal("replay", record)
    screen.wait_for("step 0 of")
    screen.process.send_signal(2)
    assert "\x1b[?1049l" in screen.wait_for("interrupted")
    assert screen.process.wait(timeout=PATIENCE) == 3


@pytest.mark.game("vampires")
def test_a_side_without_points_has_them_in_the_singular_in_french(run, tmp_path):
    file = tmp_path / "game.jsonl"
    file.write_bytes(builtin("vampires"))
    assert f"nearest 1{THIN}: 0 point, défaite" in run("replay", file, "--lang", "fr").out
    assert "nearest 1: 0 points, lost" in run("replay", file).out
