"""The display of Vampires vs Werewolves and the typing of orders, at the terminal and on pages.

Orders are checked before they are sent, and the risks that they run are shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from joute.cli.playing.drawing import (
    Asked,
    Drawing,
    Marks,
    Terminal,
    Typed,
    Unclear,
    known_command,
    translated,
)
from joute.core.errors import ActionError, GameError
from joute.core.interface import describe
from joute.games.vampires.forecast import Encounter, forecast, risks
from joute.games.vampires.order import Move, OrderError, actions, check, moves_of, read
from joute.games.vampires.state import HUMANS, LETTERS, VAMPIRES, Vampires, content
from joute.i18n.words import folded, say
from joute.text import Line
from joute.web.games import Preview, Web

STYLES = {HUMANS: "bold", VAMPIRES: "player0", VAMPIRES + 1: "player1"}
NEWEST = {HUMANS: "bold", VAMPIRES: "last0", VAMPIRES + 1: "last1"}


def grid(game: Any, state: Any, last: dict[str, Any] | None, signs: bool, gap: int) -> list[Line]:
    """The board, with `gap` (1 or 2) columns around what cells hold, and the last cells marked.

    Without colours (`signs`) and with a gap of 2, these stand in brackets. With a gap of 1 each
    column is as narrow as it can be.
    """
    held = [[content(game, state, x, y) for x in range(game.columns)] for y in range(game.rows)]
    texts = [[f"{count}{LETTERS[kind]}" if count else "." for kind, count in row] for row in held]
    newest = _cells(last or {})
    columns = zip(*texts, strict=True)
    widths = [max(map(len, [str(x), *column])) for x, column in enumerate(columns)]
    if gap == 2:
        widths = [max(2, *widths)] * game.columns
    margin = len(str(game.rows - 1))
    after = " " * (gap - 1)
    header = "".join(f" {x:>{width}}{after}" for x, width in enumerate(widths))
    lines: list[Line] = [[(" " * margin + header, "dim")]]
    for y, row in enumerate(texts):
        line: Line = [(f"{y:>{margin}}", "dim")]
        for x, text in enumerate(row):
            kind, new = held[y][x][0], (x, y) in newest
            before, behind = ("(", ")") if new and signs and gap == 2 else (" ", after)
            blank = " " * (widths[x] - len(text))
            style = (NEWEST if new else STYLES).get(kind, "changed" if new else "dim")
            line += [(blank + before, ""), (text, style), (behind, "")]
        lines.append(line)
    return lines


def _cells(last: dict[str, Any]) -> set[tuple[int, int]]:
    """The cells of the last order, or of the last battle."""
    found: set[tuple[int, int]] = set()
    for part in last.get("parts", [last]):
        if "cell" in part:
            found.add((part["cell"][0], part["cell"][1]))
        if "move" in part:
            x, y, _, x2, y2 = part["move"]
            found |= {(x, y), (x2, y2)}
    return found


def _understand(asked: Asked, text: str) -> Typed:
    """The command or the whole order of a text. Raises Unclear.

    The order's risks are the battles that it leads to, with their odds, and cells where more come
    together than they hold.
    """
    game, state, word = asked.game, asked.state, folded(text)
    if not word:
        raise Unclear(say("play.empty"))
    if command := known_command(word):
        return Typed(command=command)
    try:
        moves = read(game, state, _in_english(text))
    except ActionError:
        raise Unclear(say("play.order.unclear", text=text.strip())) from None
    if broken := check(game, state, moves):
        raise Unclear(str(broken))
    found = [line for each in forecast(game, state, moves) for line in risks(each)]
    told = (*found, say("play.order.send")) if found else ()
    return Typed(turn=tuple(actions(game, moves)), told=told)


def _in_english(text: str) -> str:
    """An order whose last part may be the user's word for `done`, as in a hint."""
    moves, between, last = text.rpartition(";")
    return f"{moves}{between}{translated(folded(last))}"


def _listing(asked: Asked) -> list[str]:
    """The moves there are: a line for each group, with the cells that it may go to."""
    most: dict[tuple[int, int], int] = {}
    targets: dict[tuple[int, int], dict[str, None]] = {}
    for x, y, count, x2, y2 in moves_of(asked.game, asked.actions):
        most[x, y] = max(count, most.get((x, y), 0))
        targets.setdefault((x, y), {})[f"{x2},{y2}"] = None
    return [
        say("play.order.legal", cell=f"{x},{y}", count=most[x, y], targets=" ".join(found))
        for (x, y), found in targets.items()
    ]


def _help(asked: Asked) -> list[str]:
    first = describe(asked.game, asked.state, asked.actions[0])
    return [say("play.help.orders", example=first)]


def _draw(game: Any, state: Any, player: int, marks: Marks) -> Drawing:
    wide, narrow = (grid(game, state, marks.last, marks.signs, gap) for gap in (2, 1))
    return Drawing(wide, narrow)


TERMINAL = Terminal(_draw, signs="VW", understand=_understand, listing=_listing, help=_help)


def _preview(game: Vampires, state: Sequence[int], given: Any) -> Preview:
    """Whether an order is legal so far, and its odds. Raises GameError for what is no order."""
    moves = _moves(game, state, given)
    broken = check(game, state, moves) if moves else None
    if broken is not None:
        return Preview(str(broken))
    odds = [_odds(meeting) for meeting in forecast(game, state, moves)]
    return Preview("", actions(game, moves)[:-1], odds)


def _moves(game: Vampires, state: Any, given: Any) -> list[Move]:
    """The moves of an order in any of its forms. Raises GameError."""
    if isinstance(given, str):
        return list(read(game, state, given))
    if isinstance(given, list) and all(type(each) is int for each in given):
        # Numbers out of range name no move; `moves_of` takes them for others.
        if all(0 <= each < 2**31 for each in given):
            try:
                return list(moves_of(game, given))
            except IndexError:
                pass
    elif isinstance(given, list) and all(_is_move(each) for each in given):
        return list(given)
    raise GameError("no order")


def _is_move(given: Any) -> bool:
    small = isinstance(given, list) and all(type(n) is int and abs(n) < 2**31 for n in given)
    return small and len(given) == 5


def _odds(meeting: Encounter) -> dict[str, Any]:
    """A target of an order, with a sentence where it is not sure what happens there."""
    return {**meeting._asdict(), "text": next(iter(risks(meeting)), "")}


def _refusal(error: Exception) -> str:
    """The rule that an order breaks."""
    return str(error.broken) if isinstance(error, OrderError) else ""


WEB = Web(order=3, wide=True, preview=_preview, refusal=_refusal)
