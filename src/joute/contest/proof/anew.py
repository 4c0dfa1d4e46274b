"""A report of a contest from its folder alone, whatever has become of its bots' files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from joute.contest.folder import looked_at
from joute.contest.proof.configurations import InForce
from joute.contest.report.report import Report, report_of
from joute.contest.run.plan import Plan


def report_of_results(folder: Path, contents: Mapping[str, str]) -> Report:
    """The contest of a folder; `contents` are the hashes of its bots' files.

    Raises FolderError, or DamagedError for a folder that was not looked at before.
    """
    with looked_at(folder) as store:
        configuration = InForce(store.configured()[-1])
        contest = msgspec.structs.replace(configuration.contest, folder=str(folder.resolve()))
        games = store.games()
        plan = Plan(
            contest, configuration.seed, games, in_force=store.in_force(), contents=contents
        )
        return report_of(contest, plan, games)
