"""`joute verify PATH...`: replays records, and compares a contest's results with them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from joute.cli.output import print_json
from joute.cli.usage import DONE, FAILED, Games, Json, UsageFault
from joute.i18n.words import say, say_of

if TYPE_CHECKING:
    from joute.contest.proof.verification import Verification

CONTEST = ".toml"
SHOWN = 20  # differences of a contest; --json has all

Linked = Annotated[str | None, typer.Option("--link", metavar="LINK", help="help.verify.link")]
Sealed = Annotated[str | None, typer.Option("--sealed", metavar="SEAL", help="help.verify.sealed")]
Scale = Annotated[Path | None, typer.Option("--grades", metavar="FILE", help="help.verify.grades")]


class Verified(NamedTuple):
    """The finding on one record, or a difference of a contest in its place.

    `line` is the first (from 1) that differs.
    """

    record: str
    ok: bool
    line: int | None
    reason: str
    withheld: int = 0  # lines that lack words of bots
    checked: bool = True  # False where the rules are not at hand: `reason` says so


class Given(NamedTuple):
    """The paths of the command line, by their kinds."""

    contests: dict[Path, str | None]  # folders, with the URL of a store that they do not know
    exports: list[Path]
    others: list[Path]  # records, and folders of them


def verify(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="help.verify.paths")],
    link: Linked = None,
    sealed: Sealed = None,
    grades: Scale = None,
    games: Games = None,
    json: Json = False,
) -> int:
    """The command; its help is in the catalogs."""
    given = _sorted_out(paths)
    if (link is not None or sealed is not None or given.exports) and len(given.contests) != 1:
        raise UsageFault(say("verify.one"))
    told: list[dict[str, Any]] = []
    right = wrong = unchecked = 0
    for folder, store in given.contests.items():
        proof = _verified(folder, store, link, sealed)
        found = [*_differences(proof), *_exports(proof, given.exports, grades)]
        right, wrong = right + proof.records, wrong + sum(each.checked for each in found)
        unchecked += sum(not each.checked for each in found)
        told += [each._asdict() for each in found]
        if not found:
            told.append({**Verified(str(folder), True, None, "")._asdict(), **_facts(proof)})
        if not json:
            _print_contest(proof, found)
    for path in given.others:
        before = len(told)
        for verified in _verify_path(path, given.contests):
            right, unchecked = right + verified.ok, unchecked + (not verified.checked)
            wrong += verified.checked and not verified.ok
            told.append(verified._asdict())
            if not json:
                _print(verified)
        around = any(path in folder.parents for folder in given.contests)
        if len(told) == before and not around:
            key = "proof.export.unknown" if given.contests else "verify.nothing"
            raise UsageFault(say(key, path=path))
    if json:
        print_json(told)
    else:
        _print_sum(right, wrong, unchecked)
    return FAILED if wrong or unchecked else DONE


def _sorted_out(paths: list[Path]) -> Given:
    """Sorts paths by kind. Raises UsageFault for a path that cannot be verified."""
    from joute.cli.verify_export import is_export
    from joute.contest.folder import DATABASE, ELSEWHERE, has_store

    found = Given({}, [], [])
    for path in paths:
        if path.suffix == CONTEST and path.is_file():
            from joute.contest.config.config import rules

            contest = rules(path)
            if not has_store(Path(contest.folder)):
                raise UsageFault(say("verify.unplayed", path=path, folder=contest.folder))
            found.contests[Path(contest.folder)] = contest.store
        elif path.is_dir():
            below = [each.parent for name in (DATABASE, ELSEWHERE) for each in path.rglob(name)]
            found.contests.update(dict.fromkeys(sorted(set(below))))
            if is_export(path):
                found.exports.append(path)
            elif path not in found.contests:
                found.others.append(path)
        elif is_export(path):
            found.exports.append(path)
        else:
            found.others.append(path)
    return found


def _verified(
    folder: Path, store: str | None, link: str | None, sealed: str | None
) -> Verification:
    from joute.cli.output import Progress
    from joute.contest.proof.verification import verify_results
    from joute.contest.seal import read_seal
    from joute.store.links import read_link

    try:
        wanted = None if link is None else read_link(link)
    except ValueError:
        raise UsageFault(say("verify.no_link", link=link)) from None
    try:
        seal = None if sealed is None else read_seal(sealed)
    except ValueError:
        raise UsageFault(say("verify.no_seal", seal=sealed)) from None
    with Progress() as progress:
        return verify_results(folder, store, wanted, progress.update, seal)


def _differences(proof: Verification) -> Iterator[Verified]:
    """The differences of a contest, each with its place: a game's record, or the folder."""
    from joute.contest.folder import RECORDS
    from joute.contest.proof.difference import difference_text

    for each in proof.differences:
        place = Path(proof.folder)
        if each.game:
            place = place / RECORDS / f"{each.game}.jsonl"
        text = difference_text(each)
        yield Verified(str(place), False, each.line, text, checked=each.checked)


