"""Vampires vs Werewolves in words: orders, battles, why a game ended."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from joute.core.interface import CHANCE, describe, mover
from joute.games.vampires.forecast import coming, overflows
from joute.games.vampires.state import COUNTS, DONE, MOST, TURNS
from joute.games.vampires.text import position
from joute.i18n.words import say
from joute.play.telling import Event, Telling
from joute.text import Line


def narrate(event: Event, names: tuple[str, ...]) -> list[Line]:
    """The lines that tell of an order or a battle; nothing for what only ends an order."""
    if event["player"] == CHANCE:
        count, kind, _ = event["text"].split()
        cell, held = _place(event["cell"]), min(int(count), MOST)
        told = say("vampires.log.battle", cell=cell, kind=say(f"play.order.{kind}"), count=held)
        full = [(*event["cell"], int(count), held)] if int(count) > MOST else []
        return [[(told, "dim")], *_full(full)]
    parts = event.get("parts", [event])
    moves = [_move(*part["move"]) for part in parts if "move" in part]
    if event["text"] == "done" and "fault" not in event["line"]:
        return _full(event.get("full", []))
    other = say("vampires.log.pass") if event["text"] == "pass" else event["text"]
    told = say("vampires.log.order", moves="; ".join(moves)) if moves else other
    return [[(f"{names[event['player']]}  {told}", "")], *_full(event.get("full", []))]


def _full(cells: Iterable[tuple[int, int, int, int]]) -> list[Line]:
    """The lines on cells where more come together than they hold, as `witness` has them."""
    return [
        [(say("vampires.log.full", cell=_place((x, y)), together=together, held=held), "dim")]
        for x, y, together, held in cells
    ]


def witness(game: Any, state: Any, action: int) -> Event:
    """The facts of an action about to be applied that everybody sees but is not told.

    `full`, of the end of an order: the cells where more come together than they hold, each as
    (x, y, how many come together, how many stay).
    """
    if action != DONE or mover(game, state) == CHANCE:
        return {}
    found = overflows(coming(game, state))
    return {"full": found} if found else {}


def _move(x: int, y: int, count: int, x2: int, y2: int) -> str:
    values = {"count": count, "source": _place((x, y)), "target": _place((x2, y2))}
    return say("vampires.log.move", **values)


def _place(cell: Sequence[int]) -> str:
    return "({},{})".format(*cell)


def _drawn(game: Any, state: Any, action: int, names: Sequence[str]) -> str:
    count, kind, _ = describe(game, state, action).split()
    return say("vampires.table.survive", count=count, kind=say(f"play.order.{kind}"))


def _ending(game: Any, state: Any, names: Sequence[str]) -> str:
    vampires, werewolves = int(state[COUNTS]), int(state[COUNTS + 1])
    if not vampires or not werewolves:
        gone = "werewolves" if vampires else "vampires" if werewolves else "both"
        return say(f"vampires.ending.{gone}")
    limit = "turns" if int(state[TURNS]) >= game.plies else "time"
    equal = ".equal" if vampires == werewolves else ""
    return say(f"vampires.ending.{limit}{equal}", plies=game.plies)


TELLING = Telling(narrate, witness, ending=_ending, end="done", position=position, drawn=_drawn)
