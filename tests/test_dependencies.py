"""Packages that Joute imports are installed with it, or belong to an extra that an error names."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

import joute

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))[
    "project"
]
SOURCE = Path(joute.__file__).parent
EXTRAS = {"distributed", "gymnasium", "mcp", "pettingzoo", "psycopg", "pyarrow", "pyspiel"}
"""Imported for an extra alone, see `[project.optional-dependencies]`."""


def named(requirement):
    """The name of a package in a requirement, as registries normalise it."""
    return re.sub(r"[-_.]+", "-", re.match(r"[\w.-]+", requirement)[0]).lower()


def brought(packages):
    """These packages and those that they bring by themselves, whatever their extras."""
    found, todo = set(), [named(each) for each in packages]
    while todo:
        if (name := todo.pop()) in found:
            continue
        found.add(name)
        try:
            below = requires(name) or ()
        except PackageNotFoundError:  # for another platform
            continue
        todo += [named(each) for each in below if "extra ==" not in each]
    return found


def imported():
    """The packages outside Joute and the standard library that its files import."""
    found = set()
    for path in SOURCE.rglob("*.py"):
        if path.parent.name == "attacks":  # bots, which import each other
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                found |= {each.name.partition(".")[0] for each in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                found.add((node.module or "").partition(".")[0])
    return found - sys.stdlib_module_names - {"joute"}


def test_whatever_is_imported_is_installed_with_joute_or_belongs_to_an_extra():
    there = brought(PROJECT["dependencies"])
    owners = packages_distributions()
    strangers = {
        name
        for name in imported() - EXTRAS
        if not {named(each) for each in owners.get(name, ["nobody"])} & there
    }
    assert strangers == set()


def test_time_zones_are_known_where_the_system_has_none():
    assert "tzdata" in {named(each) for each in PROJECT["dependencies"]}
    look = "from zoneinfo import ZoneInfo; [ZoneInfo(zone) for zone in ('UTC', 'US/Eastern')]"
    environment = {**os.environ, "PYTHONTZPATH": ""}
    assert subprocess.run([sys.executable, "-c", look], env=environment).returncode == 0


def test_the_extra_of_the_web_application_is_still_accepted_and_brings_nothing():
    assert PROJECT["optional-dependencies"]["web"] == []
