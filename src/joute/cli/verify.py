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
from joute.speech.words import say


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
    from joute.contest.records import Records

    with Records() as records:
        for file, kept in records.listed(path).items():
            try:
                content = records.read(file)
            except FileNotFoundError:
                if not path.is_dir():
                    raise
                yield Verified(str(file), False, None, say("verify.missing"))
            else:
                yield _verify_record(file, content, kept)


def _verify_record(path: Path, content: bytes, kept: str | None) -> Verified:
    """Replays one record; `kept` is the last hash that the contest's store has for it."""
    from joute.play.verify import verify_record

    verdict = verify_record(content)
    if verdict.ok and kept is not None and verdict.chain != kept:
        return Verified(str(path), False, None, say("verify.other"))
    return Verified(str(path), verdict.ok, verdict.line, verdict.reason)


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
