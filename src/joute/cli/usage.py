"""The declaration of commands: exit codes and errors, shared options, help and mistakes.

Typer speaks English only: its help and its errors are put into the user's language here. Its errors
are told apart by their class and their message, because it gives them no code.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from joute.core.registry import find, path_from, path_of, usual
from joute.i18n.recognised import foreign
from joute.i18n.words import catalog, say

DONE = 0
FAILED = 1
USAGE = 2
INTERRUPTED = 3


class CommandError(Exception):
    """A command that cannot be carried out to its end."""

    code = FAILED


class UsageFault(CommandError):
    """It makes no sense as it was typed."""

    code = USAGE


class CheckFault(CommandError):
    """A check came out wrong, and nothing is left to show but the reason."""


class Stopped(CommandError):
    """It was stopped on request; its text says how to go on."""

    code = INTERRUPTED


Json = Annotated[bool, typer.Option("--json", help="help.json")]


def _named(game: str) -> str:
    """The name of a game that may be said by its path; what is no path is looked at later."""
    from joute.core.card import is_path
    from joute.core.errors import GameError
    from joute.core.registry import named

    try:
        return named(game) if is_path(game) else game
    except GameError as error:
        raise UsageFault(str(error)) from None


GameName = Annotated[
    str, typer.Option("--game", metavar="GAME", help="help.game_name", parser=_named)
]
Games = Annotated[
    list[str] | None, typer.Option("--game", metavar="PATH", help="help.games.more", parser=_named)
]
GameArgument = Annotated[str, typer.Argument(metavar="GAME", help="help.game_name", parser=_named)]
UsualGame = Annotated[
    str | None,
    typer.Option(
        "--game",
        metavar="GAME",
        help="help.game_name",
        show_default=usual() or False,
        parser=_named,
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


def rules_given(game: str) -> list[str]:
    """The option that gives other commands the rules of a game of a path; nothing for others."""
    path = path_of(game)
    return [] if path is None else ["--game", path_from(path)]


def game_or_usual(game: str | None) -> str:
    """The game that was asked for, else the usual one."""
    if not (found := game or usual()):
        raise UsageFault(say("error.no_game"))
    return found


def parameter_values(written: Sequence[str] | None) -> dict[str, Any]:
    """Reads `--param size=8 --param voluntary_pass=false`; values are those of TOML."""
    values: dict[str, Any] = {}
    for text in written or ():
        key, equals, value = text.partition("=")
        if not equals or not key.strip():
            raise UsageFault(say("error.param", text=text))
        if key.strip() in values:
            raise UsageFault(say("error.param_twice", key=key.strip()))
        values[key.strip()] = _toml_value(value.strip())
    return values


def _toml_value(text: str) -> Any:
    """A TOML value, or else the text itself: `--param layout=grid` needs no quotes."""
    from joute.host.toml import read_toml

    try:
        return read_toml(f"value = {text}")["value"]
    except ValueError:
        return text


def check_file(option: str, file: Path | None) -> None:
    """Raises UsageFault where the file of an option cannot be written: before hours of work."""
    if file is None:
        return
    if file.is_dir():
        raise UsageFault(say("error.option.folder", option=option, file=file))
    check_folder(option, file.resolve().parent)


def check_folder(option: str, folder: Path) -> None:
    """Raises UsageFault where the folder of an option is not there."""
    if not folder.is_dir():
        raise UsageFault(say("error.option.no_folder", option=option, folder=folder))


def record_and_ply(text: str) -> tuple[Path, int] | None:
    """The position that RECORD@PLY names, after so many plies of a record; None for other texts."""
    path, at, ply = text.rpartition("@")
    return (Path(path), int(ply)) if at and ply.isdecimal() else None


def written(value: Any) -> str:
    """A parameter's value as it is written after `--param key=`, and in TOML; a map by its name."""
    if isinstance(value, str) and "\n" in value:
        named = (line for line in value.splitlines() if line.startswith("name "))
        return next(named, "name ...").removeprefix("name ")
    return str(value).lower() if isinstance(value, bool) else str(value)


# Typer's headings around our texts -> the keys of ours.
_HEADINGS = {
    "Usage:": "help.usage",
    "Arguments:": "help.arguments",
    "Options:": "help.options",
    "Commands:": "help.commands",
    "[OPTIONS]": "help.bracket_options",
    "COMMAND [ARGS]...": "help.command_arguments",
    "Show this message and exit.": "help.show",
    "[required]": "help.required",
    "[default:": "help.default",
}
# Types and braces say nothing that the name of an argument does not; blanks keep the columns.
_TYPE = re.compile(r"(?<=[A-Z.\]]) <(?:str|path|int|list\[\w+\])>")
_BRACES = re.compile(r"\{([^{}]+)\}(?:\.\.\.)?")


