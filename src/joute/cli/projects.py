"""The files of a new project: a bot in one of several languages, and what helps to work on it.

The part that is the game's own (what a bot is shown, an example of it, some legal actions) is made
from the game itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from joute.core.starters import FUNCTION
from joute.i18n.words import has, language, say

if TYPE_CHECKING:
    from joute.web.registration.task import TaskSheet

TEMPLATES = Path(__file__).parent / "templates" / "project"
PYTHON = "python"
MOVE_SECONDS = 1.0  # as the contest of a project has it


class Language(NamedTuple):
    """A language of programs that `joute new` writes."""

    suffix: str  # of its sources
    comment: str  # what a line of its first comment begins with
    build: str  # the command that makes it ready, or that only looks for mistakes
    program: str  # the bot that is there then, as `joute.toml` names it
    words: tuple[str, ...]  # its program and arguments, in the bot's folder
    debugger: str  # the type of its debugger in launch.json; "" without one


LANGUAGES: Mapping[str, Language] = MappingProxyType(
    {
        "c": Language(".c", "   ", "make", "./bot", ("./bot",), "cppdbg"),
        "rust": Language(".rs", "// ", "rustc -O -o bot bot.rs", "./bot", ("./bot",), "lldb"),
        "javascript": Language(
            ".js", "// ", "node --check bot.js", "program:node bot.js", ("node", "bot.js"), "node"
        ),
        "shell": Language(".sh", "# ", "sh -n bot.sh", "program:sh bot.sh", ("sh", "bot.sh"), ""),
    }
)


PROGRAMS = (PYTHON, *LANGUAGES)


class Project(NamedTuple):
    """A project before it is written."""

    game: str  # as commands name it
    style: str  # how a bot in Python is written
    language: str  # PYTHON or a key of LANGUAGES
    opponent: str  # a built-in bot to begin with

    @property
    def bot(self) -> str:
        """The path of the bot in the project's folder."""
        return "bot.py" if self.language == PYTHON else "bot"


def project_files(project: Project, starter: Callable[[], str]) -> dict[str, str]:
    """The files of a project by their paths, without its contest.

    Args:
        project: what is wanted.
        starter: gives the text of a bot in Python.
    """
    from joute.core.registry import make
    from joute.web.registration.task import sheet

    rules = make(project.game)
    told = sheet(project.game, {})
    files = _of_python(project, starter) if project.language == PYTHON else _of_language(project)
    files = {name: _filled(text, project, told) for name, text in files.items()}
    files["observation.json"] = told.example + "\n"
    files["messages.jsonl"] = _messages(rules, told)
    files["AGENTS.md"] = _for_programs(project)
    files["README.md"] = _readme(project, told, files)
    return files


def _of_python(project: Project, starter: Callable[[], str]) -> dict[str, str]:
    from joute.host.adapters import adapters

    if project.style == FUNCTION:
        more = _template("test_function.py.txt")
    else:
        adapter = adapters()[project.style].__name__
        more = _template("test_interface.py.txt").replace("ADAPTER", adapter)
    debugged = {"type": "debugpy", "program": "${workspaceFolder}/test_bot.py"}
    return {
        "bot.py": starter(),
        "test_bot.py": _test(project, more),
        ".vscode/launch.json": _launch(debugged),
    }


def _of_language(project: Project) -> dict[str, str]:
    chosen = LANGUAGES[project.language]
    source = f"bot{chosen.suffix}"
    more = _template("test_program.py.txt")
    more = more.replace("BUILT", repr(chosen.build)).replace("PROGRAM", repr(list(chosen.words)))
    order = f"[build]\ncommand = {json.dumps(chosen.build)}\nbot = {json.dumps(chosen.program)}\n"
    files = {
        "bot/joute.toml": order,
        f"bot/{source}": _template(f"bot.{language()}{chosen.suffix}.txt"),
        "test_bot.py": _test(project, more),
    }
    if chosen.build == "make":
        files["bot/Makefile"] = _template("Makefile.txt")
    if chosen.debugger:
        files[".vscode/launch.json"] = _launch(_debugged(chosen))
    if chosen.debugger not in ("", "node"):
        files[".vscode/tasks.json"] = _tasks(chosen)
    return files


def _debugged(chosen: Language) -> dict[str, Any]:
    """The configuration of a language's debugger: the bot over the messages of a game."""
    messages, folder = "${workspaceFolder}/messages.jsonl", "${workspaceFolder}/bot"
    if chosen.debugger == "node":
        return {"type": "node", "program": f"{folder}/bot.js", "args": [messages]}
    found = {"type": chosen.debugger, "program": f"{folder}/bot", "args": [messages]}
    return {**found, "cwd": folder, "preLaunchTask": "build"}


