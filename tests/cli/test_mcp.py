"""`joute mcp`: a client of the Model Context Protocol uses the commands, and plays."""

import asyncio
import json
import math
import sys
from contextlib import asynccontextmanager, closing
from pathlib import Path
from threading import Thread

import pytest
from cli.apart import environment
from helpers import PATIENCE, wait_until
from mcp import Client, StdioServerParameters

from joute.cli import mcp_commands
from joute.cli.commands import build
from joute.cli.mcp_commands import ToolError, check_arguments, command_tools, run_command
from joute.cli.mcp_server import MOST_TABLES, AgentTables, make_server
from joute.core.interface import properties
from joute.core.registry import make, names
from joute.i18n.words import speaking
from joute.play.verify import verify_record

pytestmark = pytest.mark.game("virus")
SMALL = {"size": 4}


@pytest.fixture(autouse=True)
def records(tmp_path, monkeypatch):
    """The folder where games are kept."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path


@asynccontextmanager
async def connected():
    """A client of a server in this process."""
    with closing(AgentTables()) as tables:
        async with Client(make_server(build(), tables)) as client:
            yield client


def calls(*asked):
    """The results of calls of tools, one after the other, and whether each is an error."""

    async def all_of_them():
        async with connected() as client:
            results = [await client.call_tool(name, told) for name, told in asked]
            return [(each.structured_content, bool(each.is_error)) for each in results]

    return asyncio.run(all_of_them())


def refusal(*call):
    [(told, is_error)] = calls(call)
    assert is_error
    return told["error"]


def played(tables, table, choose=lambda shown: shown["legal"][0]["action"]):
    """Plays a game to its end, and gives that."""
    shown = table
    while not shown["over"]:
        told = {"table": table["table"], "action": choose(shown)}
        shown = tables.call("act_at_table", told)
    return shown


def test_each_option_of_a_command_is_an_argument_described_as_in_its_help():
    tools = {each.name: each for each in command_tools(build())}
    schema = tools["match"].schema
    assert schema["required"] == ["game", "bots"]
    assert schema["properties"]["bots"]["type"] == "array"
    assert schema["properties"]["games"]["type"] == "integer"
    assert schema["properties"]["move_seconds"]["type"] == "number"
    assert schema["properties"]["seed"] == {
        "type": "string",
        "description": "The seed of chance, any text: the same seed gives the same deals.",
    }
    assert tools["new"].schema["properties"]["solutions"]["type"] == "boolean"
    assert "hx2" in tools["new"].schema["properties"]["style"]["enum"]
    assert "json" not in schema["properties"]
    with speaking("fr"):
        [french, *_] = command_tools(build())
    assert french.description.startswith("Liste")


def test_an_argument_whose_value_is_free_has_no_choices():
    offered = {
        (tool.name, name): schema["enum"]
        for tool in command_tools(build())
        for name, schema in tool.schema["properties"].items()
        if "enum" in schema
    }
    assert {name for _, name in offered} == {"style", "kind", "program"}
    assert [each for choices in offered.values() for each in choices if not each.islower()] == []


def test_arguments_become_a_command_line_whose_values_are_no_options():
    match = {each.name: each for each in command_tools(build())}["match"]
    told = {"game": "virus", "bots": ["--help", "builtin:greedy"], "games": 2, "param": ["size=4"]}
    assert match.words(told) == [
        "match", "--games", "2", "--param", "size=4", "--json", "--",
        "virus", "--help", "builtin:greedy",
    ]  # fmt: skip
    new = {each.name: each for each in command_tools(build())}["new"]
    assert new.words({"folder": "a", "solutions": True}) == ["new", "--solutions", "--", "a"]
    assert new.words({"folder": "a", "solutions": False}) == ["new", "--", "a"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "the argument name is missing"),
        (
            {"name": "a", "colour": "red"},
            "no argument colour; its arguments are: name, count, flag, table, list, time",
        ),
        ({"name": 1}, "name is to be of the type string"),
        ({"name": "a", "count": True}, "count is to be of the type integer"),
        ({"name": "a", "flag": 1}, "flag is to be of the type boolean"),
        ({"name": "a\0b"}, "name holds a null character"),
        ({"name": "a", "list": ["b", 1]}, "list is to be of the type string"),
        ({"name": "a", "list": ["b", "\0"]}, "list holds a null character"),
        ({"name": "a", "table": {"key": ["\0"]}}, "table holds a null character"),
        ({"name": "a", "time": 0}, "time is to be from 0.5 to 9"),
        ({"name": "a", "time": math.inf}, "time is to be from 0.5 to 9"),
        ({"name": "a", "time": math.nan}, "time is to be from 0.5 to 9"),
    ],
)
def test_arguments_that_do_not_fit_are_told(arguments, said):
    kinds = {"name": "string", "count": "integer", "flag": "boolean", "table": "object"}
    properties = {name: {"type": kind} for name, kind in kinds.items()}
    properties["list"] = {"type": "array", "items": {"type": "string"}}
    properties["time"] = {"type": "number", "minimum": 0.5, "maximum": 9}
    with pytest.raises(ToolError, match=said):
        check_arguments(arguments, {"properties": properties, "required": ["name"]})


@pytest.mark.full
def test_commands_are_run_and_their_json_is_the_result(tmp_path):
    bot = tmp_path / "mine.py"
    bot.write_text("def play(observation, clock):\n    return observation['legal'][0]\n")
    game = {"game": "virus", "param": ["size=4"]}
    results = calls(
        ("games", {"name": "virus"}),
        ("match", {**game, "bots": [str(bot), "builtin:random"], "games": 2, "seed": "s"}),
        ("promote", {**game, "new": str(bot), "old": "builtin:random", "max_games": 2}),
        ("match", {**game, "bots": ["nowhere.py", "builtin:random"]}),
    )
    (rules, _), (match, wrong), (promotion, failed), (refused, is_error) = results
    assert "Virus" in rules["output"][0]["rules"] or rules["output"][0]["name"] == "virus"
    assert match["exit_code"] == 0 and not wrong
    assert match["output"]
    assert promotion["exit_code"] == 1 and not failed  # a check that came out wrong is a result
    assert refused["exit_code"] == 2 and is_error and "nowhere.py" in refused["errors"]


@pytest.mark.parametrize("game", names())
def test_every_game_is_played_to_its_end_and_its_record_is_proved(game):
    parameters = SMALL if game == "virus" else {}
    players = properties(make(game, **parameters)).players
    seats = ["human", *["builtin:random"] * (players - 1)]
    with closing(AgentTables()) as tables:
        told = {"game": game, "seats": seats, "parameters": parameters, "seed": "s"}
        table = tables.call("open_table", told)
        end = played(tables, table)
        assert end["ending"] == "finished"
        assert end["events"], "how it ended"
        assert tables.call("look_at_table", table) == end
        assert end == tables.call("resign_at_table", table)
    assert verify_record(Path(end["record"]).read_bytes()).ok


def test_a_decision_says_what_is_seen_what_happened_and_what_is_legal():
    with closing(AgentTables()) as tables:
        told = {"game": "virus", "seats": ["builtin:random", "human"], "parameters": SMALL}
        told["seed"] = "b"  # the first seat begins
        table = tables.call("open_table", told)
        assert table["player"] == 1 and not table["over"]
        assert table["events"][-1]["player"] == 0
        assert table["observation"]["legal"] == [each["action"] for each in table["legal"]]
        assert table["legal_count"] == len(table["legal"])
        assert not any("line" in event for event in table["events"])
        text = table["legal"][0]["text"]
        after = tables.call("act_at_table", {"table": table["table"], "action": text})
        assert [event["player"] for event in after["events"]] == [1, 0]
        assert tables.call("look_at_table", table) == after


def test_an_illegal_action_is_refused_with_its_rule_and_the_game_goes_on():
    with closing(AgentTables()) as tables:
        told = {"game": "virus", "seats": ["human", "builtin:random"], "parameters": SMALL}
        told["seed"] = "b"
        table = tables.call("open_table", told)
        for wrong in ("z9", 10**6):
            with pytest.raises(ToolError):
                tables.call("act_at_table", {"table": table["table"], "action": wrong})
        end = tables.call("resign_at_table", table)
        assert end["ending"] == "resignation" and end["returns"] == [-1.0, 1.0]
        assert [event["player"] for event in end["events"]] == [0]
        with pytest.raises(ToolError, match="the game is over"):
            tables.call("act_at_table", {"table": table["table"], "action": 0})


def test_what_ends_a_game_is_told_each_time_that_it_is_looked_at():
    with closing(AgentTables()) as tables:
        told = {"game": "virus", "seats": ["human", "llm:http://127.0.0.1:9/v1#none"]}
        told |= {"parameters": SMALL, "seed": "b"}  # the first seat begins
        table = tables.call("open_table", told)
        for call in (
            ("act_at_table", {"table": table["table"], "action": table["legal"][0]["action"]}),
            ("look_at_table", {"table": table["table"]}),
        ):
            with pytest.raises(Exception, match=r"no answer from http://127\.0\.0\.1:9/v1"):
                tables.call(*call)


SLOW = """
import time

