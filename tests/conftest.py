"""Hooks of pytest for all tests; what tests call is in `helpers.py`."""

import faulthandler
import os
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest
from helpers import GOLDEN, MISSING, games_forgotten, names_missing_game
from hypothesis import HealthCheck, settings

from joute.i18n import words

# A shell has what it starts in the background ignore Ctrl-C, and so would all programs under test.
signal.signal(signal.SIGINT, signal.default_int_handler)
# So does `nohup` with the end of a terminal.
signal.signal(signal.SIGHUP, signal.SIG_DFL)
# Hundreds of interpreters are started, each of which would compile all sources anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# No test depends on how fast the machine is.
settings.register_profile(
    "patient", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("patient")

# A test of minutes ends in half an hour on a machine ten times too busy, too.
HUNG_SECONDS = float(os.environ.get("JOUTE_HUNG_SECONDS", "1800"))
STACKS = "JOUTE_TEST_STACKS"
"""The variable that holds the folder where processes of tests write their stacks if one hangs."""
FRAMES = 9  # of a thread of a hung process, that are shown: who reads the log has its end alone
TESTS = Path(__file__).parent
MARKED = re.compile(r"^pytestmark = (\[[^\]]*\]|.*)", re.MULTILINE)


def pytest_configure(config: pytest.Config) -> None:
    """Makes the folder for stacks before the processes are started that share it."""
    if STACKS not in os.environ:
        os.environ[STACKS] = folder = tempfile.mkdtemp(prefix="joute-stacks-")
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
        config.add_cleanup(lambda: os.environ.pop(STACKS))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Ends a hung test, and with it its process, whose stacks the summary shows."""
    with (Path(os.environ[STACKS]) / f"{os.getpid()}.txt").open("w", encoding="utf-8") as stacks:
        stacks.write(f"{item.nodeid}\n")
        stacks.flush()
        faulthandler.dump_traceback_later(HUNG_SECONDS, file=stacks, exit=True)
        try:
            return (yield)
        finally:
            faulthandler.cancel_dump_traceback_later()
            stacks.truncate(0)


def pytest_report_header() -> list[str]:
    """Says where golden files and compiled kernels come from, for whoever reads a failure."""
    cache = os.environ.get("JOUTE_CACHE") or "the default"
    return [f"golden files: {GOLDEN}", f"cache of compiled kernels: {cache}"]


def lacks_its_game(path: Path) -> bool:
    """Whether a whole file of tests is marked with a game that is missing."""
    marked = MARKED.search(path.read_text("utf-8"))
    games = re.findall(r"mark\.game\(([^)]*)\)", marked[1]) if marked else []
    return not MISSING.isdisjoint(re.findall(r"[\w-]+", " ".join(games)))


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leaves out files that are marked with a missing game before they are imported."""
    if MISSING and collection_path.suffix == ".py" and lacks_its_game(collection_path):
        return True
    return None


def needs_a_missing_game(item: pytest.Item) -> bool:
    """Whether a test is marked with a missing game, or a parameter of it names one."""
    marked = {name for mark in item.iter_markers("game") for name in mark.args}
    case = getattr(item, "callspec", None)
    return bool(case and names_missing_game(written(case.params))) or not marked.isdisjoint(MISSING)


def written(values: object) -> str:
    """Parameters as text; some tests have values that cannot be written, as the longest numbers."""
    try:
        return repr(values)
    except Exception:
        return ""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Marks the tests that open pages as slow, and deselects those that need a missing game."""
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker("full")
    if MISSING:
        gone = [item for item in items if needs_a_missing_game(item)]
        items[:] = [item for item in items if item not in set(gone)]
        config.hook.pytest_deselected(items=gone)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Shows where tests hung; says which games are missing, and with them tests."""
    for stacks in sorted(Path(os.environ[STACKS]).glob("*.txt")):
        if text := stacks.read_text("utf-8"):
            terminalreporter.section("the innermost frames of a process that hung or was killed")
            for thread in text.split("\n\n"):  # the main thread is the last
                terminalreporter.write_line("\n".join(thread.splitlines()[:FRAMES]))
    if MISSING:
        files = sum(map(lacks_its_game, TESTS.rglob("test_*.py")))
        names = ", ".join(sorted(MISSING))
        terminalreporter.write_line(
            f"not installed: {names}; {files} files of tests need them, and tests of other files"
        )


@pytest.fixture(autouse=True)
def own_games():
    """Games that a test adds are no other test's."""
    with games_forgotten():
        yield


@pytest.fixture(autouse=True)
def own_language():
    """The language that a command of a test was asked for is no other test's."""
    yield
    words.speak(words.LANGUAGES[0])


@pytest.fixture
def hosts(tmp_path):
    """Makes hosted bots, and closes them all when the test is over."""
    from host.hosting import Hosts

    made = Hosts(tmp_path)
    yield made
    made.close()
