"""The records that a contest kept, wherever they are."""

from pathlib import Path

from joute.contest.config.contest import Contest
from joute.contest.records import Records


def records_of(contest: Contest) -> list[bytes]:
    """All records of a contest, in the order of their names."""
    folder = Path(contest.folder)
    with Records() as records:
        return [records.read(path) for path in records.listed(folder)]


def record_in(contest: Contest, name: str) -> bytes:
    """The record of a name."""
    with Records() as records:
        return records.read(Path(contest.folder, "records", name))
