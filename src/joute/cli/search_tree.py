"""The first plies of a search as a tree: as text, as a picture, as data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from joute.i18n.figures import figure
from joute.i18n.words import say

if TYPE_CHECKING:
    from joute.bots.explain import SearchNode
    from joute.svg import Svg

ROW, COLUMN, MARGIN = 26, 330, 20  # pixels
DOT = 5  # pixels, half the size of a node
LONGEST = 40  # characters beside a node


class Shown(NamedTuple):
    """A node as it is drawn."""

    depth: int  # 0 at the root
    player: int  # who chose what leads to it; below 0 where chance did, or at the root
    text: str
    figures: str
    last: bool  # of those of its parent
    above: int  # the place of its parent in the list


def tree_rows(game: Any, root: SearchNode, most: int) -> list[Shown]:
    """The nodes from the top, of each at most `most` below it, the best ones."""
    return list(_rows(game, root, most))


def _rows(game: Any, root: SearchNode, most: int) -> Iterator[Shown]:
    yield Shown(0, -1, say("explain.root"), _figures(root), True, 0)
    place = 0

    def below(node: SearchNode, depth: int, parent: int) -> Iterator[Shown]:
        nonlocal place
        left_out = len(node.children) - most
        for at, each in enumerate(node.children[:most]):
            place += 1
            here, last = place, left_out <= 0 and at == len(node.children) - 1
            player, text = _line(game, node.state, each.line)
            yield Shown(depth, player, text, _figures(each), last, parent)
            yield from below(each, depth + 1, here)
        if left_out > 0:
            place += 1
            yield Shown(depth, -1, say("explain.tree.more", count=left_out), "", True, parent)

    yield from below(root, 1, 0)


def _line(game: Any, state: list[int], line: tuple[int, ...]) -> tuple[int, str]:
    """A line: the player who chose in it, and all that happened."""
    from joute.core.interface import describe, mover, play

    words, chooser, at = [], -1, list(state)
    for action in line:
        player = int(mover(game, at))
        chooser = player if player >= 0 else chooser
        words.append(describe(game, at, action))
        play(game, at, action)
    return chooser, ", ".join(words)


def _figures(node: SearchNode) -> str:
    parts = [] if node.value is None else [figure(node.value, 3, sign=True)]
    if node.visits is not None:
        parts.append(say("explain.tree.visits", count=node.visits))
    if node.ways:
        parts.append(say("explain.tree.count", count=node.ways))
    return " · ".join(parts)


def tree_text(rows: list[Shown]) -> list[str]:
    """The lines of the tree for a terminal."""
    lines, open_at = [], [False] * (max(row.depth for row in rows) + 1)
    for row in rows:
        open_at[row.depth] = not row.last
        stems = "".join("│  " if open_at[depth] else "   " for depth in range(1, row.depth))
        branch = ("└─ " if row.last else "├─ ") if row.depth else ""
        who = f"{row.player}: " if row.player >= 0 else ""
        lines.append(
            f"{stems}{branch}{who}{row.text}" + (f"  {row.figures}" if row.figures else "")
        )
    return lines


def tree_picture(rows: list[Shown], title: str) -> Svg:
    """The tree as a picture: the root at the left, a column for each ply."""
    from joute.svg import Svg
    from joute.text import cut

    depth = max(row.depth for row in rows)
    width = 2 * MARGIN + (depth + 1) * COLUMN
    picture = Svg(width, 2 * MARGIN + ROW * (len(rows) + 1), title)
    picture.text(MARGIN, MARGIN + 8, title, bold=True)

    def place(at: int) -> tuple[float, float]:
        return MARGIN + DOT + rows[at].depth * COLUMN, MARGIN + ROW * (at + 1.5)

    for at, row in enumerate(rows):
        x, y = place(at)
        if at:
            from_x, from_y = place(row.above)
            picture.line([(from_x, from_y + DOT), (from_x, y), (x - DOT, y)], "grid")
        picture.circle(x, y, DOT, "dim" if row.player < 0 else _COLOURS[row.player % len(_COLOURS)])
        picture.text(x + 3 * DOT, y - 2, cut(row.text, LONGEST), 12)
        picture.text(x + 3 * DOT, y + 10, row.figures, 10, "dim")
    return picture


_COLOURS = ("blue", "orange", "green", "red", "purple")  # of players


def tree_plain(game: Any, node: SearchNode, above: list[int] | None = None) -> dict[str, Any]:
    """The tree as data."""
    player, text = (None, "") if above is None else _line(game, above, node.line)
    return {
        "line": list(node.line),
        "player": player,
        "text": text,
        "value": node.value,
        "visits": node.visits,
        "ways": node.ways,
        "children": [tree_plain(game, each, node.state) for each in node.children],
    }
