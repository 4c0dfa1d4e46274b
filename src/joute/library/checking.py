"""Finds what is wrong with a game: its laws, its kernels, and whether both languages agree.

`check_game` looks at what needs no play first (operations, the first state, what kernels may not
hold), compiles every operation by itself so that an error names the author's own line, plays random
games by the laws, and plays them again compiled. Of a law that is broken it says by which seed, and
the shortest sequence of actions and outcomes that was found.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
import time
import traceback
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from typing import Any, NamedTuple

import numpy as np

from joute.core import interface
from joute.core.compiled import kernel, uncompiled
from joute.core.features import features, features_shape
from joute.core.interface import (
    CHANCE,
    OVER,
    chances,
    describe,
    has_rule,
    legal,
    mover,
    play,
    properties,
    returns,
    rules_of,
    start,
)
from joute.core.laws import LawError, check_play, check_state
from joute.core.random import generator
from joute.i18n.words import Sentence

NEEDED = ("properties", "start", "mover", "legal", "play", "returns", "observe")
KERNELS = (
    "mover", "legal", "play", "returns", "chances", "draw", "pick", "mask", "points", "lead_bounds",
    "pending", "promise", "seen", "determinize", "features",
)  # fmt: skip
"""The operations that are compiled."""
_FORBIDDEN = {"random", "time", "datetime", "os", "secrets", "uuid"}  # modules, in any operation
_STATES = 3000  # looked at for a shorter sequence
SECONDS = 10.0


class BrokenLaw(NamedTuple):
    """A law that a game breaks."""

    law: object
    """The sentence."""
    where: str = ""
    """The author's file, line and function, as far as they are known."""
    seed: int | None = None
    """Of the random game in which it was found."""
    actions: tuple[int, ...] = ()
    """The shortest sequence of actions and outcomes found that shows it."""
    texts: tuple[str, ...] = ()
    """The same as people write them."""


class Speed(NamedTuple):
    """How fast random games are played."""

    plain: float  # plies a second in plain Python
    compiled: float  # compiled, without laws
    games: int  # that were checked
    plies: int


def check_game(
    game: Any, seconds: float = SECONDS, hear: Callable[[str], None] = lambda stage: None
) -> Iterator[BrokenLaw | Speed]:
    """Yields what is wrong with a game, and, if nothing is, how fast it is.

    `seconds` bounds the random games; `hear` is told what comes next.
    """
    for stage, look in _STAGES.items():
        hear(stage)
        found = list(look(game))
        yield from found
        if found and stage in _FATAL:
            return
    hear("plays")
    deadline = time.monotonic() + seconds
    games, plies, broken = 0, 0, set[str]()
    begun = time.perf_counter()
    while time.monotonic() < deadline or not games:
        actions: list[int] = []
        try:
            check_play(game, games, actions=actions)
            _compare(game, actions)
        except Exception as error:
            found_now = _found(game, error, games, actions)
            if str(found_now.law) not in broken:
                broken.add(str(found_now.law))
                yield found_now
            if len(broken) >= 3:
                return
        games += 1
        plies += len(actions)
    if not broken:
        yield Speed(plies / (time.perf_counter() - begun), _speed(game), games, plies)


def _operations(game: Any) -> Iterator[BrokenLaw]:
    known = {name for name in dir(interface) if not name.startswith("_")} | {
        "features", "features_shape"
    }  # fmt: skip
    given = rules_of(type(game))
    for name in given:
        # Other operations are whoever's that calls them: of adapters, of games in real time.
        if name not in known and (near := get_close_matches(name, known, n=1, cutoff=0.8)):
            unknown = Sentence("error.law.unknown", name=name, near=near[0])
            yield BrokenLaw(unknown, _place(given[name]))
    needed = [*NEEDED, *(["chances"] if "properties" in given and properties(game).chance else [])]
    for name in needed:
        if name not in given:
            yield BrokenLaw(Sentence("error.law.missing", name=name, game=type(game).__name__))


