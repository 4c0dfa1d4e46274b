"""The command line in this process, as in a terminal of UTF-8."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Sequence
from typing import NamedTuple

from joute.cli.main import main


class Said(NamedTuple):
    """The exit code and output of a command."""

    code: int
    out: str
    errors: str


def run(words: Sequence[str]) -> Said:
    """Runs a command line. Whatever it raises is a bug, and an exit code that is not documented."""
    out, errors = _Terminal(), _Terminal()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        code = main(words)
    said = Said(code, out.text(), errors.text())
    assert said.code in (0, 1, 2, 3), said
    assert "Traceback" not in said.errors, said
    assert said.code in (0, 1) or said.out or said.errors, "refused without a word"
    return said


class _Terminal(io.TextIOWrapper):
    """A stream that keeps what is written to it."""

    def __init__(self) -> None:
        self._raw = io.BytesIO()
        super().__init__(self._raw, encoding="utf-8", errors="backslashreplace")

    def text(self) -> str:
        self.flush()
        return self._raw.getvalue().decode("utf-8", "replace")
