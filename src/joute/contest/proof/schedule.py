"""Which games there are, against those that the schedule asked for when they were played."""

from __future__ import annotations

from collections.abc import Iterator

from joute.contest.proof.difference import Difference
from joute.contest.proof.results import Moment, Results
from joute.contest.run.plan import Plan
from joute.contest.schedule.schedule import Slot
from joute.store.game import Result


def games_asked_for(results: Results) -> Iterator[Difference]:
    """Games that nobody asked for, and games that stand where the schedule has another.

    A game that is not asked for any more was so at the end of the time in which it was played.
    """
    wanted = _Wanted(results.plan(results.now()))
    old = results.rows_afterwards("game")
    unasked: list[tuple[int, Result]] = []
    for number, game in enumerate(results.store.results(), start=1):
        if game.identity in wanted:
            yield from wanted.differences(game)
        elif number > old:
            unasked.append((number, game))
    for moment in sorted(results.moments, key=lambda each: each.games):
        theirs = [each for number, each in unasked if number <= moment.games]
        unasked = [(number, each) for number, each in unasked if number > moment.games]
        yield from _then(results, moment, theirs)
    yield from (Difference(key="unasked", game=game.identity) for _, game in unasked)


def _then(results: Results, moment: Moment, games: list[Result]) -> Iterator[Difference]:
    """What is wrong with games that were played before a moment and after the one before it."""
    if not games:
        return
    wanted = _Wanted(results.plan(moment))
    for game in games:
        if game.identity in wanted:
            yield from wanted.differences(game)
        elif wanted.out.isdisjoint(game.lineup.bots):
            # With a bot that is shut out, it may have been played while that was found out.
            yield Difference(key="unasked", game=game.identity)


class _Wanted:
    """The games that a plan has asked for."""

    def __init__(self, plan: Plan) -> None:
        self.out = plan.out
        self._row_of = plan.row_of
        self._first: list[Slot | None] = [None] * plan.kept  # by game; there may be a million
        self._others: dict[str, list[Slot]] = {}  # where bots of the same content play
        for slot, identity in plan.places():
            row = plan.row_of(identity)
            if row is None:
                continue  # of a game that could not be played at all
            if self._first[row] is None:
                self._first[row] = slot
            else:
                self._others.setdefault(identity, []).append(slot)

    def __contains__(self, identity: str) -> bool:
        return self._slot(identity) is not None

    def differences(self, game: Result) -> Iterator[Difference]:
        """Whether the game stands where the schedule has it."""
        here = (game.lineup.members, game.set_number, game.lineup.bots, game.lineup.map)
        slots = [*filter(None, [self._slot(game.identity)]), *self._others.get(game.identity, ())]
        places = [(slot.members, slot.number, slot.seats, slot.map) for slot in slots]
        if here not in places:
            values = {"found": _shown(here), "expected": _shown(places[0])}
            yield Difference(key="place", game=game.identity, values=values)

    def _slot(self, identity: str) -> Slot | None:
        """The place of a game, the first where there are several."""
        row = self._row_of(identity)
        return None if row is None else self._first[row]


def _shown(place: tuple[tuple[str, ...], int, tuple[str, ...], str]) -> str:
    members, number, seats, played_on = place
    rest = f", {played_on}" if played_on else ""
    return f"{' - '.join(seats)} ({', '.join(members)}; {number}{rest})"
