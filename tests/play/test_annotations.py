"""Metrics and marks in records: kept with the ply, proved, withheld, shown, and exported."""

import csv
import json
from dataclasses import replace

import pytest
from verifier.sealed import PUBLIC

from joute.cli.steps import read_game
from joute.contest.config.config import resolve
from joute.contest.report.report import read_report
from joute.contest.report.tables import annotation_sheets, write_tables
from joute.contest.run.runner import run_contest
from joute.contest.sealing import draw_seed, seal_contest
from joute.core.interface import properties
from joute.core.registry import make
from joute.host.annotations import bounded_annotations
from joute.play.game import GameSpec, SeatSpec
from joute.play.record import RecordError, TextBudget, Writer, check_shape, read_record
from joute.play.referee import play_game
from joute.play.seats import answer
from joute.play.verify import verify_record
from joute.play.withheld import without_words
from verifier import verify_virus

pytestmark = pytest.mark.game("virus")

SPEAKS = """
def play(observation, clock):
    action = observation["legal"][0]
    if NONE:
        return action
    size = observation["size"]
    cell = [action % size, min(action // size, size - 1)]
    marks = [{"cell": cell, "tone": "good"}, {"from": [0, 0], "to": cell}]
    figures = {"choices": len(observation["legal"]), "worth": 0.5, "odd": float("nan")}
    return {"action": action, "metrics": figures, "marks": marks}
"""


def speaking_bot(folder, none=False):
    path = folder / "mine.py"
    path.write_text(SPEAKS.replace("NONE", str(none)))
    return path


def played(folder, none=False):
    seats = (
        SeatSpec(name="mine", bot=str(speaking_bot(folder, none))),
        SeatSpec(name="other", bot="builtin:greedy"),
    )
    spec = GameSpec(game="virus", parameters={"size": 4}, bots=seats, seed="b" * 32)
    return play_game(spec).record


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    """A game of a bot that sends metrics and marks."""
    return played(tmp_path_factory.mktemp("speaks"))


@pytest.fixture(scope="module")
def contest(tmp_path_factory):
    """A sealed contest of this bot, played."""
    folder = tmp_path_factory.mktemp("cup")
    speaking_bot(folder)
    bots = ["mine.py", "builtin:greedy"]
    settings = "[contest]\nworkers = 1\ngames = 2\n[game]\nsize = 4"
    (folder / "cup.toml").write_text(f"bots = {bots}\n{settings}\n")
    found = resolve(folder / "cup.toml")
    seal_contest(found)
    draw_seed(found, PUBLIC)
    run_contest(found, trust=True)
    return found


def test_they_stand_with_the_ply_and_a_remark_on_what_is_left_out(record):
    lines = [line for line in read_record(record).plies if line.get("player") == 0]
    assert lines
    for line in lines:
        assert line["metrics"].keys() == {"choices", "worth"}
        assert [mark["tone"] for mark in line["marks"]] == ["good", "note"]
        assert line["note"] == "the metric odd is left out: nan is not a finite number"
        assert "fault" not in line
    assert verify_record(record).ok


def test_a_record_without_them_has_no_trace_of_them(tmp_path, record):
    without = played(tmp_path, none=True)
    assert b"metrics" not in without and b"marks" not in without
    bare = [
        {key: value for key, value in line.items() if key not in ("metrics", "marks", "note")}
        for line in read_record(record).plies
    ]
    spent = ("cpu_ms", "wall_ms")
    kept = [{k: v for k, v in line.items() if k not in spent} for line in bare]
    assert kept == [
        {k: v for k, v in line.items() if k not in spent} for line in read_record(without).plies
    ]


def test_both_verifiers_accept_a_contest_with_them(contest, capsys, run_joute):
    assert verify_virus.main([contest.folder]) == 0
    assert "All is true: 2 games were replayed" in capsys.readouterr().out
    assert run_joute("verify", contest.folder) == 0


@pytest.fixture
def run_joute():
    from joute.cli.main import main

    return lambda *words: main([str(word) for word in words])


