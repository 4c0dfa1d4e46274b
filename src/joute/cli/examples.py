"""`joute examples [FOLDER]`: the examples of Joute as files to run and to change."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from joute.cli.usage import DONE, UsageFault
from joute.core.registry import usual
from joute.files import put, shipped
from joute.i18n.words import say

LEFT = (".results", ".export", ".pyc")
"""Ends of the names of what contests and bots leave beside their files."""


def examples(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="help.examples.folder")] = Path(
        "examples"
    ),
) -> int:
    """The command; its help is in the catalogs."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageFault(say("new.not_empty", folder=folder))
    source = shipped("examples")
    count = 0
    for path in sorted(source.rglob("*")):
        inside = path.relative_to(source)
        if path.is_file() and not any(part.endswith(LEFT) for part in inside.parts):
            put(folder / inside, path.read_bytes())
            count += 1
    print(say("examples.made", folder=folder, count=count))
    if (contest := folder / usual() / "contest.toml").is_file():
        print(say("examples.next", contest=contest))
    return DONE
