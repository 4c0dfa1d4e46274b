"""The server of the Model Context Protocol: commands as tools, and tables to play at."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable
from typing import Any

from mcp import types
from mcp.server import Server
from mcp.server.stdio import stdio_server

from joute import __version__
from joute.cli.mcp_commands import (
    CommandTool,
    ToolError,
    check_arguments,
    command_tools,
    failed,
    run_command,
)
from joute.cli.mcp_table import AgentTable
from joute.cli.playing.session import make_spec, with_map
from joute.cli.usage import CommandError
from joute.errors import Error
from joute.i18n.recognised import foreign
from joute.i18n.words import Sentence, say

MOST_TABLES = 16
MOVE_SECONDS = 1.0  # of CPU, that other players may take for a turn

_TEXT = {"type": "string"}
_TABLE = {"table": _TEXT}
_TABLE_TOOLS: dict[str, dict[str, Any]] = {
    "open_table": {
        "game": _TEXT,
        "seats": {"type": "array", "items": _TEXT},
        "parameters": {"type": "object"},
        "map": _TEXT,
        "seed": _TEXT,
        "move_seconds": {"type": "number", "minimum": 0.001, "maximum": 86400},
    },
    "look_at_table": _TABLE,
    "act_at_table": {
        **_TABLE,
        "action": {"type": ["integer", "string", "array"], "items": {"type": "integer"}},
    },
    "resign_at_table": _TABLE,
}
_OPTIONAL = ("parameters", "map", "seed", "move_seconds")


class AgentTables:
    """The tables of one agent, by their names."""

    def __init__(self) -> None:
        self._tables: dict[str, AgentTable] = {}  # the oldest first
        self._tools: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
            "open_table": self._opened,
            "look_at_table": lambda told: self._named(told).look(),
            "act_at_table": lambda told: self._named(told).act(told["action"]),
            "resign_at_table": lambda told: self._named(told).resign(),
        }

    def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """The answer of a tool; waits for the other players. Raises Error or CommandError."""
        return self._tools[tool](arguments)

    def close(self) -> None:
        """Ends all games."""
        for table in self._tables.values():
            table.close()

    def _opened(self, told: dict[str, Any]) -> dict[str, Any]:
        over = [name for name, table in list(self._tables.items()) if table.over]
        if len(self._tables) - len(over) >= MOST_TABLES:
            raise ToolError(Sentence("error.mcp.many", most=MOST_TABLES))
        parameters = with_map(told["game"], told.get("parameters", {}), told.get("map"))
        seconds, seed = told.get("move_seconds", MOVE_SECONDS), told.get("seed")
        spec = make_spec(
            told["game"], parameters, told["seats"], seconds, seed or secrets.token_hex(8)
        )
        if not spec.people:
            raise ToolError(Sentence("error.mcp.nobody"))
        name, table = secrets.token_hex(4), AgentTable(spec)
        first = table.look()  # what ends the game before it leaves no table
        for oldest in over[:-MOST_TABLES]:
            del self._tables[oldest]
        self._tables[name] = table
        return {"table": name, **first}

    def _named(self, told: dict[str, Any]) -> AgentTable:
        if told["table"] not in self._tables:
            raise ToolError(Sentence("error.mcp.table", table=told["table"]))
        return self._tables[told["table"]]


def tools(commands: list[CommandTool]) -> list[types.Tool]:
    """All tools, described in the language spoken."""
    of_tables = [
        types.Tool(
            name=name,
            description=say(f"mcp.{name}"),
            input_schema={
                "type": "object",
                "properties": {
                    key: {**schema, "description": say(f"mcp.argument.{key}")}
                    for key, schema in properties.items()
                },
                "required": [key for key in properties if key not in _OPTIONAL],
                "additionalProperties": False,
            },
        )
        for name, properties in _TABLE_TOOLS.items()
    ]
    of_commands = [
        types.Tool(name=each.name, description=each.description, input_schema=each.schema)
        for each in commands
    ]
    return of_commands + of_tables


def make_server(root: Any, tables: AgentTables) -> Server[Any]:
    """The server for the commands of `root`, a tree of Typer's, and these tables."""
    commands = {each.name: each for each in command_tools(root)}
    known = tools(list(commands.values()))
    schemas = {each.name: each.input_schema for each in known}

    async def on_list_tools(*_: object) -> types.ListToolsResult:
        return types.ListToolsResult(tools=known)

    async def on_call_tool(_: object, asked: types.CallToolRequestParams) -> types.CallToolResult:
        arguments = asked.arguments or {}
        try:
            if asked.name not in schemas:
                raise ToolError(Sentence("error.mcp.tool", tool=asked.name))
            check_arguments(arguments, schemas[asked.name])
            if asked.name in commands:
                code, told = await run_command(commands[asked.name].words(arguments))
                return _result(told, failed(code))
            return _result(await asyncio.to_thread(tables.call, asked.name, arguments), False)
        except (Error, CommandError) as error:
            return _result({"error": str(error)}, True)
        except (OSError, ValueError) as error:  # as of a name that is too long for the system
            unusable = Sentence("error.mcp.unusable", reason=foreign(error))
            return _result({"error": str(unusable)}, True)

    return Server(
        "joute",
        version=__version__,
        instructions=say("mcp.instructions"),
        on_list_tools=on_list_tools,
        on_call_tool=on_call_tool,
    )


def _result(told: dict[str, Any], is_error: bool) -> types.CallToolResult:
    text = types.TextContent(type="text", text=json.dumps(told, ensure_ascii=False))
    return types.CallToolResult(content=[text], structured_content=told, is_error=is_error)


async def serve(root: Any) -> None:
    """Serves on standard input and output until that ends."""
    tables = AgentTables()
    server = make_server(root, tables)
    try:
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())
    finally:
        tables.close()
