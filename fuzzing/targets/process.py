"""Bots' processes: programs that answer any bytes through real pipes, print, and leave.

A case is lines. With each message that it reads the program writes the next line, to its standard
error where the line begins with `!`; the last line it writes without its end, and leaves.
"""

from __future__ import annotations

import os
import sys
import tempfile
from functools import cache
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from fuzzing.mutation import bytes_changed
from fuzzing.target import Pool
from joute.host.limits import LINE_BYTES, BotLimits
from joute.host.process import HostedBot
from joute.host.protocol import Answer, Fault

TURNS = 3
_PROGRAM = """
import os, sys
lines = open(sys.argv[1], "rb").read().split(b"\\n")
while lines and os.read(0, 1 << 20):
    line = lines.pop(0)
    out, said = (2, line[1:]) if line[:1] == b"!" else (1, line)
    said += b"\\n" if lines else b""
    while said:
        said = said[os.write(out, said):]
    if out == 2 and lines:
        os.write(1, b"\\n")
"""
_READY = b'{"type":"ready"}'
_TURN = b'{"type":"action","action":1,"message":"x"}'
_WORDS = (
    _READY, _TURN, b"!", b"\n", b"\x00", b"\xff", b"A" * 70_000, b'{"type":"error","fault":"x"}',
    b'{"type":"action","action":"' + b"x" * 5000 + b'"}', b"[" * 3000,
)  # fmt: skip
_LIMITS = BotLimits(move_seconds=5.0, start_seconds=10.0, output_kb=1)
_MESSAGE = {"type": "play", "observation": {}, "events": []}


def seeds() -> list[bytes]:
    """A bot that answers, one that prints, a long answer."""
    whole = b"\n".join([_READY, *[_TURN] * TURNS, b""])
    return [
        whole,
        _READY + b"\n" + _TURN + b"\n" + _TURN.replace(b"x", b"y" * 9000) + b"\n" + _TURN + b"\n",
    ]


def cases(pool: Pool) -> SearchStrategy[bytes]:
    """Conversations with bytes changed, and lines longer than the longest."""
    endless = st.sampled_from((LINE_BYTES - 40, LINE_BYTES, LINE_BYTES + 1, 3 * LINE_BYTES))
    long = endless.map(lambda size: _READY + b"\n" + b"B" * size + b"\n" + _TURN)
    return st.one_of(*[bytes_changed(pool, _WORDS)] * 9, long)


@cache
def _case_file() -> Path:
    return Path(tempfile.mkdtemp(prefix="process-"), "lines")


def check(case: bytes) -> str:
    """Whatever comes is an answer or a fault of the bot's own, and nothing of the bot is left."""
    _case_file().write_bytes(case)
    command = [sys.executable, "-I", "-S", "-c", _PROGRAM, str(_case_file())]
    faults = []
    with HostedBot(command, _LIMITS) as bot:
        fault = _looked_at(bot, bot.start({"type": "start", "player": 0})).fault
        for _ in range(TURNS):
            faults.append(fault)
            fault = _looked_at(bot, bot.ask(_MESSAGE)).fault if bot.alive else None
        bot.end({"type": "end", "returns": [0.0, 0.0], "events": []})
    assert not bot.alive
    return " ".join(str(each) for each in (*faults, fault) if each is not None)


def _looked_at(bot: HostedBot, answer: Answer) -> Answer:
    """An answer, if it is one as it must be."""
    assert answer.fault is None or answer.fault in Fault
    assert answer.fault is not Fault.INFRASTRUCTURE or answer.busy, answer
    assert answer.fault is None or answer.action is None
    assert len(answer.output) <= (_LIMITS.output_kb << 10) + 40
    assert answer.alive == bot.alive
    if not bot.alive:
        try:
            os.kill(bot.pid, 0)
        except ProcessLookupError:
            return answer
        raise AssertionError("its process is still there")
    return answer
