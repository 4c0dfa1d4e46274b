"""The comparison of two bots after some games: numbers with intervals, and their effort.

All that is measured comes from `study`, which plays the games.
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec

from joute.bots import maker_of, own_evaluations
from joute.contest.ranking.rows import FaultCount, counted
from joute.contest.rating.statistics import Interval, of_pairs, sample, wilson
from joute.host.names import BotSpec
from joute.play.game import SeatFault


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """One of the two bots."""

    name: str
    bot: str  # in full: builtin:greedy, bots/mine.py ...
    peeks: bool  # whether it was shown what is hidden
    won: int
    drawn: int
    lost: int
    score: float | None  # the mean of its games: 1 won, 0.5 drawn, 0 lost; None without a game
    interval: Interval | None  # 95 % for the score, from pairs
    moves: int  # turns at which it was asked
    mean_ms: float | None  # processor milliseconds per move; None if never asked
    worst_ms: float | None
    faults: int
    causes: list[FaultCount]  # its faults by their kinds, the most frequent first
    forfeits: int  # games that they cost
    effort: Effort


class ChoiceComparison(msgspec.Struct, frozen=True, kw_only=True):
    """The choices of both bots in the same positions."""

    positions: int
    differ: int
    interval: Interval | None  # 95 % for the share that differs
    judge: str  # the bot that played on after each of two choices that differ
    gain: float | None  # how much better the first bot's choices are; 1 is a game won, not lost
    gain_interval: Interval | None  # 95 %


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """Two bots side by side."""

    game: str
    parameters: dict[str, Any]  # on the first map
    maps: list[str]  # the names of those that were chosen, if any
    move_seconds: float
    pairs: int
    sides: list[Side]
    choices: ChoiceComparison | None  # None where one of the two is no built-in bot
    seed: str


class BotTally(msgspec.Struct):
    """The results, times and faults of a bot so far."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    times: list[float] = []  # processor milliseconds of each move
    faults: list[dict[str, Any]] = []  # as those of a stored game
    forfeits: int = 0

    def count(self, score: float, faults: Sequence[SeatFault] = ()) -> None:
        """Notes a game, 1 won, 0.5 drawn, 0 lost, and the bot's faults in it."""
        self.won += score == 1.0
        self.drawn += score == 0.5
        self.lost += score == 0.0
        self.faults += map(msgspec.structs.asdict, faults)
        self.forfeits += any(fault.cost == "game" for fault in faults)


def side(
    name: str, bot: str, peeks: bool, tally: BotTally, pairs: Sequence[float], effort: Effort
) -> Side:
    """A bot's numbers; `pairs` are its mean scores of each pair of games."""
    times = tally.times
    return Side(
        name=name,
        bot=bot,
        peeks=peeks,
        won=tally.won,
        drawn=tally.drawn,
        lost=tally.lost,
        score=sum(pairs) / len(pairs) if pairs else None,
        interval=of_pairs(pairs),
        moves=len(times),
        mean_ms=sum(times) / len(times) if times else None,
        worst_ms=max(times, default=None),
        faults=len(tally.faults),
        causes=counted(tally.faults),
        forfeits=tally.forfeits,
        effort=effort,
    )


def choices(judge: str, positions: int, gains: Sequence[float]) -> ChoiceComparison:
    """The comparison of choices; `gains` are of the positions where they differ, in games won.

    The share of positions has Wilson's interval, the mean gain Student's.
    """
    found = sample([gains])
    return ChoiceComparison(
        positions=positions,
        differ=len(gains),
        interval=wilson(len(gains) / positions, positions) if positions else None,
        judge=judge,
        gain=found and found.mean,
        gain_interval=found and found.interval,
    )


COUNTED = ("joute.bots.", "joute.search.")  # the beginnings of the modules that count
EXPLAINING = "joute.bots.explain"  # no part of how a bot plays
_SILENT = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
    tokenize.ENCODING, tokenize.ENDMARKER,
}  # fmt: skip


