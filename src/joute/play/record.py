"""The record of a game: JSON Lines, each line chained to all before it.

The first line is the header, the last the end; between them one line per ply, or per failure that
ended the game. A line is `PAYLOAD,"chain":"HEX"}`: HEX is a hash of the previous line's HEX and of
PAYLOAD's bytes, so a changed byte anywhere shows on its own line, and the last HEX, kept in the
store, stands for the whole record.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from joute import __version__
from joute.core.interface import CHANCE, parameters, properties
from joute.core.registry import source
from joute.errors import Error
from joute.host.annotations import COORDINATE, MARKS, NAME_CHARACTERS, NONE
from joute.host.limits import CLOCK
from joute.host.protocol import Answer, Fault
from joute.i18n.recognised import foreign
from joute.i18n.words import Sentence, english
from joute.play.chance import commitment
from joute.play.game import GameSpec

FORMAT = 2  # 1 drew chance by a generator, whose outputs give the next ones away
CHAIN_DIGITS = 32
WITHHELD = "withheld"  # the keys left out of a line, see `withheld.py`
BEGINNING = b'{"record":'
NO_RECORD = "error.record.none"  # the key of the reason why a file of another kind is refused
_TAIL = re.compile(rb'^(\{.*),"chain":"([0-9a-f]{32})"\}$')


class RecordError(Error, ValueError):
    """A record that is cut off, changed or no record; `line` (from 1) is the first wrong line."""

    def __init__(self, line: int, reason: object, path: Path | None = None) -> None:
        key = "error.record" if path is None else "error.record.named"
        super().__init__(Sentence(key, path=path, line=line, reason=reason))
        self.line = line
        self.reason = reason

    def named(self, path: Path | None) -> RecordError:
        """The same error with the path of the record, where it has one, in its text."""
        return RecordError(self.line, self.reason, path)


def broken(line: int, key: str, **values: object) -> RecordError:
    """The error of a line, whose sentence in the catalogs is `error.record.KEY`."""
    return RecordError(line, Sentence(f"error.record.{key}", **values))


class Record(msgspec.Struct):
    """A record that was read: every line as plain data, without its chain."""

    header: dict[str, Any]
    plies: list[dict[str, Any]]
    end: dict[str, Any]
    chain: str
    withheld: list[int] = []  # the lines, from 1, from which words were left out


def ply_number(ply: int) -> int:
    """The number by which people know a ply, which records count from 0: the first is 1.

    After it, so many plies are played.
    """
    return ply + 1


def actions_of(line: dict[str, Any]) -> list[int]:
    """The actions or outcomes of a line: none for a mere failure, several for a whole turn."""
    action = line.get("action", [])
    return list(action) if isinstance(action, list) else [action]


def header(
    spec: GameSpec, game: Any, identity: str, contents: Sequence[str], isolation: Sequence[str]
) -> dict[str, Any]:
    """The first line of a game's record.

    `contents` are the bots' content hashes and `isolation` what is enforced on each, by seat.
    """
    return {
        "record": FORMAT,
        "joute": __version__,
        "identity": identity,
        "game": spec.game,
        "parameters": parameters(game),
        "rules": properties(game).version,
        **_source(spec.game),
        "bots": [
            {"name": seat.name, "bot": seat.bot, "content": content, "isolation": enforced}
            for seat, content, enforced in zip(spec.bots, contents, isolation, strict=True)
        ],
        "opening": spec.opening,
        "limits": {key: getattr(spec.limits, key) for key in CLOCK}
        | {"memory_mb": [seat.memory_mb or spec.limits.memory_mb for seat in spec.bots]},
        "costs": spec.costs,
        "max_restarts": spec.max_restarts,
        "commitment": commitment(spec.seed),
    }


def _source(game: str) -> dict[str, Any]:
    """The rules by which a game that is not Joute's own was played."""
    found = source(game)
    return {"source": {"file": Path(found.path).name, "hash": found.hash}} if found else {}


FIRST_CHAIN = "0" * CHAIN_DIGITS  # before the first line


def chained(line: dict[str, Any], chain: str) -> tuple[bytes, str]:
    """A line (plain data, not empty) as it is written after the line of that chain, and its own."""
    payload = msgspec.json.encode(line)[:-1]
    chain = _link(chain, payload)
    return payload + b',"chain":"' + chain.encode() + b'"}\n', chain


