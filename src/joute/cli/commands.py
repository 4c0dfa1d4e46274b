"""The tree of commands: each is loaded and built when it is asked for, as a run needs one of them.

The command NAME is the function NAME of the module `joute.cli.NAME`, or a group of the functions
that the module lists as `COMMANDS`. The first sentence of `help.NAME` in the catalogs stands for it
in the help of all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

import typer

from joute.cli.usage import Command, Group, add_commands, add_group, translate
from joute.core.card import Card
from joute.core.registry import cards
from joute.i18n.words import say

# In the order of the help: what a beginner meets first comes first.
BEFORE_GAMES = ("games", "game", "map", "play")
AFTER_GAMES = (
    "examples",
    "new",
    "check",
    "watch",
    "match",
    "promote",
    "ladder",
    "compare",
    "strength",
    "exploit",
    "learn",
    "carry",
    "submit",
    "contest",
    "serve",
    "plot",
    "records",
    "replay",
    "explain",
    "mistakes",
    "debug",
    "profile",
    "verify",
    "export",
    "mcp",
    "doctor",
    "warm",
    "redteam",
    "completion",
)
NAMES = BEFORE_GAMES + AFTER_GAMES


class TopGroup(Group):
    """The group of all commands."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of the commands, in the order of the help."""
        return list(self.commands)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Lists the commands by their help in the catalogs: building them all takes much longer."""
        names = self.list_commands(ctx)
        limit = formatter.width - 6 - max(map(len, names))
        with formatter.section("Commands"):
            formatter.write_dl(
                [
                    (name, Command(name, help=say(f"help.{name}")).get_short_help_str(limit))
                    for name in names
                ]
            )


class _Commands(Mapping[str, Any]):
    """The commands by name, with those that games bring; one is built at its first use."""

    def __init__(self) -> None:
        self._of_games = {name: card for card in cards() for name in card.commands}
        self._names = [*BEFORE_GAMES, *self._of_games, *AFTER_GAMES]
        self._built: dict[str, Any] = {}

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __getitem__(self, name: str) -> Any:
        if name not in self._names:
            raise KeyError(name)
        if name not in self._built:
            self._built[name] = _built(name, self._of_games.get(name))
        return self._built[name]


def _built(name: str, card: Card | None) -> Any:
    """One command; of a game if its card is given."""
    app = _empty()
    if card is not None:
        card.load(card.commands[name])(app)
    else:
        module = import_module(f"joute.cli.{name}")
        if below := getattr(module, "COMMANDS", None):
            add_group(app, name, *below)
        else:
            add_commands(app, "help", getattr(module, name))
    command = typer.main.get_group(app).commands[name]
    translate(command)
    return command


def _empty() -> typer.Typer:
    app = typer.Typer(
        name="joute",
        cls=TopGroup,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    app.callback(help="help.joute", epilog="help.everywhere")(_top)
    return app


def _top() -> None:
    """Typer wants a function for what stands before the command: nothing does."""


def build() -> Any:
    """The command tree, its help texts in the language that is spoken when a command is built."""
    tree: Any = typer.main.get_group(_empty())
    translate(tree)
    tree.commands = _Commands()
    return tree