def test_the_export_has_a_row_for_each(contest, tmp_path):
    report = read_report(contest)
    sheets = annotation_sheets(report)
    assert sheets.keys() == {"metrics", "marks"}
    files = {path.name: path for path in write_tables(report, "csv", tmp_path)}
    rows = list(csv.DictReader(files["metrics.csv"].read_text("utf-8-sig").splitlines()))
    assert {row["name"] for row in rows} == {"choices", "worth"}
    assert {row["bot"] for row in rows} == {"mine"}
    assert {row["value"] for row in rows if row["name"] == "worth"} == {"0.5"}
    assert {row["seat"] for row in rows} == {"1", "2"}
    lines = {path.name: path for path in write_tables(report, "jsonl", tmp_path)}
    marks = [json.loads(line) for line in lines["marks.jsonl"].read_text().splitlines()]
    assert len(marks) == len(rows)
    assert marks[0]["to_column"] is None
    assert (marks[1]["column"], marks[1]["row"], marks[1]["floor"]) == (0, 0, None)
    assert (marks[1]["to_column"], marks[1]["to_row"]) == (marks[0]["column"], marks[0]["row"])


def test_the_tables_are_written_as_parquet_too(contest, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    files = {path.name: path for path in write_tables(read_report(contest), "parquet", tmp_path)}
    table = parquet.read_table(files["metrics.parquet"])
    assert str(table.schema.field("value").type) == "double"
    assert set(table.column("name").to_pylist()) == {"choices", "worth"}


def test_a_contest_without_them_has_no_such_tables(tmp_path):
    speaking_bot(tmp_path, none=True)
    (tmp_path / "cup.toml").write_text('bots = ["mine.py", "builtin:greedy"]\n[game]\nsize = 4\n')
    found = resolve(tmp_path / "cup.toml")
    assert annotation_sheets(read_report(found)) == {}  # nothing was played
    run_contest(found, trust=True)
    assert annotation_sheets(read_report(found)) == {}


def test_they_are_withheld_with_a_bots_words(record):
    partial = without_words(record, {"other"})
    assert b'"metrics":' not in partial and b'"marks":' not in partial
    assert b'"withheld":["metrics","marks","note"]' in partial
    assert verify_record(partial, partial=True).ok


def test_joute_replay_prints_them(record, tmp_path):
    from joute.cli.steps import facts

    path = tmp_path / "game.jsonl"
    path.write_bytes(record)
    game = read_game(path)
    step = next(step for step in game.steps if "metrics" in step.line)
    told = facts(game, step)
    assert f"its metrics: choices {step.line['metrics']['choices']}, worth 0.5" in told
    [marks] = [line for line in told if line.startswith("its marks: ")]
    assert "good (" in marks
    assert "note (0, 0) → (" in marks


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("metrics", [1]),
        ("metrics", {"a": "b"}),
        ("metrics", {"n" * 33: 1}),
        ("marks", {}),
        ("marks", [{"tone": "good"}]),
        ("marks", [{"tone": "good", "cell": [1, 2], "from": [1, 2], "to": [1, 2]}]),
        ("marks", [{"tone": "good", "from": [1, 2]}]),
        ("marks", [{"tone": "loud", "cell": [1, 2]}]),
        ("marks", [{"tone": "good", "cell": [1, -2]}]),
        ("marks", [{"tone": "good", "cell": [1, 2]}] * 65),
    ],
)
def test_a_forged_record_whose_annotations_no_page_can_show_is_refused(record, key, value):
    found = read_record(record)
    at = next(at for at, line in enumerate(found.plies) if "metrics" in line)
    found.plies[at][key] = value
    writer = Writer()
    for line in (found.header, *found.plies, found.end):
        writer.write(line)
    forged = read_record(writer.content())
    with pytest.raises(RecordError) as caught:
        check_shape(forged, properties(make("virus", size=4)).players)
    assert caught.value.line == at + 2


def test_beyond_what_a_game_keeps_they_are_left_out_and_told():
    budget = TextBudget()
    full = bounded_annotations({"n" * 30: 1.5}, [{"cell": [1, 1]}] * 64)
    sent = replace(answer(3), annotations=full)
    kept = 0
    while not (found := budget.cut(sent)).annotations.empty:
        kept += 1
        assert found.annotations == full
    assert 300 < kept < 1000
    assert found.action == 3
    assert found.note == (
        "metrics and marks are left out: this bot has used up what a game keeps of its words"
    )
