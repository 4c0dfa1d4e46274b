"""What is known of a contest that is open for bots, its participants and what they handed in."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import msgspec

WAITING, DONE, STOPPED = "waiting", "done", "stopped"
GOOD, DOUBTFUL, BAD = "good", "doubtful", "bad"
_FORGIVEN = ("determinism",)  # checks whose failure may be meant: a bot may well play at random


class Finding(msgspec.Struct, frozen=True):
    """What one check of `joute check` found."""

    check: str
    ok: bool
    said: str
    detail: list[str] = []
    took_ms: float | None = None  # of the slowest, where times are checked
    wall_ms: float | None = None
    allowed_ms: float | None = None

    @property
    def share(self) -> float | None:
        """What the slowest took, of what is allowed; above 1 it was too slow."""
        if self.took_ms is None or self.wall_ms is None or not self.allowed_ms:
            return None
        # Who sleeps is late by the clock on the wall only.
        return (self.took_ms if self.ok else max(self.took_ms, self.wall_ms)) / self.allowed_ms

    @property
    def mark(self) -> str:
        """GOOD, DOUBTFUL or BAD."""
        if self.ok:
            return GOOD
        return DOUBTFUL if self.check in _FORGIVEN else BAD


class Version(msgspec.Struct):
    """A bot as it was handed in once."""

    number: int  # from 1
    file: str  # its name, as it was uploaded
    suffix: str  # .py or .zip
    size: int  # bytes
    content: str  # hash of its bytes
    sent_at: str  # ISO 8601, UTC
    state: str = WAITING  # or DONE, STOPPED
    findings: list[Finding] = []
    seconds: float = 0.0  # that the check took
    trouble: str = ""  # why there is no report
    language: str = ""  # of the report

    @property
    def clean(self) -> bool:
        """Whether it may play."""
        return self.state == DONE and all(finding.mark != BAD for finding in self.findings)

    @property
    def faults(self) -> int:
        """How many checks it failed."""
        return sum(finding.mark == BAD for finding in self.findings)


class TestGame(msgspec.Struct):
    """The last game of a participant's bot against one of the house."""

    version: int
    house: str
    state: str = WAITING  # or DONE, STOPPED
    result: str = ""  # "won", "lost" or "level", once it is DONE
    trouble: str = ""


class Participant(msgspec.Struct):
    """Somebody who hands in a bot."""

    identity: str
    name: str
    key: str  # changes with each link: those of before are worth nothing
    renamed: bool = False  # what the bot says of its authors is not shown
    versions: list[Version] = []
    game: TestGame | None = None

    @property
    def entry(self) -> Version | None:
        """The version that takes part: the newest clean one."""
        return next((each for each in reversed(self.versions) if each.clean), None)

    @property
    def busy(self) -> bool:
        """Whether a check or a game of it waits or runs."""
        checked = any(each.state == WAITING for each in self.versions)
        return checked or (self.game is not None and self.game.state == WAITING)


class Call(msgspec.Struct):
    """A contest that is open for bots until a deadline."""

    identity: str
    name: str
    game: str
    deadline: str  # ISO 8601, UTC
    zone: str  # in which the organiser said it
    closed: bool = False  # before the deadline
    published: bool = False  # the results are for everybody
    participants: list[Participant] = []

    def open_at(self, now: datetime) -> bool:
        """Whether bots are taken."""
        return not self.closed and now < datetime.fromisoformat(self.deadline)

    @property
    def local_deadline(self) -> datetime:
        """The deadline in the organiser's zone."""
        return datetime.fromisoformat(self.deadline).astimezone(ZoneInfo(self.zone))

    def find(self, identity: str) -> Participant | None:
        """The participant of that identity."""
        return next((each for each in self.participants if each.identity == identity), None)

    @property
    def entries(self) -> list[tuple[Participant, Version]]:
        """Who takes part, each with the version that does."""
        return [(each, each.entry) for each in self.participants if each.entry is not None]


def utc(moment: datetime) -> str:
    """A moment as it is kept."""
    return moment.astimezone(UTC).isoformat(timespec="seconds")
