"""The output of a bench."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from bench import virus_kernels
from bench.against_c import NoCompilerError
from bench.rows import Row, print_table, to_json
from bench.virus_c import VirusC
from joute.core.registry import make

pytestmark = pytest.mark.game("virus")

ROOT = Path(__file__).parents[2]
ROWS = [
    Row("playouts", 300_123.4, "games/s", "C: 400,000", 0.753, "0.9 of C", met=False),
    Row("start", 0.1234, "s"),
    Row("nodes", None, "nodes/s", "skipped: no C compiler", aim="0.9 of C"),
]
FIELDS = ["name", "value", "unit", "against", "ratio", "aim", "met"]


def test_json_is_a_list_of_rows_with_every_field():
    found = json.loads(to_json(ROWS))
    assert [list(row) for row in found] == [FIELDS] * 3
    assert found[0]["ratio"] == 0.753 and found[0]["met"] is False
    assert found[1]["met"] is None and found[2]["value"] is None


def test_the_table_shows_every_figure_and_why_there_is_none():
    console = Console(file=io.StringIO(), width=130)
    print_table(ROWS, console)
    lines = console.file.getvalue().splitlines()
    assert lines[0].split() == FIELDS
    assert "300,123" in lines[1] and "0.75" in lines[1] and lines[1].split()[-1] == "no"
    assert "0.123" in lines[2] and lines[2].split()[-1] == "-"
    assert "skipped: no C compiler" in lines[3]


@pytest.mark.game("love-letter", "paradise", "tron", "vampires", "virus")
def test_without_a_name_the_benches_are_listed():
    command = [sys.executable, "-m", "bench"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (found.returncode, found.stdout.split()) == (
        0,
        [
            "batch",
            "champions",
            "channels",
            "cold",
            "contest",
            "interop",
            "isolation",
            "kills",
            "levels",
            "love-letter",
            "paradise",
            "proof",
            "search",
            "store",
            "tron",
            "tron-alone",
            "vampires",
            "virus",
            "web",
        ],
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["viruss"], "invalid choice: 'viruss'"),
        (["champions", "chess"], "no part 'chess' (there are: virus, tron, vampires"),
        (["virus", "tron"], "virus has no part 'tron' (there are: none)"),
    ],
)
def test_what_is_not_known_is_a_usage_error(words, said):
    command = [sys.executable, "-m", "bench", *words]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert found.returncode == 2 and said in found.stderr


def test_without_a_c_compiler_the_reason_is_given():
    with pytest.raises(NoCompilerError, match="no-such-compiler"):
        VirusC("no-such-compiler")


def test_without_c_the_kernel_is_measured_alone(monkeypatch):
    monkeypatch.setattr(virus_kernels, "GAMES", 20)
    row = virus_kernels.playout_row(None, make("virus", size=4), "skipped: no C")
    assert row.value > 0
    assert (row.against, row.ratio, row.met) == ("skipped: no C", None, None)
