"""The rules of games in their sheets: `scripts/rulebooks` writes them into `docs/en/NAME.md`.

They stand between two comments, as `joute games NAME` prints them in English.
"""

import textwrap
from pathlib import Path

from joute.cli.rules import picture
from joute.core.card import Card
from joute.core.registry import cards
from joute.i18n.words import speaking
from joute.play.rulebook import Illustration, Items, rulebook
from joute.text import Line

DOCS = Path(__file__).parents[2] / "docs" / "en"
BEGIN = "<!-- the rules, written here by scripts/rulebooks -->"
END = "<!-- the end of the rules -->"
WIDTH = 100


def section(brought: Card) -> str:
    """The rules of the game of a card, as Markdown."""
    blocks: list[str] = []
    with speaking("en"):
        for part in rulebook(brought).parts:
            if isinstance(part, Illustration):
                drawing = "\n".join(picture(brought, part.name))
                blocks += [f"```\n{drawing}\n```", _folded(part.caption)]
            elif isinstance(part, Items):
                blocks.append("\n".join(_folded([("- ", ""), *item], "  ") for item in part.words))
            else:
                blocks.append(_folded(part.words))
    return "\n\n".join(blocks)


def _folded(line: Line, indent: str = "") -> str:
    text = "".join(f"**{text}**" if style else text for text, style in line)
    return textwrap.fill(
        text, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def sheet(brought: Card, text: str) -> str:
    """The text of a sheet with the rules as they are now."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{section(brought)}\n\n{END}{after}"


if __name__ == "__main__":
    for each in cards():
        file = DOCS / f"{each.name}.md"
        file.write_text(sheet(each, file.read_text(encoding="utf-8")), encoding="utf-8")
