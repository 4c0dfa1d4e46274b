"""Replays as files, and a bot asked at a ply: what the command line makes of a record."""

import json

import pytest

from joute.play.record import read_record

pytestmark = pytest.mark.game("virus")


def chosen(path, fault=False):
    """The ply of a record that a bot chose, or failed at, in the middle of the game."""
    plies = [p for p in read_record(path.read_bytes()).plies if p["by"] == "bot"]
    wanted = [p for p in plies if ("fault" in p) == fault]
    return wanted[len(wanted) // 2]


def test_a_game_is_written_as_a_page(run, record, tmp_path):
    page = tmp_path / "game.html"
    outcome = run("replay", record, "--html", page)
    text = page.read_text("utf-8")
    assert outcome.code == 0 and f"written: {page}" in outcome.out
    assert text.startswith("<!doctype html>") and "ann against bob" in text
    run("replay", record, "--html", page, "--lang", "fr")
    assert "ann contre bob" in page.read_text("utf-8")


def test_a_record_that_is_not_true_becomes_no_page(run, record, tmp_path):
    broken = tmp_path / "broken.jsonl"
    broken.write_bytes(record.read_bytes().replace(b"bob", b"rob", 1))
    outcome = run("replay", broken, "--html", tmp_path / "game.html")
    assert outcome.code == 1 and "broken.jsonl, line 1: " in outcome.err
    assert not (tmp_path / "game.html").exists()


def test_a_bot_is_asked_what_it_would_play_after_a_ply(run, record):
    ply = chosen(record)
    outcome = run("replay", record, "--at", ply["ply"], "--bot", "builtin:greedy")
    name = ("ann", "bob")[ply["player"]]
    assert outcome.code == 0
    assert f"ply {ply['ply'] + 1}: {name} played {ply['text']}" in outcome.out
    assert "builtin:greedy plays " in outcome.out and outcome.out.count("stones:") == 1


def test_what_a_bot_sees_there_and_answers_is_printed_as_data(run, record):
    ply = chosen(record)
    outcome = run("replay", record, "--at", ply["ply"], "--bot", "builtin:greedy", "--json")
    told = json.loads(outcome.out)
    assert told["observation"]["to_move"] == ply["player"] and told["ply"] == ply["ply"]
    assert told["answer"]["fault"] is None and told["answer"]["action"]


def test_a_failure_is_reproduced(run, faulty_record, failing_bot):
    ply = chosen(faulty_record, fault=True)
    outcome = run("replay", faulty_record, "--at", ply["ply"], "--bot", failing_bot)
    assert outcome.code == 1
    assert "fails here:" in outcome.out and "RuntimeError: no idea" in outcome.out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--bot", "builtin:greedy"), "say which with --at"),
        (("--at", 0, "--bot", "builtin:greedy"), "nobody chose after it"),
        (("--at", 999, "--bot", "builtin:greedy"), "nobody chose after it"),
        (("--at", 3, "--bot", "nowhere.py"), "nowhere.py"),
        (("--at", 3, "--bot", "builtin:fill"), "fill"),
    ],
)
def test_a_question_that_cannot_be_asked_is_refused(run, record, options, said):
    outcome = run("replay", record, *options)
    assert outcome.code == 2 and said in outcome.err
