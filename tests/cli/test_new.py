import ast
import json
import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pytest
from games import poker
from helpers import games_forgotten, need

from joute.cli.projects import LANGUAGES, languages_of
from joute.core import registry
from joute.core.registry import cards, names
from joute.core.starters import program_folders
from joute.host import HostedBot, command_for
from joute.host.adapters import adapters
from joute.host.building.built import playable
from joute.host.child.errors import IllegalAnswer
from joute.host.limits import BotLimits
from joute.host.names import parse_bot


@pytest.mark.game("virus")
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("style", ["function", "hx2"])
def test_a_new_project_is_ready_to_be_checked_and_run(run, tmp_path, style, language):
    folder = tmp_path / "mine"
    made = run("new", folder, "--style", style, "--lang", language)
    assert made.code == 0
    files = {path.name for path in folder.iterdir()}
    assert {"bot.py", "contest.toml", "README.md", "test_bot.py"} <= files
    # What the contest's own interface shows is no observation.
    assert ("observation.json" in files) == (style == "function")
    assert (folder / ".vscode" / "launch.json").exists()
    assert f"joute check {folder / 'bot.py'}" in made.out
    assert "joute match virus" in made.out
    assert "joute contest run" in made.out
    checked = run("check", folder / "bot.py", "--skip", "determinism")
    assert checked.code == 0, checked.out
    shown = json.loads(run("contest", "show", folder / "contest.toml", "--json").out)
    bots = [each["value"] for each in shown["keys"] if each["key"].endswith(".bot")]
    assert bots == ["bot.py", "builtin:random", "builtin:greedy"]


