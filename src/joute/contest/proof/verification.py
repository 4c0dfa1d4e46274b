"""Whether the results of a contest are those of its records: all checks, one after the other.

The rows come first, each beside its record; what is made from them all is looked at where they are
true. A check is a function of `StoredResults` that yields differences; `CHECKS` lists them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import msgspec

from joute.contest.errors import FolderError
from joute.contest.folder import DATABASE, ELSEWHERE, open_store, opened_store, store_errors
from joute.contest.proof.checks import (
    games_asked_for,
    rows_counted,
    seal_given,
    seal_kept,
    standings_json,
    standings_txt,
    summary_json,
)
from joute.contest.proof.counted import files_of_results, lost
from joute.contest.proof.difference import Difference
from joute.contest.proof.stored import InForce, StoredResults
from joute.contest.proof.walk import Walk, damaged
from joute.contest.report.report import Report, report_of
from joute.contest.run.plan import Plan
from joute.contest.seal import Seal
from joute.i18n.recognised import foreign, worded
from joute.i18n.words import Sentence
from joute.store.links import Link
from joute.store.model import DamagedError, ForbiddenError, Note, StoreError

Check = Callable[[StoredResults], Iterator[Difference]]

CHECKS: tuple[Check, ...] = (
    rows_counted,
    games_asked_for,
    standings_json,
    standings_txt,
    summary_json,
)
"""The checks made once all rows are true, in this order."""


class Verification(msgspec.Struct, kw_only=True):
    """The outcome of the checks of a contest's results."""

    folder: str
    differences: list[Difference] = []
    records: int = 0  # that are true
    games: int = 0
    link: Link | None = None  # the last of the chain
    at: int | None = None  # the number of the link that was asked for, if it is in the chain
    notes: list[Note] = []  # what the store itself has to say
    contents: Mapping[str, str] = {}  # of the bots' files, as they are in force
    seal: Seal | None = None  # with the public value
    seed: str = ""
    other_figures: list[str] = []  # files whose ratings another version made: not compared
    skipped: bool = False  # whether what is made from the rows was not looked at

    @property
    def ok(self) -> bool:
        """Whether nothing differs."""
        return not self.differences


def verify_results(
    folder: Path,
    store: str | None = None,
    link: bytes | None = None,
    watch: Callable[[int, int], object] | None = None,
    sealed: str | None = None,
) -> Verification:
    """Looks at all that a contest's folder says of its results.

    `store` is the URL of a database elsewhere, where the folder does not know it, and `link` one
    that was printed earlier, `sealed` the seal that the contest should have. `watch` hears how many
    rows of how many were looked at. Raises FolderError for results that we may not read, and
    ShortageError.
    """
    proof = Verification(folder=str(folder))
    for difference in _differences(proof, folder, store, link, watch, sealed):
        proof.differences.append(difference)
    return proof


def cheap_differences(folder: Path, store: str | None = None) -> list[Difference]:
    """The differences seen without the records: in the chain, and rows that cannot be.

    Raises FolderError and ShortageError as `verify_results` does.
    """
    proof = Verification(folder=str(folder))
    return list(_differences(proof, folder, store, None, None, None, with_records=False))


def _differences(
    proof: Verification,
    folder: Path,
    store: str | None,
    link: bytes | None,
    watch: Callable[[int, int], object] | None,
    sealed: str | None,
    with_records: bool = True,
) -> Iterator[Difference]:
    if (folder / ELSEWHERE).is_file() and (folder / DATABASE).is_file():
        yield Difference(key="two_stores", values={"one": DATABASE, "other": ELSEWHERE})
    files = files_of_results(folder)  # before the rows, of which more may be written meanwhile
    try:
        with open_store(folder, store) as opened, opened.snapshot():
            if not opened.configured():
                yield from lost(files, opened)
            results = StoredResults(folder, opened, files)
            proof.games, proof.link, proof.notes = results.games, results.last, results.notes
            if link is not None:
                proof.at = opened.number_of(link)
                if proof.at is None:
                    yield Difference(key="no_link", values={"link": Link(0, link).shown()})
            proof.seal, proof.seed = results.contest.seal, results.contest.seed or ""
            if sealed is not None:
                yield from seal_given(results, sealed)
            yield from seal_kept(results)
            rows = results.last.number
            walk = Walk(results, None if watch is None else lambda done: watch(done, rows))
            for each in walk.differences(with_records):
                yield each
                proof.records = walk.records
            proof.records = walk.records
            if walk.told:
                proof.skipped = True
                return
            proof.contents = results.contents(results.configurations[-1])
            proof.other_figures = results.other_figures
            for check in CHECKS if with_records else (rows_counted,):
                yield from check(results)
    except DamagedError as error:
        yield damaged(error)
    except PermissionError as error:
        reason = Sentence("error.config.at", place=folder, reason=foreign(error))
        raise FolderError(reason) from error
    except (StoreError, FolderError, OSError) as error:
        if isinstance(error, StoreError) and (error.short or isinstance(error, ForbiddenError)):
            with store_errors(folder):
                raise
        yield Difference(key="store", values={"reason": worded(error)})


def report_of_results(folder: Path, contents: Mapping[str, str]) -> Report:
    """The contest of a folder; `contents` are the hashes of its bots' files.

    Raises FolderError, or DamagedError for a folder that was not looked at before.
    """
    with opened_store(folder) as store:
        configuration = InForce(store.configured()[-1])
        contest = msgspec.structs.replace(configuration.contest, folder=str(folder.resolve()))
        games = store.games()
        plan = Plan(
            contest, configuration.seed, games, in_force=store.in_force(), contents=contents
        )
        return report_of(contest, plan, games)