def _exports(proof: Verification, exports: list[Path], scale: Path | None) -> Iterator[Verified]:
    """The differences of exports, which are compared where the rows are true."""
    if not exports or not proof.ok:
        return
    from joute.cli.verify_export import compared
    from joute.contest.proof.difference import difference_text
    from joute.contest.proof.verification import report_of_results

    report = report_of_results(Path(proof.folder), proof.contents)
    for path in exports:
        for each in compared(report, path, scale):
            yield Verified(str(path), False, None, difference_text(each))


def _facts(proof: Verification) -> dict[str, Any]:
    link = proof.link
    chain = {"rows": link.number, "link": link.link.hex()} if link is not None else {}
    seal = {"seal": proof.seal.seal, "public": proof.seal.public} if proof.seal is not None else {}
    return {"games": proof.games, **chain, **seal}


def _print_contest(proof: Verification, found: list[Verified]) -> None:
    from joute.cli.standings import seal_text
    from joute.contest.proof.difference import Difference, chain_text, difference_text, note_text

    for each in found[:SHOWN]:
        _print(each)
    if len(found) > SHOWN:
        print(say("audit.more", count=len(found) - SHOWN))
    if proof.link is None:
        return
    rows = proof.link.number
    if found and proof.skipped:
        print(say("proof.skipped"))
    elif not found:
        told = {"folder": proof.folder, "games": proof.games, "rows": rows}
        print(say_of(proof.games, "proof.true", **told))
        if proof.at is not None:
            print(difference_text(Difference(key="at", values={"number": proof.at, "rows": rows})))
        if proof.seal is not None:
            print(seal_text(proof.seal, proof.seed))
    if proof.other_figures:
        print(say("proof.figures", files=", ".join(proof.other_figures)))
    for note in proof.notes:
        print(note_text(note))
    print(chain_text(proof.link))


def _verify_path(path: Path, contests: dict[Path, str | None]) -> Iterator[Verified]:
    """Verifies a record, or all in a folder that are not a contest's which was looked at."""
    from joute.contest.records import Records

    with Records() as records:
        for file, kept in records.listed(path).items():
            if file.parent.parent in contests:
                continue
            try:
                content = records.read(file)
            except FileNotFoundError:
                if not path.is_dir():
                    raise
                yield Verified(str(file), False, None, say("proof.no_record"))
            else:
                yield _verify_record(file, content, kept)


def _verify_record(path: Path, content: bytes, kept: str | None) -> Verified:
    """Replays one record; `kept` is the last hash that the contest's store has for it."""
    from joute.play.record import NO_RECORD
    from joute.play.verify import verify_record

    verdict = verify_record(content, partial=kept is None)
    if verdict.ok and kept is not None and verdict.chain != kept:
        return Verified(str(path), False, None, say("verify.other"))
    lacking = len(verdict.withheld)
    if getattr(verdict.reason, "key", "") == NO_RECORD:
        return Verified(str(path), False, None, str(verdict.reason))
    reason = str(verdict.reason)
    return Verified(str(path), verdict.ok, verdict.line, reason, lacking, verdict.checked)


def _print_sum(right: int, wrong: int, unchecked: int) -> None:
    sums = {
        "right": say_of(right, "verify.right", count=right),
        "wrong": say_of(wrong, "verify.wrong", count=wrong),
    }
    if unchecked:
        left = say_of(unchecked, "verify.unchecked", count=unchecked)
        print(say("verify.sum.unchecked", **sums, unchecked=left))
    else:
        print(say("verify.sum", **sums))


def _print(verified: Verified) -> None:
    if verified.ok and verified.withheld:
        count = verified.withheld
        print(say_of(count, "verify.ok.withheld", record=verified.record, count=count))
    elif verified.ok:
        print(say("verify.ok", record=verified.record))
    elif not verified.checked:
        print(say("verify.not_checked", record=verified.record, reason=verified.reason))
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
