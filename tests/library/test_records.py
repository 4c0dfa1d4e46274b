"""Records by their paths: files, and those that lie in the store of a contest."""

import json
from pathlib import Path

import pytest
from helpers import games_forgotten
from interop.kinds import CONNECT_FOUR

import joute
from joute.cli.main import main
from joute.interop.data import positions

OWN = "four-of-its-own"  # a name that no other test knows


@pytest.fixture
def four(tmp_path):
    """The file of a game that nobody knows after it was played."""
    file = tmp_path / "games" / "four.py"
    file.parent.mkdir()
    text = Path(CONNECT_FOUR).read_text("utf-8")
    file.write_text(text.replace('"connect-four"', f'"{OWN}"'), "utf-8")
    return file


@pytest.fixture
def results(tmp_path, four):
    """The folder of a contest of that game."""
    folder = tmp_path / "cup.results"
    with games_forgotten():
        contest = joute.contest(
            {
                "contest": {"games": 2, "seed": "cup", "workers": 1, "folder": str(folder)},
                "game": {"name": str(four)},
                "bots": ["builtin:random", "builtin:flat?simulations=10"],
            }
        )
        contest.run()
    return folder


@pytest.fixture
def path(results, capsys):
    """The path that `joute records` tells of a game of that contest."""
    with games_forgotten():
        assert main(["records", str(results), "--json"]) == 0
    return json.loads(capsys.readouterr().out)[0]["record"]


def test_a_path_that_the_command_records_tells_is_read(path):
    with games_forgotten():
        record = joute.record(path)
        assert record.verify().ok and record.game.name == OWN
        assert len(positions(path)) == len(positions(record)) > 0


def test_the_rules_of_a_contest_are_found_by_its_folder_or_by_one_around_it(results):
    with games_forgotten():
        rows = len(positions(results))
    for around in (results / "records", results.parent):
        with games_forgotten():
            assert len(positions(around)) == rows > 0


def test_a_record_whose_rules_are_missing_says_what_to_do_in_python(path, four, tmp_path):
    with games_forgotten():
        content = joute.record(path).content
    alone = tmp_path / "alone.jsonl"
    alone.write_bytes(content)
    with games_forgotten():
        record = joute.record(alone)
        verdict = record.verify()
        assert not verdict.ok and not verdict.checked
        assert "in Python, by joute.game(PATH) first" in str(verdict.reason)
        with pytest.raises(joute.RecordError, match=r"alone\.jsonl, line 1: the rules of"):
            positions(alone)
        joute.game(str(four))
        assert record.verify().ok and len(positions(alone)) > 0


def test_a_path_of_a_game_that_the_contest_has_not_is_unreadable(results):
    with pytest.raises(joute.Error, match=r"none\.jsonl: cannot be read"):
        joute.record(results / "records" / "none.jsonl")


def test_a_damaged_store_is_named(tmp_path):
    (tmp_path / "contest.sqlite").write_bytes(b"no database of anything")
    for read in (joute.record, positions):
        with pytest.raises(joute.Error, match=r"contest\.sqlite"):
            read(tmp_path / "records" / "none.jsonl")
    with pytest.raises(joute.Error, match=r"contest\.sqlite"):
        positions(tmp_path)


def test_a_broken_record_is_named(results, path, tmp_path):
    with games_forgotten():
        content = joute.record(path).content
        folder = tmp_path / "kept"
        folder.mkdir()
        (folder / "a.jsonl").write_bytes(content)
        broken = folder / "b.jsonl"
        broken.write_bytes(content[:-40])
        joute.game(str(tmp_path / "games" / "four.py"))
        for read, place in ((joute.record, broken), (positions, broken), (positions, folder)):
            with pytest.raises(joute.RecordError, match=r"b\.jsonl, line \d+: ") as raised:
                read(place)
            assert raised.value.line == len(content.splitlines())
