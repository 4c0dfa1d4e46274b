"""The outcome of an order of Vampires vs Werewolves before it is sent: as numbers and sentences."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from joute.games.vampires.battle import halves
from joute.games.vampires.order import Move
from joute.games.vampires.state import (
    EMPTY,
    HUMANS,
    MOST,
    MOVER,
    SPECIES,
    VAMPIRES,
    Vampires,
    content,
)
from joute.games.vampires.text import arriving
from joute.i18n.figures import figure
from joute.i18n.words import say


class Encounter(NamedTuple):
    """The outcome in one target of an order."""

    x: int
    y: int
    arrivals: int
    kind: int  # of whom they meet: EMPTY, HUMANS, VAMPIRES or WEREWOLVES
    there: int  # how many of these
    chance: float  # the probability that the mover holds the cell; 1 where there is no battle
    won: float  # how many of the mover's then stand there, on average where there was a battle
    lost: float  # how many of the others stand there if not, on average
    overflow: bool  # whether more come together than a cell holds, for sure or perhaps


def forecast(game: Vampires, state: Any, moves: Iterable[Move]) -> list[Encounter]:
    """The outcomes of a legal order, by target in order of first appearance."""
    arrivals: dict[tuple[int, int], int] = {}
    for _, _, count, x, y in moves:
        arrivals[x, y] = arrivals.get((x, y), 0) + count
    return [_meeting(game, state, x, y, count) for (x, y), count in arrivals.items()]


def coming(game: Vampires, state: Any) -> list[Encounter]:
    """The outcomes of the order that is half chosen, by target, row by row."""
    return [_meeting(game, state, x, y, count) for x, y, count in arriving(game, state)]


def _meeting(game: Vampires, state: Any, x: int, y: int, count: int) -> Encounter:
    kind, there = content(game, state, x, y)
    own = kind == VAMPIRES + state[MOVER]
    stand = count + there if own or kind == HUMANS else count
    fight = (
        not own and kind != EMPTY and (count < there if kind == HUMANS else 2 * count < 3 * there)
    )
    if not fight:
        held = stand & MOST if game.wrap_counts else min(stand, MOST)
        return Encounter(x, y, count, kind, there, 1.0, float(held), 0.0, stand > MOST)
    chance = halves(count, there) / (2 * there)
    return Encounter(
        x, y, count, kind, there, chance, chance * stand, (1 - chance) * there, stand > MOST
    )


def overflows(meetings: Iterable[Encounter]) -> list[tuple[int, int, int, int]]:
    """The targets where more come together than a cell holds, and no battle is to be fought.

    Each is x, y, how many come together, and how many stay.
    """
    return [
        (each.x, each.y, each.arrivals + each.there, int(each.won))
        for each in meetings
        if each.overflow and each.chance == 1
    ]


def risks(meeting: Encounter) -> list[str]:
    """The risks in a target of an order: a battle, and more units than a cell holds."""
    cell = f"{meeting.x},{meeting.y}"
    lines = []
    if meeting.chance < 1:
        others = ("humans", *SPECIES)[meeting.kind - 1]
        lines.append(
            say(
                "play.order.battle",
                cell=cell,
                attackers=meeting.arrivals,
                defenders=meeting.there,
                others=say(f"play.order.{others}"),
                chance=figure(100 * meeting.chance, 1),
                won=figure(meeting.won, 1),
                lost=figure(meeting.lost, 1),
            )
        )
    if meeting.overflow:
        lines.append(say("play.order.overflow", cell=cell))
    return lines
