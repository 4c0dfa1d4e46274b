"""Orders of Vampires vs Werewolves in words: the rule that one breaks, what one risks."""

from __future__ import annotations

from joute.games.vampires.forecast import Meeting
from joute.games.vampires.order import Broken
from joute.games.vampires.text import SPECIES
from joute.i18n.figures import figure
from joute.i18n.words import say
from joute.play.telling import Telling

TELLING = Telling(end="done")


def rule(broken: Broken) -> str:
    """The rule that an order breaks, and where."""
    cell = "" if broken.cell is None else f"{broken.cell[0]},{broken.cell[1]}"
    return say(f"play.order.rule.{broken.rule}", move=broken.move, cell=cell)


def risks(meeting: Meeting) -> list[str]:
    """What is not sure about a target of an order: a battle, and more than a cell holds."""
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