@pytest.mark.game("virus")
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("style", ["function", "hx2"])
def test_the_bot_of_a_new_project_is_short_and_commented(run, tmp_path, style, language):
    run("new", tmp_path / "mine", "--style", style, "--lang", language)
    text = (tmp_path / "mine" / "bot.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= {"function": 20, "hx2": 65}[style]
    assert text.count("#") >= 3
    assert max(len(line) for line in text.splitlines()) <= 100
    name = {"function": "play", "hx2": "ia"}[style]
    assert name in [node.name for node in ast.parse(text).body if hasattr(node, "name")]


def test_every_game_has_a_project(run, tmp_path):
    for game in names():
        assert run("new", tmp_path / game, "--game", game).code == 0
        shown = run("contest", "show", tmp_path / game / "contest.toml")
        assert shown.code == 0, (game, shown.err)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_game_that_brings_nothing_but_rules_has_a_project_too(run, tmp_path, language):
    game = tmp_path / "poker.py"
    game.write_text(Path(poker.__file__).read_text(encoding="utf-8"), encoding="utf-8")
    assert run("new", tmp_path / "mine", "--game", game, "--lang", language).code == 0
    checked = run("check", tmp_path / "mine" / "bot.py", "--game", game)
    assert checked.code == 0, checked.out
    shown = json.loads(run("contest", "show", tmp_path / "mine" / "contest.toml", "--json").out)
    keys = {each["key"]: each["value"] for each in shown["keys"]}
    assert (keys["game.name"], keys["contest.games"]) == ("../poker.py", 9)
    assert keys["bots[3].bot"].startswith("builtin:")


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize(
    ("game", "style", "function"),
    [
        pytest.param("virus", "hx2", "ia", marks=pytest.mark.game("virus")),
        pytest.param("paradise", "paradise", "play", marks=pytest.mark.game("paradise")),
    ],
)
def test_the_readme_tells_what_the_interface_of_another_contest_shows(
    run, tmp_path, game, style, function, language
):
    folder = tmp_path / "mine"
    assert run("new", folder, "--game", game, "--style", style, "--lang", language).code == 0
    readme = (folder / "README.md").read_text(encoding="utf-8")
    lines = (folder / "messages.jsonl").read_text(encoding="utf-8").splitlines()
    start, play, _ = map(json.loads, lines)
    seen = {}
    bot = SimpleNamespace(
        ia=lambda game, side: seen.update(game),
        start=lambda: None,
        play=lambda state: seen.update(**state),
        end=lambda victory: None,
    )
    with suppress(IllegalAnswer):
        adapters()[style].Adapter(bot, start).play(play)
    keys = seen.keys() - {"hero_health"}  # another name of player_health
    assert keys
    assert all(f"`{key}`" in readme for key in keys)
    assert keys >= set(re.findall(r"^\| `(\w+)`", readme, re.MULTILINE))
    assert "`legal`" not in readme and "observation.json" not in readme
    assert function in readme


NEEDED = {"c": "make", "javascript": "node", "shell": "sh"}


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("program", LANGUAGES)
def test_a_project_has_its_readme_its_test_and_its_debugger(run, tmp_path, program, language):
    for game in names():
        folder = tmp_path / game
        made = run("new", folder, "--game", game, "--in", program, "--lang", language)
        assert made.code == 0, made.err
        readme = (folder / "README.md").read_text(encoding="utf-8")
        files = {each.relative_to(folder).as_posix() for each in folder.rglob("*.*")}
        for file in files - {".vscode", "README.md"}:
            assert f"`{file}`" in readme
        shown = json.loads((folder / "observation.json").read_text(encoding="utf-8"))
        assert all(f"| `{key}` |" in readme for key in shown) and "legal" in shown
        lines = (folder / "messages.jsonl").read_text(encoding="utf-8").splitlines()
        assert [json.loads(line)["type"] for line in lines] == ["start", "play", "end"]
        assert not re.search("KEYS|CHECK|FILES|GAME|MORE|BUILT", readme)
        for command in ("joute watch", "joute debug"):
            assert f"`{command} " in readme
        agents = (folder / "AGENTS.md").read_text(encoding="utf-8")
        assert "| `debug` |" in agents and "| `watch` |" in agents
        launched = folder / ".vscode" / "launch.json"
        assert launched.exists() == (program != "shell")
        for file in (folder / ".vscode").glob("*.json"):
            json.loads(file.read_text(encoding="utf-8"))
        bot = folder / ("bot.py" if program == "python" else "bot")
        assert parse_bot(str(bot)).kind == ("python" if program == "python" else "sources")


@pytest.mark.full
@pytest.mark.game("virus")
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("program", LANGUAGES)
def test_the_test_of_a_project_passes_and_so_does_its_bot(run, tmp_path, program, language):
    if program == "rust" and shutil.which("rustc") is None:
        pytest.skip("no Rust here; C is built everywhere")
    if program in NEEDED:
        need(NEEDED[program])
    folder = tmp_path / "mine"
    run("new", folder, "--in", program, "--lang", language)
    space = runpy.run_path(str(folder / "test_bot.py"))
    sys.path.insert(0, str(folder))
    try:
        space["test_it_answers_legally_in_the_example"]()
    finally:
        sys.path.remove(str(folder))
        sys.modules.pop("bot", None)
    bot = folder / ("bot.py" if program == "python" else "bot")
    with open_bot(bot) as hosted:
        lines = (folder / "messages.jsonl").read_text(encoding="utf-8").splitlines()
        messages = [json.loads(line) for line in lines]
        assert hosted.start(messages[0]).fault is None
        answer = hosted.ask(messages[1])
        assert answer.fault is None and answer.action in messages[1]["observation"]["legal"]


STYLES = [
    pytest.param(game, style, marks=pytest.mark.game(game))
    for game, style in (("virus", "hx2"), ("paradise", "paradise"))
]


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize(("game", "style"), STYLES)
def test_a_debugger_of_a_project_in_another_contests_style_reaches_the_bot(
    run, tmp_path, game, style, language
):
    folder = tmp_path / "mine"
    run("new", folder, "--game", game, "--style", style, "--lang", language)
    [launched] = json.loads((folder / ".vscode" / "launch.json").read_text())["configurations"]
    assert launched["program"] == "${workspaceFolder}/test_bot.py"
    space = runpy.run_path(str(folder / "test_bot.py"))
    sys.path.insert(0, str(folder))
    try:
        space["test_it_answers_in_the_example"]()
        assert Path(sys.modules["bot"].__file__) == folder / "bot.py"
    finally:
        sys.path.remove(str(folder))
        sys.modules.pop("bot", None)


TALKING = [
    pytest.param(brought.name, style, program, marks=pytest.mark.game(brought.name))
    for brought in cards()
    for style, folder in program_folders(brought).items()
    for program in languages_of(folder)
]


@pytest.mark.parametrize(("game", "style", "program"), TALKING)
def test_a_program_of_another_contest_passes_the_test_of_its_project(
    run, tmp_path, game, style, program
):
    if program == "rust" and shutil.which("rustc") is None:
        pytest.skip("no Rust here; C is built everywhere")
    if program in NEEDED:
        need(NEEDED[program])
    folder = tmp_path / "mine"
    project = ["--game", game, "--style", style, "--in", program]
    assert run("new", folder, *project, "--lang", "fr").code == 0
    space = runpy.run_path(str(folder / "test_bot.py"))
    sys.path.insert(0, str(folder))
    try:
        [test] = [name for name in space if name.startswith("test_it_")]
        space[test]()
    finally:
        sys.path.remove(str(folder))
        sys.modules.pop("server", None)
    example = folder / "messages.txt"
    if example.exists() and program != "shell":  # as a debugger starts it
        words = [*space["RUN"], str(example)]
        done = subprocess.run(words, cwd=folder / "bot", capture_output=True, text=True, check=True)
        assert done.stdout.strip() in ("1", "2", "3", "4")


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize(("game", "style", "program"), TALKING)
def test_a_program_of_another_contest_has_all_that_a_project_has(
    run, tmp_path, game, style, program, language
):
    folder = tmp_path / "mine"
    project = ["--game", game, "--style", style, "--in", program]
    assert run("new", folder, *project, "--lang", language).code == 0
    order = (folder / "bot" / "joute.toml").read_text(encoding="utf-8")
    assert f'bot = "{style}:' in order
    assert parse_bot(str(folder / "bot")).kind == "sources"
    files = {each.relative_to(folder).as_posix() for each in folder.rglob("*.*")}
    readme = (folder / "README.md").read_text(encoding="utf-8")
    for file in files - {".vscode", "README.md"}:
        assert f"`{file}`" in readme
    [source] = [file for file in files if file.startswith("bot/bot.")]
    texts = [readme, (folder / source).read_text(encoding="utf-8")]
    for text in texts:
        assert not re.search("KEYS|CHECK|SHOWN|INSPECT|FILES|GAME|MORE|RUN", text)
        assert all(len(line) <= 100 for line in texts[1].splitlines())
    assert "joute check bot" in texts[1]


@pytest.mark.parametrize(("game", "style", "program"), TALKING)
def test_the_debugger_of_a_program_of_another_contest_starts_it_in_an_example(
    run, tmp_path, game, style, program
):
    folder = tmp_path / "mine"
    run("new", folder, "--game", game, "--style", style, "--in", program)
    launched = folder / ".vscode" / "launch.json"
    assert launched.exists() == (program != "shell")
    if program == "shell":
        return
    [launch] = json.loads(launched.read_text(encoding="utf-8"))["configurations"]
    assert launch["program"].startswith("${workspaceFolder}/bot/bot")
    tasks = []
    if (folder / ".vscode" / "tasks.json").exists():
        tasks = json.loads((folder / ".vscode" / "tasks.json").read_text(encoding="utf-8"))["tasks"]
    built = ["build"] if program in ("c", "rust") else []
    if (folder / "server.py").exists():
        assert launch["args"] == ["127.0.0.1", "5555"]
        assert [each["label"] for each in tasks] == [*built, "server"]
        assert tasks[-1]["command"] == "python3 server.py 5555"
        assert tasks[-1]["dependsOn"] == built
        assert launch["preLaunchTask"] == "server"
    else:
        [heard] = launch["args"]
        assert Path(heard.replace("${workspaceFolder}", str(folder))).read_text(encoding="ascii")
        assert [each["label"] for each in tasks] == built
        assert launch.get("preLaunchTask") == (built[0] if built else None)


def open_bot(path):
    bot = playable(parse_bot(str(path)))
    limits = BotLimits(move_seconds=1.0, readable=(str(bot.folder),))
    return HostedBot(command_for(bot, limits), limits)


@pytest.mark.game("virus")
@pytest.mark.full
@pytest.mark.parametrize("program", [each for each in LANGUAGES if each != "python"])
def test_a_new_program_answers_by_the_observation_alone(run, tmp_path, program):
    need({**NEEDED, "rust": "cargo"}[program])
    run("new", tmp_path / "mine", "--in", program)
    bot = playable(parse_bot(str(tmp_path / "mine" / "bot")))
    seen = {"note": 'a "}" \\', "legal": list(range(997)), "grid": {"rows": [{}]}}
    answers = []
    for last in (0.0, 12.5):
        play = {"type": "play", "observation": seen, "clock": {"last_ms": last}, "events": []}
        asked = json.dumps(play, separators=(",", ":")) + "\n"
        done = subprocess.run(
            bot.command, cwd=bot.folder, input=asked, capture_output=True, text=True, check=True
        )
        answers.append(json.loads(done.stdout)["action"])
    assert answers[0] == answers[1]


@pytest.mark.game("virus")
@pytest.mark.full
def test_the_whole_test_of_a_project_runs_by_the_words_of_its_readme(run, tmp_path, monkeypatch):
    need("make")
    run("new", tmp_path / "mine", "--in", "c")
    here = str(Path(sys.executable).parent)
    words = [sys.executable, "test_bot.py"]
    environ = {**os.environ, "PATH": f"{here}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(words, cwd=tmp_path / "mine", env=environ, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("ok test_") == 2


@pytest.mark.game("virus")
@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (("--in", "cobol"), "expected one of python, c, rust, javascript, shell"),
        (("--in", "c", "--style", "hx2"), "bots of this style are written in python"),
    ],
)
def test_a_language_that_there_is_no_template_for_is_refused(run, tmp_path, given, reason):
    outcome = run("new", tmp_path / "mine", *given)
    assert outcome.code == 2 and reason in outcome.err and not (tmp_path / "mine").exists()


