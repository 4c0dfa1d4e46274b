import json
import shutil
import sqlite3

import pytest

from joute.cli.usage import FAILED
from joute.cli.verify_export import comparable

pytestmark = pytest.mark.game("virus")

CONTEST = """
bots = ["builtin:random", "builtin:greedy"]
[contest]
games = 2
workers = 1
seed = 1
[game]
size = 4
"""


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """The results' folder of a contest that was played."""
    from joute.cli.main import main

    folder = tmp_path_factory.mktemp("contest")
    config = folder / "small.toml"
    config.write_text(CONTEST, encoding="utf-8")
    assert main(["contest", "run", str(config), "--json"]) == 0
    return folder / "small.results"


def test_a_true_record_is_ok(run, record):
    outcome = run("verify", record)
    assert outcome.code == 0
    assert f"ok      {record}" in outcome.out
    assert "1 record is true, 0 differ" in outcome.out


def test_one_record_is_counted_as_one_in_french_too(run, record, tmp_path):
    false = tmp_path / "false.jsonl"
    false.write_text(record.read_text("utf-8").replace('"by":"bot"', '"by":"opening"', 1), "utf-8")
    outcome = run("verify", record, false, "--lang", "fr")
    assert outcome.code == 1
    assert "1 enregistrement est vrai, 1 diffère\n" in outcome.out


def test_a_changed_record_is_named_with_its_first_line_that_differs(run, record, tmp_path):
    lines = record.read_bytes().splitlines(keepends=True)
    lines[4] = lines[4].replace(b'"ply":3', b'"ply":4')
    changed = tmp_path / "changed.jsonl"
    changed.write_bytes(b"".join(lines))
    outcome = run("verify", changed, record)
    assert outcome.code == 1
    assert f"differs {changed}, line 5" in outcome.out
    assert f"ok      {record}" in outcome.out


def test_a_file_that_is_no_record_is_called_so(run, tmp_path):
    other = tmp_path / "other.jsonl"
    other.write_text("hello\n")
    outcome = run("verify", other)
    assert (outcome.code, "this is not a record of Joute" in outcome.out) == (FAILED, True)


def test_json_says_the_same(run, record):
    [verified] = json.loads(run("verify", record, "--json").out)
    told = {"ok": True, "line": None, "reason": "", "withheld": 0, "checked": True}
    assert verified == {"record": str(record), **told}


def test_a_folder_without_a_record_is_refused(run, tmp_path):
    outcome = run("verify", tmp_path)
    assert outcome.code == 2
    assert str(tmp_path) in outcome.err


def test_all_records_of_a_contest_are_proved(run, results):
    outcome = run("verify", results)
    assert outcome.code == 0
    assert "2 records are true, 0 differ" in outcome.out


def test_a_game_of_the_store_without_its_record_is_missed(run, results, tmp_path):
    copy = shutil.copytree(results, tmp_path / "copy")
    connection = sqlite3.connect(copy / "contest.sqlite")
    connection.execute("DELETE FROM records WHERE game = 1")
    connection.commit()
    [gone] = connection.execute("SELECT identity FROM games WHERE number = 1").fetchone()
    connection.close()
    outcome = run("verify", copy)
    assert outcome.code == 1
    assert "1 record is true, 1 differs" in outcome.out
    assert gone in outcome.out
    assert "its record is gone" in outcome.out
    assert run("verify", copy / "records" / f"{gone}.jsonl").code == 2


def test_a_record_that_the_store_keeps_is_found_by_its_path(run, results):
    path = a_record(results)
    assert not path.exists()
    assert f"ok      {path}" in run("verify", path).out
    assert "random" in run("replay", path, "--at", 0).out
    assert "var games" in run("export", path).out


def test_the_records_of_a_contest_are_exported_as_files_and_proved(run, results, tmp_path):
    outcome = run("export", results, "--format", "jsonl", "-o", tmp_path / "out")
    assert (outcome.code, f"2 games in {tmp_path / 'out'}" in outcome.out) == (0, True)
    assert "2 records are true, 0 differ" in run("verify", tmp_path / "out").out
    assert run("export", results, "--format", "jsonl").code == 2


def test_the_records_of_older_folders_are_files_and_still_proved(run, results, tmp_path):
    old = shutil.copytree(results, tmp_path / "old")
    run("export", results, "--format", "jsonl", "-o", old / "records")
    connection = sqlite3.connect(old / "contest.sqlite")
    connection.execute("DELETE FROM records")
    connection.commit()
    connection.close()
    assert "2 records are true, 0 differ" in run("verify", old).out


def a_record(results):
    """The path of a record that is kept in the store."""
    connection = sqlite3.connect(results / "contest.sqlite")
    [name] = connection.execute("SELECT min(record) FROM games").fetchone()
    connection.close()
    return results / "records" / name


@pytest.mark.parametrize("by", ["folder", "records", "file"])
def test_a_true_record_of_another_game_is_not_what_the_store_knows(run, results, record, by):
    target = a_record(results)
    target.write_bytes(record.read_bytes())
    path = {"folder": results, "records": results / "records", "file": target}[by]
    try:
        outcome = run("verify", path)
    finally:
        target.unlink()
    assert outcome.code == 1
    assert f"differs {target}" in outcome.out
    assert ("is of another game" if by == "folder" else "another last hash") in outcome.out


def test_records_are_exported_as_saves(run, record, tmp_path):
    saves = tmp_path / "saves.js"
    outcome = run("export", record, record, "-o", saves)
    assert outcome.code == 0
    assert f"2 games in {saves}" in outcome.out
    assert saves.read_text(encoding="utf-8") == run("export", record, record).out
    assert "games.ann_bob" in saves.read_text(encoding="utf-8")


def test_a_broken_record_is_not_exported(run, tmp_path):
    other = tmp_path / "other.jsonl"
    other.write_text("hello\n")
    outcome = run("export", other, "-o", tmp_path / "saves.js")
    assert outcome.code == 2
    assert "line 1" in outcome.err
    assert not (tmp_path / "saves.js").exists()


def test_an_unknown_format_is_refused_with_those_there_are(run, record):
    outcome = run("export", record, "--format", "pgn")
    assert outcome.code == 2
    assert "hx2" in outcome.err


def test_a_page_with_a_long_word_of_a_bot_is_compared_in_a_moment():
    word, name = "x" * (1 << 20), f"{'0' * 32}.jsonl"
    lines = comparable(f"{word}\n<a href='there/records/{name}'>")
    assert lines == [word, f"<a href='records/{name}'>"]


def test_results_on_a_server_that_is_not_reached_do_not_differ(run, tmp_path):
    (tmp_path / "store").write_text(f"postgresql://me@/cup?host={tmp_path}\n")
    outcome = run("verify", tmp_path)
    assert (outcome.code, outcome.out) == (2, "")
    assert "not a usable database" in outcome.err
