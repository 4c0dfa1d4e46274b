"""The files of a new project: a bot in one of several languages, and what helps to work on it.

The part that is the game's own (what a bot is shown, an example of it, some legal actions) is made
from the game itself.
"""

from __future__ import annotations

import json
import shlex
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
SERVER_ADDRESS, SERVER_PORT = "127.0.0.1", "5555"  # of a project's own server, for a debugger


class Language(NamedTuple):
    """A language of programs that `joute new` writes."""

    suffix: str  # of its sources
    comment: str  # what a line of its first comment begins with
    build: str  # the command that makes it ready, or that only looks for mistakes
    words: tuple[str, ...]  # its program and arguments, in the bot's folder
    debugger: str  # the type of its debugger in launch.json; "" without one

    @property
    def compiled(self) -> bool:
        """Whether a debugger needs the program built."""
        return len(self.words) == 1


LANGUAGES: Mapping[str, Language] = MappingProxyType(
    {
        PYTHON: Language(
            ".py", "", "python3 -m py_compile bot.py", ("python3", "bot.py"), "debugpy"
        ),
        "c": Language(".c", "   ", "make", ("./bot",), "cppdbg"),
        "rust": Language(".rs", "// ", "rustc -O -o bot bot.rs", ("./bot",), "lldb"),
        "javascript": Language(".js", "// ", "node --check bot.js", ("node", "bot.js"), "node"),
        "shell": Language(".sh", "# ", "sh -n bot.sh", ("sh", "bot.sh"), ""),
    }
)


class Project(NamedTuple):
    """A project before it is written."""

    game: str
    called: str  # the game as commands in the project's folder name it
    style: str  # how the bot is written: an interface of Python bots, or a prefix of programs
    language: str  # a key of LANGUAGES
    opponent: str  # a built-in bot to begin with
    templates: Path | None = None  # of a program of the game's original contest
    shown: str = ""  # a text on what it is shown and answers, if not an observation and an action

    @property
    def typed(self) -> str:
        """The game as it is typed in the project's folder."""
        return shlex.quote(self.called)

    @property
    def is_program(self) -> bool:
        """Whether the bot is a program, which its `joute.toml` builds."""
        return self.language != PYTHON or self.templates is not None

    @property
    def connects(self) -> bool:
        """Whether the bot is a program that connects to a server."""
        from joute.host.adapters import seat_of

        return self.templates is not None and seat_of(self.style) is not None

    @property
    def bot(self) -> str:
        """The path of the bot in the project's folder."""
        return "bot" if self.is_program else "bot.py"

    def template(self, name: str) -> str:
        """The text of a template: the style's own, or else that of all projects."""
        own = self.templates / name if self.templates else None
        return (own if own and own.is_file() else TEMPLATES / name).read_text(encoding="utf-8")


def languages_of(folder: Path | None) -> list[str]:
    """The languages of the programs that a folder of templates has; None for those of any game."""
    ending = f"bot.{language()}"
    found = folder or TEMPLATES
    known = LANGUAGES.items()
    return [name for name, each in known if (found / f"{ending}{each.suffix}.txt").is_file()]


def project_files(project: Project, starter: Callable[[], str]) -> dict[str, str]:
    """The files of a project by their paths, without its contest.

    Args:
        project: what is wanted.
        starter: gives the text of a bot in Python that is no program.
    """
    from joute.core.registry import make
    from joute.web.registration.task import sheet

    told = sheet(project.game, {})
    if project.is_program:
        files = _of_program(project, told)
    else:
        files = _of_python(project, starter)
    if project.templates is None and not project.shown:
        files["observation.json"] = told.example + "\n"
    if not project.connects:
        files[_heard(project)] = _messages(project, make(project.game), told)
    files["AGENTS.md"] = _for_programs(project)
    files["README.md"] = _readme(project, told, files)
    return files


def _heard(project: Project) -> str:
    """The name of the file of what a program hears in an example."""
    return "messages.jsonl" if project.templates is None else "messages.txt"


