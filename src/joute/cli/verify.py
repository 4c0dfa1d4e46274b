"""`joute verify PATH...`: replays records and says whether each is true."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from joute.cli.exits import DONE, FAILED, UsageFault
from joute.cli.options import Json
from joute.cli.tables import print_json
from joute.cli.usage import Command
from joute.cli.words import say


class Verified(NamedTuple):
    """What came out for one record; `line` is the first (from 1) that differs."""

    record: str
    ok: bool
    line: int | None
    reason: str


def add_to(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("verify", cls=Command, help="help.verify")(verify)


def verify(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="help.verify.paths")],
    json: Json = False,
) -> int:
    """The command; its help is in the catalogs."""
    found: list[Verified] = []
    for path in paths:
        before = len(found)
        for verified in _verify_path(path):
            found.append(verified)
            if not json:
                _print(verified)
        if len(found) == before:
            raise UsageFault(say("verify.nothing", path=path))
    wrong = sum(not verified.ok for verified in found)
    if json:
        print_json([verified._asdict() for verified in found])
    else:
        print(say("verify.sum", right=len(found) - wrong, wrong=wrong))
    return FAILED if wrong else DONE


def _verify_path(path: Path) -> Iterator[Verified]:
    """Verifies a record, or all in a folder, those that a contest's store misses included."""
    files = sorted(path.rglob("*.jsonl")) if path.is_dir() else [path]
    kept = _kept_chains(path)
    for file in files:
        yield _verify_file(file, kept.pop(file.resolve(), None))
    if path.is_dir():
        for file in sorted(kept):
            yield Verified(str(file), False, None, say("verify.missing"))


def _verify_file(path: Path, kept: str | None) -> Verified:
    """Replays one record; `kept` is the last hash that the contest's store has for it."""
    from joute.play.verify import verify_record

    verdict = verify_record(path.read_bytes())
    if verdict.ok and kept is not None and verdict.chain != kept:
        return Verified(str(path), False, None, say("verify.other"))
    return Verified(str(path), verdict.ok, verdict.line, verdict.reason)


def _kept_chains(path: Path) -> dict[Path, str]:
    """The last hash, by record, that the stores of the contests at or around `path` keep."""
    from joute.contest.folder import DATABASE, RECORDS, kept

    if path.is_dir():
        folders = {found.parent for found in path.rglob(DATABASE)}
        around = path.parent if path.name == RECORDS else path
    else:
        folders = set()
        around = path.parent.parent
    if (around / DATABASE).is_file():
        folders.add(around)
    return {
        (folder / RECORDS / game.record).resolve(): game.chain
        for folder in folders
        for game in kept(folder)[1].values()
    }


def _print(verified: Verified) -> None:
    if verified.ok:
        print(say("verify.ok", record=verified.record))
    elif verified.line is None:
        print(say("verify.differs", record=verified.record, reason=verified.reason))
    else:
        print(
            say(
                "verify.differs_at",
                record=verified.record,
                line=verified.line,
                reason=verified.reason,
            )
        )
