"""Virus in plain data and text: what bots, people and records see of either layout.

Observation: `size`, `grid` (rows from the top, a character a cell: '.' empty, '0' or '1' the
player), `to_move` (0 or 1; -1 before the draw of the starter, -2 when the game is over), `scores`
(stones of each player), `passes` (in a row), `voluntary_pass`, `legal` (the legal actions if the
observer is to move, else empty).

Text: the column's letter and the row's number from the top, "a1" being cell (0, 0); "pass".
"""

import re
from typing import Any

from joute.core.errors import ActionError
from joute.core.interface import CHANCE, Properties, implements, legal_actions, mover, plain
from joute.i18n.words import Sentence, say

PASS = "pass"


@plain
def grid(game: Any, state: Any) -> str:
    """The cells row by row: '.', '0' or '1'. Each layout has its own."""
    raise NotImplementedError


def properties(game: Any) -> Properties:
    area = game.size * game.size
    return Properties(
        name="virus",
        players=2,
        simultaneous=False,
        chance=True,
        hidden_information=False,
        zero_sum=True,
        max_actions=area + 1,
        max_legal=area - 3,
        max_outcomes=2,
        # The draw, a stone on every empty cell with a pass before each, two passes.
        max_plies=1 + 2 * (area - 4) + 2,
        lowest_return=-1.0,
        highest_return=1.0,
        version=1,
        opening_plies=(2, 4) if game.size > 4 else (0, 0),
    )


def max_answers(game: Any) -> int:
    return properties(game).max_plies - 1  # but the draw


def stream(game: Any, state: Any) -> str:
    return "starter"


def openings(game: Any, state: Any) -> list[int]:
    """Stones: a pass would make a poor opening, and two would end the game."""
    actions = legal_actions(game, state)
    return actions[:-1] if len(actions) > 1 and actions[-1] == game.size**2 else actions


def observe(game: Any, state: Any, player: int) -> dict[str, Any]:
    size = game.size
    board = grid(game, state)
    to_move = int(mover(game, state))
    actions = legal_actions(game, state) if to_move == player else []
    return {
        "size": size,
        "grid": [board[start : start + size] for start in range(0, size * size, size)],
        "to_move": to_move,
        "scores": [board.count("0"), board.count("1")],
        "passes": int(state[-1]),
        "voluntary_pass": game.voluntary_pass,
        "legal": actions,
    }


def tell(game: Any, state: Any, player: int, action: int) -> dict[str, Any]:
    """Adds `turned`: the cells [row, column] that change side, row by row."""
    actor = int(mover(game, state))
    told = {"player": actor, "action": int(action), "text": describe(game, state, action)}
    if actor != CHANCE:
        told["turned"] = _turned(game, state, actor, int(action))
    return told


def _turned(game: Any, state: Any, actor: int, action: int) -> list[list[int]]:
    size = game.size
    if action == size * size:
        return []
    row, column = divmod(action, size)
    board = grid(game, state)
    return [
        [r, c]
        for r in range(max(row - 1, 0), min(row + 2, size))
        for c in range(max(column - 1, 0), min(column + 2, size))
        if board[r * size + c] == str(1 - actor)
    ]


def describe(game: Any, state: Any, action: int) -> str:
    if mover(game, state) == CHANCE:
        return f"player {int(action)} starts"
    if action == game.size * game.size:
        return PASS
    row, column = divmod(int(action), game.size)
    return f"{chr(ord('a') + column)}{row + 1}"


def parse(game: Any, state: Any, text: str) -> int:
    if mover(game, state) == CHANCE:
        if found := re.fullmatch(r"player ([01]) starts", text):
            return int(found[1])
        raise ActionError(text, Sentence("error.virus.start"))
    if text.strip().lower() == PASS:
        return int(game.size * game.size)
    found = re.fullmatch(r"([a-z])([0-9]{1,2})", text.strip().lower())
    if found:
        row, column = int(found[2]) - 1, ord(found[1]) - ord("a")
        if 0 <= row < game.size and 0 <= column < game.size:
            return int(row * game.size + column)
    last = chr(ord("a") + game.size - 1)
    raise ActionError(text, Sentence("error.virus.cell", last=f"{last}{game.size}"))


def objection(game: Any, state: Any, action: int) -> Sentence | None:
    size, last = game.size, game.size**2
    if action == last:
        free = not game.voluntary_pass and legal_actions(game, state) != [last]
        return Sentence("error.virus.pass") if free else None
    if not 0 <= action < last:
        return Sentence("error.virus.off", action=action, last=last - 1, size=size, wanted=last)
    board, (row, column) = grid(game, state), divmod(action, size)
    cell = describe(game, state, action)
    if board[action] != ".":
        return Sentence("error.virus.occupied", cell=cell)
    near = (
        board[r * size + max(column - 1, 0) : r * size + min(column + 2, size)]
        for r in range(max(row - 1, 0), min(row + 2, size))
    )
    if not any(str(int(mover(game, state))) in part for part in near):
        return Sentence("error.virus.apart", cell=cell)
    return None


def render(game: Any, state: Any, player: int | None = None) -> str:
    size = game.size
    board = grid(game, state)
    letters = " ".join(chr(ord("a") + column) for column in range(size))
    lines = [f"    {letters}"]
    for row in range(size):
        lines.append(f"{row + 1:3} " + " ".join(board[row * size : (row + 1) * size]))
    stones = say("virus.stones", first=board.count("0"), second=board.count("1"))
    lines.append(f"    {stones}")
    return "\n".join(lines)


def serve(game_class: type) -> None:
    """Gives a layout the operations of this module."""
    for function in (
        properties,
        max_answers,
        stream,
        openings,
        observe,
        tell,
        describe,
        parse,
        objection,
        render,
    ):
        implements(game_class)(function)
