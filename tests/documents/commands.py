"""The reference of commands, docs/LANGUAGE/commands.md, made from the program's own help."""

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from joute.cli.commands import build
from joute.i18n.words import LANGUAGES, language, say, speaking

DOCS = Path(__file__).parents[2] / "docs"
WIDTH = 100  # columns of a line
HEADS = {
    "en": (
        "# Commands",
        "Made by `scripts/reference`; the program says the same, `joute COMMAND --help`.",
    ),
    "fr": (
        "# Les commandes",
        "Fait par `scripts/reference`\u202f; `joute COMMANDE --help` dit la même chose.",
    ),
}
SIGNS = re.compile(r"([*<\\])")
COLON = {"en": ":", "fr": "\u202f:"}


def place(name: str) -> Path:
    """The file of a language."""
    return DOCS / name / "commands.md"


def commands(name: str) -> str:
    """The document in a language."""
    with speaking(name):
        tree = build()
        blocks = [*HEADS[name], *_texts(tree.help), *_texts(tree.epilog)]
        blocks += _below(tree, None)
    return "\n\n".join(blocks) + "\n"


def _below(group: Any, parent: Any) -> Iterator[str]:
    """The blocks of all commands of a group."""
    context = group.context_class(group, info_name=group.name, parent=parent)
    for name, command in group.commands.items():
        own = command.context_class(command, info_name=name, parent=context, terminal_width=200)
        yield f"{'###' if parent else '##'} joute {own.command_path.partition(' ')[2]}"
        yield from _texts(command.help)
        if hasattr(command, "commands"):
            yield from _below(command, context)
            continue
        yield f"```\n{_wrapped(_usage(command, own), '    ')}\n```"
        listed = [_item(parameter, own) for parameter in command.params if _shown(parameter)]
        if listed:
            yield "\n".join(listed)
        yield from _texts(command.epilog)


def _usage(command: Any, context: Any) -> str:
    """The usage of a command, as its help says it first."""
    usage = command.get_help(context).partition("\n\n")[0]
    return str(usage.removeprefix(say("help.usage")).strip())


def _shown(parameter: Any) -> bool:
    return not getattr(parameter, "hidden", False)


def _item(parameter: Any, context: Any) -> str:
    """A parameter: how it is written, and what the help says of it."""
    written, told = parameter.get_help_record(context)
    told = told.replace("[required]", say("help.required"))
    told = told.replace("[default:", say("help.default").rstrip())
    if language() == "fr":  # between a default and the numbers that are allowed
        told = re.sub(r"(?<=\S)(?<!\u202f); (?=[x\d])", "\N{NARROW NO-BREAK SPACE}; ", told)
    return _wrapped(
        f"- `{_plain(re.sub(r' <.*', '', written))}`{COLON[language()]} {_safe(told)}", "  "
    )


def _plain(piece: str) -> str:
    """A parameter as the help of the program shows it."""
    return re.sub(r"[{}]", "", piece)


def _texts(text: str | None) -> list[str]:
    """The paragraphs of a text, those that are indented or have their own lines as they are."""
    found = []
    for part in re.split(r"\n\s*\n", (text or "").strip("\n")):
        kept = part.startswith(("\b", " "))
        found.append(f"```\n{part.strip(chr(8)).strip()}\n```" if kept else _wrapped(_safe(part)))
    return [each for each in found if each]


def _safe(text: str) -> str:
    """A text whose signs mean nothing in Markdown."""
    parts = text.split("`")  # every second one is code
    return "`".join(
        SIGNS.sub(r"\\\1", part) if i % 2 == 0 else part for i, part in enumerate(parts)
    )


def _wrapped(text: str, indent: str = "") -> str:
    return textwrap.fill(
        re.sub(r"[ \n\t]+", " ", text),
        WIDTH,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def main() -> None:
    """Write the documents."""
    for name in LANGUAGES:
        place(name).write_text(commands(name), encoding="utf-8")


if __name__ == "__main__":
    main()
