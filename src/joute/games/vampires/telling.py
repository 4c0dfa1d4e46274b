"""Vampires vs Werewolves in words: orders, battles, why a game ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from joute.core.interface import CHANCE, describe
from joute.games.vampires.state import COUNTS, TURNS
from joute.games.vampires.text import position
from joute.i18n.words import say
from joute.play.telling import Event, Telling
from joute.text import Line


def narrate(event: Event, names: tuple[str, ...]) -> list[Line]:
    """The line that tells of an order or a battle; nothing for what only ends an order."""
    if event["player"] == CHANCE:
        count, kind, _ = event["text"].split()
        cell = _place(event["cell"])
        told = say("vampires.log.battle", cell=cell, kind=say(f"play.order.{kind}"), count=count)
        return [[(told, "dim")]]
    parts = event.get("parts", [event])
    moves = [_move(*part["move"]) for part in parts if "move" in part]
    if event["text"] == "done" and "fault" not in event["line"]:
        return []
    other = say("vampires.log.pass") if event["text"] == "pass" else event["text"]
    told = say("vampires.log.order", moves="; ".join(moves)) if moves else other
    return [[(f"{names[event['player']]}  {told}", "")]]


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


TELLING = Telling(narrate, ending=_ending, end="done", position=position, drawn=_drawn)
