"""Virus in words: the stones that an action turned, why a game ended, passes that end one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from joute.core.interface import CHANCE, legal_actions, mover, points
from joute.games.virus.text import PASS, grid
from joute.i18n.words import say
from joute.play.telling import Event, Telling
from joute.text import Line

LAST = 2  # passes in a row that end the game


def narrate(event: Event, names: tuple[str, ...]) -> list[Line]:
    """The line that tells of an action, with how many stones it turned, or of the draw."""
    number = (f"{event['line']['ply'] + 1:3}. ", "dim")
    if event["player"] == CHANCE:
        return [[number, (say("play.starts", name=names[event["action"]]), "dim")]]
    text = say("virus.passes") if event["text"] == PASS else event["text"]
    if turned := len(event.get("turned", ())):
        text = say("virus.turns.one" if turned == 1 else "virus.turns", cell=text, count=turned)
    return [[number, (f"{names[event['player']]}  {text}", "")]]


def _ending(game: Any, state: Any, names: Sequence[str]) -> str:
    if int(state[-1]) < LAST:
        return say("virus.ending.full")
    return _counted("virus.ending.passes", grid(game, state).count("."))


def _warning(game: Any, state: Any, action: int, names: Sequence[str]) -> str:
    """A sentence before a pass that ends the game, or lets the other end it to their advantage."""
    if action != game.size * game.size or len(legal_actions(game, state)) == 1:
        return ""
    player = int(mover(game, state))
    mine, theirs = (int(points(game, state, each)) for each in (player, 1 - player))
    values = {"name": names[1 - player], "mine": mine, "theirs": theirs}
    empty = grid(game, state).count(".")
    if int(state[-1]) == LAST - 1:
        result = "won" if mine > theirs else "lost" if mine < theirs else "drawn"
        return _counted(f"virus.warning.{result}", empty, **values)
    return _counted("virus.warning.behind", empty, **values) if mine < theirs else ""


def _counted(key: str, empty: int, **values: object) -> str:
    """The sentence of this key, which has a form of its own for a single empty cell."""
    return say(f"{key}.one" if empty == 1 else key, empty=empty, **values)


TELLING = Telling(narrate, ending=_ending, warning=_warning)
