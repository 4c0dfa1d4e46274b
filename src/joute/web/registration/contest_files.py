"""The file of a contest: checked when it is opened for registration, completed to be played."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Callable, Container, Iterable, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from joute.bots import BuiltinError
from joute.contest.config.config import resolve, rules
from joute.contest.config.contest import Contest
from joute.contest.config.entries import checked_name
from joute.contest.config.reading import toml_string
from joute.contest.errors import ConfigError
from joute.core.card import is_path
from joute.core.errors import GameError
from joute.core.registry import make
from joute.host.names import parse_bot
from joute.host.toml import read_toml
from joute.i18n.words import say
from joute.play.seats import check_uncompiled
from joute.web.contests.catalogue import identifier_of
from joute.web.errors import RequestRefusal
from joute.web.registration.house import house_codes
from joute.web.registration.store import (
    Participant,
    Person,
    Registration,
    RegistrationStore,
    new_identity,
    utc,
    zone_of,
)
from joute.web.settings import write_private

LARGEST_TEXT = 64 * 1024  # characters of a contest's file
YEARS = range(2000, 3000)  # of deadlines
LONGEST_DETAIL = 100  # characters of a number, a group, an address
_PLACES = ("folder", "store")  # keys of [contest] that the server sets
_BLOCK = '\n[[bots]]\nbot = "builtin:random"\n'


class ContestTerms(NamedTuple):
    """The terms of a contest that are not in its file."""

    deadline: str  # a time of day, as `moment` reads it
    zone: str
    grace_minutes: int = 0
    late_minutes: int = 0
    at_once: bool = False
    opening: str = ""  # a time of day, before which no bot is taken; "" for no such time


def opened(
    store: RegistrationStore,
    text: str,
    terms: ContestTerms,
    participants: Sequence[Participant] = (),
) -> Registration:
    """The contest of that text, open until a time of day in a zone, for people of another one.

    Raises RequestRefusal.
    """
    until = future(store, terms)
    text, contest = checked_text(store, text)
    check_names(text, participants)
    registration = Registration(
        identity=new_identity(identifier_of(contest.name)),
        name=contest.name,
        game=contest.game,
        deadline=utc(until),
        zone=terms.zone,
        grace_minutes=terms.grace_minutes,
        late_minutes=terms.late_minutes,
        at_once=terms.at_once,
        opening=_opening(terms, until),
        created_at=utc(store.now()),
    )
    store.open(registration, text)
    if participants:
        store.enrol(registration, [each.person for each in participants])
    return registration


def changed(
    store: RegistrationStore, registration: Registration, text: str, terms: ContestTerms
) -> bool:
    """Whether a contest that nobody played has another file now. Raises RequestRefusal.

    The game cannot be another one once a bot was handed in.
    """
    until = moment(terms.deadline, terms.zone)
    if utc(until) != registration.deadline:
        future(store, terms)
    opening = _opening(terms, until)
    text, contest = checked_text(store, text)
    handed_in = any(each.versions for each in registration.participants)
    if contest.game != registration.game and handed_in:
        raise RequestRefusal(say("organise.form.game_fixed"))
    check_names(text, registration.participants)
    file = store.contest(registration)
    other = file.read_text(encoding="utf-8") != text
    draft = file.with_name(f".{file.name}")
    try:
        write_private(draft, text.encode())
        with store.changing(registration):
            registration.name, registration.game = contest.name, contest.game
            registration.deadline, registration.zone = utc(until), terms.zone
            registration.grace_minutes = terms.grace_minutes
            registration.late_minutes = terms.late_minutes
            registration.at_once, registration.opening = terms.at_once, opening
        if other:  # last, for it needs no room: what cannot be stored changes nothing
            draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)
    return other


def future(store: RegistrationStore, terms: ContestTerms) -> datetime:
    """The deadline. Raises RequestRefusal if it is over."""
    until = moment(terms.deadline, terms.zone)
    if until <= store.now():
        raise RequestRefusal(say("organise.form.past"))
    return until


def _opening(terms: ContestTerms, until: datetime) -> str:
    """The opening time as it is stored. Raises RequestRefusal unless it precedes the deadline."""
    if not terms.opening:
        return ""
    begin = moment(terms.opening, terms.zone)
    if begin >= until:
        raise RequestRefusal(say("organise.form.opening.late"))
    return utc(begin)


def checked_text(store: RegistrationStore, text: str) -> tuple[str, Contest]:
    """The text of a contest's file as it is kept, and its contest. Raises RequestRefusal."""
    if len(text) > LARGEST_TEXT:
        raise RequestRefusal(say("submit.toml.large", most=LARGEST_TEXT // 1024))
    text = text.replace("\r\n", "\n")
    _check_text(text)
    # In a folder of its own: a file gives a contest without a name its own.
    with TemporaryDirectory(dir=store.folder) as folder:
        draft = Path(folder) / "contest.toml"
        write_private(draft, text.encode())
        try:
            return text, rules(draft)
        except (ConfigError, GameError) as error:
            reason = str(error).replace(f"{draft}", say("submit.toml.file"))
            raise RequestRefusal(say("submit.toml.wrong", reason=reason)) from None


def _check_text(text: str) -> None:
    """Refuses a file with bots other than built-in ones, or with a place for results."""
    try:
        data = read_toml(text)
    except ValueError as error:
        raise RequestRefusal(say("submit.toml.wrong", reason=error)) from None
    if any(key in _table(data, "contest") for key in _PLACES):
        raise RequestRefusal(say("submit.toml.place"))
    game = str(_table(data, "game").get("name"))
    if is_path(game):
        raise RequestRefusal(say("submit.toml.game", game=game[:80]))
    try:
        read_toml(text + _BLOCK)
    except ValueError:
        raise RequestRefusal(say("submit.toml.bots")) from None
    bots = data.get("bots", [])
    if not all(str(_table({"": bot}, "").get("bot")).startswith("builtin:") for bot in bots):
        raise RequestRefusal(say("submit.toml.house"))


def _table(data: dict[str, Any], key: str) -> dict[str, Any]:
    found = data.get(key)
    return found if isinstance(found, dict) else {}


def moment(deadline: str, zone: str) -> datetime:
    """A time of day (`2026-11-27T23:59`) in a zone (`Europe/Paris`). Raises RequestRefusal."""
    place = zone_of(zone)
    if place is None:
        raise RequestRefusal(say("submit.zone", zone=zone[:60]))
    shown = deadline[:60]
    try:
        local = datetime.fromisoformat(deadline)
    except ValueError:
        raise RequestRefusal(say("submit.time", time=shown)) from None
    if local.tzinfo is not None:
        raise RequestRefusal(say("submit.time", time=shown))
    if local.year not in YEARS:
        raise RequestRefusal(say("submit.time.year", time=shown, first=YEARS[0], last=YEARS[-1]))
    found = local.replace(tzinfo=place).astimezone(UTC)
    if found.astimezone(place).replace(tzinfo=None) != local:
        raise RequestRefusal(say("submit.time.skipped", time=shown, zone=zone))
    return found


def house_names(store: RegistrationStore, registration: Registration) -> set[str]:
    """The names that the file of a contest gives its house bots, in their `alike` form."""
    return _house_names(store.contest(registration).read_text(encoding="utf-8"))


def _house_names(text: str) -> set[str]:
    bots = read_toml(text).get("bots", [])
    return {alike(str(bot["name"])) for bot in bots if isinstance(bot, dict) and "name" in bot}


def check_names(text: str, participants: Iterable[Participant]) -> None:
    """Refuses a contest's file that gives a house bot the name of a participant."""
    taken = _house_names(text)
    for each in participants:
        if alike(each.name) in taken:
            raise RequestRefusal(say("organise.form.house.taken", name=each.name))


def participant_name(
    registration: Registration,
    name: str,
    house: Container[str] = frozenset(),
    own: Participant | None = None,
) -> str:
    """A name for the participant `own`, or a new one, that nobody else in that contest has.

    `house` are the names of its house bots. Raises RequestRefusal.
    """
    try:
        found = checked_name(unicodedata.normalize("NFC", name.strip()))
    except ValueError:
        raise RequestRefusal(say("submit.name.wrong")) from None
    others = [each for each in registration.participants if each is not own]
    if any(alike(each.name) == alike(found) for each in others):
        raise RequestRefusal(say("submit.name.taken", name=found))
    if alike(found) in house:
        raise RequestRefusal(say("submit.name.house", name=found))
    return found


def checked_person(person: Person) -> Person:
    """A person as a list has them, tidied; the name is checked apart. Raises RequestRefusal."""
    found = Person(*(" ".join(unicodedata.normalize("NFC", each).split()) for each in person))
    for each in found[1:]:
        if len(each) > LONGEST_DETAIL or not each.isprintable():
            raise RequestRefusal(say("organise.person.wrong", most=LONGEST_DETAIL))
    return found


def numbers_of(participants: Iterable[Participant], others: Container[str]) -> dict[str, str]:
    """The names of participants by number, but for those whose `alike` name is among `others`."""
    return {
        each.number: each.name
        for each in participants
        if each.number and alike(each.name) not in others
    }


def claim_number(person: Person, numbers: dict[str, str]) -> None:
    """Adds a person's number to those that are taken, with their names.

    Raises RequestRefusal for one that is taken: a school would give one's marks to the other.
    """
    if person.number in numbers:
        holder = numbers[person.number]
        raise RequestRefusal(say("organise.person.taken", number=person.number, name=holder))
    if person.number:
        numbers[person.number] = person.name


def alike(name: str) -> str:
    """The form that is the same for names which readers cannot tell apart."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


class Requirements(NamedTuple):
    """The rules of a contest, and the built-in bots to play test games against."""

    contest: Contest  # without its bots
    houses: list[str]  # built-in bots that can play its game, the weakest first


def requirements(store: RegistrationStore, registration: Registration) -> Requirements:
    """The requirements of a contest."""
    file = store.contest(registration)
    return _requirements(file, file.stat().st_mtime_ns)


def rules_of(store: RegistrationStore, registration: Registration) -> Contest:
    """The rules of a contest, known at once: to say which bots can play it may take seconds."""
    file = store.contest(registration)
    return _rules(file, file.stat().st_mtime_ns)


@lru_cache(maxsize=64)
def _rules(file: Path, _changed: int) -> Contest:
    return rules(file)


@lru_cache(maxsize=64)
def _requirements(file: Path, changed: int) -> Requirements:
    contest = _rules(file, changed)
    game = make(contest.game, **contest.maps[0].parameters)
    return Requirements(contest, [bot for bot in house_codes(contest.game) if _plays(bot, game)])


def _plays(name: str, game: Any) -> bool:
    try:
        check_uncompiled(parse_bot(f"builtin:{name}"), game)
    except BuiltinError:
        return False
    return True


def _entry(participant: Participant, bot: str, called: str) -> str:
    name = toml_string(called)
    lines = [f"bot = {toml_string(bot)}", f"name = {name}"]
    if participant.renamed or called != participant.name:
        lines += ["authors = []", f"description = {name}"]
    return "\n".join(["\n[[bots]]", *lines, ""])


def composed(
    store: RegistrationStore,
    registration: Registration,
    folder: Path | None = None,
    name: Callable[[Participant], str] | None = None,
) -> Path:
    """The file of the contest that is played in a folder: who takes part now, by which names.

    The folder is that of the contest's run unless another is given. Bots with a name of their own
    stand in the order of these: that of the participants tells whose it is. Raises RequestRefusal.
    """
    folder = folder or store.run(registration)
    text = store.contest(registration).read_text(encoding="utf-8")
    entries = registration.entries
    if name is not None:
        entries.sort(key=lambda entry: name(entry[0]))
    try:
        for participant, version in entries:
            # Records name the path, which is to tell nothing of this machine.
            bot = os.path.relpath(store.bot(registration, participant, version), folder)
            text += _entry(participant, bot, name(participant) if name else participant.name)
    except ValueError as error:  # the name of the data folder is no text
        raise RequestRefusal(say("submit.run.wrong", reason=error)) from None
    file = folder / "contest.toml"
    write_private(file, text.encode())
    try:
        resolve(file)
    except (ConfigError, GameError) as error:
        reason = str(error).replace(f"{file}", say("submit.toml.file"))
        raise RequestRefusal(say("submit.run.wrong", reason=reason)) from None
    return file
