"""The examples of the library's guide run, in order, as one program."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs" / "en"


@pytest.mark.full
@pytest.mark.game("virus", "love-letter", "tron")
def test_the_examples_of_the_guide_run_as_one_program(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```", (DOCS / "library.md").read_text(), re.M | re.S)
    assert len(blocks) > 8
    names = {}
    for block in blocks:
        exec(compile(block, "library.md", "exec"), names)
    shown = capsys.readouterr().out
    assert "'z9'" in shown and "greedy" in shown and "score" in shown
