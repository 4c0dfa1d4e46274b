"""Vampires vs Werewolves in plain data and text: observations, actions and boards.

Observation: `rows`, `columns`, `cells` (the cells that are not empty, row by row, as [x, y, humans,
vampires, werewolves]; x is the column, y the row from the top, both from 0), `player` and `species`
(the observer's), `to_move` (-1 while battles are fought, -2 when the game is over), `turn` (turns
done), `plies` (the limit of turns), `counts` ([vampires, werewolves], those on their way included),
`humans`, `split`, `wrap_counts`, `legal` (the small choices open to the observer if it is to move,
else empty). While an order is half chosen the cells hold what is left in them, `leaving` lists the
cells [x, y] that units leave and `arriving` where they go, [x, y, count]; while battles are fought
`arriving` lists the attackers of those to come.

Text: a small choice is a move, `3,4 x5 -> 4,4`, or `done`; a battle's outcome is who survived,
`7 werewolves survive`. What only the clock plays: `pass` and `stop`.
"""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from joute.core.errors import ActionError
from joute.core.interface import CHANCE, OVER, Properties, implements, legal_actions, mover
from joute.games.vampires.battle import battle_cell, odds
from joute.games.vampires.order import action_of, move_of, quoted, read_move, write_move
from joute.games.vampires.state import (
    BATTLE,
    BATTLES,
    COUNTS,
    DONE,
    ENDED,
    GROUPS,
    HUMANS,
    KIND,
    LETTERS,
    MOST,
    MOVER,
    MOVES,
    PHASE,
    SPECIES,
    STOP,
    TARGET_COUNT,
    TARGETS,
    TURNS,
    VAMPIRES,
    WON,
    Vampires,
    arrivals,
    cell_at,
    content,
    first_cell,
    place_of,
)
from joute.i18n.words import Sentence, say

WIDTH = 80  # columns of a terminal


def properties(game: Vampires) -> Properties:
    area = game.rows * game.columns
    groups = min(game.most_units, area)
    moves = min(game.most_units, MOST)
    choices = 8 * (min(game.most_units, MOST * area) if game.split else groups) + 1
    return Properties(
        name="vampires",
        players=2,
        simultaneous=False,
        chance=True,
        hidden_information=False,
        zero_sum=True,
        max_actions=(game.size - game.stride - 1) * 8 * KIND,
        # `pick` notes two numbers for each of the eight moves of a group.
        max_legal=max(choices, 16 * groups + 2),
        max_outcomes=2 * WON,
        # A turn is moves, DONE and a battle for each move at most.
        max_plies=game.plies * (2 * moves + 1),
        lowest_return=-1.0,
        highest_return=1.0,
        version=1,
    )


def max_answers(game: Vampires) -> int:
    return game.plies  # whole orders


def parameters(game: Vampires) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(game.source.tobytes())
    return found


def stream(game: Vampires, state: Any) -> str:
    return "battles"


def cells(game: Vampires, state: Any) -> list[list[int]]:
    """The cells that are not empty, row by row: [x, y, humans, vampires, werewolves]."""
    return [_entry(*group) for group in _groups(game, state)]


def contents(game: Vampires, state: Any, x: int, y: int) -> list[int]:
    """The content of a cell: [x, y, humans, vampires, werewolves]."""
    return _entry(x, y, *content(game, state, x, y))


def _entry(x: int, y: int, kind: int, count: int) -> list[int]:
    entry = [x, y, 0, 0, 0]
    if count:
        entry[1 + kind] = count
    return entry


def _groups(game: Vampires, state: Any) -> Iterator[tuple[int, int, int, int]]:
    """The cells that are not empty, row by row: x, y, kind and count."""
    for y in range(game.rows):
        first = first_cell(game) + cell_at(game, 0, y)
        for x, held in enumerate(state[first : first + game.columns]):
            if held:
                yield x, y, *divmod(int(held), KIND)


def leaving(game: Vampires, state: Any) -> list[list[int]]:
    """The cells [x, y] that units leave in the order that is half chosen, row by row."""
    if state[PHASE] != 0 or not state[MOVES]:
        return []
    return [
        [x, y]
        for y in range(game.rows)
        for x in range(game.columns)
        if arrivals(game, state, cell_at(game, x, y)) < 0
    ]


def arriving(game: Vampires, state: Any) -> list[list[int]]:
    """The targets of units, [x, y, count], row by row: of half an order, or of battles to come."""
    first = int(state[BATTLE]) if state[PHASE] == BATTLES else 0
    targets = state[TARGETS + first : TARGETS + int(state[TARGET_COUNT])]
    return [[*place_of(game, int(each)), arrivals(game, state, int(each))] for each in targets]