class Effort(msgspec.Struct, frozen=True, kw_only=True):
    """The code and the options that a bot is made of."""

    lines: int | None  # of code, without blank ones, comments and docstrings; None: not Python
    modules: dict[str, int]  # the same of each module or file
    options: list[str]  # what can be set after `?`
    tuned: list[str]  # numbers in its code that were chosen by hand


def effort(bot: BotSpec, game: Any = None) -> Effort:
    """The effort in a bot; with the game, the evaluation that it was told to use counts too."""
    if bot.kind == "builtin":
        maker = maker_of(bot.name, game)
        known = own_evaluations(game) if game is not None else {}
        used = [known[name].make.__module__ for name in bot.options.values() if name in known]
        own = {maker.__module__: _part(_source(maker.__module__), maker.__name__)}
        modules = _modules(own | {name: _source(name) for name in used})
        options = list(maker.__kwdefaults__ or {})
        return _effort_of(modules, options, getattr(sys.modules[maker.__module__], "TUNED", ()))
    path = bot.path if bot.kind in ("python", "sources") else None
    files = [] if path is None else _files(path)
    counted = {_name(file, path): _lines(file) for file in files}
    return _effort_of({name: lines for name, lines in counted.items() if lines is not None}, [], [])


def _name(file: Path, bot: Path | None) -> str:
    """A file's path within its bot."""
    return file.name if bot is None or file == bot else file.relative_to(bot).as_posix()


def _lines(file: Path) -> int | None:
    try:
        return code_lines(file.read_text("utf-8"))
    except (OSError, ValueError, SyntaxError, tokenize.TokenError, RecursionError):
        return None


def code_lines(source: str) -> int:
    """The lines of a Python source that hold code: not blank, no comment, no docstring."""
    held: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in _SILENT:
            held.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            held.difference_update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(held)


def _effort_of(modules: dict[str, int], options: list[str], tuned: Iterable[str]) -> Effort:
    lines = sum(modules.values()) if modules else None
    return Effort(lines=lines, modules=modules, options=options, tuned=list(tuned))


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        return sorted(path.rglob("*.py"))
    return [path] if path.suffix == ".py" else []


def _part(source: str, first: str) -> str:
    """The part of a module that one of its functions needs: what it names, directly or not."""
    lines, wanted, size = source.splitlines(), {first}, 0
    held: dict[int, str] = {}
    while len(wanted) > size:
        size = len(wanted)
        for node in ast.parse(source).body:
            if wanted.intersection(_bound(node)):
                wanted.update(each.id for each in ast.walk(node) if isinstance(each, ast.Name))
                held[node.lineno] = "\n".join(lines[node.lineno - 1 : node.end_lineno])
    return "\n".join(held[place] for place in sorted(held))


def _bound(node: ast.stmt) -> list[str]:
    """The names that a statement of a module defines."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return [each.asname or each.name for each in node.names]
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    names = (each for each in ast.walk(node) if isinstance(each, ast.Name))
    return [each.id for each in names if isinstance(each.ctx, ast.Store)]


def _modules(sources: dict[str, str]) -> dict[str, int]:
    """The lines of modules, given by their sources, and of all that count of their imports."""
    names = list(sources)
    for each in names:
        found = sorted(set(_imported(sources[each])) - set(names))
        sources |= {name: _source(name) for name in found}
        names += found
    return {name: code_lines(sources[name]) for name in names}


def _imported(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            # `from joute.bots import ladder` names a module, `import Seating` from there does not
            inside = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from filter(_counts, [node.module, *inside])


def _counts(name: str) -> bool:
    try:
        counts = name.startswith(COUNTED) or ".players." in name
        return counts and name != EXPLAINING and find_spec(name) is not None
    except ModuleNotFoundError:  # what is named after the last dot is no module's child
        return False


def _source(name: str) -> str:
    found = find_spec(name)
    return Path((found and found.origin) or "").read_text("utf-8")
