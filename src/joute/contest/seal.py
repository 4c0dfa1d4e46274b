"""The seal of a contest: one short text that stands for its bots and its rules.

It is made before the contest is played, and written where everybody sees it. The contest's seed
comes from it and from a public value that nobody knew at that time; so whoever has seen both can
tell that neither bots nor rules were changed to suit the seed.

What is sealed, the *terms*, is one JSON object (its keys sorted, no blanks, ASCII only): the
resolved configuration without UNSEALED, the bots in the order of the file, each with its name, the
hash of its files, its interpreter and its memory, the version of the game's rules and that of the
scheme by which chance comes from seeds.

The seal is scrypt of these bytes, 80 bits, written as 16 digits of Crockford's base 32. Whoever
seals may look for two contests with the same seal, and choose between them when the public value is
known. Among 2^80 that takes about 2^40 trials; at about 0.1 s and 32 MiB each (SCRYPT_N) those are
3,500 years of a processor core, with a fast hash they would be hours. To find another contest for a
seal that is there takes 2^80 trials.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from joute.contest.errors import Change
from joute.contest.schedule.schedule import digest
from joute.host.limits import Limits
from joute.i18n.words import Sentence

if TYPE_CHECKING:
    from joute.contest.errors import Change


FORMAT = 1  # of the terms
DIGITS = 16  # of a seal, 5 bits each
GROUP = 4  # of them are written together
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's: no I, L, O, U
MISTAKEN = str.maketrans("ILO", "110")  # what is read for another digit
SALT = b"joute seal 1"
SCRYPT_N, SCRYPT_R, SCRYPT_P = 1 << 15, 8, 1  # RFC 7914; 128 * N * R bytes of memory
LONGEST_VALUE = 200  # characters of a public value

UNSEALED = ("name", "workers", "minutes", "seed", "seal", "folder", "store", "base", "bots")
"""Keys of a configuration that decide nothing: what is shown, where and how fast it is played.

The bots are sealed by the hashes of their files; their paths, authors and descriptions are not.
"""


class Seal(msgspec.Struct, frozen=True, kw_only=True):
    """A contest's seal with what it takes, besides the configuration, to make it again."""

    seal: str
    contents: dict[str, str]  # the hash of each bot's files, by name
    rules: int  # the version of the game's rules
    chance: int  # that of the scheme of chance
    public: str | None = None  # the public value; None until it is drawn


def sealed_terms(configuration: Mapping[str, Any], seal: Seal) -> dict[str, Any]:
    """The sealed part of a configuration, which is plain data with every key resolved.

    `seal` brings the hashes and the versions. Raises KeyError, TypeError or AttributeError for what
    is no configuration.
    """
    base = f"{configuration['base']}/"  # an interpreter below it is sealed by its path from there
    return {
        "format": FORMAT,
        "rules": seal.rules,
        "chance": seal.chance,
        "bots": [
            [
                bot["name"],
                seal.contents[bot["name"]],
                (python := bot.get("python")) and python.removeprefix(base),
                bot.get("memory_mb"),
            ]
            for bot in configuration["bots"]
        ],
        "configuration": {
            key: value for key, value in configuration.items() if key not in UNSEALED
        },
    }


def seal_of(terms: Mapping[str, Any]) -> str:
    """The seal of some terms, in groups of four; takes about 0.1 s and 32 MiB."""
    content = json.dumps(terms, sort_keys=True, separators=(",", ":")).encode()
    key = hashlib.scrypt(
        content,
        salt=SALT,
        n=SCRYPT_N,
        r=SCRYPT_R,
        p=SCRYPT_P,
        maxmem=256 * SCRYPT_N * SCRYPT_R,
        dklen=DIGITS * 5 // 8,
    )
    number = int.from_bytes(key, "big")
    digits = [ALPHABET[number >> 5 * place & 31] for place in reversed(range(DIGITS))]
    return _grouped("".join(digits))


def read_seal(text: str) -> str:
    """A seal as people type it, as it is written: capitals, dashes, O for 0, I and L for 1.

    Raises ValueError for what is none.
    """
    digits = re.sub(r"[\s\-]", "", text).upper().translate(MISTAKEN)
    if len(digits) != DIGITS or any(digit not in ALPHABET for digit in digits):
        raise ValueError(Sentence("error.seal.digits", text=text, digits=DIGITS))
    return _grouped(digits)


def read_value(text: str) -> str:
    """A public value in the form that counts: NFC, without blanks around it.

    Raises ValueError unless it is one line that is neither empty nor too long.
    """
    value = unicodedata.normalize("NFC", text).strip()
    if not value or len(value) > LONGEST_VALUE or not value.isprintable():
        raise ValueError(Sentence("error.seal.value", most=LONGEST_VALUE, text=text))
    return value


def sealed_seed(seal: str, public: str) -> str:
    """The seed (32 hex digits) of a sealed contest for a public value."""
    return digest("sealed", seal, public)


def _grouped(digits: str) -> str:
    return "-".join(digits[at : at + GROUP] for at in range(0, DIGITS, GROUP))


_TABLES = {
    "limits": Limits.__struct_fields__,
    "game": ("players", "maps", "opening"),
    "faults": ("max_restarts", "disqualify_after", "disqualify_for"),
}
"""The places in a contest's file of the keys that do not stand in its table [contest]."""
_NAMES = {"game": "game.name", "costs": "faults", "submission": "submission"}
_MAPS = "game.maps"
_BOT = ("content", "python", "memory")  # what is sealed of a bot besides its name
_SHOWN = 60  # characters of a value


def terms_changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Change]:
    """The differences of two values of `sealed_terms`."""
    changes = list(_bots_changed(before["bots"], after["bots"]))
    changes += [
        Change("versions", "", str(before[key]), str(after[key]))
        for key in ("rules", "chance")
        if before[key] != after[key]
    ]
    one, other = before["configuration"], after["configuration"]
    for key in sorted({*one, *other}):
        changes += _key_changed(_key(key), one.get(key), other.get(key))
    return changes


def _bots_changed(before: list[Any], after: list[Any]) -> Iterator[Change]:
    one = {name: facts for name, *facts in before}
    other = {name: facts for name, *facts in after}
    yield from (Change("removed", name) for name in one if name not in other)
    yield from (Change("added", name) for name in other if name not in one)
    for name, facts in one.items():
        for kind, was, now in zip(_BOT, facts, other.get(name, facts), strict=True):
            if was != now:
                yield Change(kind, name, _shown(was), _shown(now))
    if set(one) == set(other) and list(one) != list(other):
        yield Change("order")


def _key_changed(key: str, before: Any, after: Any) -> Iterator[Change]:
    if before == after:
        return
    if key != _MAPS or [each["name"] for each in before] != [each["name"] for each in after]:
        yield Change("key", key, _shown(before), _shown(after))
        return
    for one, other in zip(before, after, strict=True):
        for name, was in one["parameters"].items():
            now = other["parameters"].get(name)
            if was != now:
                yield Change("key", f"game.{name}", _shown(was), _shown(now))


def _key(field: str) -> str:
    """A field of a configuration as the contest's file calls it."""
    if field in _NAMES:
        return _NAMES[field]
    table = next((table for table, keys in _TABLES.items() if field in keys), "contest")
    return f"{table}.{field}"


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."
