"""Hooks of pytest for all tests; what tests call is in `helpers.py`."""

import os
import signal

import pytest
from helpers import GOLDEN, games_forgotten

# A shell has what it starts in the background ignore Ctrl-C, and so would all programs under test.
signal.signal(signal.SIGINT, signal.default_int_handler)
# So does `nohup` with the end of a terminal.
signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_report_header() -> list[str]:
    """Says where golden files and compiled kernels come from, for whoever reads a failure."""
    cache = os.environ.get("JOUTE_CACHE") or "the default"
    return [f"golden files: {GOLDEN}", f"cache of compiled kernels: {cache}"]


@pytest.fixture(autouse=True)
def own_games():
    """Games that a test adds are no other test's."""
    with games_forgotten():
        yield


@pytest.fixture
def hosts(tmp_path):
    """Makes hosted bots, and closes them all when the test is over."""
    from host.hosting import Hosts

    made = Hosts(tmp_path)
    yield made
    made.close()
