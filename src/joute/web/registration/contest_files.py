"""The file of a contest: checked when it is opened for registration, completed to be played."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from joute.bots import BuiltinError
from joute.contest.config.config import resolve, rules
from joute.contest.config.contest import Contest
from joute.contest.config.entries import checked_name
from joute.contest.config.reading import read_toml, toml_string
from joute.contest.errors import ConfigError
from joute.core.errors import GameError
from joute.core.registry import card, is_path, make
from joute.host.names import parse_bot
from joute.i18n.words import say
from joute.play.seats import check_builtin
from joute.web.contests.catalogue import identifier_of
from joute.web.errors import RequestRefusal
from joute.web.registration.store import (
    Participant,
    Registration,
    RegistrationStore,
    new_identity,
    utc,
)
from joute.web.settings import write_private

LARGEST_TEXT = 64 * 1024  # characters of a contest's file
_DRAFT = "draft.toml"
_PLACES = ("folder", "store")  # keys of [contest] that the server sets
_BLOCK = '\n[[bots]]\nbot = "builtin:random"\n'


def opened(store: RegistrationStore, text: str, deadline: str, zone: str) -> Registration:
    """The contest of that text, open until a time of day in a zone. Raises RequestRefusal."""
    until = moment(deadline, zone)
    if len(text) > LARGEST_TEXT:
        raise RequestRefusal(say("submit.toml.large", most=LARGEST_TEXT // 1024))
    text = text.replace("\r\n", "\n")
    _check_text(text)
    draft = store.folder / _DRAFT
    write_private(draft, text.encode())
    try:
        contest = rules(draft)
    except (ConfigError, GameError) as error:
        reason = str(error).replace(f"{draft}", say("submit.toml.file"))
        raise RequestRefusal(say("submit.toml.wrong", reason=reason)) from None
    finally:
        draft.unlink()
    registration = Registration(
        identity=new_identity(identifier_of(contest.name)),
        name=contest.name,
        game=contest.game,
        deadline=utc(until),
        zone=zone,
    )
    store.open(registration, text)
    return registration


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
    try:
        place = ZoneInfo(zone)
    except (ValueError, OSError, KeyError):  # of these is ZoneInfoNotFoundError
        raise RequestRefusal(say("submit.zone", zone=zone[:60])) from None
    try:
        return datetime.fromisoformat(deadline).replace(tzinfo=place).astimezone(UTC)
    except (ValueError, OverflowError):
        raise RequestRefusal(say("submit.time", time=deadline[:60])) from None


def participant_name(registration: Registration, name: str) -> str:
    """A name that nobody else has in that contest. Raises RequestRefusal."""
    try:
        found = checked_name(unicodedata.normalize("NFC", name.strip()))
    except ValueError:
        raise RequestRefusal(say("submit.name.wrong")) from None
    if any(_alike(each.name) == _alike(found) for each in registration.participants):
        raise RequestRefusal(say("submit.name.taken", name=found))
    return found


def _alike(name: str) -> str:
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


@lru_cache(maxsize=64)
def _requirements(file: Path, _changed: int) -> Requirements:
    contest = rules(file)
    game = make(contest.game, **contest.maps[0].parameters)
    return Requirements(contest, [name for name in card(contest.game).levels if _plays(name, game)])


def _plays(name: str, game: Any) -> bool:
    try:
        check_builtin(parse_bot(f"builtin:{name}"), game)
    except BuiltinError:
        return False
    return True


def _entry(participant: Participant, bot: Path) -> str:
    name = toml_string(participant.name)
    lines = [f"bot = {toml_string(str(bot.absolute()))}", f"name = {name}"]
    if participant.renamed:
        lines += ["authors = []", f"description = {name}"]
    return "\n".join(["\n[[bots]]", *lines, ""])


def composed(store: RegistrationStore, registration: Registration) -> Path:
    """The file of the contest that is played: who takes part now. Raises RequestRefusal."""
    text = store.contest(registration).read_text(encoding="utf-8")
    try:
        for participant, version in registration.entries:
            text += _entry(participant, store.bot(registration, participant, version))
    except ValueError as error:  # the name of the data folder is no text
        raise RequestRefusal(say("submit.run.wrong", reason=error)) from None
    file = store.run(registration) / "contest.toml"
    write_private(file, text.encode())
    try:
        resolve(file)
    except (ConfigError, GameError) as error:
        reason = str(error).replace(f"{file}", say("submit.toml.file"))
        raise RequestRefusal(say("submit.run.wrong", reason=reason)) from None
    return file
