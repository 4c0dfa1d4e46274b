"""Contests without games: bots of known strength, their results drawn, and how well they rank."""

import random
from math import exp

from joute.contest.ranking.discipline import Discipline
from joute.contest.ranking.ranking import NO_PROGRESSION, rank
from joute.contest.ranking.rows import Row
from joute.contest.schedule.schedule import NOBODY, Staged, place_of, void

DRAWS = 0.1  # the share of games that are drawn, whoever plays


def names_of(bots):
    """Names whose alphabetical order says nothing of their strength, the strongest first."""
    names = [f"bot{number:04}" for number in range(bots)]
    random.Random(bots).shuffle(names)
    return names


def strengths(names, step):
    """The strength of each, in units of the logistic curve; neighbours are `step` apart."""
    return {name: -step * place for place, name in enumerate(names)}


def drawn_result(strength, salt=""):
    """A function from a slot to its returns by seat, always the same for the same slot."""

    def result(slot):
        chance = random.Random(f"{salt} {slot}")
        if chance.random() < DRAWS:
            return (0.0, 0.0)
        first, second = (strength[name] for name in slot.seats)
        won = chance.random() < 1 / (1 + exp(second - first))
        return (1.0, -1.0) if won else (-1.0, 1.0)

    return result


def play(schedule, result, shuffler=None, known=None, out=NOBODY):
    """Plays a schedule, results arriving in any order; returns them by slot."""
    results, running = {}, []
    while True:
        running += schedule.take(out)
        if not running:
            return results
        place = shuffler.randrange(len(running)) if shuffler else len(running) - 1
        running[place], running[-1] = running[-1], running[place]
        slot = running.pop()
        results[slot] = (known or {}).get(slot) or result(slot)
        schedule.record(slot, results[slot])


def table_of(schedule, names, results, ranking):
    """The standings after the results of a schedule."""
    rows = [
        Row(key=(slot.members, slot.number), bots=slot.seats, returns=results[slot], map=slot.map)
        for slot in sorted(results, key=place_of)
    ]
    course = schedule.course() if isinstance(schedule, Staged) else NO_PROGRESSION
    return rank(names, rows, ranking, course=course)


def kendall(truth, table):
    """Kendall's tau between the true order and standings; places that are shared count as half."""
    place = {line.name: line.rank for line in table}
    ranks = [place[name] for name in truth]
    pairs = agreeing = 0
    for later, rank_of_later in enumerate(ranks):
        for earlier in ranks[:later]:
            agreeing += (earlier < rank_of_later) - (earlier > rank_of_later)
            pairs += 1
    return agreeing / pairs


def play_judged(schedule, result, offends, shuffler):
    """Plays a schedule whose bots may be shut out; returns the results of the games that count.

    `offends` tells of a slot the seat, if any, that commits what shuts it out at once. As in a
    contest, games that come after one that shut out a bot of theirs are not played, unless that
    verdict falls, or they were being played already.
    """
    discipline = Discipline({"crash": "disqualification"}, None, ())
    results, waiting = {}, []
    while True:
        out = {name: verdict.place for name, verdict in discipline.verdicts.items()}
        while slots := schedule.take(out):
            waiting += slots
        due = [slot for slot in waiting if not void(slot, out)]
        if not due:
            return {slot: got for slot, got in results.items() if not void(slot, out)}, set(out)
        pool = waiting if shuffler.random() < 0.1 else due  # it was being played already
        slot = pool[shuffler.randrange(len(pool))]
        waiting.remove(slot)
        results[slot] = result(slot)
        schedule.record(slot, results[slot])
        if (seat := offends(slot)) is not None:
            fault = {"seat": seat, "ply": 1, "fault": "crash", "detail": "", "cost": "game"}
            discipline.hear(place_of(slot), slot.seats, "game", [fault])


def bots(count):
    """So many names."""
    return [f"b{number}" for number in range(count)]


def first_of(names):
    """A result in which the bot that is named first wins."""

    def result(slot):
        best = min(slot.seats, key=names.index)
        return tuple(1.0 if name == best else -1.0 for name in slot.seats)

    return result


def level(slot):
    """A draw."""
    return (0.0, 0.0)
