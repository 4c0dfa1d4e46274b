"""Orders of Vampires vs Werewolves as people type them, and what they risk."""

from __future__ import annotations

from typing import Any

from joute.cli.playing.typed import Typed, Unclear, known_command
from joute.games.interface import ActionError
from joute.games.vampires_forecast import Meeting, forecast
from joute.games.vampires_order import actions, check, moves_of, read
from joute.games.vampires_text import SPECIES
from joute.speech.words import folded, language, say


def understand(game: Any, state: Any, legal: list[int], text: str) -> Typed:
    """The command or the whole order of a text. Raises Unclear.

    The order's risks are the battles that it leads to, with their odds, and cells where more come
    together than they hold.
    """
    word = folded(text)
    if not word:
        raise Unclear(say("play.empty"))
    if command := known_command(word):
        return Typed(command=command)
    try:
        moves = read(game, state, text)
    except ActionError:
        raise Unclear(say("play.order.unclear", text=text.strip())) from None
    if broken := check(game, state, moves):
        cell = "" if broken.cell is None else f"{broken.cell[0]},{broken.cell[1]}"
        raise Unclear(say(f"play.order.rule.{broken.rule}", move=broken.move, cell=cell))
    risks = [line for each in forecast(game, state, moves) for line in _risks(each)]
    told = (*risks, say("play.order.send")) if risks else ()
    return Typed(turn=tuple(actions(game, moves)), told=told)


def listing(game: Any, legal: list[int]) -> list[str]:
    """What may be moved: a line for each group, with the cells that it may go to."""
    most: dict[tuple[int, int], int] = {}
    targets: dict[tuple[int, int], dict[str, None]] = {}
    for x, y, count, x2, y2 in moves_of(game, legal):
        most[x, y] = max(count, most.get((x, y), 0))
        targets.setdefault((x, y), {})[f"{x2},{y2}"] = None
    return [
        say("play.order.legal", cell=f"{x},{y}", count=most[x, y], targets=" ".join(found))
        for (x, y), found in targets.items()
    ]


def _risks(meeting: Meeting) -> list[str]:
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
                chance=_number(100 * meeting.chance),
                won=_number(meeting.won),
                lost=_number(meeting.lost),
            )
        )
    if meeting.overflow:
        lines.append(say("play.order.overflow", cell=cell))
    return lines


def _number(value: float) -> str:
    text = f"{value:.1f}"
    return text.replace(".", ",") if language() == "fr" else text
