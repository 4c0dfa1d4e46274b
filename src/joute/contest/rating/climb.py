"""A climb: how many rungs of a ladder a bot is stronger than, by one sequential test a rung.

Rungs are tested in their order, and the first that is not passed ends the climb. So the error of
each test is that of the whole climb, however many rungs there are: to stand too high, the bot must
pass one certain rung, the first that it is not stronger than. (Tests in a fixed order need no
correction: W. Maurer, L. Hothorn, W. Lehmacher, "Multiple comparisons in drug clinical trials and
preclinical assays: a-priori ordered hypotheses", 1995.) To stand too low it is enough to fail any
of the rungs below, so the probability of that is divided among them (Bonferroni). Both hold for
rungs in any order: nothing supposes that who beats one beats those before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from joute.contest.rating.sprt import (
    ERROR,
    H0,
    H1,
    Errors,
    Hypotheses,
    SequentialResult,
    SequentialTest,
)

PASSED, HELD, UNDECIDED = "passed", "held", "undecided"
_VERDICTS = {H1: PASSED, H0: HELD, "": UNDECIDED}


class RungTest(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of the test of a rung."""

    number: int  # from 1
    name: str
    verdict: str  # PASSED, HELD or UNDECIDED
    test: SequentialResult


class Climb(msgspec.Struct, frozen=True, kw_only=True):
    """The level that a bot reached.

    `reached` is the number of rungs, from the first, that it was shown to be stronger than, 0 for
    none. Where the next was decided too, `interval` is that number twice; else its end is open.
    """

    rungs: tuple[str, ...]  # the names of all
    reached: int
    interval: tuple[int, int]  # rungs, in 95 % of all climbs on each side
    likelihood: float | None  # that it is stronger than the next rung; None without a pair of games
    tests: tuple[RungTest, ...]  # of the rungs that were tested

    @property
    def next(self) -> RungTest | None:
        """The rung that ended the climb; None at the top, or where it was not begun."""
        last = self.tests[-1] if self.tests else None
        return None if last is None or last.verdict == PASSED else last

    @property
    def decided(self) -> bool:
        """Whether the climb came to an end: at a rung that holds, or at the top."""
        return self.interval[0] == self.interval[1]


def climb(
    names: Sequence[str],
    bot: str,
    hypotheses: Hypotheses,
    play: Callable[[int, SequentialTest], object],
) -> Climb:
    """The climb of a bot over the rungs `names`, the first one first.

    `play` has the bot play the rung at a place, from 0, and adds the pairs to the test, until that
    is decided or for as long as it likes.
    """
    errors = Errors(h1=ERROR, h0=ERROR / max(len(names), 1))
    found: list[RungTest] = []
    for place, name in enumerate(names):
        test = SequentialTest(hypotheses, errors)
        play(place, test)
        verdict = _VERDICTS[test.decision]
        told = test.result((bot, name))
        found.append(RungTest(number=place + 1, name=name, verdict=verdict, test=told))
        if verdict != PASSED:
            break
    reached = sum(each.verdict == PASSED for each in found)
    last = found[-1] if found else None
    held = last is not None and last.verdict == HELD
    return Climb(
        rungs=tuple(names),
        reached=reached,
        interval=(reached, reached if held else len(names)),
        likelihood=None if last is None or last.verdict == PASSED else last.test.superiority,
        tests=tuple(found),
    )