def _of_python(project: Project, starter: Callable[[], str]) -> dict[str, str]:
    from joute.host.adapters import adapters

    if project.style == FUNCTION:
        more = project.template("test_function.py.txt")
    else:
        adapter = adapters()[project.style].__name__
        more = project.template("test_interface.py.txt").replace("ADAPTER", adapter)
    debugged = {"type": "debugpy", "program": "${workspaceFolder}/test_bot.py"}
    return {
        "bot.py": starter(),
        "test_bot.py": _test(project, more),
        ".vscode/launch.json": _launch(debugged),
    }


def _of_program(project: Project, told: TaskSheet) -> dict[str, str]:
    chosen = LANGUAGES[project.language]
    more = project.template("test_program.py.txt")
    more = more.replace("BUILT", repr(chosen.build)).replace("PROGRAM", repr(list(chosen.words)))
    order = f"[build]\ncommand = {json.dumps(chosen.build)}\nbot = {json.dumps(_named(project))}\n"
    source = project.template(f"bot.{language()}{chosen.suffix}.txt")
    files = {
        "bot/joute.toml": order,
        f"bot/bot{chosen.suffix}": _filled(source, project, told),
        "test_bot.py": _test(project, more),
    }
    if project.connects:
        files["server.py"] = project.template(f"server.{language()}.py.txt")
    if chosen.build == "make":
        files["bot/Makefile"] = project.template("Makefile.txt")
    if chosen.debugger:
        files[".vscode/launch.json"] = _launch(_debugged(project))
        if tasks := _tasks(project):
            files[".vscode/tasks.json"] = _json({"version": "2.0.0", "tasks": tasks})
    return files


def _named(project: Project) -> str:
    """The program of a project as its `joute.toml` names it."""
    command = " ".join(LANGUAGES[project.language].words)
    if project.templates is None:
        return command if LANGUAGES[project.language].compiled else f"program:{command}"
    return f"{project.style}:{command}"


def _debugged(project: Project) -> dict[str, Any]:
    """The configuration of a language's debugger: the bot in an example."""
    chosen = LANGUAGES[project.language]
    folder = "${workspaceFolder}/bot"
    heard = [SERVER_ADDRESS, SERVER_PORT]
    arguments = heard if project.connects else ["${workspaceFolder}/" + _heard(project)]
    tasks = _tasks(project)
    return {
        "type": chosen.debugger,
        "program": f"{folder}/{chosen.words[-1].removeprefix('./')}",
        "args": arguments,
        **({"cwd": folder} if chosen.compiled else {}),
        **({"preLaunchTask": tasks[-1]["label"]} if tasks else {}),
    }


def _launch(configuration: dict[str, Any]) -> str:
    whole = {"name": "bot", "request": "launch", **configuration}
    return _json({"version": "0.2.0", "configurations": [whole]})


def _tasks(project: Project) -> list[dict[str, Any]]:
    """The tasks that a debugger waits for: the bot's build, then the server of the example."""
    chosen = LANGUAGES[project.language]
    tasks: list[dict[str, Any]] = []
    if chosen.compiled:
        # Made again, with what a debugger needs.
        make = chosen.build == "make"
        command = "make -B CFLAGS=-g" if make else chosen.build.replace("-O", "-g")
        options = {"cwd": "${workspaceFolder}/bot"}
        tasks.append({"label": "build", "type": "shell", "command": command, "options": options})
    if project.connects:
        tasks.append(_server_task([each["label"] for each in tasks]))
    return tasks


def _server_task(before: list[str]) -> dict[str, Any]:
    """The task that starts the server of the example, after others; it runs beside the bot."""
    begins = {"activeOnStart": True, "beginsPattern": "^$", "endsPattern": "^listening"}
    # An editor wants a pattern of mistakes, of which a server prints none.
    unused = {"regexp": "^()()()$", "file": 1, "location": 2, "message": 3}
    return {
        "label": "server",
        "type": "shell",
        "command": f"python3 server.py {SERVER_PORT}",
        "options": {"cwd": "${workspaceFolder}"},
        "isBackground": True,
        "problemMatcher": {"pattern": unused, "background": begins},
        "dependsOn": before,
    }