def _first_state(game: Any) -> Iterator[BrokenLaw]:
    where = _place(rules_of(type(game))["start"])
    first: Any = start(game)
    again: Any = start(game)
    if not isinstance(first, np.ndarray) or first.ndim != 1 or first.dtype.kind not in "iu":
        kind = f"{first.dtype}{list(first.shape)}" if isinstance(first, np.ndarray) else None
        shown = kind or type(first).__name__
        yield BrokenLaw(Sentence("error.law.start", found=shown), where)
    elif first is again or np.shares_memory(first, again):
        yield BrokenLaw(Sentence("error.law.start.shared"), where)
    elif not np.array_equal(first, again):
        yield BrokenLaw(Sentence("error.law.start.differs"), where)


def _sources(game: Any) -> Iterator[BrokenLaw]:
    """Finds in the text of operations what none may hold."""
    for name, function in rules_of(type(game)).items():
        try:
            tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
        except (OSError, SyntaxError):
            continue
        for node in ast.walk(tree):
            found = _forbidden(node, name in KERNELS)
            if found:
                line = function.__code__.co_firstlineno + getattr(node, "lineno", 1) - 1
                where = f"{function.__code__.co_filename}, line {line}, in {name}"
                yield BrokenLaw(Sentence(f"error.law.source.{found}"), where)


def _forbidden(node: ast.AST, is_kernel: bool) -> str:
    if isinstance(node, ast.Global | ast.Nonlocal):
        return "global"
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        owner = node.value.id
        if owner in _FORBIDDEN or (owner, node.attr) == ("np", "random"):
            return "random"
    if is_kernel and isinstance(node, ast.Raise | ast.Assert):
        return "raise"
    if is_kernel and isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return "print" if node.func.id == "print" else ""
    return ""


def _compiles(game: Any) -> Iterator[BrokenLaw]:
    """Every kernel by itself, so that an error names the author's line."""
    for found in uncompiled(game):
        where = f"{found.file}, line {found.line}, in {found.operation}"
        told = Sentence("error.law.compile", name=found.operation, reason=found.reason)
        yield BrokenLaw(told, where)


_STAGES: dict[str, Callable[[Any], Iterator[BrokenLaw]]] = {
    "operations": _operations,
    "start": _first_state,
    "sources": _sources,
    "compiles": _compiles,
}
_FATAL = {"operations", "start", "compiles"}


def _found(game: Any, error: Exception, seed: int, actions: list[int]) -> BrokenLaw:
    """The law that an error is about, with the shortest sequence that leads to the like."""
    law = _law(error)
    shortest = _shorter(game, str(law), actions)
    return BrokenLaw(law, _raised(game, error), seed, tuple(shortest), _texts(game, shortest))


def _law(error: Exception) -> object:
    if isinstance(error, LawError):
        return error.law
    return Sentence("error.law.raised", kind=type(error).__name__, reason=str(error))


def _shorter(game: Any, law: str, actions: list[int]) -> list[int]:
    """The shortest sequence after which the same is wrong, of the first _STATES in breadth."""
    rng = generator(0)
    waiting: list[list[int]] = [[]]
    seen = set[tuple[int, ...]]()
    for sequence in waiting:
        if len(sequence) >= len(actions):
            break
        try:
            state = _state_after(game, sequence)
            if tuple(state) in seen:
                continue
            seen.add(tuple(state))
            if mover(game, state) == OVER:
                continue
            check_state(game, state, rng)
            choices = _choices(game, state)
        except Exception as error:
            if str(_law(error)) == law:
                return sequence
            continue
        if len(waiting) < _STATES:
            waiting += [[*sequence, choice] for choice in choices]
    return actions


def _state_after(game: Any, actions: list[int]) -> list[int]:
    state: list[int] = start(game).tolist()
    for action in actions:
        play(game, state, action)
    return state


