"""The protocol of bots: lines that hostile programs answer in games of each kind.

A case is a byte that chooses the game, then the lines that its seats answer, in turn; who has no
line left plays its first legal action.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from fuzzing import games
from fuzzing.mutation import bytes_changed, dumped, value_changed
from fuzzing.target import Pool
from joute.core.interface import legal, properties
from joute.host.adapters import dialect_of
from joute.host.protocol import TEXT_CHARACTERS, Answer, Fault
from joute.play.game import GameSpec, SeatSpec
from joute.play.record import actions_of, read_record
from joute.play.referee import play_game
from joute.play.seats import answer
from joute.play.verify import verify_record
from joute.web.replays.recorded import read_recorded, sent

LINES = 40  # of a case that are answered
_WORDS = (
    b'{"type":"action","action":', b'"message":"', b'{"type":"error","fault":"memory"}',
    b'{"type":"ready"}', b"[[0,1,1,1,2]]", b'"pass"', b'"1-1"', b'"end"', b"[0,0,0]", b"-1", b"\n",
    b"\\ud800", b"\\u0000", b"[" * 2000, b"9" * 400, b"1", b"4", b"\x00", b"\xff",
)  # fmt: skip


def seeds() -> list[bytes]:
    """The answers of the bots of a game, as numbers and as texts; a dialect's digits."""
    found = []
    for number in range(len(games.GAMES)):
        plies = read_record(games.played(number).record).plies
        own = [ply for ply in plies if ply["by"] == "bot"][:LINES]
        numbers = [{"type": "action", "action": ply.get("answer", ply["action"])} for ply in own]
        beside = {"message": "x", "metrics": {"n": 0.5}, "marks": [{"cell": [1, 2], "tone": "bad"}]}
        texts = [{"type": "action", "action": ply["text"], **beside} for ply in own]
        single = [len(actions_of(ply)) == 1 for ply in own]
        said = [
            numbers,
            [
                text if one else number
                for text, number, one in zip(texts, numbers, single, strict=True)
            ],
        ]
        found += [bytes([number]) + b"\n".join(map(dumped, lines)) for lines in said]
    return [*found, bytes([len(games.GAMES)]) + b"1\n2\n4\n4"]


def cases(pool: Pool) -> SearchStrategy[bytes]:
    """Conversations with bytes or values changed."""
    return bytes_changed(pool, _WORDS) | _conversations(pool)


@st.composite
def _conversations(draw: DrawFn, pool: Pool) -> bytes:
    case = draw(st.sampled_from(pool))
    lines = case[1:].split(b"\n")
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(lines) - 1))
        try:
            message = json.loads(lines[at])
        except (ValueError, RecursionError):
            message = {"type": "action", "action": 0}
        lines[at] = dumped(value_changed(draw, message))
    return case[:1] + b"\n".join(lines)


class _Said:
    """A seat that answers lines of bytes, and then its first legal action."""

    isolation = "inline"
    observes = True

    def __init__(self, lines: Iterator[bytes], game: Any, dialect: str, heard: list[str]) -> None:
        self._lines = lines
        self._game = game
        self._dialect = dialect_of(dialect)
        self._heard = heard

    def start(self, message: dict[str, Any]) -> Answer:
        self._dialect.write(message)
        return answer()

    def ask(self, state: list[int], message: dict[str, Any]) -> Answer:
        self._dialect.write(message)
        line = next(self._lines, None)
        if line is None:
            out = [0] * properties(self._game).max_legal
            return answer(out[0] if legal(self._game, state, out) else 0)
        action, fault, detail, said, beside = self._dialect.judge(line, True)
        assert (action is None) == (fault is not None)
        assert fault is None or (fault in Fault and isinstance(detail, str))
        assert len(said) <= TEXT_CHARACTERS
        self._heard.append(detail)
        return Answer(action, fault, detail, 1.0, 1.0, "", said, alive=True, annotations=beside)

    def end(self, message: dict[str, Any]) -> None:
        self._dialect.write(message)

    def close(self) -> None:
        pass


def check(case: bytes) -> str:
    """Whatever is answered is played or is a fault, and the record of the game is true."""
    if not case:
        return "empty"
    number = case[0] % (len(games.GAMES) + 1)
    lines = iter(case[1:].split(b"\n")[:LINES])
    dialect = "" if number < len(games.GAMES) else "tron2010"
    spec = games.spec(number if not dialect else 1)
    heard: list[str] = []

    def opener(seat: SeatSpec, spec: GameSpec, game: Any, human: Any) -> _Said:
        return _Said(lines, game, dialect, heard)

    result = play_game(spec, opener=opener)
    verdict = verify_record(result.record)
    assert verdict.ok, verdict
    assert sent(read_recorded(result.record), "x.jsonl")
    assert all(fault.fault in set(Fault) for fault in result.faults)
    return "; ".join(dict.fromkeys(f"{fault.fault} {fault.detail}" for fault in result.faults))
