"""With any one game taken away, what is left is sound, starts, lists, plays, serves and is tested.

Of each game this runs the checks, collects all tests of the rest and runs those of a few files. The
rest of the usual tests as a whole takes minutes a game and runs where JOUTE_REST is set:

    JOUTE_REST=1 JOUTE_HUNG_SECONDS=36000 pytest -m "" tests/test_taken_away.py

Tests whose example is the missing game are deselected, see `conftest.py`.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from helpers import some

from joute.core.registry import card, names

ROOT = Path(__file__).parents[1]
PROGRAMS = Path(sys.executable).parent
# `scripts/check` would make an environment for the copy first; these are its commands.
CHECKS = (["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"], ["lint-imports"])
PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
FEW = ["test_errors", "test_games_doctor", "test_ranking", "test_maps", "test_names"]
FEW += ["test_judge", "test_several", "test_api"]
TESTS = [] if os.environ.get("JOUTE_REST") else ["-k", " or ".join(f"{name}.py" for name in FEW)]
SERVED = """
from fastapi.testclient import TestClient
from joute.core.registry import names
from joute.web.app import create_app

with TestClient(create_app(), "http://127.0.0.1") as client:
    pages = ["/", "/contests", "/api/games", "/play", "/watch"]
    for page in (*pages, *(f"/play/{name}" for name in names())):
        answer = client.get(page)
        assert answer.status_code == 200, (page, answer.status_code)
"""

pytestmark = pytest.mark.full


@pytest.fixture(scope="module", params=some(names(), len(names())))
def without(request, tmp_path_factory):
    """The name of a game, and a copy of the working tree without it."""
    copy = tmp_path_factory.mktemp("without")
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    files = subprocess.run(listed, cwd=ROOT, capture_output=True, check=True).stdout
    for name in files.decode().strip("\0").split("\0"):
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy / name)
    for folder in {Path(name).parent for name in files.decode().split("\0")}:
        # The sources of a copy are as old as those that this was made of.
        if (ROOT / folder / "__pycache__").is_dir():
            shutil.copytree(ROOT / folder / "__pycache__", copy / folder / "__pycache__")
    name = card(request.param).folder.name
    for gone in (f"src/joute/games/{name}", f"tests/games/{name}", f"tests/golden/{name}"):
        shutil.rmtree(copy / gone, ignore_errors=True)
    shutil.rmtree(copy / "examples" / request.param, ignore_errors=True)
    if (ROOT / ".mypy_cache").is_dir():  # what has not changed need not be looked at again
        shutil.copytree(ROOT / ".mypy_cache", copy / ".mypy_cache")
    return request.param, copy


def done(copy, *command):
    """Runs a command in a copy, which comes before the tree that is installed."""
    environ = {**os.environ, "PYTHONPATH": str(copy / "src"), "JOUTE_LANG": "en"}
    found = subprocess.run(command, cwd=copy, env=environ, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr
    return found.stdout


@pytest.mark.parametrize("check", CHECKS, ids=" ".join)
def test_the_checks_hold(without, check):
    done(without[1], str(PROGRAMS / check[0]), *check[1:])


def test_the_rest_is_listed_and_played(without):
    gone, copy = without
    joute = [sys.executable, "-m", "joute"]
    left = [name for name in names() if name != gone]
    listed = json.loads(done(copy, *joute, "games", "--json"))
    assert [each["name"] for each in listed] == left
    for name in left:
        done(copy, *joute, "match", name, "builtin:random", "builtin:random", "--games", "2")


def test_the_rest_is_served(without):
    done(without[1], sys.executable, "-c", SERVED)


def test_the_tests_of_the_rest_are_collected_and_pass(without):
    gone, copy = without
    assert f"not installed: {gone};" in done(copy, *PYTEST, *TESTS)