def observe(game: Vampires, state: Any, player: int) -> dict[str, Any]:
    to_move = int(mover(game, state))
    choices = legal_actions(game, state) if to_move == player else []
    found = cells(game, state)
    return {
        "rows": game.rows,
        "columns": game.columns,
        "cells": found,
        "player": player,
        "species": SPECIES[player],
        "to_move": to_move,
        "turn": int(state[TURNS]),
        "plies": game.plies,
        "counts": [int(state[COUNTS]), int(state[COUNTS + 1])],
        "humans": sum(cell[2] for cell in found),
        "split": bool(game.split),
        "wrap_counts": bool(game.wrap_counts),
        "leaving": leaving(game, state),
        "arriving": arriving(game, state),
        "legal": choices,
    }


def tell(game: Vampires, state: Any, player: int, action: int) -> dict[str, Any]:
    """Adds `move` [x, y, count, x2, y2] for a move, `cell` [x, y] for a battle."""
    actor = int(mover(game, state))
    told = {"player": actor, "action": int(action), "text": describe(game, state, action)}
    if actor == CHANCE:
        told["cell"] = list(place_of(game, battle_cell(state)))
    elif action not in (DONE, STOP):
        told["move"] = move_of(game, int(action))
    return told


def describe(game: Vampires, state: Any, action: int) -> str:
    action = int(action)
    if mover(game, state) == CHANCE:
        kind = VAMPIRES + int(state[MOVER]) if action >= WON else odds(game, state)[2]
        return f"{action % WON} {GROUPS[kind]} survive"
    if action == DONE:
        return "done" if state[MOVES] else "pass"
    return "stop" if action == STOP else write_move(move_of(game, action))


def parse(game: Vampires, state: Any, text: str) -> int:
    if mover(game, state) == CHANCE:
        return _outcome(game, state, text)
    word = text.strip().lower()
    if word in ("done", "pass", "stop"):
        return STOP if word == "stop" else DONE
    x, y, count, x2, y2 = read_move(game, state, word)
    on_grid = max(x, x2) < game.columns and max(y, y2) < game.rows
    if not on_grid or max(abs(x2 - x), abs(y2 - y)) != 1 or not 1 <= count <= MOST:
        raise ActionError(quoted(text), Sentence("error.vampires.units", most=MOST))
    return action_of(game, [x, y, count, x2, y2])


def _outcome(game: Vampires, state: Any, text: str) -> int:
    attackers = SPECIES[int(state[MOVER])]
    defenders = GROUPS[odds(game, state)[2]]
    found = re.fullmatch(rf"\s*(\d{{1,3}}) ({attackers}|{defenders}) survive\s*", text)
    if not found or int(found[1]) >= WON:
        expected = Sentence("error.vampires.survive", attackers=attackers, defenders=defenders)
        raise ActionError(quoted(text), expected)
    return int(found[1]) + (WON if found[2] == attackers else 0)


def render(game: Vampires, state: Any, player: int | None = None) -> str:
    return position(game, state, player)


def position(game: Vampires, state: Any, player: int | None, names: Sequence[str] = ()) -> str:
    """The grid under the numbers of its columns: `12V`, `5W`, `3h`, and `.` for nothing.

    Below stand the counts, with the names of the seats where they are known, and what comes next.
    """
    signs = {(x, y): f"{count}{LETTERS[kind]}" for x, y, kind, count in _groups(game, state)}
    margin = len(str(game.rows - 1)) + 1
    width = max(3, *(len(sign) + 1 for sign in signs.values()), len(str(game.columns - 1)) + 1)
    if margin + width * game.columns > WIDTH:
        width = max(width - 1, 3)
    lines = [" " * margin + "".join(f"{x:{width}}" for x in range(game.columns))]
    for y in range(game.rows):
        row = "".join(f"{signs.get((x, y), LETTERS[0]):>{width}}" for x in range(game.columns))
        lines.append(f"{y:{margin - 1}} {row}")
    return "\n".join([*lines, *_footer(game, state, names)])


def _footer(game: Vampires, state: Any, names: Sequence[str]) -> Iterator[str]:
    species = [say(f"play.order.{name}") for name in SPECIES]
    whose = [f"{kind} ({names[each]})" if names else kind for each, kind in enumerate(species)]
    yield say(
        "vampires.table.counts",
        vampires=f"{whose[0]} {int(state[COUNTS])}",
        werewolves=f"{whose[1]} {int(state[COUNTS + 1])}",
        humans=sum(count for _, _, kind, count in _groups(game, state) if kind == HUMANS),
        turn=int(state[TURNS]),
        plies=game.plies,
    )
    kind = species[int(state[MOVER])]
    coming = [
        say("vampires.table.coming", count=count, cell=f"{x},{y}")
        for x, y, count in arriving(game, state)
    ]
    if coming and state[PHASE] != ENDED:
        fighting = mover(game, state) == CHANCE
        key = "vampires.table.fighting" if fighting else "vampires.table.moving"
        yield say(key, kind=kind, coming=", ".join(coming))
    elif mover(game, state) != OVER:
        yield say("vampires.table.to_move", kind=kind)


def add_text_operations(game_class: type) -> None:
    """Gives the game the operations of this module."""
    for function in (
        properties, max_answers, parameters, stream, observe, tell, describe, parse, render,
    ):  # fmt: skip
        implements(game_class)(function)
