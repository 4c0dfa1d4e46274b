"""The record of a game: JSON Lines, each line chained to all before it.

The first line is the header, the last the end; between them one line per ply, or per failure that
ended the game. A line is `PAYLOAD,"chain":"HEX"}`: HEX is a hash of the previous line's HEX and of
PAYLOAD's bytes, so a changed byte anywhere shows on its own line, and the last HEX, kept in the
store, stands for the whole record.
"""

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from joute import __version__
from joute.core.interface import parameters, properties
from joute.core.registry import source
from joute.host.limits import CLOCK
from joute.i18n.recognised import foreign
from joute.i18n.words import Sentence
from joute.play.chance import commitment
from joute.play.game import GameSpec

FORMAT = 2  # 1 drew chance by a generator, whose outputs give the next ones away
CHAIN_DIGITS = 32
_TAIL = re.compile(rb'^(\{.*),"chain":"([0-9a-f]{32})"\}$')


class RecordError(ValueError):
    """A record that is broken; `line` is the first line (from 1) that is."""

    def __init__(self, line: int, reason: object) -> None:
        super().__init__(Sentence("error.record", line=line, reason=reason))
        self.line = line
        self.reason = reason


def broken(line: int, key: str, **values: object) -> RecordError:
    """The error of a line, whose sentence in the catalogs is `error.record.KEY`."""
    return RecordError(line, Sentence(f"error.record.{key}", **values))


class Record(msgspec.Struct):
    """A record that was read: every line as plain data, without its chain."""

    header: dict[str, Any]
    plies: list[dict[str, Any]]
    end: dict[str, Any]
    chain: str


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
    """Which rules a game that is not Joute's own was played by."""
    found = source(game)
    return {"source": {"file": Path(found.path).name, "hash": found.hash}} if found else {}


class Writer:
    """Collects the lines of a record."""

    def __init__(self) -> None:
        self.chain = "0" * CHAIN_DIGITS
        self._lines: list[bytes] = []

    def write(self, line: dict[str, Any]) -> None:
        """Add a line (plain data, not empty)."""
        payload = msgspec.json.encode(line)[:-1]
        self.chain = _link(self.chain, payload)
        self._lines.append(payload + b',"chain":"' + self.chain.encode() + b'"}\n')

    def content(self) -> bytes:
        """The whole record so far."""
        return b"".join(self._lines)


def _link(previous: str, payload: bytes) -> str:
    digest = hashlib.blake2b(previous.encode(), digest_size=CHAIN_DIGITS // 2)
    digest.update(payload)
    return digest.hexdigest()


def read_record(content: bytes) -> Record:
    """Read a record and check its chain. Raises RecordError at the first line that is wrong."""
    lines = content.split(b"\n")
    if lines[-1]:
        raise broken(len(lines), "cut")
    chain = "0" * CHAIN_DIGITS
    found: list[dict[str, Any]] = []
    for number, line in enumerate(lines[:-1], start=1):
        payload, chain = _unchain(number, line, chain)
        found.append(payload)
    if len(found) < 2 or "record" not in found[0]:
        raise broken(1, "header")
    if found[0]["record"] != FORMAT:
        raise broken(1, "format", found=found[0]["record"], known=FORMAT)
    for number, payload in enumerate(found[1:-1], start=2):
        if "ply" not in payload:
            raise broken(number, "no_ply")
    if "ending" not in found[-1]:
        raise broken(len(found), "no_end")
    return Record(found[0], found[1:-1], found[-1], chain)


def _unchain(number: int, line: bytes, previous: str) -> tuple[dict[str, Any], str]:
    match = _TAIL.match(line)
    if not match:
        raise broken(number, "no_chain")
    payload, chain = match[1], match[2].decode()
    if _link(previous, payload) != chain:
        raise broken(number, "chain")
    try:
        return msgspec.json.decode(payload + b"}", type=dict[str, Any]), chain
    except (msgspec.DecodeError, RecursionError) as error:
        raise broken(number, "json", reason=foreign(error)) from None
