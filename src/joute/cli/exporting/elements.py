"""Pieces of HTML: text made safe, tables, facts, signs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from joute.naming import slug

WON = '<svg viewBox="0 0 12 12" aria-hidden="true"><path class="acc" d="M6 0l6 6-6 6-6-6Z"/></svg>'
LEVEL = (
    '<svg viewBox="0 0 12 12" aria-hidden="true"><path class="open" d="M6 1l5 5-5 5-5-5Z"/>'
    '<path class="half" d="M6 1v10L1 6Z"/></svg>'
)
LOST = (
    '<svg viewBox="0 0 12 12" aria-hidden="true"><path class="open" d="M6 1l5 5-5 5-5-5Z"/></svg>'
)
LONGEST_SLUG = 40  # characters


def safe(value: object) -> str:
    """A text as HTML shows it."""
    return escape(str(value))


def link(target: str, text: str) -> str:
    """A link; the text is made safe."""
    return f'<a href="{safe(target)}">{safe(text)}</a>'


def heading(text: str, aside: str = "") -> str:
    """The title of a section."""
    more = f'<span class="aside">{safe(aside)}</span>' if aside else ""
    return f'<div class="rule"><h2>{safe(text)}</h2>{more}</div>'


def title(above: str, text: str, below: str = "") -> str:
    """The title of a page between two small lines, which are HTML."""
    return (
        f'<div class="titlebar"><p class="small mute">{above}</p><h1>{safe(text)}</h1>'
        f'<p class="mute">{below}</p></div>'
    )


def facts(pairs: Iterable[tuple[str, str, str]]) -> str:
    """A band of facts: what, the figure, and a remark."""
    items = "".join(
        f"<div><dt>{safe(what)}</dt><dd>{safe(value)} <small>{safe(more)}</small></dd></div>"
        for what, value, more in pairs
    )
    return f'<dl class="state">{items}</dl>'


def table(
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    label: str,
    words: Sequence[int] = (0,),
    head: int = 0,
    style: str = "",
) -> str:
    """A table whose cells are HTML; the columns at the places `words` are set to the left.

    `label` names it for those who hear it; the cell at the place `head` names its row.
    """
    kinds = ["" if place in words else ' class="num"' for place in range(len(columns))]
    heads = "".join(
        f'<th scope="col"{kind}>{safe(column)}</th>'
        for kind, column in zip(kinds, columns, strict=True)
    )
    lines = []
    for row in rows:
        cells = [
            f'<th scope="row"{kind}>{cell}</th>' if place == head else f"<td{kind}>{cell}</td>"
            for place, (kind, cell) in enumerate(zip(kinds, row, strict=True))
        ]
        lines.append(f"<tr>{''.join(cells)}</tr>")
    start = f'<table class="{style}">' if style else "<table>"
    body = f"{start}<thead><tr>{heads}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
    return scrolled(body, label)


def scrolled(content: str, label: str) -> str:
    """Something wide, which scrolls by itself on a narrow screen, with the keys too."""
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{safe(label)}">{content}</div>'
    )


def file_name(number: int, name: str) -> str:
    """The name of a bot's file without its ending: letters that every disk takes."""
    letters = slug(name, LONGEST_SLUG)
    return f"{number:02d}-{letters}" if letters else f"{number:02d}"
