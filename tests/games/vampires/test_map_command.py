"""`joute map` for the maps of Vampires vs Werewolves, random ones too."""

import json

import pytest
from helpers import COPIES

from joute.core.maps import find_map, shipped
from joute.games.vampires.map import CAUSES, random_map, read_map, write_map
from joute.i18n import words

SMALL = """\
<?xml version="1.0" encoding="utf-8" ?>
<Map Rows="2" Columns="3">
  <Humans X="2" Y="0" Count="4"/>
  <Vampires X="0" Y="0" Count="1"/>
  <Werewolves X="2" Y="1" Count="9"/>
</Map>
"""


@pytest.fixture(name="small")
def _small(tmp_path):
    (tmp_path / "small.xml").write_text(SMALL)
    return tmp_path / "small.xml"


def test_every_cause_has_a_sentence():
    said = {key for key in words.catalog("en") if key.startswith("map.vampires.")}
    assert said == {f"map.vampires.{cause}" for cause in CAUSES}


@pytest.mark.game("tron")
def test_no_map_has_the_name_of_another_games_map():
    assert set(shipped("vampires")) & set(shipped("tron")) == set()


def test_check_names_file_line_column_and_cause(run, small):
    assert run("map", "check", small).out == f"{small}: ok\n"
    small.write_text(SMALL.replace('"4"', '"0"'))
    wrong = f'{small}:3:3: Humans: Count="0": expected a whole number in 1..255 (number)\n'
    outcome = run("map", "check", small)
    assert (outcome.code, outcome.out) == (1, wrong)
    assert "attendu" in run("map", "check", small, "--lang", "fr").out
    small.write_text("<!DOCTYPE Map>" + SMALL.split("\n", 1)[1])
    assert "(forbidden)" in run("map", "check", small).out


def test_show_draws_a_map_and_says_what_it_has(run, small):
    outcome = run("map", "show", small)
    assert outcome.code == 0
    assert outcome.out.splitlines()[:3] == ["    0  1  2", "0  1V  . 4h", "1   .  . 9W"]
    assert outcome.out.splitlines()[-1].split()[1:] == ["3", "x", "2", "1", "4", "1", "9"]
    last = run("map", "show", "symmetric").out.splitlines()[-1]
    assert last.split() == ["symmetric", "11", "x", "9", "9", "37", "6", "6", "yes"]


def test_show_as_json_has_the_facts_and_the_rows(run):
    shown = json.loads(run("map", "show", "symmetric", "--json").out)
    assert shown.pop("rows")[5].split() == [
        "4",
        ".",
        "6V",
        ".",
        ".",
        ".",
        "9h",
        ".",
        ".",
        ".",
        "6W",
        ".",
    ]
    assert shown == {
        "game": "vampires",
        "map": "symmetric",
        "width": 11,
        "height": 9,
        "houses": 9,
        "humans": 37,
        "vampires": 6,
        "werewolves": 6,
        "fair": True,
    }


@pytest.mark.game("tron")
def test_convert_writes_as_the_official_server_reads(run, small):
    small.write_text(SMALL.split("\n", 1)[1].replace("Map", "map").replace("/>", "></>", 0))
    assert run("map", "convert", small, "--to", "xml").out == SMALL
    recorded = COPIES / "vampires" / "symmetric-11x9.xml"
    found = run("map", "convert", recorded, "--to", "xml").out
    assert found == find_map("vampires", "symmetric")
    outcome = run("map", "convert", small, "--to", "tron")
    assert (outcome.code, outcome.err) == (2, "joute: 'tron': expected one of xml\n")


def test_new_draws_the_same_map_from_the_same_seed(run, tmp_path):
    outcome = run("map", "new", "vampires", "12", "10", "40", "--seed", "1")
    assert outcome.out == write_map(random_map(12, 10, 40, 1)) == find_map("vampires", "crowded")
    output = tmp_path / "mine.xml"
    outcome = run("map", "new", "vampires", "5", "6", "4", "-o", output)
    assert (outcome.code, outcome.out) == (0, f"the map is in {output}\n")
    found = read_map(output.read_text())
    assert (found.columns, found.rows, len(found.humans)) == (5, 6, 4)


@pytest.mark.game("tron")
def test_new_says_what_it_cannot_draw(run, monkeypatch):
    outcome = run("map", "new", "vampires", "4", "4", "3")
    assert outcome.code == 2
    assert "there is no cell in the middle; got 3" in outcome.err
    monkeypatch.delattr("joute.games.vampires.map.generate")
    outcome = run("map", "new", "vampires", "4", "4", "4")
    assert (outcome.code, outcome.err) == (2, "joute: no maps of vampires can be drawn at random\n")
    assert "expected one of tron, vampires" in run("map", "new", "chess", "4", "4", "3").err


def test_import_takes_the_maps_of_a_kit_and_says_why_the_rest_are_none(run, tmp_path):
    kit, maps = tmp_path / "kit", tmp_path / "maps"
    (kit / "Maps").mkdir(parents=True)
    (kit / "Maps" / "The Trap.xml").write_text("\ufeff" + SMALL.replace("Map", "map"))
    (kit / "the-trap.xml").write_text(SMALL)
    (kit / "Server.exe.config.xml").write_text("<configuration/>")
    outcome = run("map", "import", kit, "-o", maps)
    assert outcome.code == 0
    assert f"left out: {kit / 'Server.exe.config.xml'}:1:1: " in outcome.out
    assert sorted(path.name for path in maps.iterdir()) == ["the-trap-2.xml", "the-trap.xml"]
    assert {read_map(path.read_text()) for path in maps.iterdir()} == {read_map(SMALL)}
    again = run("map", "import", kit, "-o", maps)
    assert again.code != 0 and "is there already" in again.err


def test_import_without_a_sound_map_fails(run, tmp_path):
    (tmp_path / "config.xml").write_text("<configuration/>")
    assert run("map", "import", tmp_path, "-o", tmp_path / "maps").code == 1
    assert not (tmp_path / "maps").exists()
