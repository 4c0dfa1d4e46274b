"""Positions to try a bot in: those that a game records, and others from random games."""

from __future__ import annotations

import json
import random
from typing import Any, NamedTuple

from joute.core.interface import (
    CHANCE,
    OVER,
    chances,
    legal,
    mover,
    parameters,
    pending,
    play,
    properties,
    start,
    tell,
)
from joute.core.registry import card_of
from joute.i18n.words import say

_SEED = 1  # of the random games: every bot is asked the same positions


class TrialPosition(NamedTuple):
    """A position where `player` is to move."""

    label: str
    player: int
    actions: list[int]
    state: list[int]


def recorded(game: Any) -> list[TrialPosition]:
    """The recorded positions of a game, if there are any with its parameters."""
    path = card_of(game).file("positions.json")
    if path is None:
        return []
    kept = json.loads(path.read_text(encoding="utf-8"))
    if kept["parameters"] != parameters(game):
        return []
    return [
        reach(game, say("check.recorded", number=number), each["actions"])
        for number, each in enumerate(kept["positions"], start=1)
    ]


def drawn(game: Any, count: int) -> list[TrialPosition]:
    """`count` positions of random games, one a game, from everywhere in it, seats in turn."""
    source = random.Random(_SEED)
    players = properties(game).players
    found: list[TrialPosition] = []
    while len(found) < count:
        walk = _random_game(game, source)
        turns = [place for place, player in walk.turns if player == len(found) % players]
        if turns:
            place = source.choice(turns)
            found.append(
                reach(game, say("check.drawn", number=len(found) + 1), walk.actions[:place])
            )
    return found


def reach(game: Any, label: str, actions: list[int]) -> TrialPosition:
    """The position that these actions lead to."""
    state: list[int] = start(game).tolist()
    for action in actions:
        play(game, state, action)
    return TrialPosition(label, int(mover(game, state)), actions, state)


def told(game: Any, position: TrialPosition) -> list[dict[str, Any]]:
    """The events that the player to move was told on the way to a position."""
    state: list[int] = start(game).tolist()
    simultaneous = properties(game).simultaneous
    events: list[dict[str, Any]] = []
    of_round: list[dict[str, Any]] = []  # told when all have chosen
    for action in position.actions:
        event = tell(game, state, position.player, action)
        if event is not None:
            of_round.append(event)
        play(game, state, action)
        if not (simultaneous and pending(game, state)):
            events += of_round
            of_round = []
    return events


class _Walk(NamedTuple):
    actions: list[int]
    turns: list[tuple[int, int]]  # (how many actions came before, the player to move)


def _random_game(game: Any, source: random.Random) -> _Walk:
    facts = properties(game)
    out = [0] * max(facts.max_legal, facts.max_outcomes)
    weights = [0.0] * facts.max_outcomes
    state: list[int] = start(game).tolist()
    walk = _Walk([], [])
    while (player := int(mover(game, state))) != OVER:
        if player == CHANCE:
            count = chances(game, state, out, weights)
            action = source.choices(out[:count], weights[:count])[0]
        else:
            # A turn of several actions is asked for as a whole.
            if facts.simultaneous or not pending(game, state):
                walk.turns.append((len(walk.actions), player))
            action = out[source.randrange(legal(game, state, out))]
        play(game, state, action)
        walk.actions.append(action)
    return walk
