"""Finds what is wrong with a game: its laws, its kernels, and whether both languages agree.

`check_game` looks at what needs no play first (operations, the first state, what the rules may not
hold), compiles every operation by itself so that an error names the author's own line, reads the
playthrough and makes the drawings of the rulebook if the game has them, plays random games by the
laws, and plays them again compiled. Of a law that is broken it says by which seed, and the shortest
sequence of actions and outcomes found. Where no law is broken it looks at what `determinize` deals,
and at whether points say who wins.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from inspect import getsourcefile, getsourcelines
from typing import Any, NamedTuple

import numpy as np

from joute.core.compiled import KernelError, uncompiled
from joute.core.complete import incomplete
from joute.core.deals import misdeal
from joute.core.interface import OVER, mover, play, properties, rules_of, start
from joute.core.laws import LawError, check_end, check_play, check_sequence
from joute.core.random import below, generator
from joute.core.registry import card_of
from joute.errors import Error
from joute.i18n.words import Sentence
from joute.library.agreement import compare, compile_play, compiled_speed, plain_speed
from joute.library.evidence import Evidence
from joute.library.played import Hang, alarm, choices, own_line, shortest, texts
from joute.library.playthrough import difference
from joute.library.sources import misuses
from joute.play.rulebook import drawings_named, drawn

SECONDS = 10.0
_GRACE = 5.0  # seconds for one operation, before it is taken to hang
_MOST = 3  # broken laws found in play, before that is enough
_AFTER = 1.0  # seconds of further games once a law is broken


class BrokenLaw(NamedTuple):
    """A law that a game breaks."""

    law: Sentence
    file: str = ""
    """The author's file, as far as it is known ..."""
    line: int = 0
    """... and the line ..."""
    operation: str = ""
    """... and the function."""
    seed: int | None = None
    """Of the random game in which it was found."""
    actions: tuple[int, ...] = ()
    """The shortest sequence of actions and outcomes found that shows it."""
    texts: tuple[str, ...] = ()
    """The same as people write them."""


class Speed(NamedTuple):
    """The speed of random games, in one thread."""

    plain: float  # plies a second in plain Python
    compiled: float  # plies a second, compiled
    games: int  # that were checked to their ends; 0 where time was too short
    plies: int


class Remark(NamedTuple):
    """A thing that no law forbids, and that an author may not have meant."""

    text: Sentence


class _Enough(Exception):
    """The time for random games is over."""


def check_game(
    game: Any, seconds: float = SECONDS, hear: Callable[[str], None] = lambda stage: None
) -> Iterator[BrokenLaw | Remark | Speed]:
    """Yields what is wrong with a game, and, if nothing is, notes, and how fast it is.

    `seconds` bounds the random games; `hear` is told what comes next.
    """
    for stage, look in {"operations": _operations, "start": _first_state}.items():
        hear(stage)
        with redirect_stdout(io.StringIO()):
            found = list(look(game))
        yield from found
        if found:
            return
    hear("sources")
    found = list(_sources(game))
    yield from found
    hear("compiles")
    with redirect_stdout(io.StringIO()):
        failed = list(_uncompiled(game, {each.operation for each in found}))
    yield from failed
    found += failed
    hear("playthrough")
    with redirect_stdout(io.StringIO()):
        played = list(_playthrough(game))
    yield from played
    drawn = list(_drawings(game))
    yield from drawn
    hear("plays")
    # What is compiled would print for real, and it has been told already.
    mute = {"error.law.source.print", "error.law.source.raise", "error.law.compile"}
    compiled = not any(each.law.key in mute for each in found)
    random_games = _RandomGames(game, seconds, compiled)
    told = {(each.file, each.line) for each in found}
    broken = [each for each in random_games.broken() if (each.file, each.line) not in told]
    broken = broken or list(_deals(game))
    yield from broken
    if not (found or played or drawn or broken):
        yield from map(Remark, random_games.evidence.notes())
        speeds = plain_speed(game), compiled_speed(game)
        yield Speed(*speeds, random_games.games, random_games.plies)


def _operations(game: Any) -> Iterator[BrokenLaw]:
    try:
        with alarm(_GRACE):
            found = list(incomplete(game))
    except (Exception, Hang) as error:
        yield BrokenLaw(_law(game, error), *own_line(game, error))
        return
    for each in found:
        yield BrokenLaw(each.law, *(_place(each.rule) if each.rule else ()))


