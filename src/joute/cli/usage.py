"""Typer's own words, said in the user's language: headings of the help, mistakes in a command line.

Typer speaks English only. Its errors are told apart by their class and their message, because it
gives them no code.
"""

from __future__ import annotations

import difflib
import re
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from joute.i18n.recognised import foreign
from joute.i18n.words import say

# What Typer writes around our texts -> the key of what we write.
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
    """What is wrong with a command line, and where the help is."""
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
        return say("error.no_command", name=match[1]) + _near(near)
    if match := re.match(r"Got unexpected extra arguments?(?:\(s\))? \((.*)\)", error.message):
        return say("error.extra", text=match[1])
    if error.message.startswith("Missing command"):
        return say("error.missing_command")
    return str(foreign(error.format_message()))


def _value(message: str) -> str:
    """What is wrong with a value."""
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
