"""`joute map`: what is said of maps, right and wrong."""

import json
from pathlib import Path

import pytest
from helpers import COPIES

from joute.core import registry
from joute.core.maps import find_map, shipped
from joute.games.tron.map import read_map
from joute.games.tron.map_text import CAUSES
from joute.i18n import words

WRONG = "tron 1\nsize 5 3 1\nfloor 0\n#####\n#1AB#\n####\nend\n"


@pytest.fixture(name="folder")
def _folder(tmp_path) -> Path:
    """A folder with a right map, a wrong one and a file that is no map."""
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "right.txt").write_text("5 3\n#####\n#1 2#\n#####\n")
    (tmp_path / "wrong.txt").write_text(WRONG)
    (tmp_path / "notes.md").write_text("no map")
    return tmp_path


def test_every_cause_has_a_sentence():
    said = {key for key in words.catalog("en") if key.startswith("map.tron.")}
    assert said == {f"map.tron.{cause}" for cause in CAUSES}


def test_every_shipped_map_passes_the_check(run):
    folders = {each.name: each.file("maps") for each in registry.cards() if each.maps}
    outcome = run("map", "check", *folders.values())
    assert outcome.code == 0
    assert outcome.out.count(": ok") == sum(len(shipped(name)) for name in folders)


def test_check_names_file_line_column_and_cause_of_every_error(run, folder):
    outcome = run("map", "check", folder)
    assert outcome.code == 1
    assert outcome.out.splitlines() == [
        f"{folder}/deep/right.txt: ok",
        f"{folder}/wrong.txt:6:5: the row has 4 signs, not 5 (row-length)",
    ]
    (folder / "wrong.txt").write_text(WRONG.replace("\n####\n", "\n#####\n"))
    outcome = run("map", "check", folder / "wrong.txt", "--lang", "fr")
    assert outcome.code == 1
    assert [line.split("\u202f")[0] for line in outcome.out.splitlines()] == [
        f"{folder}/wrong.txt:5:{column}" for column in (3, 4)
    ]
    assert "téléporteur A" in outcome.out


def test_check_as_json_has_every_file(run, folder):
    found = json.loads(run("map", "check", folder, "--json").out)
    assert [each["ok"] for each in found] == [True, False]
    [error] = found[1]["errors"]
    assert (error["line"], error["column"], error["cause"]) == (6, 5, "row-length")


def test_check_says_of_every_golden_error_what_was_recorded(run, tmp_path):
    text = (COPIES / "tron" / "invalid_maps.jsonl").read_text("utf-8")
    for recorded in map(json.loads, text.splitlines()):
        (tmp_path / f"{recorded['id']}.txt").write_text(recorded["text"], encoding="utf-8")
        outcome = run("map", "check", tmp_path / f"{recorded['id']}.txt")
        place = f"{recorded['id']}.txt:{recorded['line']}:{recorded['column']}: "
        assert outcome.code == 1
        assert place in outcome.out
        assert outcome.out.endswith(f" ({recorded['cause']})\n")


def test_check_says_where_a_file_stops_being_text(run, tmp_path):
    (tmp_path / "a.txt").write_bytes(b"5 3\n##\xff##\n")
    outcome = run("map", "check", tmp_path / "a.txt")
    assert outcome.code == 1
    assert outcome.out == f"{tmp_path}/a.txt:2:3: the file is not text in UTF-8 (encoding)\n"


def test_check_of_nothing_is_wrong_use(run, tmp_path):
    outcome = run("map", "check", tmp_path)
    assert outcome.code == 2
    assert outcome.err.startswith(f"joute: {tmp_path}: no map (.txt")
    assert run("map", "check", tmp_path / "none.txt").code == 2


def test_show_draws_a_map_and_says_what_it_has(run):
    outcome = run("map", "show", "room")
    assert outcome.code == 0
    assert "#  1        #\n" in outcome.out
    assert outcome.out.splitlines()[-1].split() == ["room", "13", "x", "17", "1", "165", "164"]


