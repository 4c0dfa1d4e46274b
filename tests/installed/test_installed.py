"""The README's commands, from the wheel alone, by an ordinary user in an empty folder."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from contextlib import ExitStack, contextmanager
from pathlib import Path

import building
import pytest
from helpers import need, some
from installed import environments
from redteam.users import as_user

from joute.core.registry import names

README = (building.ROOT / "README.md").read_text("utf-8")
NOBODY = 65534
INSTEAD = {
    "joute play tron human builtin:territory --map duel --live": None,  # asks for a terminal
    "joute play virus human builtin:alphabeta": None,
    "joute play love-letter human builtin:ismcts": None,
    "joute match virus builtin:greedy builtin:random --games 20": "{} --records records",
    "joute compare love-letter utbm ismcts": "joute compare --help",
    "joute contest run examples/tron/duel.toml": "joute contest run mine/contest.toml",
    "joute replay RECORD": "joute replay RECORD --at 5",
    "joute verify PATH...": "joute verify records mine/contest.results",
    "joute serve examples/virus/contest.results": None,  # served below
    "joute --help": "{}",
    "joute examples": "{}",
    "joute doctor": "{}",
    "joute check mine.py": "{}",
    "joute match virus mine.py builtin:greedy --games 20": "{}",
}
"""By a command of the README, what is run for it: the same, or one that costs seconds."""
WHERE = "print(__import__('joute').__file__)"
ORDER = ("joute examples", "joute check mine.py", "joute new mine --game virus")

pytestmark = [pytest.mark.full, pytest.mark.game("love-letter", "tron", "virus")]


def commands():
    """The commands of the README, without their remarks."""
    blocks = re.findall(r"^```(\w*)\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    plain = [line for language, block in blocks if not language for line in block.splitlines()]
    lines = [line.partition("#")[0].strip() for line in plain]
    return [line for line in lines if line.startswith("joute ")]


@pytest.fixture(scope="module")
def place():
    """A folder that every user may read; pytest's own are the user's alone."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def built(place, tmp_path_factory):
    """The wheel, where every user may read it."""
    wheel, _ = building.built(tmp_path_factory)
    return shutil.copy(wheel, place)


@pytest.fixture(scope="module", params=some(["this Python", "another Python"], 2))
def environment(request, place, built):
    """An environment with the wheel, and the folders that it needs."""
    if request.param == "this Python":
        made = environments.with_packages_of_this(place / "this", built)
        return made, [Path(sys.base_prefix), Path(sys.prefix)]
    _, python, prefix = environments.another()
    return environments.with_packages_of_its_own(place / "other", built, python), [Path(prefix)]


@contextmanager
def user(environment):
    """A function that starts a program as the ordinary user, and the user's empty folder."""
    folder, needs = environment
    with ExitStack() as stack:
        if os.geteuid() == 0:
            seen = [each.resolve() for each in needs]
            words = stack.enter_context(as_user(NOBODY, seen, LANG="C"))
        else:  # an ordinary user already, with a home of its own for this test
            home = stack.enter_context(tempfile.TemporaryDirectory())
            words = [need("env"), "-i", f"PATH={os.defpath}", f"HOME={home}", "LANG=C"]
        [home] = (word.removeprefix("HOME=") for word in words if word.startswith("HOME="))

        def start(line, **options):
            program, *rest = line.split()
            command = [*words, need("env"), "-C", home, folder / "bin" / program, *rest]
            return subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                **options,
            )

        yield start, Path(home)


def got(address):
    """The text that a server answers with; any error fails the test."""
    with urllib.request.urlopen(address) as answer:
        return answer.read().decode()


def test_the_commands_tried_are_those_of_the_readme():
    assert set(commands()) == set(INSTEAD)


def test_the_commands_of_the_readme_work_from_the_wheel_alone(environment):
    [bot] = re.findall(r"^```python\n(def play.*?)^```", README, re.MULTILINE | re.DOTALL)
    lines = [shown.format(line) for line, shown in INSTEAD.items() if shown]
    lines = [*ORDER, *(line for line in lines if line not in ORDER)]
    with user(environment) as (start, home):
        (home / "mine.py").write_text(bot)
        (home / "mine.py").chmod(0o644)
        for line in lines:
            record = next((home / "records").rglob("*.jsonl"), None)
            process = start(line.replace("RECORD", str(record)))
            out, err = process.communicate()
            assert process.returncode == 0, f"{line}:\n{out}\n{err}"
            assert out, line
        process = start(f"python -c {WHERE}")
        assert process.communicate()[0].startswith(str(environment[0]))
        assert (home / "examples" / "virus" / "contest.toml").is_file()


def test_the_application_serves_every_game_from_the_wheel_alone(environment):
    with user(environment) as (start, _):
        process = start("joute serve --port 0")
        try:
            [address] = re.findall(r"http://[\d.:]+", process.stdout.readline())
            home = got(address + "/")
            parts = set(re.findall(r'(?:href|src)="(/[^"]+\.(?:css|js|svg))"', home))
            assert len(parts) > 2
            for path in (*parts, *(f"/rules/{name}" for name in names())):
                assert got(address + path), path
        finally:
            process.terminate()
            process.communicate()
