"""The laws of the house: what keeps each thing in one place, and a game in its folder."""

import ast
import re
import tomllib
from collections import defaultdict
from pathlib import Path

import pytest

import joute
from joute.core.registry import names

ROOT = Path(__file__).parents[1]
SOURCE = Path(joute.__file__).parent
MODULES = {path.relative_to(SOURCE).as_posix(): path for path in sorted(SOURCE.rglob("*.py"))}
GAME = re.compile(
    rf"(?<![a-z])({'|'.join(re.sub('[-_]', '[-_]', name) for name in names())})(?![a-z])",
    re.IGNORECASE,
)
HEADLESS = re.compile(r"(What|Which|Who|Whose|When|Where|Why|How) ")
HE = re.compile(r"\b(he|him|his|himself)\b", re.IGNORECASE)

COMMANDS = re.compile(
    r"(Add|Apply|Begin|Build|Call|Change|Check|Choose|Clear|Close|Compare|Compile|"
    r"Copy|Count|Create|Decide|Do|Drop|End|Enter|Find|Follow|Forget|Get|Give|"
    r"Go|Have|Keep|Kill|Learn|Leave|Let|Listen|Look|Make|Mark|Measure|Move|"
    r"Note|Notice|Open|Play|Prepare|Print|Put|Raise|Read|Refuse|Remember|Remove|"
    r"Replay|Return|Run|Say|Seal|Send|Serve|Show|Sort|Speak|Start|Stop|Take|"
    r"Tell|Wait|Write)\b"
)

CLASSES = {
    "Adapter": "each interface of Python bots has one, found by this name",
    "Game": "that of the library, and that of the Tron workshop, whose bots name it so",
}
"""The reasons for which public classes may have one name."""

FILES = {
    ("games/love_letter", "rules.py"): "the rules of the game, and the bot that is called so",
    ("host", "zygote.py"): "the referee's side and the bot's of one thing",
}
"""The reasons for which two modules of a layer may have one file name."""


def said(tree):
    """The names and the texts of a module's code, with their lines; no docstrings."""
    nodes = list(ast.walk(tree))
    prose = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and id(node) not in prose:
            yield node.lineno, str(node.value)
        for field in ("id", "attr", "name", "arg", "module", "asname"):
            if isinstance(word := getattr(node, field, None), str):
                yield getattr(node, "lineno", 0), word


def test_no_module_outside_games_names_a_game():
    found = {
        f"{name}:{line}: {word}"
        for name, path in MODULES.items()
        if not name.startswith("games/")
        for line, word in said(ast.parse(path.read_text("utf-8")))
        if GAME.search(word)
    }
    assert sorted(found) == []


def test_the_scan_sees_names_texts_and_imports_and_no_docstrings():
    text = '"""Tron."""\nfrom joute.games.tron import rules\ndef virus(paradise=b"tron"): ...'
    words = [word for _, word in said(ast.parse(text))]
    assert sorted(words) == ["b'tron'", "joute.games.tron", "paradise", "rules", "virus"]


def docstrings(tree):
    """The docstrings of a module, its classes, functions and attributes, with their lines."""
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield node.lineno, text


@pytest.mark.parametrize("top", ["src", "tests", "bench", "verifier", "fuzzing", "examples"])
def test_docstrings_say_what_a_thing_is_and_speak_of_no_player_as_of_a_man(top):
    found = [
        f"{path.relative_to(ROOT)}:{line}: {text.strip()[:60]}"
        for path in sorted((ROOT / top).rglob("*.py"))
        for line, text in docstrings(ast.parse(path.read_text("utf-8")))
        if HEADLESS.match(text.lstrip()) or HE.search(text)
    ]
    assert found == []


@pytest.mark.parametrize("top", ["src", "bench", "verifier", "fuzzing", "examples"])
def test_docstrings_of_functions_command_nobody(top):
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {text[:60]}"
        for path in sorted((ROOT / top).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and COMMANDS.match(text := ast.get_docstring(node) or "")
    ]
    assert found == []


@pytest.mark.parametrize("top", ["src", "tests", "bench", "verifier", "fuzzing", "examples"])
def test_names_speak_of_no_player_as_of_a_man(top):
    found = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in sorted((ROOT / top).rglob("*.py"))
        for name in names(ast.parse(path.read_text("utf-8")))
        if name != "HE" and HE.search(name.replace("_", " "))
    ]
    assert found == []


def names(tree):
    """The names of a module's functions, classes, arguments and variables."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name
            case ast.arg():
                yield node.arg
            case ast.Name():
                yield node.id


def layers():
    """The layers of import-linter, from the top down, each as the names that share it."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    [contract] = [
        each for each in settings["tool"]["importlinter"]["contracts"] if each["id"] == "layers"
    ]
    return [re.findall(r"\w+", layer) for layer in contract["layers"]]


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "src/joute/__init__.py"])
def test_the_layers_are_quoted_as_they_are_enforced(name):
    quoted = "\n".join("    " + " | ".join(parts) for parts in layers())
    assert quoted in (ROOT / name).read_text("utf-8")


def test_the_readme_lists_the_folders_in_the_order_of_the_layers():
    readme = (ROOT / "README.md").read_text("utf-8")
    listed = re.findall(r"^\| `src/joute/(\w+)`", readme, re.MULTILINE)
    folders = [part for parts in layers() for part in parts if (SOURCE / part).is_dir()]
    assert listed == folders


def test_public_classes_have_names_of_their_own():
    found = defaultdict(list)
    for name, path in MODULES.items():
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(name)
    several = {word: where for word, where in found.items() if len(where) > 1}
    assert {w: each for w, each in several.items() if w not in CLASSES} == {}


def test_the_modules_of_a_layer_have_file_names_of_their_own():
    found = defaultdict(list)
    for name in MODULES:
        layer, _, rest = name.partition("/")
        if layer == "games":
            layer = "/".join(name.split("/")[:2])
        if rest and not name.endswith(("__init__.py", "__main__.py")):
            found[layer, Path(name).name].append(name)
    several = {key: where for key, where in found.items() if len(where) > 1}
    assert {k: each for k, each in several.items() if k not in FILES} == {}