def _test(project: Project, more: str) -> str:
    text = project.template(f"test_bot.{language()}.py.txt")
    return text.replace('HERE / "BOT"', f'HERE / "{project.bot}"').replace("MORE\n", more or "\n")


def _filled(text: str, project: Project, told: TaskSheet) -> str:
    """The source of a program with the game's own part in the place of its words."""
    comment = LANGUAGES[project.language].comment
    keys = [f"{comment}- {each.name}: {each.meaning}".rstrip(": ") for each in told.keys]
    command = f"joute check {project.bot} --game {project.typed}"
    text = text.replace("KEYS\n", "\n".join(keys) + "\n").replace("CHECK", command)
    return text.replace("GAME", _title(project.game))


def _messages(project: Project, rules: Any, told: TaskSheet) -> str:
    """The messages of a short game, as a program reads them."""
    from joute.core.interface import properties
    from joute.host.adapters import dialect_of
    from joute.play.seats import start_message

    players = [f"player {each}" for each in range(properties(rules).players)]
    observation = json.loads(told.example)
    clock = {"left_ms": 1000 * MOVE_SECONDS, "bank_ms": 0.0, "last_ms": 0.0}
    messages = [
        start_message(rules, 0, players, "example", MOVE_SECONDS),
        {"type": "play", "observation": observation, "events": [], "clock": clock},
        {"type": "end", "returns": [0.0] * len(players), "events": []},
    ]
    if project.templates is not None:
        dialect = dialect_of(project.style)
        return b"".join(map(dialect.write, messages)).decode()
    compact = (json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in messages)
    return "".join(f"{each}\n" for each in compact)


def _for_programs(project: Project) -> str:
    """The page for programs that write the bot: commands, their JSON, exit codes, budgets."""
    text = project.template(f"AGENTS.{language()}.md.txt")
    if project.connects:  # nobody can be put between it and its server
        lines = text.splitlines(keepends=True)
        text = "".join(line for line in lines if not line.startswith("| `debug` |"))
    words = {
        "GAME BOT": f"{project.typed} {project.bot}",
        "check BOT": f"check {project.bot}",
        "promote BOT": f"promote {project.bot}",
        "--game GAME": f"--game {project.typed}",
        "games GAME": f"games {project.typed}",
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
        f"joute check {project.bot} --game {project.typed}",
        f"joute match {project.typed} {project.bot} builtin:{project.opponent} --games 10",
        "joute contest run contest.toml",
        f"joute ladder {project.typed} {project.bot}",
    ]
    keys = [f"| `{each.name}` | {each.meaning} |" for each in told.keys]
    legal = ", ".join(f"{number} ({text})" for number, text in told.legal)
    inspect = say("new.inspect", command=f"joute debug game.jsonl@12 {project.bot}")
    debugged = "new.debug_server" if project.connects else "new.debug"
    words = {
        "FILES": "\n".join(rows),
        "COMMANDS": "\n".join(commands),
        "WATCH": f"joute watch {project.bot} --game {project.typed}",
        "INSPECT\n": "" if project.connects else f"{inspect}\n",
        "SHOWN\n": project.shown or project.template(f"shown.{language()}.md.txt"),
        "RUN": shlex.join(LANGUAGES[project.language].words),
        "KEYS": "\n".join(keys),
        "ANSWER": say("new.answer", answer=told.answer) if told.answer else say("new.any_answer"),
        "LEGAL": say("new.legal", legal=legal) if legal else "",
        "DEBUG": "\n" + say(debugged) + "\n" if ".vscode/launch.json" in files else "",
        "GAME": _title(project.game),
    }
    text = project.template(f"README.{language()}.md.txt")
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
