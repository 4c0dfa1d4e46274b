"""Compiles the decision on each system call into a program of the kernel's packet filter.

The kernel runs the program before each call, on the number of the call, the kind of program that
makes it, and the arguments. It remembers which calls are decided by their number alone, and lets
those pass without running the program. Of an argument, the lower 32 bits are looked at: what is
tested here is an `int` mostly, or has its meaning there; the others where they are asked for.

Source: the kernel's Documentation/userspace-api/seccomp_filter.rst and networking/filter.rst.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import NamedTuple

ALLOWED = 0x7FFF0000  # Lets a call pass
WORD = 0xFFFFFFFF  # All that is looked at of an argument

_LOAD, _AND, _GOTO = 0x20, 0x54, 0x05
_IF_EQUAL, _IF_NOT_LESS, _ANSWER = 0x15, 0x35, 0x06
_NUMBER, _MACHINE, _FIRST_ARGUMENT, _ARGUMENT_BYTES = 0, 4, 16, 8
_FARTHEST = 255  # that a conditional jump goes

Instruction = tuple[int, int, int, int]
"""An operation, how many instructions to skip if its test holds and if not, and a number."""


def refused(error: int) -> int:
    """The answer that refuses a call with an error; with 0, the call does nothing and succeeds."""
    return 0x00050000 | error


class Condition(NamedTuple):
    """Of one argument; holds where the bits of `mask` have one of the values."""

    argument: int  # From 0 on
    values: tuple[int, ...]
    mask: int = WORD
    upper: bool = False
    """Whether the other half of the argument is looked at, of what is an address."""


class Conditional(NamedTuple):
    """A call that passes if all conditions of one alternative hold."""

    alternatives: tuple[tuple[Condition, ...], ...]
    otherwise: int  # The answer where none does


Decision = int | Conditional  # An answer to a call, or what it turns on


def compiled(machine: int, decisions: Mapping[int, Decision], otherwise: int) -> bytes:
    """The program that decides on system calls.

    Args:
        machine: the kind of programs that the numbers are for, as the kernel's audit has it.
        decisions: by the number of a call.
        otherwise: the answer to other numbers, and to programs of another kind.
    """
    ranges = _ranges(decisions, otherwise)
    start: list[Instruction] = [
        (_LOAD, 0, 0, _MACHINE),
        (_IF_EQUAL, 1, 0, machine),
        (_ANSWER, 0, 0, otherwise),
        (_LOAD, 0, 0, _NUMBER),
    ]
    blocks: list[Instruction] = []
    places: dict[Conditional, int] = {}
    for _, decision in ranges:
        if isinstance(decision, Conditional) and decision not in places:
            places[decision] = len(blocks)
            blocks += _chosen(decision)
    # A search among the ranges, whose leaves are an answer or the way to a block after all of them.
    leaves = 2 * len(ranges) - 1
    search = _search(ranges)
    lines: list[Instruction] = []
    for at, line in enumerate(search):
        if isinstance(line, Conditional):
            lines.append((_GOTO, 0, 0, leaves - at - 1 + places[line]))
        else:
            lines.append(line)
    return b"".join(struct.pack("HBBI", *line) for line in [*start, *lines, *blocks])


def _ranges(decisions: Mapping[int, Decision], otherwise: int) -> list[tuple[int, Decision]]:
    """The first numbers of ranges of calls on which is decided alike, and the decisions."""
    found: list[tuple[int, Decision]] = []
    for number in range(max(decisions, default=-1) + 2):
        decision = decisions.get(number, otherwise)
        if not found or found[-1][1] != decision:
            found.append((number, decision))
    return found


def _search(ranges: Sequence[tuple[int, Decision]]) -> list[Instruction | Conditional]:
    """The instructions that find the range of a number; a Conditional is the way to its block."""
    if len(ranges) == 1:
        decision = ranges[0][1]
        return [decision if isinstance(decision, Conditional) else (_ANSWER, 0, 0, decision)]
    middle = len(ranges) // 2
    below, above = _search(ranges[:middle]), _search(ranges[middle:])
    return [(_IF_NOT_LESS, _distance(len(below)), 0, ranges[middle][0]), *below, *above]


def _chosen(choice: Conditional) -> list[Instruction]:
    """The instructions that decide on a call by its arguments."""
    lines: list[Instruction] = []
    for conditions in choice.alternatives:
        lines += _alternative(conditions)
    return [*lines, (_ANSWER, 0, 0, choice.otherwise)]


def _alternative(conditions: Sequence[Condition]) -> list[Instruction]:
    """The instructions that allow a call if all conditions hold, and go on behind them if not."""
    lines: list[Instruction] = [(_ANSWER, 0, 0, ALLOWED)]
    for argument, values, mask, upper in reversed(conditions):
        rest, last = len(lines), len(values) - 1
        equal: list[Instruction] = [
            (_IF_EQUAL, last - place, _distance(rest) if place == last else 0, value & mask)
            for place, value in enumerate(values)
        ]
        masked: list[Instruction] = [] if mask == WORD else [(_AND, 0, 0, mask)]
        half = _ARGUMENT_BYTES // 2 if upper else 0
        load = (_LOAD, 0, 0, _FIRST_ARGUMENT + _ARGUMENT_BYTES * argument + half)
        lines = [load, *masked, *equal, *lines]
    return lines


def _distance(instructions: int) -> int:
    if instructions > _FARTHEST:
        raise ValueError(f"a jump of {instructions} instructions: expected {_FARTHEST} at most")
    return instructions
