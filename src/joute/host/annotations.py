"""Figures and marks that a bot sends with its action, for whoever looks at the game afterwards.

They are bounded, and never a reason to lose a turn: whatever is out of bounds is left out, with a
remark to the bot's author.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from joute.i18n.words import Sentence, english, sentence_of
from joute.text import cut

METRICS = 16  # Names in an answer
NAME_CHARACTERS = 32  # Of a name
MARKS = 64  # In an answer
COORDINATE = 999  # The largest column, row or floor
TONES = ("good", "bad", "note")
_EXACT = 1 << 53  # Beyond it a whole number is kept as a float
_SHOWN = 40  # characters of what is out of bounds
_NAMED = 5  # metrics, and marks, of those that an answer lost


class Annotations(NamedTuple):
    """The metrics and marks of an answer."""

    metrics: dict[str, float]  # By name
    marks: list[dict[str, Any]]
    """Each with `tone` and either `cell` or `from` and `to`: [column, row] or [column, row,
    floor]."""
    remarks: list[str]  # Sentences on what was left out

    @property
    def empty(self) -> bool:
        """Whether there is nothing to keep."""
        return not (self.metrics or self.marks)


NONE = Annotations({}, [], [])


class _OutOfBoundsError(ValueError):
    """A figure or mark that is left out; `reason` says why."""

    def __init__(self, key: str, **values: object) -> None:
        self.reason = Sentence(f"error.annotation.{key}", **values)
        super().__init__(self.reason)


def bounded_annotations(metrics: object, marks: object) -> Annotations:
    """The annotations of an answer, of whatever it gave as such; None where it gave nothing."""
    if metrics is None and marks is None:
        return NONE
    figures, about_metrics = _bounded(metrics, _metrics)
    drawn, about_marks = _bounded(marks, _marks)
    return Annotations(figures or {}, drawn or [], [*about_metrics, *about_marks])


def _bounded(given: object, read: Any) -> tuple[Any, list[str]]:
    """The part within bounds, and sentences on what is not: on each of the first few things."""
    if given is None:
        return None, []
    try:
        found, problems = read(given)
    except _OutOfBoundsError as error:
        return None, [english(error.reason)]
    told = [english(each.reason) for each in problems[:_NAMED]]
    if rest := len(problems[_NAMED:]):
        told.append(english(sentence_of(rest, "error.annotation.more", count=rest)))
    return found, told


def _metrics(given: object) -> tuple[dict[str, float], list[_OutOfBoundsError]]:
    if not isinstance(given, dict):
        raise _OutOfBoundsError("metrics", given=_shown(given))
    found: dict[str, float] = {}
    problems: list[_OutOfBoundsError] = []
    for name, value in given.items():
        if len(found) == METRICS:
            problems.insert(0, _OutOfBoundsError("many_metrics", most=METRICS))
            break
        try:
            found[_name(name)] = _figure(name, value)
        except _OutOfBoundsError as error:
            problems.append(error)
    return found, problems


def _name(name: object) -> str:
    if isinstance(name, str) and 1 <= len(name) <= NAME_CHARACTERS and name.isprintable():
        return name
    raise _OutOfBoundsError("name", name=_shown(name), most=NAME_CHARACTERS)


def _figure(name: str, value: object) -> float:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if isinstance(value, int) and number and abs(value) <= _EXACT:
        return value
    try:
        if isinstance(value, (int, float)) and number and math.isfinite(found := float(value)):
            return found
    except OverflowError:
        pass
    raise _OutOfBoundsError("figure", name=_shown(name), value=_shown(value))


def _marks(given: object) -> tuple[list[dict[str, Any]], list[_OutOfBoundsError]]:
    if not isinstance(given, list):
        raise _OutOfBoundsError("marks", given=_shown(given))
    found: list[dict[str, Any]] = []
    problems: list[_OutOfBoundsError] = []
    for each in given:
        if len(found) == MARKS:
            problems.insert(0, _OutOfBoundsError("many_marks", most=MARKS))
            break
        try:
            found.append(_mark(each))
        except _OutOfBoundsError as error:
            problems.append(error)
    return found, problems


def _mark(given: object) -> dict[str, Any]:
    if isinstance(given, dict) and given.get("tone", TONES[-1]) in TONES:
        tone = given.get("tone", TONES[-1])
        if given.keys() <= {"cell", "tone"} and _is_cell(given.get("cell")):
            return {"cell": given["cell"], "tone": tone}
        ends = given.get("from"), given.get("to")
        if given.keys() <= {"from", "to", "tone"} and all(map(_is_cell, ends)):
            return {"from": ends[0], "to": ends[1], "tone": tone}
    raise _OutOfBoundsError("mark", given=_shown(given), tones=", ".join(TONES))


def _is_cell(given: object) -> bool:
    return (
        isinstance(given, list)
        and len(given) in (2, 3)
        and all(type(each) is int and 0 <= each <= COORDINATE for each in given)
    )


def _shown(given: object) -> str:
    return cut(str(given), _SHOWN)
