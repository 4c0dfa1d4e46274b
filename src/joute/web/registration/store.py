"""The registrations for contests: participants, the versions of their bots, checks and test games.

They are stored in files that only their owner can read:

    IDENTITY/entries.json                  participants, versions, reports
    IDENTITY/contest.toml                  the contest as its organiser wrote it
    IDENTITY/PARTICIPANT/NUMBER/bot.py     a version (or bot.zip), alone in its folder
    IDENTITY/PARTICIPANT/game.jsonl        the last test game
    IDENTITY/PARTICIPANT/report.json       the output of the last check
    IDENTITY/run/                          the contest that is played, and its results
    IDENTITY/ladder/                       the ranking so far, see `ladder.py`

A contest whose entries.json is damaged is left out, and its files stay as they are.
"""

from __future__ import annotations

import hashlib
import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import RLock
from typing import NamedTuple
from zoneinfo import ZoneInfo

import msgspec

from joute.i18n.recognised import foreign
from joute.i18n.words import Sentence, language, say
from joute.web.errors import RequestRefusal
from joute.web.registration.undo import undoing
from joute.web.settings import check_there, write_private

WAITING, DONE, STOPPED = "waiting", "done", "stopped"
GOOD, DOUBTFUL, BAD = "good", "doubtful", "bad"
ISOLATION = "isolation"  # the check that is there where the jail stopped something
_FORGIVEN = ("determinism", ISOLATION)  # checks that may fail: a bot may play at random
STATE, CONTEST, RUN, LADDER = "entries.json", "contest.toml", "run", "ladder"
GAME, REPORT = "game.jsonl", "report.json"
_KEY_BYTES = 8


class CheckFinding(msgspec.Struct, frozen=True):
    """The result of one check of `joute check`."""

    check: str
    ok: bool
    said: str
    detail: list[str] = []
    took_ms: float | None = None  # of the slowest, where times are checked
    wall_ms: float | None = None
    allowed_ms: float | None = None

    @property
    def share(self) -> float | None:
        """The time of the slowest answer as a share of the limit; above 1 it was too slow."""
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


class EntryVersion(msgspec.Struct):
    """A version of a bot, as it was uploaded."""

    number: int  # from 1
    file: str  # its name, as it was uploaded
    suffix: str  # .py or .zip
    size: int  # bytes
    content: str  # hash of its bytes
    sent_at: str  # ISO 8601, UTC
    state: str = WAITING  # or DONE, STOPPED
    findings: list[CheckFinding] = []
    seconds: float = 0.0  # that the check took
    trouble: str = ""  # why there is no report
    language: str = ""  # of the report, or in which it is asked for

    @property
    def clean(self) -> bool:
        """Whether it may play."""
        return self.state == DONE and all(finding.mark != BAD for finding in self.findings)

    @property
    def tried(self) -> bool:
        """Whether it tried, during its check, to reach what no bot may."""
        return any(finding.check == ISOLATION for finding in self.findings)

    @property
    def faults(self) -> int:
        """The number of failed checks."""
        return sum(finding.mark == BAD for finding in self.findings)


class TestGame(msgspec.Struct):
    """The last game of a participant's bot against a built-in one."""

    version: int
    house: str
    state: str = WAITING  # or DONE, STOPPED
    result: str = ""  # "won", "lost" or "level", once it is DONE
    trouble: str = ""


class Person(NamedTuple):
    """A person, or a team, as the organiser's list has it."""

    name: str
    number: str = ""
    group: str = ""
    email: str = ""


class Participant(msgspec.Struct):
    """A participant: a person, or a team, with a bot."""

    identity: str
    name: str
    key: str  # of the link; a former link is not valid
    renamed: bool = False  # the authors that the bot names are not shown
    versions: list[EntryVersion] = []
    game: TestGame | None = None
    number: str = ""  # by which the organiser's school knows the person
    group: str = ""
    email: str = ""
    alias: str = ""  # in a ladder that names nobody, once there is one
    hidden: bool = False  # in a ladder that names the others, because they want it
    extension: str = ""  # a deadline of their own, ISO 8601, UTC; "" for that of all

    @property
    def person(self) -> Person:
        """The person that it is."""
        return Person(self.name, self.number, self.group, self.email)

    @property
    def entry(self) -> EntryVersion | None:
        """The version that takes part: the newest clean one."""
        return next((each for each in reversed(self.versions) if each.clean), None)

    @property
    def checking(self) -> bool:
        """Whether a check of it waits or runs."""
        return any(each.state == WAITING for each in self.versions)

    @property
    def busy(self) -> bool:
        """Whether a check or a game of it waits or runs."""
        return self.checking or (self.game is not None and self.game.state == WAITING)