@pytest.mark.game("vampires")
def test_a_program_that_connects_is_not_written_in_shell(run, tmp_path):
    words = ["--game", "vampires", "--style", "tcp", "--in", "shell"]
    outcome = run("new", tmp_path / "mine", *words)
    assert outcome.code == 2 and not (tmp_path / "mine").exists()
    assert "bots of this style are written in python, c, rust, javascript" in outcome.err


@pytest.mark.game("tron")
def test_a_style_that_the_game_lacks_is_refused_with_those_it_has(run, tmp_path):
    outcome = run("new", tmp_path / "mine", "--game", "tron", "--style", "hx2")
    assert outcome.code == 2
    assert "'hx2': expected one of function" in outcome.err


def test_where_no_game_is_usual_one_has_to_be_said(run, tmp_path, monkeypatch):
    monkeypatch.setattr(registry, "_installed", dict)
    monkeypatch.setattr(registry, "_loaded", {})
    outcome = run("new", tmp_path / "mine")
    assert (outcome.code, "--game GAME" in outcome.err) == (2, True)


@pytest.mark.game("virus")
def test_a_folder_that_holds_something_is_left_alone(run, tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    outcome = run("new", tmp_path)
    assert outcome.code == 2
    assert str(tmp_path) in outcome.err
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


@pytest.mark.game("virus")
def test_an_empty_folder_is_taken(run, tmp_path):
    assert run("new", tmp_path).code == 0


def test_a_new_game_in_another_language_than_python_is_refused(run, tmp_path):
    told = run("new", tmp_path / "heaps", "--kind", "game", "--in", "c")
    assert (told.code, told.out) == (2, "")
    assert "a game is written in Python; --in c is for bots" in told.err
    assert not (tmp_path / "heaps").exists()


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("class", "the module 'class'"),
        ("numpy", "the module 'numpy'"),
        ("Http-Server", None),
        ("1-nim", "begins with a letter"),
        pytest.param("virus", "a game 'virus'", marks=pytest.mark.game("virus")),
    ],
)
def test_a_new_game_whose_name_is_taken_by_python_or_a_game_is_refused(run, tmp_path, name, reason):
    outcome = run("new", tmp_path / name, "--kind", "game")
    assert (tmp_path / name).exists() == (reason is None)
    assert outcome.code == (2 if reason else 0)
    assert (reason or "") in outcome.err