def _said(text: str) -> str:
    """A help text of Typer's, in the user's language."""
    text = _TYPE.sub(lambda match: " " * len(match[0]), text)
    usage, line, rest = text.partition("\n")
    text = _BRACES.sub(r"\1", usage) + line + rest
    for heading, key in _HEADINGS.items():
        text = text.replace(heading, say(key).rstrip())
    return text


class Command(TyperCommand):
    """A command whose help is in the user's language."""

    def get_help(self, ctx: Any) -> str:
        """The help text."""
        return _said(super().get_help(ctx))


class Group(TyperGroup):
    """A group of commands whose help is in the user's language."""

    def get_help(self, ctx: Any) -> str:
        """The help text."""
        return _said(super().get_help(ctx))


def add_commands(group: typer.Typer, key: str, *functions: Callable[..., int | None]) -> None:
    """Adds commands that are called as their functions; `key.NAME` is the help of each."""
    for function in functions:
        help_key = f"{key}.{function.__name__}"
        codes = f"{help_key}.codes"
        epilog = codes if codes in catalog("en") else None
        group.command(function.__name__, cls=Command, help=help_key, epilog=epilog)(function)


def add_group(app: typer.Typer, name: str, *functions: Callable[..., int | None]) -> None:
    """Adds a group of commands."""
    group = typer.Typer(cls=Group, rich_markup_mode=None)
    add_commands(group, f"help.{name}", *functions)
    app.add_typer(group, name=name, help=f"help.{name}")


def translate(command: Any) -> None:
    """Replaces the keys in the help texts of a command and of all below it by sentences."""
    command.help = say(command.help)
    if command.epilog:
        command.epilog = say(command.epilog)
    for parameter in command.params:
        parameter.help = say(parameter.help)
    for below in getattr(command, "commands", {}).values():
        translate(below)


def explain(error: typer.TyperException) -> str:
    """Says which mistake a command line has, and where the help is."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "joute"
    return f"{_reason(error, context)}\n{say('error.try_help', command=path)}"


def _reason(error: typer.TyperException, context: Any) -> str:
    kind = type(error).__name__
    if kind == "NoSuchOption":
        name = str(getattr(error, "option_name", ""))
        return say("error.no_option", name=name) + _near(getattr(error, "possibilities", None))
    if kind == "MissingParameter":
        return say("error.missing", name=_name(error, context))
    if kind == "BadParameter":
        return say("error.value", name=_name(error, context), message=_value(error.message))
    if kind == "BadOptionUsage":
        name = str(getattr(error, "option_name", ""))
        takes = "does not take" in error.message
        return say("error.takes_none" if takes else "error.takes_one", name=name)
    if match := re.match(r"No such command '([^']*)'", error.message):
        names = list(getattr(context.command, "commands", {})) if context is not None else []
        near = difflib.get_close_matches(match[1], names)
        if find(match[1]) is not None:  # a game
            near = [f"joute play {match[1]}"]
        return say("error.no_command", name=match[1]) + _near(near)
    if match := re.match(r"Got unexpected extra arguments?(?:\(s\))? \((.*)\)", error.message):
        return say("error.extra", text=match[1]) + _near(_with_game(match[1], context))
    if error.message.startswith("Missing command"):
        return say("error.missing_command")
    return str(foreign(error.format_message()))


def _with_game(extra: str, context: Any) -> list[str]:
    """The command that may be meant where a game stands first, and the command has it as an option.

    In most commands the game comes first: `joute match virus mine.py`.
    """
    parameters = context.command.params
    if not any("--game" in each.opts for each in parameters):
        return []
    arguments = [each.name for each in parameters if each.param_type_name == "argument"]
    first = str(context.params[arguments[0]]) if arguments else ""
    return [f"{context.command_path} {extra} --game {first}"] if find(first) is not None else []


def _value(message: str) -> str:
    """Says why a value is refused."""
    if "integer" in message:
        return say("error.whole")
    if "valid number" in message:
        return say("error.number")
    if match := re.search(r"greater than or equal to (\S+)|range x>=([^.\s]+)", message):
        return say("error.least", least=match[1] or match[2])
    return str(foreign(message))


def _name(error: typer.TyperException, context: Any) -> str:
    parameter = getattr(error, "param", None)
    if parameter is None:
        return ""
    if parameter.param_type_name == "argument":
        return str(
            parameter.make_metavar(context) if parameter.metavar is None else parameter.metavar
        )
    return str(parameter.opts[-1])


def _near(names: Any) -> str:
    return " " + say("error.near", names=", ".join(sorted(names))) if names else ""