class Announcement(msgspec.Struct, frozen=True):
    """A message of the organiser to all participants."""

    text: str
    made_at: str  # ISO 8601, UTC


class Registration(msgspec.Struct):
    """A contest to which bots can be registered until a deadline."""

    identity: str
    name: str
    game: str
    deadline: str  # ISO 8601, UTC
    zone: str  # in which the organiser said it
    closed: bool = False  # before the deadline
    published: bool = False  # the results are for everybody
    participants: list[Participant] = []
    grace_minutes: int = 0  # after the deadline, in which nothing counts as late
    late_minutes: int = 0  # after those, in which bots are taken and marked as late
    created_at: str = ""  # ISO 8601, UTC; "" if unknown
    at_once: bool = False  # the results are published as soon as there are any
    announcements: list[Announcement] = []  # oldest first
    ladder_of: str = ""  # the bots for which the ladder was last played
    ladder_begun: str = ""  # when, ISO 8601, UTC
    opening: str = ""  # before which nothing is taken, ISO 8601, UTC; "" for no such time
    results_id: str = ""  # the identifier of its results in addresses, once there are any
    ladder_id: str = ""  # that of its ladder

    def awaited_at(self, now: datetime) -> bool:
        """Whether the opening time is still to come."""
        return bool(self.opening) and not self.closed and now < datetime.fromisoformat(self.opening)

    def open_at(self, now: datetime) -> bool:
        """Whether bots are taken in time from whoever has no extension."""
        over = self.closed or now >= datetime.fromisoformat(self.deadline)
        return not over and not self.awaited_at(now)

    def deadline_of(self, participant: Participant) -> datetime:
        """The deadline of a participant: an extension ends no earlier than that of all."""
        common = datetime.fromisoformat(self.deadline)
        extension = participant.extension
        return max(common, datetime.fromisoformat(extension)) if extension else common

    def takes(self, participant: Participant, now: datetime) -> bool:
        """Whether a version of a participant is taken, in time or late."""
        patience = timedelta(minutes=self.grace_minutes + self.late_minutes)
        over = self.closed or now >= self.deadline_of(participant) + patience
        return not over and not self.awaited_at(now)

    def delay(self, participant: Participant, version: EntryVersion) -> timedelta:
        """The time by which a version came late; zero for one that came within the grace."""
        due = self.deadline_of(participant)
        sent = datetime.fromisoformat(version.sent_at)
        late = sent >= due + timedelta(minutes=self.grace_minutes)
        return sent - due if late else timedelta()

    @property
    def local_opening(self) -> datetime | None:
        """The opening time in the organiser's zone; None where there is no such time."""
        if not self.opening:
            return None
        return datetime.fromisoformat(self.opening).astimezone(ZoneInfo(self.zone))

    @property
    def local_deadline(self) -> datetime:
        """The deadline in the organiser's zone."""
        return datetime.fromisoformat(self.deadline).astimezone(ZoneInfo(self.zone))

    def local_deadline_of(self, participant: Participant) -> datetime:
        """The deadline of a participant in the organiser's zone."""
        return self.deadline_of(participant).astimezone(ZoneInfo(self.zone))

    def find(self, identity: str) -> Participant | None:
        """The participant of that identity."""
        return next((each for each in self.participants if each.identity == identity), None)

    @property
    def entries(self) -> list[tuple[Participant, EntryVersion]]:
        """The participants with a clean version, each with the version that plays."""
        return [(each, each.entry) for each in self.participants if each.entry is not None]


def content_of(file: bytes) -> str:
    """The hash by which a version's file is known."""
    return hashlib.blake2b(file, digest_size=16).hexdigest()


def zone_of(name: str) -> ZoneInfo | None:
    """The time zone of that name; None where this system knows no such zone."""
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError):  # of these is ZoneInfoNotFoundError
        return None


def utc(moment: datetime) -> str:
    """A moment as it is stored."""
    return moment.astimezone(UTC).isoformat(timespec="seconds")


def _now() -> datetime:
    return datetime.now(UTC)


