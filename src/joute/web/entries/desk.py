"""The desk where bots are handed in: what is kept of it, in files that only their owner can read.

IDENTITY/entries.json                  who takes part, versions, reports
IDENTITY/contest.toml                  the contest as its organiser wrote it
IDENTITY/PARTICIPANT/NUMBER/bot.py     a version (or bot.zip), alone in its folder
IDENTITY/PARTICIPANT/game.jsonl        the last test game
IDENTITY/PARTICIPANT/report.json       what the last check has printed
IDENTITY/run/                          the contest that is played, and its results
"""

from __future__ import annotations

import hashlib
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import RLock

import msgspec

from joute.web.entries.kept import STOPPED, WAITING, Call, Participant, TestGame, Version, utc
from joute.web.settings import write_private

STATE, CONTEST, RUN = "entries.json", "contest.toml", "run"
GAME, REPORT = "game.jsonl", "report.json"
_KEY_BYTES = 8


def _now() -> datetime:
    return datetime.now(UTC)


class Desk:
    """All contests that are or were open for bots; safe to use from several threads."""

    def __init__(self, folder: Path, now: Callable[[], datetime] = _now) -> None:
        """Opens what is kept in a folder; checks and games that were under way count as stopped."""
        self.folder = folder
        self.now = now
        self._lock = RLock()
        self._calls: dict[str, Call] = {}
        for state in sorted(folder.glob(f"*/{STATE}")):
            call = msgspec.json.decode(state.read_bytes(), type=Call)
            self._calls[call.identity] = call
            for work in _under_way(call):
                work.state = STOPPED

    def __iter__(self) -> Iterator[Call]:
        return iter(list(self._calls.values()))

    def find(self, identity: str) -> Call | None:
        """The contest of that identity."""
        return self._calls.get(identity)

    def open(self, call: Call, contest: str) -> None:
        """Opens a contest, whose file has this text."""
        write_private(self.contest(call), contest.encode())
        with self.changing(call):
            self._calls[call.identity] = call

    @contextmanager
    def changing(self, call: Call) -> Iterator[None]:
        """What happens to a contest meanwhile is kept, all at once."""
        with self._lock:
            yield
            write_private(self._folder(call) / STATE, msgspec.json.encode(call))

    def _folder(self, call: Call) -> Path:
        return self.folder / call.identity

    def contest(self, call: Call) -> Path:
        """The contest's file."""
        return self._folder(call) / CONTEST

    def run(self, call: Call) -> Path:
        """The folder in which it is played."""
        return self._folder(call) / RUN

    def bot(self, call: Call, participant: Participant, version: Version) -> Path:
        """The file of a version."""
        folder = self._folder(call) / participant.identity / str(version.number)
        return folder / f"bot{version.suffix}"

    def game(self, call: Call, participant: Participant) -> Path:
        """The record of the last test game."""
        return self._folder(call) / participant.identity / GAME

    def report(self, call: Call, participant: Participant) -> Path:
        """What the check that is under way, or was the last, has printed."""
        return self._folder(call) / participant.identity / REPORT

    def invite(self, call: Call, name: str) -> Participant:
        """A new participant."""
        found = Participant(secrets.token_hex(_KEY_BYTES), name, _key())
        with self.changing(call):
            call.participants.append(found)
        return found

    def renew(self, call: Call, participant: Participant) -> None:
        """Makes the participant's link worthless, and another valid."""
        with self.changing(call):
            participant.key = _key()

    def take(
        self, call: Call, participant: Participant, content: bytes, file: str, suffix: str
    ) -> Version:
        """The new version that this is."""
        with self.changing(call):
            version = Version(
                number=len(participant.versions) + 1,
                file=file,
                suffix=suffix,
                size=len(content),
                content=hashlib.blake2b(content, digest_size=16).hexdigest(),
                sent_at=utc(self.now()),
            )
            write_private(self.bot(call, participant, version), content)
            participant.versions.append(version)
        return version

    def remove(self, call: Call, participant: Participant) -> None:
        """Forgets a participant and all that was handed in."""
        with self.changing(call):
            call.participants.remove(participant)
            shutil.rmtree(self._folder(call) / participant.identity, ignore_errors=True)


def new_identity(slug: str) -> str:
    """An identity that no other contest has, and nobody guesses."""
    return f"{slug}-{secrets.token_hex(4)}"


def _key() -> str:
    return secrets.token_urlsafe(_KEY_BYTES)


def _under_way(call: Call) -> Iterator[Version | TestGame]:
    for participant in call.participants:
        works: list[Version | TestGame] = [*participant.versions]
        works += [participant.game] if participant.game else []
        yield from (each for each in works if each.state == WAITING)
