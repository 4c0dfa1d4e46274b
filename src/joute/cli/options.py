"""Options that several commands share, and values written as `key=value`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from joute.cli.exits import UsageFault
from joute.core.registry import usual
from joute.i18n.words import say

Json = Annotated[bool, typer.Option("--json", help="help.json")]


def _named(game: str) -> str:
    """The name of a game that may be said by its path; what is no path is looked at later."""
    from joute.core.errors import GameError
    from joute.core.registry import is_path, named

    try:
        return named(game) if is_path(game) else game
    except GameError as error:
        raise UsageFault(str(error)) from None


GameName = Annotated[str, typer.Option("--game", metavar="GAME", help="help.game", parser=_named)]
Games = Annotated[
    list[str] | None, typer.Option("--game", metavar="PATH", help="help.games.more", parser=_named)
]
GameArgument = Annotated[str, typer.Argument(metavar="GAME", help="help.game", parser=_named)]
UsualGame = Annotated[
    str | None,
    typer.Option(
        "--game", metavar="GAME", help="help.game", show_default=usual() or False, parser=_named
    ),
]
Parameters = Annotated[
    list[str] | None, typer.Option("--param", metavar="KEY=VALUE", help="help.param")
]
MoveSeconds = Annotated[
    float, typer.Option("--move-seconds", metavar="T", help="help.move_seconds", min=0.001)
]
Maps = Annotated[list[str] | None, typer.Option("--map", metavar="MAP", help="help.match.map")]
Workers = Annotated[int | None, typer.Option("--workers", metavar="N", help="help.workers", min=1)]
Store = Annotated[str | None, typer.Option("--store", metavar="URL", help="help.store")]
Seed = Annotated[str | None, typer.Option("--seed", metavar="SEED", help="help.seed")]


def game_or_usual(game: str | None) -> str:
    """The game that was asked for, else the usual one."""
    if not (found := game or usual()):
        raise UsageFault(say("error.no_game"))
    return found


def parameter_values(written: Sequence[str] | None) -> dict[str, Any]:
    """What `--param size=8 --param voluntary_pass=false` says; values are those of TOML."""
    values: dict[str, Any] = {}
    for text in written or ():
        key, equals, value = text.partition("=")
        if not equals or not key.strip():
            raise UsageFault(say("error.param", text=text))
        values[key.strip()] = _value(value.strip())
    return values


def _value(text: str) -> Any:
    """A TOML value, or else the text itself: `--param layout=grid` needs no quotes."""
    from joute.contest.config.reading import read_toml

    try:
        return read_toml(f"value = {text}")["value"]
    except ValueError:
        return text


def written(value: Any) -> str:
    """A parameter's value as it is written after `--param key=`, and in TOML; a map by its name."""
    if isinstance(value, str) and "\n" in value:
        named = (line for line in value.splitlines() if line.startswith("name "))
        return next(named, "name ...").removeprefix("name ")
    return str(value).lower() if isinstance(value, bool) else str(value)
