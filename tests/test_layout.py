"""The dependencies of Joute's files on each other."""

import ast
import graphlib
import subprocess
import sys
from pathlib import Path

import joute
from joute.core.registry import names

SOURCE = Path(joute.__file__).parent
# Imports that are made late, in a function, to go against the order of the others; and why.
BACK = {
    (
        "joute.host.sandbox.grants",
        "joute.host.sandbox.canaries",
    ): "a canary is started by the command of a bot, which asks what the machine grants",
}


def modules():
    """The file of each module, by its name."""
    found = {}
    for path in SOURCE.rglob("*.py"):
        parts = path.relative_to(SOURCE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(path, known):
    """The modules that a file imports, at its head, in functions and for type checkers."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names if each.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module in known:
            names = (f"{node.module}.{each.name}" for each in node.names)
            yield from (name if name in known else node.module for name in names)


def test_no_files_import_each_other_in_a_circle():
    known = modules()
    graph = {name: set(imported(path, known)) - {name} for name, path in known.items()}
    for name, late in BACK:
        graph[name].remove(late)
    graph["joute"].clear()  # what it names for type checkers is imported when it is used
    try:
        graphlib.TopologicalSorter(graph).prepare()
        circle = []
    except graphlib.CycleError as error:
        circle = error.args[1]
    assert circle == []


def test_the_command_line_is_also_python_m_joute():
    command = [sys.executable, "-m", "joute", "--lang", "en", "games"]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (told.returncode, told.stderr) == (0, "")
    assert all(name in told.stdout for name in names())