class RegistrationStore:
    """The registrations of all contests; safe to use from several threads."""

    def __init__(self, folder: Path, now: Callable[[], datetime] = _now) -> None:
        """Reads a folder."""
        self.folder = folder
        self.now = now
        self._lock = RLock()
        self.damaged: dict[Path, Sentence] = {}  # files that cannot be read, and why
        self._registrations: dict[str, Registration] = {}
        for state in sorted(folder.glob(f"*/{STATE}")):
            try:
                registration = msgspec.json.decode(state.read_bytes(), type=Registration)
            except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
                self.damaged[state] = foreign(error)
                continue
            if zone_of(registration.zone) is None:
                registration.zone = "UTC"  # its moments are the same, and can be shown
            self._registrations[registration.identity] = registration

    def __iter__(self) -> Iterator[Registration]:
        return iter(list(self._registrations.values()))

    def find(self, identity: str) -> Registration | None:
        """The contest of that identity."""
        return self._registrations.get(identity)

    def open(self, registration: Registration, contest: str) -> None:
        """Opens a contest, whose file has this text."""
        check_there(self.folder)
        try:
            write_private(self.contest(registration), contest.encode())
            self._write(registration)
        except OSError:
            shutil.rmtree(self._folder(registration), ignore_errors=True)
            raise
        with self._lock:
            self._registrations[registration.identity] = registration

    @contextmanager
    def changing(self, registration: Registration, undo: bool = True) -> Iterator[None]:
        """Stores the changes that are made to a registration meanwhile, all at once.

        Those that cannot be made or stored are undone; without `undo` they hold until the server
        ends. Raises RequestRefusal for a registration that was deleted, OSError.
        """
        with self._lock:
            if self.find(registration.identity) is not registration:
                raise RequestRefusal(say("submit.error.gone"))
            if undo:
                check_there(self._folder(registration))
            with undoing(registration) if undo else nullcontext():
                yield
                self._write(registration)

    def _write(self, registration: Registration) -> None:
        check_there(self._folder(registration))
        write_private(self._folder(registration) / STATE, msgspec.json.encode(registration))

    def _folder(self, registration: Registration) -> Path:
        return self.folder / registration.identity

    def delete(self, registration: Registration) -> None:
        """Deletes a contest with all that was handed in."""
        with self._lock:
            del self._registrations[registration.identity]
            shutil.rmtree(self._folder(registration), ignore_errors=True)

    def contest(self, registration: Registration) -> Path:
        """The contest's file."""
        return self._folder(registration) / CONTEST

    def run(self, registration: Registration) -> Path:
        """The folder in which it is played."""
        return self._folder(registration) / RUN

    def ladder(self, registration: Registration) -> Path:
        """The folder in which its ladder is played."""
        return self._folder(registration) / LADDER

    def bot(
        self, registration: Registration, participant: Participant, version: EntryVersion
    ) -> Path:
        """The file of a version."""
        folder = self._folder(registration) / participant.identity / str(version.number)
        return folder / f"bot{version.suffix}"

    def game(self, registration: Registration, participant: Participant) -> Path:
        """The record of the last test game."""
        return self._folder(registration) / participant.identity / GAME

    def report(self, registration: Registration, participant: Participant) -> Path:
        """The output of the check that is running, or else of the last."""
        return self._folder(registration) / participant.identity / REPORT

    def enrol(self, registration: Registration, people: Iterable[Person]) -> list[Participant]:
        """New participants, each with a link of their own."""
        found = [
            Participant(
                secrets.token_hex(_KEY_BYTES),
                each.name,
                _key(),
                number=each.number,
                group=each.group,
                email=each.email,
            )
            for each in people
        ]
        with self.changing(registration):
            registration.participants += found
        return found

    def renew(self, registration: Registration, participant: Participant) -> None:
        """Replaces the participant's link by another."""
        with self.changing(registration):
            participant.key = _key()

    def take(
        self,
        registration: Registration,
        participant: Participant,
        content: bytes,
        file: str,
        suffix: str,
    ) -> EntryVersion:
        """Stores a new version.

        Raises RequestRefusal for a participant who was removed, OSError for want of room.
        """
        with self._lock:
            version = EntryVersion(
                number=len(participant.versions) + 1,
                file=file,
                suffix=suffix,
                size=len(content),
                content=content_of(content),
                sent_at=utc(self.now()),
                language=language(),
            )
            stored = self.bot(registration, participant, version)
            try:
                with self.changing(registration):
                    if participant not in registration.participants:
                        raise RequestRefusal(say("submit.error.link"))
                    write_private(stored, content)
                    participant.versions.append(version)
            except OSError:
                shutil.rmtree(stored.parent, ignore_errors=True)
                raise
        return version

    def remove(self, registration: Registration, participant: Participant) -> None:
        """Deletes a participant and all versions."""
        with self.changing(registration):
            registration.participants.remove(participant)
        shutil.rmtree(self._folder(registration) / participant.identity, ignore_errors=True)


def new_identity(slug: str) -> str:
    """An identity that no other contest has, and nobody guesses."""
    return f"{slug}-{secrets.token_hex(4)}"


def _key() -> str:
    return secrets.token_urlsafe(_KEY_BYTES)