class Writer:
    """Collects the lines of a record."""

    def __init__(self) -> None:
        self.chain = FIRST_CHAIN
        self._lines: list[bytes] = []

    def write(self, line: dict[str, Any]) -> None:
        """Adds a line (plain data, not empty)."""
        written, self.chain = chained(line, self.chain)
        self._lines.append(written)

    def content(self) -> bytes:
        """The whole record so far."""
        return b"".join(self._lines)


def _link(previous: str, payload: bytes) -> str:
    digest = hashlib.blake2b(previous.encode(), digest_size=CHAIN_DIGITS // 2)
    digest.update(payload)
    return digest.hexdigest()


def read_record(content: bytes, *, partial: bool = False) -> Record:
    """Reads a record and checks its chain. Raises RecordError at the first line that is wrong.

    A `partial` record may lack words: lines that do are not proved by their hashes.
    """
    first = content.partition(b"\n")[0]
    if not first.startswith(BEGINNING) and not _TAIL.match(first):
        raise broken(1, "none")
    found, chain = unchained(content, partial=partial)
    if len(found) < 2 or "record" not in found[0]:
        raise broken(1, "header")
    if found[0]["record"] != FORMAT:
        raise broken(1, "format", found=found[0]["record"], known=FORMAT)
    for number, payload in enumerate(found[1:-1], start=2):
        if "ply" not in payload:
            raise broken(number, "no_ply")
    if "ending" not in found[-1]:
        raise broken(len(found), "no_end")
    lacking = [number for number, line in enumerate(found, start=1) if WITHHELD in line]
    return Record(found[0], found[1:-1], found[-1], chain, lacking)


def unchained(content: bytes, *, partial: bool = False) -> tuple[list[dict[str, Any]], str]:
    """The lines of a chained text, as plain data without their chains, and the last chain.

    A `partial` text may lack words. Raises RecordError at the first line that is wrong.
    """
    lines = content.split(b"\n")
    if lines[-1]:
        raise broken(len(lines), "cut")
    chain = FIRST_CHAIN
    found: list[dict[str, Any]] = []
    for number, line in enumerate(lines[:-1], start=1):
        payload, chain = _unchain(number, line, chain, partial)
        found.append(payload)
    return found, chain


def split_line(number: int, line: bytes) -> tuple[dict[str, Any], str]:
    """A line as plain data, and its hash, unchecked. Raises RecordError."""
    match = _TAIL.match(line)
    if not match:
        raise broken(number, "no_chain")
    try:
        return msgspec.json.decode(match[1] + b"}", type=dict[str, Any]), match[2].decode()
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise broken(number, "json", reason=foreign(error)) from None


def _unchain(number: int, line: bytes, previous: str, partial: bool) -> tuple[dict[str, Any], str]:
    match = _TAIL.match(line)
    proved = match is not None and _link(previous, match[1]) == match[2].decode()
    if match is not None and not proved and not partial:
        raise broken(number, "chain")
    payload, chain = split_line(number, line)
    if not proved and WITHHELD not in payload:
        raise broken(number, "chain")
    return payload, chain


LONGEST_NAME = 200  # characters

Seconds = Annotated[float, msgspec.Meta(ge=0, le=1e9)]
Milliseconds = Annotated[float, msgspec.Meta(ge=0, le=1e12)]
Name = Annotated[str, msgspec.Meta(max_length=LONGEST_NAME)]


class _Bot(msgspec.Struct):
    name: Name
    bot: str


class _Limits(msgspec.Struct):
    move_seconds: Seconds
    bank_seconds: Seconds
    increment_seconds: Seconds


class _Header(msgspec.Struct):
    bots: list[_Bot]
    limits: _Limits
    opening: tuple[int, int]
    costs: dict[str, str]
    max_restarts: int


Number = Annotated[float, msgspec.Meta(ge=-1e308, le=1e308)]
MetricName = Annotated[str, msgspec.Meta(min_length=1, max_length=NAME_CHARACTERS)]
Coordinate = Annotated[int, msgspec.Meta(ge=0, le=COORDINATE)]
Place = Annotated[list[Coordinate], msgspec.Meta(min_length=2, max_length=3)]


class _Mark(msgspec.Struct):
    """A cell, or an arrow between two, that a bot marks."""

    tone: Literal["good", "bad", "note"]
    cell: Place | None = None
    from_: Place | None = msgspec.field(default=None, name="from")
    to: Place | None = None


class _Line(msgspec.Struct):
    """A ply, or a failure without one."""

    by: str
    player: int = CHANCE
    cpu_ms: Milliseconds | None = None
    wall_ms: Milliseconds | None = None
    message: str = ""
    metrics: dict[MetricName, Number] = {}
    marks: Annotated[list[_Mark], msgspec.Meta(max_length=MARKS)] = []
    note: str = ""
    stand_in: str = ""
    output: str = ""
    fault: Fault | None = None
    detail: str = ""
    cost: str = ""
    resigned: bool = False


def check_shape(record: Record, players: int) -> None:
    """Raises RecordError at the first line that pages cannot show."""
    line = 1
    try:
        header = msgspec.convert(record.header, _Header)
        if len(header.bots) != players:
            raise broken(line, "seats", bots=len(header.bots), seats=players)
        for line, ply in enumerate(record.plies, start=2):
            each = msgspec.convert(ply, _Line)
            if each.by == "bot" and (each.cpu_ms is None or not 0 <= each.player < players):
                raise broken(line, "bot")
            if "cpu_ms" in ply and None in (each.cpu_ms, each.wall_ms):
                raise broken(line, "time")
            if any((mark.cell is None) == (None in (mark.from_, mark.to)) for mark in each.marks):
                raise broken(line, "mark")
            if each.fault is not None and "detail" not in ply:
                raise broken(line, "detail")
    except msgspec.ValidationError as error:
        raise RecordError(line, foreign(error)) from None


def spent(answer: Answer) -> dict[str, Any]:
    """The part of a ply's line that comes from the answer, but for the action and the fault."""
    found: dict[str, Any] = {
        "cpu_ms": round(answer.cpu_ms, 3),
        "wall_ms": round(answer.wall_ms, 3),
    }
    if answer.busy:
        found["busy"] = True
    if answer.held_ms:
        found["held_ms"] = round(answer.held_ms, 3)
    if answer.message:
        found["message"] = answer.message
    if answer.annotations.metrics:
        found["metrics"] = answer.annotations.metrics
    if answer.annotations.marks:
        found["marks"] = answer.annotations.marks
    if answer.output:
        found["output"] = answer.output
    if answer.note:
        found["note"] = answer.note
    if answer.stand_in:
        found["stand_in"] = answer.stand_in
    return found


SAID_BYTES = 1 << 20  # Kept of one bot in one game, in bytes of the record

_LAST_CHARACTERS = 240
"""Of the reason of a fault, which are kept all the same: a traceback says it last."""
_MOST_BYTES = 6  # of a character in JSON


class TextBudget:
    """The bytes of text that a bot may still send in a game."""

    def __init__(self) -> None:
        self._left = SAID_BYTES

    def cut(self, answer: Answer) -> Answer:
        """The answer with as much of its words as there is room for."""
        answer = self._annotated(answer)
        if not (answer.output or answer.message or answer.detail or answer.note):
            return answer
        return replace(
            answer,
            detail=self._end(answer.detail),
            message=self._beginning(answer.message),
            note=self._beginning(answer.note),
            output=self._beginning(answer.output),
        )

    def _annotated(self, answer: Answer) -> Answer:
        """The answer with its annotations if there is room for all of them; takes the room."""
        if answer.annotations.empty:
            return answer
        size = len(msgspec.json.encode(answer.annotations))
        if size <= self._left:
            self._left -= size
            return answer
        full = english(Sentence("error.annotation.full"))
        return replace(answer, annotations=NONE, note="\n".join(filter(None, [answer.note, full])))

    def _beginning(self, text: str) -> str:
        room = self._room(text)
        if room >= len(text):
            return text
        return f"{text[:room]}... {len(text) - room} characters more"

    def _end(self, text: str) -> str:
        room = max(self._room(text), _LAST_CHARACTERS)
        if room >= len(text):
            return text
        return f"{len(text) - room} characters before ...{text[-room:]}"

    def _room(self, text: str) -> int:
        """The number of a text's characters that there is room for; takes the room."""
        size = len(msgspec.json.encode(text)) if text else 0
        if size <= self._left:
            self._left -= size
            return len(text)
        room, self._left = self._left // _MOST_BYTES, 0
        return room