def test_the_commands_for_a_new_game_can_be_copied_where_its_path_has_a_space(run, tmp_path):
    outcome = run("new", tmp_path / "two words", "--kind", "game")
    rules = shlex.quote(str(tmp_path / "two words" / "two_words"))
    assert f"joute game check {rules}\n" in outcome.out
    assert f"joute match {rules} builtin:uct" in outcome.out


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_new_game_has_rules_for_people_with_drawings(run, tmp_path, language):
    folder = tmp_path / f"heaps-{language}"
    assert run("new", folder, "--kind", "game", "--lang", language).code == 0
    module = folder / f"heaps_{language}"
    found = sorted(path.name for path in (module / "rulebook").iterdir())
    assert found == ["drawings.toml", f"{language}.md"]
    with games_forgotten():
        told = run("games", module, "--lang", language)
    assert told.code == 0, told.err
    assert {"en": "heaps of matches", "fr": "tas d\N{RIGHT SINGLE QUOTATION MARK}allumettes"}[
        language
    ] in told.out
    assert "1: |\n" in told.out  # two were taken of three


@pytest.mark.game("tron")
def test_the_files_of_a_workshop_are_written_in_no_other_language_than_theirs(run, tmp_path):
    asked = ("--game", "tron", "--style", "workshop", "--in", "c")
    outcome = run("new", tmp_path / "mine", *asked)
    assert outcome.code == 2
    assert "bots of this style are written in python" in outcome.err
    assert not (tmp_path / "mine").exists()
