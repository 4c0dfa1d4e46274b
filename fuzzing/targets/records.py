"""Records: read, proved, replayed, exported and shown; forged ones with a right chain too."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from fuzzing import games
from fuzzing.console import run
from fuzzing.mutation import bytes_changed, value_changed
from fuzzing.target import Pool
from joute.core.errors import GameError
from joute.games.virus.saves import export_saves
from joute.play.record import RecordError, Writer, read_record
from joute.play.verify import replay, verify_record
from joute.web.errors import RequestRefusal
from joute.web.replays.recorded import read_recorded, sent
from joute.web.replays.single_file import game_page
from joute.web.tables.menu import continued

_WORDS = (
    "bot", "referee", "clock", "chance", "opening", "turn", "game", "disqualification", "timeout",
    "illegal", "start-up", "infrastructure", "finished", "forfeit", "resignation", "virus", "tron",
    "paradise", "builtin:random", "human", "1-1", "pass", "action", "fault", "player", [[0, 1, 1]],
)  # fmt: skip


def seeds() -> list[bytes]:
    """A record of each game, and one of a game with a random opening."""
    found = [games.played(number).record for number in range(len(games.GAMES))]
    return [*found, games.played(0, opening=(2, 4)).record]


def cases(pool: Pool) -> SearchStrategy[bytes]:
    """Records whose lines are changed and chained anew, and a few with broken chains."""
    return st.one_of(*[_forged(pool)] * 4, bytes_changed(pool))


@st.composite
def _forged(draw: DrawFn, pool: Pool) -> bytes:
    lines = _lines(draw(st.sampled_from(pool)))
    for _ in range(draw(st.integers(1, 3))):
        lines = _changed(draw, lines)
    return chained([line for line in lines if line])


def _changed(draw: DrawFn, lines: list[Any]) -> list[Any]:
    """Lines with one changed, moved, doubled or gone; first, last and others as often."""
    if not lines:
        return lines
    at = draw(st.sampled_from((0, len(lines) - 1)) | st.integers(0, len(lines) - 1))
    kind = draw(st.sampled_from(("inside", "inside", "inside", "drop", "twice", "end")))
    if kind == "inside":
        changed = value_changed(draw, lines[at], _WORDS)
        return [*lines[:at], changed if isinstance(changed, dict) else {}, *lines[at + 1 :]]
    if kind == "drop":
        return lines[:at] + lines[at + 1 :]
    if kind == "twice":
        return [*lines[: at + 1], *lines[at:]]
    return [*lines[:at], lines[-1]]


def _lines(content: bytes) -> list[dict[str, Any]]:
    """The lines of a record that are objects of JSON, without their chain."""
    lines = []
    for line in content.splitlines():
        with suppress(msgspec.DecodeError, UnicodeDecodeError):
            found = msgspec.json.decode(line, type=dict[str, Any])
            lines.append({key: value for key, value in found.items() if key != "chain"})
    return lines


def chained(lines: list[dict[str, Any]]) -> bytes:
    """A record of these lines with a right chain; without what no JSON can hold."""
    writer = Writer()
    for line in lines:
        with suppress(msgspec.MsgspecError, UnicodeError, OverflowError):
            writer.write(line)
    return writer.content()


@cache
def _file() -> Path:
    return Path(tempfile.mkdtemp(prefix="records-"), "game.jsonl")


def _typed(case: bytes) -> None:
    """Commands on a record that is true, which may still hold odd names and limits."""
    _file().write_bytes(case)
    assert run(["verify", str(_file())]).code == 0
    for words in (["replay"], ["replay", "--json"], ["export"], ["export", "--format", "jsonl"]):
        run([*words, str(_file()), *(["--out", str(_file().parent)] if "jsonl" in words else [])])


def check(case: bytes) -> str:
    """A record is true, and then it can be replayed, shown and gone on with, or RecordError says
    why not; whoever reads it without proof gets RecordError or GameError at worst.
    """
    with suppress(RecordError, GameError):
        export_saves([case])
    verdict = verify_record(case)
    if not verdict.ok:
        assert str(verdict.reason) and (verdict.line or 0) >= 1
        with suppress(RecordError):
            replay(read_record(case))
        try:
            read_recorded(case)
        except RecordError as error:
            return str(error.reason)
        raise AssertionError("shown and not true")
    if verdict.chain[0] in "01":  # one in eight: a command takes longer than all the rest
        _typed(case)
    record = read_record(case)
    assert verdict.chain == record.chain
    assert replay(record)
    try:
        recorded = read_recorded(case)
    except RecordError as error:
        return f"true and not shown: {error.reason}"
    with suppress(RequestRefusal):
        continued(recorded.record, "2", "0")
    assert msgspec.json.encode(sent(recorded, "x.jsonl"))
    assert game_page(recorded, "x.jsonl", None)
    return ""