def test_show_puts_floors_side_by_side_where_there_is_room(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    wide = run("map", "show", "ziggurat").out.splitlines()
    assert wide[0].split() == ["floor", "0", "floor", "1", "floor", "2"]
    assert wide[1] == "   ".join(["#" * 21] * 3)
    monkeypatch.setenv("COLUMNS", "60")
    narrow = run("map", "show", "ziggurat").out.splitlines()
    assert [line.strip() for line in narrow if "floor" in line] == ["floor 0", "floor 1", "floor 2"]


def test_show_without_a_map_lists_those_that_come_with_joute(run):
    lines = run("map", "show", "--game", "tron").out.splitlines()
    assert [line.split()[0] for line in lines[3:]] == shipped("tron")
    [ghosts] = [line for line in lines if "ghosts" in line]
    assert ghosts.endswith("trail vanish")


@pytest.mark.game("vampires")
def test_show_as_json_has_the_facts_and_the_rows(run):
    every = json.loads(run("map", "show", "--json").out)
    assert [each["map"] for each in every] == shipped("tron") + shipped("vampires")
    listed = {each["map"]: each for each in every}
    house = json.loads(run("map", "show", "house", "--json").out)
    assert house == listed["house"]
    assert (house["game"], house["width"], house["height"], house["floors"]) == ("tron", 17, 11, 2)
    assert (house["starts"], house["stairs"], house["teleporters"]) == (4, 3, 0)
    assert house["rows"] == [list(rows) for rows in read_map(find_map("tron", "house")).floors]
    assert listed["torus"]["options"] == {"wrap": "xy"}
    assert listed["torus"]["bound"] is None
    assert listed["islands"]["teleporters"] == 5


def test_a_wrong_map_is_neither_shown_nor_converted(run, folder):
    place = f"joute: {folder}/wrong.txt:6:5: the row has 4 signs, not 5 (row-length)\n"
    for command in (["show"], ["convert", "--to", "2010"]):
        outcome = run("map", *command, folder / "wrong.txt")
        assert (outcome.code, outcome.out, outcome.err) == (1, "", place)


def test_convert_writes_either_format(run, folder):
    right = folder / "deep" / "right.txt"
    ours = run("map", "convert", right, "--to", "tron").out
    assert ours.startswith("tron 1\nname right\nsize 5 3 1\n")
    output = folder / "new.txt"
    (folder / "ours.txt").write_text(ours)
    outcome = run("map", "convert", folder / "ours.txt", "--to", "2010", "-o", output)
    assert (outcome.code, outcome.out) == (0, f"the map is in {output}\n")
    assert output.read_text() == right.read_text()


def test_convert_gives_no_name_that_a_line_cannot_hold(run, tmp_path):
    (tmp_path / "a#b.txt").write_text("2 1\n1 \n")
    assert run("map", "convert", tmp_path / "a#b.txt", "--to", "tron").out.startswith(
        "tron 1\nsize 2 1 1\n"
    )


def test_convert_keeps_the_name_that_a_map_has(run):
    assert "\nname house\n" in run("map", "convert", "house", "--to", "tron").out


def test_convert_says_why_a_format_does_not_do(run):
    outcome = run("map", "convert", "house", "--to", "2010")
    assert (outcome.code, outcome.out) == (2, "")
    assert "the 2010 format has one floor, this map has 2" in outcome.err
    outcome = run("map", "convert", "duel", "--to", "xml")
    assert (outcome.code, outcome.err) == (2, "joute: 'xml': expected one of tron, 2010\n")


@pytest.mark.game("vampires")
def test_a_map_or_a_game_that_is_not_there_is_wrong_use(run):
    outcome = run("map", "show", "duell")
    assert outcome.code == 2
    assert "did you mean duel?" in outcome.err
    for command in (["show"], ["show", "duel"]):
        outcome = run("map", *command, "--game", "chess")
        expected = "joute: 'chess': expected one of tron, vampires\n"
        assert (outcome.code, outcome.err) == (2, expected)
