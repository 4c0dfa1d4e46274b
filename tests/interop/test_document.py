"""The examples of the document on other libraries run, in order, as one program."""

import re
from pathlib import Path

import pytest

DOCUMENT = Path(__file__).parents[2] / "docs" / "en" / "interop.md"


@pytest.mark.full
@pytest.mark.game("virus", "tron")
def test_the_examples_of_the_document_run_as_one_program(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```", DOCUMENT.read_text(), re.M | re.S)
    assert len(blocks) > 6
    names = {}
    for block in blocks:
        exec(compile(block, "interop.md", "exec"), names)
    assert "mcts" in capsys.readouterr().out.lower()