def play(observation, clock):
    time.sleep(3)
    return observation["legal"][0]
"""


def test_an_agent_that_gave_up_waiting_for_a_slow_player_looks_at_its_table_again(tmp_path):
    (tmp_path / "slow.py").write_text(SLOW)
    told = {"game": "virus", "seats": ["human", str(tmp_path / "slow.py")], "parameters": SMALL}
    told |= {"seed": "b", "move_seconds": PATIENCE}  # the first seat begins
    answers = []

    def call(tool, **arguments):
        answers.append(tables.call(tool, {"table": table["table"], **arguments}))

    with closing(AgentTables()) as tables:
        table = tables.call("open_table", told)
        act = {"action": table["legal"][0]["action"]}
        given_up = Thread(target=call, args=("act_at_table",), kwargs=act, daemon=True)
        again = Thread(target=call, args=("look_at_table",), daemon=True)
        for each in (given_up, again):
            each.start()
            each.join(0.2)  # until it waits, mostly
        wait_until(lambda: len(answers) == 2, what="both answers")
    assert answers[0] == answers[1] != table


def test_tools_and_tables_that_are_not_there_are_told():
    assert "no tool dance" in refusal("dance", {})
    assert "no table x" in refusal("look_at_table", {"table": "x"})
    told = {"game": "virus", "seats": ["builtin:random", "builtin:random"]}
    assert "no seat is yours" in refusal("open_table", told)
    assert "chess" in refusal("open_table", {"game": "chess", "seats": ["human"]})
    assert "seats is missing" in refusal("open_table", {"game": "virus"})


def test_values_of_the_wrong_kind_are_refused_by_a_sentence():
    told = {"game": "virus", "seats": ["human", "builtin:random"], "parameters": SMALL}
    assert "move_seconds is to be from 0.001" in refusal("open_table", {**told, "move_seconds": 0})
    assert "seats is to be of the type string" in refusal("open_table", {**told, "seats": [1, 2]})
    nothing = {"table": "x", "action": [[]]}
    assert "action is to be of the type integer" in refusal("act_at_table", nothing)
    [(played, _)] = calls(("match", {"game": "virus", "bots": ["human"] * 2}))
    assert played["exit_code"] == 2 and not played["output"]
    bots = ["a\0b", "builtin:random"]
    assert "bots holds a null" in refusal("match", {"game": "virus", "bots": bots})


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("match", {"game": "virus", "bots": ["a" * 2**21, "builtin:random"]}),
        ("check", {"bot": "\ud800"}),
        ("open_table", {"game": "virus", "seats": ["human", "./" + "a" * 2**21 + ".py"]}),
        ("open_table", {"game": "./" + "a" * 2**21, "seats": ["human"]}),
    ],
)
def test_what_the_system_refuses_is_told_in_a_sentence(tool, arguments):
    assert refusal(tool, arguments)


def test_what_the_system_refuses_is_told_in_the_language_spoken():
    with speaking("fr"):
        said = refusal("match", {"game": "virus", "bots": ["a" * 2**21, "builtin:random"]})
    assert said.endswith("la liste des arguments est trop longue")


def test_games_that_are_over_make_room_for_others_and_the_oldest_are_forgotten():
    told = {"game": "virus", "seats": ["human", "builtin:random"], "parameters": SMALL}
    with closing(AgentTables()) as tables:
        opened = []
        for _ in range(2 * MOST_TABLES + 1):
            opened.append(tables.call("open_table", told))
            tables.call("resign_at_table", opened[-1])
        assert tables.call("look_at_table", opened[-1])["over"]
        assert tables.call("look_at_table", opened[-MOST_TABLES])["over"]
        with pytest.raises(ToolError, match="there is no table"):
            tables.call("look_at_table", opened[0])


def test_no_more_tables_are_opened_than_fit():
    with closing(AgentTables()) as tables:
        told = {"game": "virus", "seats": ["human", "human"], "parameters": SMALL}
        for _ in range(MOST_TABLES):
            tables.call("open_table", told)
        with pytest.raises(ToolError, match=f"{MOST_TABLES} tables are open"):
            tables.call("open_table", told)


TALKING = """#!{python}
import pathlib, signal, sys

