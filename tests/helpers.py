"""Helpers for tests of several parts: programs, golden files, waiting without sleeping.

Test files import it by name (`from helpers import need`); `conftest.py` adds nothing but pytest's
own hooks.
"""

import fcntl
import os
import re
import shutil
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterable
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import pytest

from joute.core import registry
from joute.i18n import words

T = TypeVar("T")

_PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))
MISSING = {*_PROJECT["project"]["entry-points"][registry.GROUP]} - {*registry._installed()}
"""Joute's own games that are not there: tests of theirs cannot run, and all others do."""

COPIES = Path(__file__).parent / "golden"
"""The project's own golden files: those that a test knows by name are taken from here."""

GOLDEN = Path(os.environ.get("JOUTE_GOLDEN") or COPIES)
"""The folder of golden files, one folder per game; every recorded game in it is replayed."""


def cannot_run(reason: str) -> None:
    """Skips the running test, or fails it in CI, where every test must run."""
    if os.environ.get("CI"):
        pytest.fail(f"cannot run in CI: {reason}", pytrace=False)
    pytest.skip(reason, allow_module_level=True)


def need(program: str) -> str:
    """The full path of a program of the PATH that the running test cannot do without."""
    path = shutil.which(program)
    if path is None:
        cannot_run(f"no program {program!r} on the PATH")
    return str(path)


def golden(game: str) -> Path:
    """The folder of a game's golden files; the running test cannot do without it."""
    folder = GOLDEN / game
    if not folder.is_dir():
        cannot_run(f"no golden files in {folder} (JOUTE_GOLDEN names another folder)")
    return folder


def recorded_files(game: str, pattern: str) -> list[Path]:
    """Every golden file of a game with such a name; the running test needs one at least."""
    files = sorted(golden(game).glob(pattern))
    if not files:
        cannot_run(f"no file {pattern} in {golden(game)}")
    return files


_ENGLISH = frozenset(
    re.findall(
        r"\w+",
        """the is are not there expected must cannot of and with which was were this that than has
        have does did mean known unknown missing wrong found only already should could would
        it its be been here needs takes give gives least between by nor neither either both when
        where while what who how why nothing nobody such no into at in reads holds says goes""",
    )
)
# Quotations in a sentence may be in any language, and so may options, paths, codes, a bot's words.
_QUOTED = re.compile(
    r"""(?m)^\s*\|.*$|--[\w-]+|\([a-z-]+\)|«[^»]*»|(?<!\w)'[^'\n]*'(?!\w)|"[^"\n]*"|`[^`]*`|\S*/\S*"""
)


def english_words(text: str) -> set[str]:
    """The words of a text that only English has, apart from those that it quotes."""
    return _ENGLISH.intersection(re.findall(r"\w+", _QUOTED.sub(" ", text).lower()))


def held() -> set[str]:
    """This process's open descriptors and children, each by a name of its own.

    A test compares by `held() <= before`: what was there before may go at any time, for instance
    the socket in an earlier test's traceback when the garbage collector comes by.
    """
    found = set()
    for descriptor in Path("/proc/self/fd").iterdir():
        with suppress(FileNotFoundError):  # that of the listing itself
            found.add(f"{descriptor.name} {descriptor.readlink()}")
    for thread in Path("/proc/self/task").iterdir():
        with suppress(OSError):  # it has ended meanwhile
            found.update((thread / "children").read_text().split())
    return found


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """A folder that is made once in a run of tests, by the process of pytest that needs it first.

    Args:
        factory: pytest's own, `tmp_path_factory`.
        name: of the folder; a run has one of this name.
        make: makes what is in the folder, given its path; it may replace the folder.
    """
    base = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent  # that of all processes of the run
    with (base / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (base / name).is_dir():
            draft = Path(tempfile.mkdtemp(dir=base), name)
            draft.mkdir()
            make(draft)
            draft.rename(base / name)
    return base / name


def names_missing_game(text: str) -> bool:
    """Whether a text names one of Joute's own games that is not installed."""
    return any(
        re.search(rf"(?<![a-z]){re.sub('-', '[-_]', name)}(?![a-z])", text) for name in MISSING
    )


def some(values: Iterable[Any], every: int) -> list[Any]:
    """Values as parameters of a test: one of each so many, and the others in the thorough tier."""
    return [
        pytest.param(value, marks=[] if number % every == 0 else [pytest.mark.thorough])
        for number, value in enumerate(values)
    ]


PATIENCE = 600.0
"""Seconds to wait for what another process or thread does; only a hang reaches it."""


def wait_until(predicate: Callable[[], T], seconds: float = PATIENCE, what: str = "") -> T:
    """The first true value of `predicate()`, asked again and again, ever less often.

    Args:
        predicate: cheap, and safe to call many times.
        seconds: how long to wait before failing; only a hang should reach it, on any machine.
        what: what is waited for, for the message of the failure.
    """
    deadline = time.monotonic() + seconds
    pause = 0.002
    while not (value := predicate()):
        if time.monotonic() > deadline:
            pytest.fail(f"waited {seconds:g} s in vain for {what or predicate}")
        time.sleep(pause)
        # Who asks a server all the time keeps it from what is waited for.
        pause = min(1.3 * pause, 0.1)
    return value


def install_game(monkeypatch, name, module):
    """Makes a module of the tests the game of this name."""
    monkeypatch.setitem(registry._installed(), name, module)


@contextmanager
def games_forgotten():
    """Forgets the games that are added to the registry meanwhile, and their sentences.

    Catalogs that are loaded while games are added or hidden would stay for all later tests.
    """
    with pytest.MonkeyPatch.context() as patch:
        for language in words.LANGUAGES:
            words.catalog(language)
        patch.setattr(words, "_loaded", dict(words._loaded))
        for kept in ("_loaded", "_placed", "_failed"):
            patch.setattr(registry, kept, dict(getattr(registry, kept)))
        patch.setenv(registry.VARIABLE, os.environ.get(registry.VARIABLE, ""))
        yield
