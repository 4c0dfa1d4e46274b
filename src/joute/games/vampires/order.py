"""Whole orders of Vampires vs Werewolves: read, checked, taken apart into small choices.

An order is a list of moves [x, y, count, x2, y2] in any sequence, the same move twice included. It
is checked as a whole, before anything is applied. Its sequence matters to the update frames of the
tournament's protocol (`changes`), and to nothing else. A small choice is a move as a number, or
DONE.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from joute.core.errors import ActionError, GameError
from joute.games.vampires.state import (
    DONE,
    GROUPS,
    KIND,
    MOST,
    MOVER,
    MOVES,
    SPECIES,
    VAMPIRES,
    Vampires,
    cell_at,
    content,
    place_of,
    step,
)
from joute.i18n.words import Sentence, say
from joute.text import cut

MOVE = re.compile(
    r"\(? ?(\d{1,9}) ?, ?(\d{1,9}) ?\)? ?(?:[x*:] ?(\d{1,9}))? ?(?:->|=>|>|→|to)"
    r" ?\(? ?(\d{1,9}) ?, ?(\d{1,9}) ?\)?"
)
"""A move as people write it, blanks taken together; without a count, all of the group."""


def move_of(game: Vampires, action: int) -> list[int]:
    """The move [x, y, count, x2, y2] of a small choice other than DONE."""
    cell, direction = action // KIND // 8, action // KIND % 8
    target = place_of(game, cell + step(game, direction))
    return [*place_of(game, cell), action % KIND, *target]


def action_of(game: Vampires, move: list[int]) -> int:
    """The small choice of a move between neighbours on the grid, of 1 to MOST units."""
    x, y, count, x2, y2 = move
    around = (y2 - y + 1) * 3 + x2 - x + 1
    return (cell_at(game, x, y) * 8 + around - (around > 4)) * KIND + count


def write_move(move: list[int]) -> str:
    """A move as text: `3,4 x5 -> 4,4`."""
    x, y, count, x2, y2 = move
    return f"{x},{y} x{count} -> {x2},{y2}"


def read_move(game: Vampires, state: Any, text: str) -> list[int]:
    """The move of a text; without a count it is all that the cell holds. Raises ActionError."""
    found = MOVE.fullmatch(" ".join(text.split()))
    if not found:
        raise ActionError(quoted(text), Sentence("error.vampires.move"))
    x, y, x2, y2 = (int(found[group]) for group in (1, 2, 4, 5))
    if found[3]:
        return [x, y, int(found[3]), x2, y2]
    return [x, y, content(game, state, x, y)[1] if on_grid(game, x, y) else 0, x2, y2]


def quoted(answer: Any) -> str:
    """An answer as an error shows it: not all of it if it is long."""
    try:
        text = answer if isinstance(answer, str) else repr(answer)
    except ValueError:  # Python writes no number of thousands of digits
        text = "a number too long to be written"
    return cut(text, 60)


RULES = range(1, 9)
"""The rules of an order, by their number in the specification; 7 and 8 are not numbered there."""

LARGEST = 1 << 31  # number in an answer that is looked at

Move = Sequence[int]
Cell = tuple[int, int]


class Broken(NamedTuple):
    """A rule that an order breaks."""

    rule: int  # one of RULES
    move: int  # the first move that breaks it, from 1; 0 for the order as a whole
    cell: Cell | None  # (x, y)
    reason: Sentence

    def __str__(self) -> str:
        key = "error.vampires.broken" if self.move else "error.vampires.broken.order"
        values = {"rule": self.rule, "move": self.move, "reason": self.reason}
        return say(key, law=law(self.rule), **values)


def law(rule: int) -> Sentence:
    """The text of a rule of an order."""
    return Sentence(f"error.vampires.rule.{rule}", most=MOST)


class OrderError(ActionError):
    """An order that breaks a rule; `broken` says which and where."""

    def __init__(self, broken: Broken) -> None:
        GameError.__init__(self, broken)
        self.broken = broken


def check(game: Vampires, state: Any, moves: Sequence[Move]) -> Broken | None:
    """The first rule, by number, that an order of the mover breaks; None for a legal order.

    No order may be half chosen.
    """
    if not 1 <= len(moves) <= MOST:
        return Broken(1, 0, None, Sentence("error.vampires.moves", count=len(moves)))
    found = (broken for rule in _CHECKS for broken in rule(game, state, moves))
    return next(found, None)


def actions(game: Vampires, moves: Iterable[Move]) -> list[int]:
    """The small choices of a legal order: equal moves merged, ascending, DONE at the end."""
    found = [action_of(game, [x, y, n, x2, y2]) for (x, y, x2, y2), n in _merged(moves).items()]
    return [*sorted(found), DONE]


def _merged(moves: Iterable[Move]) -> Counter[tuple[int, ...]]:
    """The units of equal moves together, by x, y, x2 and y2."""
    merged: Counter[tuple[int, ...]] = Counter()
    for x, y, count, x2, y2 in moves:
        merged[x, y, x2, y2] += count
    return merged


def moves_of(game: Vampires, actions: Iterable[int]) -> list[list[int]]:
    """The moves of small choices; DONE is none."""
    return [move_of(game, int(action)) for action in actions if action != DONE]


def changes(moves: Iterable[Move]) -> list[Cell]:
    """The cells that an order changes, as the server lists them, each once.

    For each target, in order of first appearance, the target, then the sources of the moves that
    went there.
    """
    sources: dict[Cell, list[Cell]] = {}
    for x, y, _, x2, y2 in moves:
        sources.setdefault((x2, y2), []).append((x, y))
    found = (cell for target, others in sources.items() for cell in (target, *others))
    return list(dict.fromkeys(found))


def write(moves: Iterable[Move]) -> str:
    """An order as text: `3,4 x5 -> 4,4; 5,5 x2 -> 5,6`."""
    return "; ".join(write_move(list(move)) for move in moves)


def read(game: Vampires, state: Any, text: str) -> list[list[int]]:
    """The moves of an order's text, not checked; without a count, all of a group move.

    Moves stand on lines of their own or between semicolons; a `done` at the end is left out.
    Raises ActionError.
    """
    parts = [part.strip() for part in re.split(r"[;\n]", text.lower())]
    parts = [part for part in parts if part]
    if parts and parts[-1] == "done":
        parts.pop()
    if len(parts) > 2 * MOST:  # so many are not worth being read
        raise ActionError(quoted(text), law(1))
    return [read_move(game, state, part) for part in parts]


def expand(game: Vampires, state: Any, answer: Any) -> list[int]:
    """The small choices that an answer stands for.

    The answer is a list of moves or an order's text, which is a whole turn; or one small choice, or
    a list of them, which are taken as they are. Raises ActionError, which for an order that breaks
    a rule is an OrderError.
    """
    choices = answer if isinstance(answer, list | tuple) and answer else [answer]
    if all(type(choice) is int for choice in choices):
        return list(choices)
    if state[MOVES]:
        if isinstance(answer, str) and answer.strip().lower() == "done":
            return [DONE]
        raise ActionError(quoted(answer), Sentence("error.vampires.half"))
    moves = read(game, state, answer) if isinstance(answer, str) else _moves(answer)
    if broken := check(game, state, moves):
        raise OrderError(broken)
    return actions(game, moves)


def _moves(answer: Any) -> list[list[int]]:
    expected = Sentence("error.vampires.order")
    if not isinstance(answer, list | tuple):
        raise ActionError(quoted(answer), expected)
    for move in answer:
        whole = isinstance(move, list | tuple) and all(map(_is_number, move))
        if not whole or len(move) != 5:
            raise ActionError(quoted(move), expected)
    return [list(move) for move in answer]


def _is_number(value: Any) -> bool:
    return type(value) is int and abs(value) <= LARGEST


# The rules: each yields the moves that break it, in an order that keeps the rules before it.


def _broken(rule: int, move: int, cell: Cell, key: str, **values: object) -> Broken:
    return Broken(rule, move, cell, Sentence(key, cell=f"{cell[0]},{cell[1]}", **values))


def _sources(game: Vampires, state: Any, moves: Sequence[Move]) -> Iterator[Broken]:
    for number, (x, y, *_) in enumerate(moves, 1):
        if not on_grid(game, x, y):
            yield _broken(2, number, (x, y), "error.vampires.off")
            return  # it has no content
        kind, count = content(game, state, x, y)
        if kind != VAMPIRES + state[MOVER]:
            held = Sentence(f"error.vampires.held.{GROUPS[kind]}", count=count)
            key = f"error.vampires.{'not' if count else 'empty'}.{SPECIES[int(state[MOVER])]}"
            yield _broken(2, number, (x, y), key, held=held)


def _leaving(game: Vampires, state: Any, moves: Sequence[Move]) -> Iterator[Broken]:
    left: Counter[Cell] = Counter()
    for number, (x, y, count, *_) in enumerate(moves, 1):
        left[x, y] += count
        held = content(game, state, x, y)[1]
        if left[x, y] > held:
            yield _broken(3, number, (x, y), "error.vampires.leave", count=left[x, y], held=held)


def _targets(game: Vampires, state: Any, moves: Sequence[Move]) -> Iterator[Broken]:
    for number, (x, y, _, x2, y2) in enumerate(moves, 1):
        if not on_grid(game, x2, y2):
            yield _broken(4, number, (x2, y2), "error.vampires.off")
        if max(abs(x2 - x), abs(y2 - y)) != 1:
            yield _broken(4, number, (x2, y2), "error.vampires.far", other=f"{x},{y}")


def _both(game: Vampires, state: Any, moves: Sequence[Move]) -> Iterator[Broken]:
    sources: set[Cell] = set()
    targets: set[Cell] = set()
    for number, (x, y, _, x2, y2) in enumerate(moves, 1):
        sources.add((x, y))
        targets.add((x2, y2))
        for cell in ((x, y), (x2, y2)):
            if cell in sources and cell in targets:
                yield _broken(5, number, cell, "error.vampires.both")


def _counts(game: Vampires, state: Any, moves: Sequence[Move]) -> Iterator[Broken]:
    for number, (x, y, count, *_) in enumerate(moves, 1):
        if count < 1:
            yield _broken(6, number, (x, y), "error.vampires.count", count=count)


def _arrivals(game: Vampires, state: Any, moves: Sequence[Move]) -> Iterator[Broken]:
    come: Counter[Cell] = Counter()
    for number, (*_, count, x2, y2) in enumerate(moves, 1):
        come[x2, y2] += count
        if come[x2, y2] > MOST:
            yield _broken(7, number, (x2, y2), "error.vampires.come", count=come[x2, y2])


def _whole(game: Vampires, state: Any, moves: Sequence[Move]) -> Iterator[Broken]:
    merged = _merged(moves)
    for number, (x, y, _, x2, y2) in enumerate(moves, 1):
        count, held = merged[x, y, x2, y2], content(game, state, x, y)[1]
        if count != held and not game.split:
            yield _broken(8, number, (x, y), "error.vampires.part", count=count, held=held)


_CHECKS = (_sources, _leaving, _targets, _both, _counts, _arrivals, _whole)


def on_grid(game: Vampires, x: int, y: int) -> bool:
    """Whether there is such a cell."""
    return 0 <= x < game.columns and 0 <= y < game.rows