def end(*_):
    print("x" * 10**6)
    sys.exit(3)

signal.signal(signal.SIGINT, end)
pathlib.Path({up!r}).touch()
signal.pause()
"""


def test_a_command_that_is_cancelled_ends_however_much_it_prints_then(tmp_path, monkeypatch):
    program, up = tmp_path / "program", tmp_path / "up"
    program.write_text(TALKING.format(python=sys.executable, up=str(up)))
    program.chmod(0o755)
    monkeypatch.setattr(mcp_commands, "OWN_PYTHON", (str(program),))

    async def cancelled():
        running = asyncio.create_task(run_command([]))
        await asyncio.to_thread(wait_until, up.exists)
        running.cancel()
        await asyncio.wait({running}, timeout=PATIENCE)
        return running.cancelled()

    assert asyncio.run(cancelled())


def test_a_client_talks_to_the_program_over_its_standard_streams(tmp_path):
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "joute", "mcp"], env=environment(), cwd=tmp_path
    )

    async def session():
        async with Client(server) as client:
            assert "Joute" in client.instructions
            listed = {each.name for each in (await client.list_tools()).tools}
            assert {"check", "ladder", "open_table", "act_at_table"} <= listed
            told = {"game": "virus", "seats": ["human", "builtin:greedy"], "parameters": SMALL}
            opened = await client.call_tool("open_table", told)
            assert json.loads(opened.content[0].text) == opened.structured_content
            assert opened.structured_content["legal"]

    asyncio.run(session())


def test_without_the_package_the_command_says_how_to_get_it(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "mcp", None)
    outcome = run("mcp")
    assert outcome.code == 2 and "joute[mcp]" in outcome.err
