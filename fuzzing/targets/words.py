"""Words: bots' names, actions as people write them, the saves of the original Virus contest.

A case is a byte that says what it is, then a text; of an action, a second byte chooses the state.
"""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from fuzzing import games
from fuzzing.mutation import ODD_TEXTS, bytes_changed
from fuzzing.target import Pool
from joute import bots
from joute.core.errors import ActionError, GameError
from joute.core.interface import (
    describe,
    expand,
    legal,
    mover,
    parse,
    play,
    properties,
)
from joute.core.registry import make
from joute.games.virus.saves import export_saves, read_saves
from joute.host.content import content_hash
from joute.host.names import BotError, parse_bot
from joute.play.game import acceptable
from joute.play.record import read_record
from joute.play.seats import check_bot
from joute.play.verify import recorded_game, replay

BOT, SAVES, ACTION = range(3)  # an action's game is added to its byte
_BOTS = (
    "builtin:greedy", "builtin:alphabeta?seconds=0.1", "human", "mine.py", "folder", "./mine.py",
    "hosted:builtin:greedy", "program:sh -c 'echo 1'", "function:mine.py", "remote", "tron2010:sh",
)  # fmt: skip
_WORDS = (
    "builtin:", "hosted:", "program:", "tcp:", "hx2:", "class:", "function:", "workshop:",
    "paradise:",
    "?", "&", "=", "seconds=", "seconds=nan", "seconds=inf", "seconds=-1", "seconds=1e999",
    "depth=",
    "depth=99999999999999999999", "iterations=1_0", "%ff", "%00", "+", ";", "'", '"', "\\", "..",
    "/", "~", "~nobody", "folder", "mine.py", "x" * 300, "a/" * 3000, " ", "\x00", "pass", "x5",
    "->",
    "1,1", "1,1 x2 -> 2,2", "done", "guess", "left", "up", "A1", "[", "games.a = ",
    "games['a'] = [",
    '["player_1", [0, 0, []]]', '["player_2", "False"]', "player_1", "NaN", "1e999", "[" * 3000,
    *ODD_TEXTS,
)  # fmt: skip


def seeds() -> list[bytes]:
    """Bots, a save, and the actions of each game."""
    found = [bytes([BOT]) + text.encode() for text in _BOTS]
    found.append(bytes([SAVES]) + export_saves([games.played(0).record]).encode())
    for number in range(len(games.GAMES)):
        game, states = _course(number)
        for at in range(0, len(states), max(1, len(states) // 4)):
            actions = _legal(game, states[at])
            for action in (*actions[:2], *actions[-1:]):
                text = describe(game, states[at], action)
                found.append(bytes([ACTION + number, min(at, 255)]) + text.encode())
    return found


def cases(pool: Pool) -> SearchStrategy[bytes]:
    """Texts with words and bytes changed."""
    encoded = [word.encode("utf-8", "surrogatepass") for word in _WORDS]
    return bytes_changed(pool, encoded) | _texts(pool)


@st.composite
def _texts(draw: DrawFn, pool: Pool) -> bytes:
    head = draw(st.sampled_from(pool))[:2]
    return head + draw(st.text(max_size=12)).encode("utf-8", "surrogatepass")


@cache
def _course(number: int) -> tuple[Any, list[list[int]]]:
    """A game and the states in which a player was to move."""
    record = read_record(games.played(number).record)
    game = recorded_game(record)
    return game, [state for state in replay(record) if mover(game, state) >= 0]


def _legal(game: Any, state: list[int]) -> list[int]:
    out = [0] * properties(game).max_legal
    return out[: legal(game, state, out)]


@cache
def _folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="words-"))
    (folder / "folder").mkdir()
    for file in (folder / "mine.py", folder / "folder" / "bot.py"):
        file.write_text("def play(observation, clock):\n    return 0\n", encoding="utf-8")
    return folder


def check(case: bytes) -> str:
    """A text means something, and is written the same again, or an error says what was expected."""
    if len(case) < 2:
        return "empty"
    what = case[0] % (ACTION + len(games.GAMES))
    if what >= ACTION:
        return _action(what - ACTION, case[1], case[2:].decode("utf-8", "surrogateescape"))
    text = case[1:].decode("utf-8", "surrogateescape")
    return _bot(text) if what == BOT else _saves(text)


def _bot(text: str) -> str:
    try:
        found = parse_bot(text, _folder())
        assert found.text == text
        if found.kind in ("builtin", "python"):  # a program may be of any size
            assert len(content_hash(found)) == 32
    except BotError as error:
        return str(error)
    for game, parameters, _ in games.GAMES[:2]:
        try:
            check_bot(found, make(game, **parameters))
        except (BotError, bots.BuiltinError) as error:
            if text not in _BOTS:
                return str(error)
    return ""


def _saves(text: str) -> str:
    try:
        found = read_saves(text, size=4)
    except GameError as error:
        return str(error)
    assert found
    return ""


def _action(number: int, at: int, text: str) -> str:
    game, states = _course(number)
    state = list(states[at % len(states)])
    try:
        actions = expand(game, state, text)
        single = parse(game, state, text)
    except ActionError as error:
        return str(error)
    if not acceptable(game, state, actions):
        return "not acceptable"
    for action in actions:
        written = describe(game, state, action)
        assert parse(game, state, written) == action, (written, action, single)
        play(game, state, action)
    return ""
