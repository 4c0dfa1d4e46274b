"""Sealed contests that were played, and the verifier run on them."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from store.conftest import _server  # noqa: F401, the fixture `server`
from verifier.sealed import Forger, played_in

from verifier import verify_virus

BOTS = ["failing.py", "builtin:random", "builtin:greedy"]


@pytest.fixture(scope="session")
def played(tmp_path_factory) -> Path:
    """The results of a small sealed contest."""
    contest = played_in(tmp_path_factory.mktemp("sealed"), BOTS, "games = 4\n[game]\nsize = 5")
    return Path(contest.folder)


@pytest.fixture
def forger(played, tmp_path) -> Iterator[Forger]:
    """Somebody who changes a copy of these results."""
    copy = Path(shutil.copytree(played, tmp_path / "cup.results"))
    found = Forger(copy)
    yield found
    found.close()


@pytest.fixture
def linked(forger) -> Forger:
    """Somebody who changes results that have a row of every kind."""
    forger.change("INSERT INTO marks VALUES (1, 'reinstated', 'greedy', 'we', 'so', '2026-01-01')")
    forger.change("INSERT INTO notes VALUES (1, 'chained', '{}', '2026-01-01')")
    forger.link()
    return forger


@pytest.fixture
def verify(capsys, monkeypatch) -> Callable[..., tuple[int, str]]:
    """Runs the verifier on results: its exit code and what it prints."""
    monkeypatch.delenv("LANG", raising=False)

    def run(*words: object) -> tuple[int, str]:
        capsys.readouterr()
        code = verify_virus.main([str(word) for word in words])
        return code, capsys.readouterr().out

    return run