def _launch(configuration: dict[str, Any]) -> str:
    whole = {"name": "bot", "request": "launch", **configuration}
    return _json({"version": "0.2.0", "configurations": [whole]})


def _tasks(chosen: Language) -> str:
    """The task that builds a bot for its debugger, with what a debugger needs."""
    command = "make CFLAGS=-g" if chosen.build == "make" else chosen.build.replace("-O", "-g")
    task = {
        "label": "build",
        "type": "shell",
        "command": command,
        "options": {"cwd": "${workspaceFolder}/bot"},
    }
    return _json({"version": "2.0.0", "tasks": [task]})


def _test(project: Project, more: str) -> str:
    text = _template(f"test_bot.{language()}.py.txt")
    return text.replace('HERE / "BOT"', f'HERE / "{project.bot}"').replace("MORE\n", more or "\n")


def _filled(text: str, project: Project, told: TaskSheet) -> str:
    """A template with the game's own part in the place of its words."""
    chosen = LANGUAGES.get(project.language)
    if chosen is None or "KEYS\n" not in text:
        return text
    keys = [f"{chosen.comment}- {each.name}: {each.meaning}".rstrip(": ") for each in told.keys]
    command = f"joute check {project.bot} --game {project.game}"
    text = text.replace("KEYS\n", "\n".join(keys) + "\n").replace("CHECK", command)
    return text.replace("GAME", _title(project.game))


def _messages(rules: Any, told: TaskSheet) -> str:
    """The messages of a short game, as a program reads them."""
    from joute.core.interface import properties
    from joute.play.seats import start_message

    players = [f"player {each}" for each in range(properties(rules).players)]
    observation = json.loads(told.example)
    clock = {"left_ms": 1000 * MOVE_SECONDS, "bank_ms": 0.0, "last_ms": 0.0}
    messages = [
        start_message(rules, 0, players, "example", MOVE_SECONDS),
        {"type": "play", "observation": observation, "events": [], "clock": clock},
        {"type": "end", "returns": [0.0] * len(players), "events": []},
    ]
    compact = (json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in messages)
    return "".join(f"{each}\n" for each in compact)


def _for_programs(project: Project) -> str:
    """The page for programs that write the bot: commands, their JSON, exit codes, budgets."""
    text = _template(f"AGENTS.{language()}.md.txt")
    words = {
        "GAME BOT": f"{project.game} {project.bot}",
        "check BOT": f"check {project.bot}",
        "promote BOT": f"promote {project.bot}",
        "--game GAME": f"--game {project.game}",
        "games GAME": f"games {project.game}",
        "OPPONENT": project.opponent,
        "NAME": "bot",
    }
    for word, value in words.items():
        text = text.replace(word, value)
    return text


def _readme(project: Project, told: TaskSheet, files: Mapping[str, str]) -> str:
    names = sorted([*files, "contest.toml"])
    rows = [f"| `{name}` | {_meaning(name)} |" for name in names]
    commands = [
        "python3 test_bot.py",
        f"joute check {project.bot} --game {project.game}",
        f"joute match {project.game} {project.bot} builtin:{project.opponent} --games 10",
        "joute contest run contest.toml",
        f"joute ladder {project.game} {project.bot}",
    ]
    keys = [f"| `{each.name}` | {each.meaning} |" for each in told.keys]
    legal = ", ".join(f"{number} ({text})" for number, text in told.legal)
    debugged = ".vscode/launch.json" in files
    words = {
        "FILES": "\n".join(rows),
        "COMMANDS": "\n".join(commands),
        "WATCH": f"joute watch {project.bot} --game {project.game}",
        "INSPECT": f"joute debug game.jsonl@12 {project.bot}",
        "KEYS": "\n".join(keys),
        "ANSWER": say("new.answer", answer=told.answer) if told.answer else say("new.any_answer"),
        "LEGAL": say("new.legal", legal=legal) if legal else "",
        "DEBUG": "\n" + say("new.debug") + "\n" if debugged else "",
        "GAME": _title(project.game),
    }
    text = _template(f"README.{language()}.md.txt")
    for word, value in words.items():
        text = text.replace(word, value)
    return text.rstrip() + "\n"


def _meaning(name: str) -> str:
    """The meaning of a file of a project."""
    stem = name.removeprefix(".vscode/").removeprefix("bot/").partition(".")[0]
    return say(f"new.file.{stem}")


def _title(game: str) -> str:
    """The name of a game as people know it."""
    name = say(f"game.{game}") if has(f"game.{game}") else Path(game).stem
    return name.partition(":")[0].strip()  # what follows says what it is


def _json(value: object) -> str:
    return json.dumps(value, indent=2) + "\n"


def _template(name: str) -> str:
    return (TEMPLATES / name).read_text(encoding="utf-8")
