import csv
import json

import pytest
from cli.exported import CRASH, played

pytestmark = pytest.mark.game("virus")

REAL = """
bots = ["builtin:random", "builtin:greedy"]
[contest]
games = 2
workers = 1
[game]
size = 5
"""
PAIR = ("builtin:random", "builtin:greedy")


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return played(tmp_path_factory.mktemp("class"))


def _rows(path):
    with path.open(encoding="utf-8-sig", newline="") as opened:
        return list(csv.DictReader(opened))


def test_tables_are_written_into_a_folder_beside_the_contest(run, file, monkeypatch):
    monkeypatch.chdir(file.parent)
    outcome = run("export", file.name, "--format", "csv")
    assert (outcome.code, outcome.err) == (0, "")
    folder = file.parent / "class.export" / "csv"
    assert outcome.out.splitlines() == [
        "written: class.export/csv/games.csv",
        "written: class.export/csv/standings.csv",
    ]
    standings = _rows(folder / "standings.csv")
    told = json.loads(run("contest", "standings", file, "--json").out)["standings"]
    assert [row["name"] for row in standings] == [line["name"] for line in told]
    assert [float(row["score"]) for row in standings] == [line["score"] for line in told]
    games = _rows(folder / "games.csv")
    assert len(games) == 24
    won = sum(
        row[f"return_{seat}"] == "1.0" and row[f"bot_{seat}"] == "bob"
        for row in games
        for seat in (1, 2)
    )
    assert won == next(line["won"] for line in told if line["name"] == "bob")


def test_tables_are_written_of_the_folder_of_results_as_of_the_file(run, tmp_path, monkeypatch):
    file = tmp_path / "cup.toml"
    file.write_text(REAL, encoding="utf-8")
    assert run("contest", "run", file).code == 0
    assert run("export", file, "--format", "csv", "-o", tmp_path / "other").code == 0
    monkeypatch.chdir(tmp_path / "cup.results")
    assert run("export", ".", "--format", "csv").code == 0
    for name in ("games.csv", "standings.csv"):
        of_folder = tmp_path / "cup.export" / "csv" / name
        assert of_folder.read_bytes() == (tmp_path / "other" / name).read_bytes()
    outcome = run("export", tmp_path, "--format", "html")
    assert outcome.code == 2 and "no contest was played into this folder" in outcome.err


def test_lines_of_json_tell_every_fault(run, file, tmp_path):
    assert run("export", file, "--format", "jsonl", "-o", tmp_path).code == 0
    lines = (tmp_path / "games.jsonl").read_text("utf-8").splitlines()
    faults = [fault for line in lines for fault in json.loads(line)["faults"]]
    assert {fault["detail"] for fault in faults} == {CRASH}
    [ann, *_] = map(json.loads, (tmp_path / "standings.jsonl").read_text("utf-8").splitlines())
    assert ann["authors"] == ["Ann Onym", "Zoé & Co"]


def test_an_export_again_is_the_same_byte_for_byte(run, file, tmp_path):
    for name in ("one", "two"):
        assert run("export", file, "-o", tmp_path / name).code == 0
    found = [{p.name: p.read_bytes() for p in (tmp_path / n).rglob("*.*")} for n in ("one", "two")]
    assert len(found[0]) > 5
    assert found[0] == found[1]


def test_marks_are_a_gradebook_and_a_sheet_for_each_student(run, file, tmp_path):
    marks = file.parent / "marks.toml"
    outcome = run("export", file, "--format", "grades", "--grades", marks, "-o", tmp_path)
    assert (outcome.code, outcome.err) == (0, "")
    book = _rows(tmp_path / "gradebook.csv")
    assert [row["student"] for row in book] == ["Ann Onym", "Zoé & Co", "Bob"]
    assert [row["place"] for row in book] == ["1", "1", "2"]
    sheets = sorted(path.name for path in (tmp_path / "feedback").iterdir())
    assert sheets == ["01-ann-onym.md", "02-zoe-co.md", "03-bob.md"]


def test_a_sheet_tells_the_mark_where_it_comes_from_and_every_fault(run, file, tmp_path):
    marks = file.parent / "marks.toml"
    run("export", file, "--format", "grades", "--grades", marks, "-o", tmp_path)
    [bob] = [row for row in _rows(tmp_path / "gradebook.csv") if row["student"] == "Bob"]
    text = (tmp_path / "feedback" / "03-bob.md").read_text("utf-8")
    assert f"- Mark: {float(bob['mark']):g} of 20" in text
    assert "bob, in the contest The \\<b\\>class\\</b\\> & co." in text
    assert "+2 for place 2 among those marked" in text
    assert "against random (none at 0%, all at 100%)" in text
    assert "### crash (8 times; costs the turn)" in text
    assert "    KeyError: <grid>\n" in text
    assert "\n    joute replay " in text
    other = (tmp_path / "feedback" / "01-ann-onym.md").read_text("utf-8")
    assert other.endswith("## Faults\n\nNone.\n")
    run("export", file, "--format", "grades", "--grades", marks, "-o", tmp_path, "--lang", "fr")
    assert "- Note\u202f: " in (tmp_path / "feedback" / "03-bob.md").read_text("utf-8")


def test_the_records_of_a_contest_of_virus_are_written_as_saves(run, tmp_path):
    path = tmp_path / "real.toml"
    path.write_text(REAL, encoding="utf-8")
    assert run("contest", "run", path).code == 0
    assert run("export", path, "--format", "jsonl").code == 0  # are not taken for records
    outcome = run("export", path, "--format", "hx2", "-o", tmp_path / "saves.js")
    assert outcome.out == f"2 games in {tmp_path / 'saves.js'}\n"
    saves = (tmp_path / "saves.js").read_text("utf-8")
    assert saves.count("games.") == 2
    assert run("export", path, "--format", "hx2").out == saves


def test_a_broken_record_of_a_folder_is_named(run, tmp_path):
    assert run("match", "virus", *PAIR, "--games", 2, "--records", tmp_path / "kept").code == 0
    whole, broken = sorted((tmp_path / "kept").rglob("*.jsonl"))
    broken.write_bytes(broken.read_bytes()[:-40])
    outcome = run("export", tmp_path / "kept")
    assert (outcome.code, outcome.out) == (2, "")
    assert f"{broken}, line " in outcome.err and "cut off" in outcome.err
    assert run("export", whole).code == 0


@pytest.mark.parametrize("form", ["hx2", "jsonl"])
def test_a_folder_without_records_is_not_exported(run, tmp_path, form):
    empty = tmp_path / "empty"
    empty.mkdir()
    outcome = run("export", empty, "--format", form, "-o", tmp_path / "saves.js")
    assert (outcome.code, outcome.out) == (2, "")
    assert f"{empty}: no record (.jsonl) in it" in outcome.err
    assert not (tmp_path / "saves.js").is_file()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["--format", "pdf"],
            "'pdf': expected one of html, page, csv, jsonl, parquet, grades, hx2",
        ),
        (["--format", "grades"], "--grades FILE"),
        (["--grades", "marks.toml"], "--grades goes with the format grades alone"),
        (["other.jsonl"], "one contest at a time"),
        (["--format", "grades", "--grades", "none.toml"], "none.toml: cannot be read"),
    ],
)
def test_what_cannot_be_exported_is_refused(run, file, arguments, said):
    outcome = run("export", file, *arguments)
    assert outcome.code == 2
    assert said in outcome.err