def _choices(game: Any, state: list[int]) -> list[int]:
    facts = properties(game)
    if mover(game, state) == CHANCE:
        out, weights = [0] * facts.max_outcomes, [0.0] * facts.max_outcomes
        return out[: chances(game, state, out, weights)]
    out = [0] * facts.max_legal
    return out[: legal(game, state, out)]


def _texts(game: Any, actions: list[int]) -> tuple[str, ...]:
    texts = []
    try:
        state: list[int] = start(game).tolist()
        for action in actions:
            texts.append(describe(game, state, action))
            play(game, state, action)
    except Exception:
        return tuple(map(str, actions))
    return tuple(texts)


def _place(function: Any) -> str:
    code = function.__code__
    return f"{code.co_filename}, line {code.co_firstlineno}, in {function.__name__}"


def _raised(game: Any, error: Exception) -> str:
    """The author's own line that an error passed through last."""
    files = {function.__code__.co_filename for function in rules_of(type(game)).values()}
    own = [each for each in traceback.extract_tb(error.__traceback__) if each.filename in files]
    return f"{own[-1].filename}, line {own[-1].lineno}, in {own[-1].name}" if own else ""


# The same games, compiled.


@kernel
def _look(game: Any, state: Any, actions: Any, weights: Any, values: Any) -> tuple[int, int]:
    """The mover, how many choices there are, and the choices and their weights, in place."""
    player = mover(game, state)
    count = 0
    if player == CHANCE:
        count = chances(game, state, actions, weights)
    elif player != OVER:
        count = legal(game, state, actions)
    else:
        returns(game, state, values)
    return player, count


@kernel
def _play_compiled(game: Any, state: Any, action: int) -> None:
    play(game, state, action)


@kernel
def _features_compiled(game: Any, state: Any, player: int, out: Any) -> None:
    features(game, state, player, out)


def _compare(game: Any, actions: list[int]) -> None:
    """Play a sequence in plain Python and compiled; raises LawError where they part."""
    facts = properties(game)
    plain: list[int] = start(game).tolist()
    state = start(game)
    most = max(facts.max_legal, facts.max_outcomes, 1)
    out, weights = np.zeros(most, np.int32), np.zeros(max(facts.max_outcomes, 1))
    values = np.zeros(facts.players)
    for action in [*actions, None]:
        player, count = _look(game, state, out, weights, values)
        expected = int(mover(game, plain))
        _same(game, plain, "mover", int(player), expected)
        if expected != OVER:
            _same(game, plain, "choices", out[:count].tolist(), _choices(game, plain))
        else:
            ends = [0.0] * facts.players
            returns(game, plain, ends)
            _same(game, plain, "returns", values.tolist(), [float(each) for each in ends])
        if has_rule(type(game), "features"):
            _compare_features(game, plain, state)
        if action is None:
            return
        play(game, plain, action)
        _play_compiled(game, state, action)
        _same(game, plain, "play", state.tolist(), plain)


def _compare_features(game: Any, plain: list[int], state: np.ndarray) -> None:
    size = int(np.prod(features_shape(game)))
    for player in range(properties(game).players):
        one, other = np.zeros(size, np.float32), np.zeros(size, np.float32)
        features(game, plain, player, one)
        _features_compiled(game, state, player, other)
        _same(game, plain, "features", other.tolist(), one.tolist())


def _same(game: Any, state: list[int], what: str, compiled: Any, plain: Any) -> None:
    if compiled != plain:
        told = Sentence("error.law.compiled", name=what, compiled=compiled, plain=plain)
        raise LawError(game, state, told)


def _speed(game: Any) -> float:
    """Plies a second of compiled random games."""
    from joute.search.playouts import playout_work, playouts

    room, rng, root = playout_work(game), generator(1), start(game)
    playouts(game, root, 1, rng, room)
    begun, plies = time.thread_time(), 0
    while (spent := time.thread_time() - begun) < 0.2:
        plies += playouts(game, root, 10, rng, room)
    return plies / spent
