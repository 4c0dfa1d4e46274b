"""A folder of records that is served, as the tournament's server of Vampires fills one."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

from joute.play.broadcast import LIVE, SUFFIX
from joute.play.record import RecordError, read_record
from joute.store.reading import Listed
from joute.web.broadcasts import Broadcasts

KEPT_LINES = 1000  # games of which what lists show is remembered


class RecordsFolder:
    """The games of a folder; `home` is the address of its page."""

    def __init__(self, identifier: str, folder: Path) -> None:
        self.identifier = identifier
        self.folder = folder
        self.name = folder.resolve().name
        self.home = f"/records/{identifier}"
        self.broadcasts = Broadcasts(folder)

    def newest(self, count: int, before: int | None = None) -> list[Listed]:
        """Games, the newest first, from below the number `before` on; what is no record is not."""
        aged = sorted((_changed(path), path) for path in self.folder.glob(f"*{SUFFIX}"))
        numbered = list(enumerate(aged, start=1))[: None if before is None else max(before - 1, 0)]
        found: list[Listed] = []
        for number, (changed, path) in reversed(numbered):
            if len(found) == count:
                break
            line = _listed(path, changed)
            if line is not None:
                found.append(line._replace(number=number))
        return found

    def record(self, identity: str) -> bytes | None:
        """The record of that name; the caller has seen to it that it is a plain one."""
        try:
            return (self.folder / f"{identity}{SUFFIX}").read_bytes()
        except FileNotFoundError:
            return None


def holds_records(folder: Path) -> bool:
    """Whether a folder holds records, or is where games are played for others to watch."""
    return folder.is_dir() and (
        (folder / LIVE).is_dir() or next(folder.glob(f"*{SUFFIX}"), None) is not None
    )


def _changed(path: Path) -> int:
    """The time of a file's last writing, in nanoseconds since 1970; 0 of one removed meanwhile."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


@lru_cache(KEPT_LINES)
def _listed(path: Path, changed: int) -> Listed | None:
    """A game as lists show it; None for what is no record."""
    try:
        record = read_record(path.read_bytes())
        header, end = record.header, record.end
        return Listed(
            number=0,
            identity=path.stem,
            bots=tuple(str(bot["name"]) for bot in header["bots"]),
            map="",
            returns=tuple(end["returns"]),
            points=tuple(end["points"]),
            plies=int(end["plies"]),
            ending=str(end["ending"]),
            faults=[{"seat": line["player"], **line} for line in record.plies if "fault" in line],
            played_at=datetime.fromtimestamp(changed / 1e9, UTC).isoformat(timespec="seconds"),
        )
    except (OSError, RecordError, KeyError, TypeError, ValueError):
        return None