def _first_state(game: Any) -> Iterator[BrokenLaw]:
    where = _place(rules_of(type(game))["start"])
    first, again = start(game), start(game)
    if first is again or np.shares_memory(first, again):
        yield BrokenLaw(Sentence("error.law.start.shared"), *where)
    elif not np.array_equal(first, again):
        yield BrokenLaw(Sentence("error.law.start.differs"), *where)


def _sources(game: Any) -> Iterator[BrokenLaw]:
    for each in misuses(type(game)):
        told = Sentence(f"error.law.source.{each.kind}", name=each.operation)
        yield BrokenLaw(told, each.file, each.line, each.operation)


def _uncompiled(game: Any, told: set[str]) -> Iterator[BrokenLaw]:
    """Every kernel by itself, so that an error names the author's line; then all together.

    The operations of `told` are known to be wrong.
    """
    found = bool(told)
    for each in uncompiled(game):
        if each.operation in told:
            continue
        found = True
        values = {"name": each.operation, "reason": each.reason, "source": each.source}
        law = Sentence("error.law.compile", **values)
        yield BrokenLaw(law, each.file, each.line, each.operation)
    if found:
        return
    try:
        check_sequence(game, [])  # first, since its errors have lines
        compare(game, [])
        compile_play(game)
    except KernelError as error:
        yield BrokenLaw(Sentence("error.law.kernel", reason=error))
    except (Exception, Hang):
        return  # found again, with its seed, in play


def _playthrough(game: Any) -> Iterator[BrokenLaw]:
    try:
        found = difference(game)
    except Exception as error:
        yield BrokenLaw(_law(game, error), *own_line(game, error))
        return
    if found is not None:
        file, line, told = found
        yield BrokenLaw(told, file, line)


def _drawings(game: Any) -> Iterator[BrokenLaw]:
    """The drawings of the game's rules that cannot be made, each once for all languages."""
    brought = card_of(game)
    for name, file, line in drawings_named(brought):
        try:
            with redirect_stdout(io.StringIO()), alarm(_GRACE):
                drawn(brought, name)
        except (Exception, Hang) as error:
            yield BrokenLaw(Sentence("error.law.drawing", name=name, reason=error), file, line)


def _deals(game: Any) -> Iterator[BrokenLaw]:
    """The fault of what `determinize` deals, if any, with what leads to it."""
    rule = rules_of(type(game)).get("determinize")
    if rule is None:
        return
    try:
        with redirect_stdout(io.StringIO()), alarm(_GRACE):
            found = misdeal(game)
    except Hang:  # of operations that came back in random games: they are only slow
        return
    except Exception as error:  # in a state that no random game came to
        yield BrokenLaw(_law(game, error), *own_line(game, error))
        return
    if found is not None:
        shown = texts(game, list(found.actions))
        yield BrokenLaw(found.law, *_place(rule), actions=found.actions, texts=shown)


