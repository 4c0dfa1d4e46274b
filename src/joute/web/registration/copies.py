"""The files that were handed in, compared with one another: the same ones, and those that resemble.

Compared is the newest version of each participant; the same bytes are found in any version.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from joute.contest.config.sources import UnreadableError, files_of
from joute.contest.similarity import Fingerprints, alike, fingerprints
from joute.core.registry import card
from joute.core.starters import program_folders, starter, starters
from joute.host.names import BotError, parse_bot
from joute.i18n.words import LANGUAGES, speaking
from joute.web.registration.store import (
    EntryVersion,
    Participant,
    Registration,
    RegistrationStore,
    content_of,
)

LEAST = 0.5  # of what two files have in common, for them to be shown
LARGEST = 1 << 20  # characters of a bot that are compared
MOST_SHOWN = 100  # pairs


class SourceFile(NamedTuple):
    """A file of a bot; `text` is None where it cannot be shown as text."""

    name: str
    text: str | None


class Resemblance(NamedTuple):
    """Two participants whose programs have so much in common, a share 0..1."""

    one: Participant
    other: Participant
    share: float


class Copies(NamedTuple):
    """All that was found in a contest."""

    groups: list[list[Participant]]  # those who have sent the same bytes, which are no template's
    same: dict[str, list[Participant]]  # by participant, the others of these groups
    pairs: list[Resemblance]  # the most alike first

    def of(self, participant: Participant) -> list[Resemblance]:
        """The pairs of a participant, who comes first in them; without those of the same bytes."""
        known = {each.identity for each in self.same.get(participant.identity, [])}
        found = [
            each if each.one is participant else each._replace(one=each.other, other=each.one)
            for each in self.pairs
            if participant in (each.one, each.other)
        ]
        return [each for each in found if each.other.identity not in known]


def newest(participant: Participant) -> EntryVersion | None:
    """The version that takes part, or else the last one."""
    return participant.entry or (participant.versions[-1] if participant.versions else None)


def copies(store: RegistrationStore, registration: Registration) -> Copies:
    """The files of a contest that are the same, or resemble."""
    senders: dict[str, list[Participant]] = defaultdict(list)
    for each in registration.participants:
        for content in {version.content for version in each.versions}:
            senders[content].append(each)
    groups: list[list[Participant]] = []
    same: dict[str, list[Participant]] = defaultdict(list)
    for content, together in senders.items():
        if len(together) == 1 or together in groups or content in _given_bytes(registration.game):
            continue
        groups.append(together)
        for each in together:
            known = same[each.identity]
            known += [other for other in together if other is not each and other not in known]
    handed = [(each, version) for each in registration.participants if (version := newest(each))]
    prints = [prints_of(store, registration, *each) for each in handed]
    pairs = [
        Resemblance(handed[each.one][0], handed[each.other][0], each.share)
        for each in alike(prints, LEAST)[:MOST_SHOWN]
    ]
    return Copies(groups, dict(same), pairs)


def prints_of(
    store: RegistrationStore,
    registration: Registration,
    participant: Participant,
    version: EntryVersion,
) -> Fingerprints:
    """The fingerprints of a version, without those of the templates that everybody is given."""
    path = store.bot(registration, participant, version)
    return _prints(path, version.content, registration.game)


@lru_cache(maxsize=512)
def _prints(path: Path, _content: str, game: str) -> Fingerprints:
    return fingerprints(program(source_files(path))).without(_given(game).keys())


@lru_cache(maxsize=64)
def _given_bytes(game: str) -> set[str]:
    """The hashes, as versions have them, of the bots that everybody begins with."""
    found = set()
    for language in LANGUAGES:
        with speaking(language):
            for template in starters(card(game)).values():
                text = starter(template, game).encode()
                found |= {content_of(text), content_of(template.read_bytes())}
    return found


@lru_cache(maxsize=64)
def _given(game: str) -> dict[int, tuple[int, int]]:
    """The fingerprints of the templates of a game's bots."""
    found: dict[int, tuple[int, int]] = {}
    for language in LANGUAGES:
        with speaking(language):
            folders = program_folders(card(game)).values()
            programs = [each for folder in folders for each in folder.glob("bot.*.py.txt")]
            for path in [*starters(card(game)).values(), *programs]:
                found |= fingerprints(path.read_text(encoding="utf-8")).lines
    return found


def program(files: list[SourceFile]) -> str:
    """The Python of a bot as one text, in which its files come one after the other."""
    return "\n".join(each.text for each in files if each.text and each.name.endswith(".py"))[
        :LARGEST
    ]


@lru_cache(maxsize=64)
def _files(path: Path, _changed: int) -> list[SourceFile]:
    try:
        found = files_of(parse_bot(str(path)))
    except (UnreadableError, BotError):
        return []
    if found is None:
        return []
    names = [path.name] if path.suffix == ".py" else found.names
    files = []
    for name in names:
        try:
            files.append(SourceFile(name, found.read(name).decode("utf-8-sig")))
        except (UnreadableError, UnicodeDecodeError):
            files.append(SourceFile(name, None))
    return files


def source_files(path: Path) -> list[SourceFile]:
    """The files of a version that was handed in, each as text where it is one."""
    return _files(path, path.stat().st_mtime_ns)
