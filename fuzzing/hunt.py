"""The search for bugs of one target, in this process, until its time is over.

Hypothesis makes the cases, in batches with seeds of their own, and makes smaller what fails. It
starts from right cases and from those that failed once. Cases that were refused in words not seen
before do not join them: of 3,000 cases, that reached no more lines of Joute, or fewer.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from typing import NamedTuple

import hypothesis
from hypothesis import HealthCheck, Phase, given, settings

from fuzzing.target import Target
from fuzzing.trial import Bug, tried

BATCH = 200  # cases
SHRINKING_SECONDS = 20.0
"""For making a failing case smaller, of CPU or not: the time of the hunt goes on meanwhile."""

Note = Callable[[bytes], None]
"""Hears of every case before it is tried."""


class Found(NamedTuple):
    """A bug, and the smallest case that shows it."""

    case: bytes
    bug: Bug
    fresh: bool = True
    """Whether the case is news: a seed or one of the corpus is kept already."""


class Hunt:
    """The cases that one target was given, and what came of them."""

    def __init__(self, target: Target, seed: int, corpus: list[bytes], note: Note) -> None:
        """Prepares; `corpus` are cases of earlier bugs."""
        self.target = target
        self.cases = 0
        self.seeds = target.seeds()
        self.refusals: set[str] = set()
        """The ways in which cases ended, "" being accepted."""
        self._seed = seed
        self._corpus = corpus
        self._note = note
        self._pool = tuple(sorted([*self.seeds, *corpus], key=len))  # the simplest first
        self._known: set[str] = set()  # signatures of bugs

    def run(self, seconds: float) -> Iterator[Found]:
        """The bugs, as they are found; those of the seeds and of the corpus first.

        One batch is tried at least.
        """
        end = time.monotonic() + seconds
        for case in (*self.seeds, *self._corpus):
            found = self._tried(case)
            if (
                found is None
                and case in self.seeds
                and (refusal := tried(self.target, case).refusal)
            ):
                words = f"a right case is refused: {refusal}"
                found = Found(case, Bug(words, words))
            if found is not None:
                self._known.add(found.bug.signature)
                yield found._replace(fresh=False)
        for number in count():
            if number and time.monotonic() >= end:
                return
            if (found := self.batch(number, end if number else math.inf)) is not None:
                yield found

    def _tried(self, case: bytes) -> Found | None:
        """Tries a case; the bug that it shows, unless it is known."""
        self._note(case)
        self.cases += 1
        ended = tried(self.target, case)
        if ended.bug is None:
            self.refusals.add(ended.refusal)
            return None
        if ended.bug.signature in self._known:
            return None
        return Found(case, ended.bug)

    def batch(self, number: int, end: float) -> Found | None:
        """Tries some cases; the smallest that shows a bug not known before, if there is one."""
        smallest: Found | None = None
        stop = end

        @hypothesis.seed(self._seed * 1_000_003 + number)
        @settings(
            max_examples=BATCH,
            database=None,
            deadline=None,
            phases=(Phase.generate, Phase.shrink),
            report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck),
        )
        @given(case=self.target.cases(self._pool))
        def examine(case: bytes) -> None:
            nonlocal smallest, stop
            if time.monotonic() >= stop:
                return
            found = self._tried(case)
            if found is None:
                return
            if smallest is None:
                smallest, stop = found, time.monotonic() + SHRINKING_SECONDS
            elif found.bug.signature != smallest.bug.signature:
                return
            elif len(case) <= len(smallest.case):
                smallest = found
            raise _FailedError

        # Flaky, too: once the time for it is over, no case fails any more.
        with suppress(_FailedError, hypothesis.errors.Flaky):
            examine()
        if smallest is not None:
            self._known.add(smallest.bug.signature)
        return smallest


class _FailedError(Exception):
    """Tells Hypothesis that a case fails."""