class _RandomGames:
    """Random games by the laws, and the same compiled."""

    def __init__(self, game: Any, seconds: float, compiled: bool) -> None:
        self.game = game
        self.games = 0
        self.plies = 0
        self._compiled = compiled
        self._seconds = seconds
        self._deadline = time.monotonic() + seconds
        self.evidence = Evidence(game)

    def broken(self) -> Iterator[BrokenLaw]:
        """The broken laws that are found."""
        sound = True
        for each in self._broken():
            sound = False
            yield each
        if not sound:
            return
        rules = rules_of(type(self.game))
        for law, operation in self.evidence.laws(self.plies):
            yield BrokenLaw(law, *(_place(rules[operation]) if operation in rules else ()))

    def _broken(self) -> Iterator[BrokenLaw]:
        known = set[object]()
        while self.games == 0 or time.monotonic() < self._deadline:
            actions: list[int] = []
            try:
                with redirect_stdout(io.StringIO()), alarm(self._left()):
                    self._play(actions)
            except _Enough:
                if self.games == 0:
                    yield from self._end(actions)
                self.plies += len(actions)
                return
            except (Exception, Hang) as error:
                identity = _identity(self.game, error)
                if identity not in known:
                    known.add(identity)
                    yield self._told(error, actions)
                    self._deadline = min(self._deadline, time.monotonic() + _AFTER)
                if len(known) >= _MOST or isinstance(error, Hang):
                    return
            self.games += 1
            self.plies += len(actions)

    def _left(self) -> float:
        return max(self._deadline - time.monotonic(), 0.0) + max(_GRACE, self._seconds / 2)

    def _play(self, actions: list[int]) -> None:
        def look(state: list[int]) -> None:
            if time.monotonic() > self._deadline and actions:
                raise _Enough
            self.evidence.look(state, self.plies)

        late = None
        try:
            check_play(self.game, self.games, look, actions)
        except _Enough as error:
            late = error
        if self._compiled:
            compare(self.game, actions)
        if late is not None:
            raise late
        self.evidence.ended(actions)

    def _end(self, looked_at: list[int]) -> Iterator[BrokenLaw]:
        """The broken law at the end of a random game of which nothing else is looked at.

        For where there was no time for a whole one, but for the actions `looked_at`.
        """
        deadline = time.monotonic() + max(_AFTER, self._seconds / 4)
        rng, actions = generator(0), list[int]()
        state: list[int] = start(self.game).tolist()
        while mover(self.game, state) != OVER:
            if time.monotonic() > deadline:
                yield self._unended(looked_at)
                return
            possible = choices(self.game, state)
            actions.append(possible[below(rng, len(possible))])
            play(self.game, state, actions[-1])
        try:
            with redirect_stdout(io.StringIO()), alarm(_GRACE):
                check_end(self.game, state)
        except (Exception, Hang) as error:
            law, where = _law(self.game, error), _where(self.game, error)
            shown = texts(self.game, actions)
            yield BrokenLaw(law, *where, actions=tuple(actions), texts=shown)

    def _unended(self, actions: list[int]) -> BrokenLaw:
        most = properties(self.game).max_plies
        values = {"plies": len(actions), "seconds": f"{self._seconds:g}", "most": most}
        law = Sentence("error.law.unended", **values)
        shown = texts(self.game, actions)
        return BrokenLaw(law, seed=self.games, actions=tuple(actions), texts=shown)

    def _told(self, error: BaseException, actions: list[int]) -> BrokenLaw:
        """The law that an error is about, with the shortest sequence that leads to the like."""
        game, identity = self.game, _identity(self.game, error)
        limit = max(1.0, self._seconds / 3)

        def alike(other: BaseException | None) -> bool:
            return other is not None and _identity(game, other) == identity

        if not isinstance(error, Hang):
            try:
                with redirect_stdout(io.StringIO()), alarm(2 * limit + _GRACE):
                    # What plain Python shows is looked for in it alone: nothing is compiled then.
                    plain = alike(self._problem(actions, compiled=False))
                    error, actions = shortest(
                        game,
                        (error, actions),
                        lambda tried: self._problem(tried, self._compiled and not plain),
                        alike,
                        limit,
                    )
            except Hang:
                pass  # of another state than that of the error
        law, where = _law(game, error), _where(game, error)
        return BrokenLaw(law, *where, self.games, tuple(actions), texts(game, actions))

    def _problem(self, actions: list[int], compiled: bool) -> Exception | None:
        """The error that a sequence leads to, if any."""
        try:
            check_sequence(self.game, actions)
            if compiled:
                compare(self.game, actions)
        except Exception as error:
            return error
        return None


def _law(game: Any, error: BaseException) -> Sentence:
    if isinstance(error, LawError):
        return error.law
    name = own_line(game, error)[2] or "?"
    if isinstance(error, Hang):
        return Sentence("error.law.hangs", name=name)
    if isinstance(error, IndexError):
        return Sentence("error.law.index", name=name, reason=error)
    if isinstance(error, Error):
        return Sentence("error.law.refused", name=name, reason=error)
    return Sentence("error.law.raised", name=name, kind=type(error).__name__, reason=error)


def _where(game: Any, error: BaseException) -> tuple[str, int, str]:
    """The file, line and name of the operation that a law is about, or that raised an error."""
    rule = rules_of(type(game)).get(getattr(error, "operation", ""))
    return own_line(game, error) if rule is None else _place(rule)


def _identity(game: Any, error: BaseException) -> object:
    """The same for two errors that tell of one mistake."""
    law = _law(game, error)
    return law.key, law.values.get("name"), law.values.get("kind")


def _place(rule: Callable[..., Any]) -> tuple[str, int, str]:
    """The file, line and name of a function or a class."""
    if isinstance(rule, type):
        try:
            return getsourcefile(rule) or "", getsourcelines(rule)[1], rule.__name__
        except (OSError, TypeError):  # it was made at a prompt
            return "", 0, rule.__name__
    code = rule.__code__
    return code.co_filename, code.co_firstlineno, rule.__name__
