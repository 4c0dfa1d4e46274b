"""The rules of games in their sheets: `scripts/rulebooks` writes them into `docs/LANGUAGE/NAME.md`.

They stand between two comments, as `joute games NAME` prints them in that language.
"""

import textwrap
from pathlib import Path

from joute.cli.rules import picture
from joute.core.card import Card
from joute.core.registry import cards
from joute.i18n.words import LANGUAGES, speaking
from joute.play.rulebook import Illustration, Items, rulebook
from joute.text import Line

DOCS = Path(__file__).parents[2] / "docs"
BEGIN = "<!-- the rules, written here by scripts/rulebooks -->"
END = "<!-- the end of the rules -->"
WIDTH = 100


def section(brought: Card, language: str) -> str:
    """The rules of the game of a card in a language, as Markdown."""
    blocks: list[str] = []
    with speaking(language):
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


def sheet(brought: Card, text: str, language: str) -> str:
    """The text of a sheet in a language with the rules as they are now."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{section(brought, language)}\n\n{END}{after}"


if __name__ == "__main__":
    for each in cards():
        for language in LANGUAGES:
            file = DOCS / language / f"{each.name}.md"
            text = file.read_text(encoding="utf-8")
            file.write_text(sheet(each, text, language), encoding="utf-8")
