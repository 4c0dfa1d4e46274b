"""The notebooks run from top to bottom, and draw what they say; they are kept without outputs.

What they draw is a page of a hundred thousand characters a board, and measures the machine.
"""

from pathlib import Path

import nbclient
import nbformat
import pytest
from helpers import PATIENCE

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
BOARD, TABLE, PLOT = "<iframe srcdoc=", "<table>", "<svg"
DRAWN = {
    "first-look": {BOARD: 5, TABLE: 1, PLOT: 0},
    "comparing-searches": {BOARD: 2, TABLE: 1, PLOT: 3},
    "learning-a-value": {BOARD: 2, TABLE: 1, PLOT: 3},
}
"""By notebook, how many of each its outputs have."""


def read(path):
    return nbformat.read(path, as_version=4)


def shown(notebook):
    """The displays of a notebook's cells, each as HTML or as a picture."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    displays = [output.get("data", {}) for output in outputs]
    kinds = ("text/html", "image/svg+xml")
    return [data[kind] for data in displays for kind in kinds if kind in data]


@pytest.mark.full
@pytest.mark.game("virus", "love-letter")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_draws_boards_and_plots(path, tmp_path, monkeypatch):
    import matplotlib.font_manager  # makes the list of fonts, which a kernel would tell of

    assert matplotlib.font_manager.fontManager
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    notebook = read(path)
    resources = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(notebook, timeout=PATIENCE, resources=resources).execute()
    drawn = shown(notebook)
    found = {mark: sum(mark in each for each in drawn) for mark in (BOARD, TABLE, PLOT)}
    # A page of a board has pictures of its own.
    found[PLOT] = sum(each.lstrip().startswith("<?xml") for each in drawn)
    assert found == DRAWN[path.stem]
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert [output.text for output in outputs if output.get("name") == "stderr"] == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_says_first_what_to_install_and_is_kept_without_outputs(path):
    notebook = read(path)
    nbformat.validate(notebook)
    first, *_ = notebook.cells
    assert first.cell_type == "markdown" and "pip install" in first.source
    extra = "joute[notebooks]" if "matplotlib" in str(notebook) else "pip install joute "
    assert extra in first.source
    kept = [cell for cell in notebook.cells if cell.get("outputs") or cell.get("execution_count")]
    assert kept == []


def test_the_game_of_a_notebook_is_that_of_the_examples():
    cells = read(FOLDER / "learning-a-value.ipynb").cells
    [written] = [cell.source for cell in cells if cell.source.startswith("%%writefile")]
    first, _, rules = written.partition("\n")
    assert first == "%%writefile connect_four.py"
    assert rules + "\n" == (ROOT / "examples" / "games" / "connect_four.py").read_text("utf-8")
