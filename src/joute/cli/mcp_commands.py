"""Commands as tools of the Model Context Protocol: each option is an argument of the same name."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from joute.cli.usage import DONE, FAILED
from joute.errors import Error
from joute.i18n.words import Sentence
from joute.machine import OWN_PYTHON

COMMANDS = (
    "games", "new", "check", "match", "ladder", "mistakes", "explain", "promote", "compare",
    "records", "verify",
)  # fmt: skip
"""Those that an author of bots needs, ask nobody anything and end by themselves."""
_TYPES = {int: "integer", float: "number", bool: "boolean"}
_LEFT_OUT = ("help", "json")  # options


_CLASSES: dict[str, Any] = {
    "string": str, "integer": int, "number": (int, float), "boolean": bool, "array": list,
    "object": dict,
}  # fmt: skip


class ToolError(Error):
    """A tool that is not there, or that cannot be used so."""


class CommandTool(NamedTuple):
    """A command as a tool."""

    name: str
    description: str
    schema: dict[str, Any]  # JSON Schema of its arguments
    command: Any  # of Typer

    def words(self, arguments: Mapping[str, Any]) -> list[str]:
        """The command line of these arguments, without the program."""
        options: list[str] = []
        places: list[str] = []
        for each in _parameters(self.command):
            value = arguments.get(each.name)
            if value is None or value is False:
                continue
            values = [str(one) for one in (value if isinstance(value, list) else [value])]
            if each.param_type_name == "argument":
                places += values
            elif value is True:
                options.append(_flag(each))
            else:
                options += [word for one in values for word in (_flag(each), one)]
        if any(each.name == "json" for each in self.command.params):
            options.append("--json")
        return [self.name, *options, "--", *places]


def command_tools(root: Any) -> Iterator[CommandTool]:
    """The tools of the commands of `root`, described in the language of its help."""
    for name in COMMANDS:
        command = root.commands[name]
        parameters = _parameters(command)
        yield CommandTool(
            name,
            command.help or "",
            {
                "type": "object",
                "properties": {each.name: _schema(each) for each in parameters},
                "required": [each.name for each in parameters if each.required],
                "additionalProperties": False,
            },
            command,
        )


def check_arguments(arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> None:
    """Raises ToolError unless a tool of that schema can be called with these arguments."""
    known = schema["properties"]
    for name in schema["required"]:
        if name not in arguments:
            raise ToolError(Sentence("error.mcp.lacking", name=name))
    for name, value in arguments.items():
        if name not in known:
            raise ToolError(Sentence("error.mcp.argument", name=name, known=", ".join(known)))
        _check(name, value, known[name])


def _check(name: str, value: Any, schema: Mapping[str, Any]) -> None:
    """Raises ToolError unless an argument, or a part of it, is as its schema says."""
    wanted = schema.get("type", list(_CLASSES))
    kinds = wanted if isinstance(wanted, list) else [wanted]
    fine = any(isinstance(value, _CLASSES[kind]) for kind in kinds)
    if not fine or (isinstance(value, bool) and "boolean" not in kinds):
        raise ToolError(Sentence("error.mcp.type", name=name, kinds=" / ".join(kinds)))
    if isinstance(value, str) and "\0" in value:
        raise ToolError(Sentence("error.mcp.zero", name=name))
    if "minimum" in schema and not schema["minimum"] <= value <= schema["maximum"]:
        least, most = schema["minimum"], schema["maximum"]
        raise ToolError(Sentence("error.mcp.range", name=name, least=least, most=most))
    if isinstance(value, list):
        for each in value:
            _check(name, each, schema.get("items", {}))
    if isinstance(value, dict):
        for each in value.values():
            _check(name, each, {})


async def run_command(words: list[str]) -> tuple[int, dict[str, Any]]:
    """Runs a command line in a process of its own; its exit code, and what it printed.

    `output` is the JSON that it printed, or its text; `errors` is what it said on standard error.
    A run that is cancelled is interrupted as by Ctrl-C, so that it keeps what it has.
    """
    process = await asyncio.create_subprocess_exec(
        *OWN_PYTHON, "-m", "joute", *words,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        out, err = await process.communicate()
    except asyncio.CancelledError:
        with suppress(ProcessLookupError):
            process.send_signal(signal.SIGINT)
        await process.communicate()  # what it prints at its end must be read, or it never ends
        raise
    output: Any = out.decode("utf-8", "replace")
    with suppress(ValueError):
        output = json.loads(output)
    code = process.returncode or DONE
    told = {"exit_code": code, "output": output, "errors": err.decode("utf-8", "replace")}
    return code, told


def failed(code: int) -> bool:
    """Whether a command could not be carried out; a check that came out wrong is a result."""
    return code not in (DONE, FAILED)


def _parameters(command: Any) -> list[Any]:
    return [each for each in command.params if each.name not in _LEFT_OUT]


def _flag(option: Any) -> str:
    """The long form of an option."""
    return max(option.opts, key=len)  # type: ignore[no-any-return]


def _schema(parameter: Any) -> dict[str, Any]:
    kind = parameter.type_descriptor.annotation
    one: dict[str, Any] = {"type": _TYPES.get(kind, "string")}
    metavar = parameter.metavar or ""
    if "|" in metavar and not metavar.isupper():  # capitals stand for values, the rest are such
        one["enum"] = metavar.split("|")
    several = parameter.nargs != 1 or parameter.multiple
    schema = {"type": "array", "items": one} if several else one
    return {**schema, "description": parameter.help or ""}
