"""A contest that was played once, and copies of it."""

import functools

import pytest
from proof.tampering import Copy, play_contest
from store.conftest import _server  # noqa: F401, the fixture `server`
from web.conftest import serve  # noqa: F401, a fixture

from joute.contest.proof import facts
from joute.i18n import words


@pytest.fixture(scope="session", name="original")
def _original(tmp_path_factory):
    """The folder of a contest with its file, its bots and its results."""
    return play_contest(tmp_path_factory.mktemp("cup"))


@pytest.fixture(autouse=True, scope="session")
def _read_once():
    """Replays each record once for all tests, for its facts do not change."""
    reading = facts.facts_of
    facts.facts_of = functools.cache(reading)
    yield
    facts.facts_of = reading


@pytest.fixture(autouse=True)
def _in_english():
    """Sentences are compared in English, whatever a command was asked for."""
    yield
    words.speak("en")


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.full)])
def copy(request, original, tmp_path):
    """A copy of the contest, on each database."""
    url = None
    if request.param == "postgresql":
        url = request.getfixturevalue("server").url()
    return Copy(original, tmp_path / "cup", url)


@pytest.fixture
def in_file(original, tmp_path):
    """A copy of the contest, on SQLite."""
    return Copy(original, tmp_path / "cup", None)
