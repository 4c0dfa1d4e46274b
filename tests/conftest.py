"""Hooks of pytest for all tests; what tests call is in `helpers.py`."""

import os
import signal

import pytest
from helpers import GOLDEN

# A shell has what it starts in the background ignore Ctrl-C, and so would all programs under test.
signal.signal(signal.SIGINT, signal.default_int_handler)
# So does `nohup` with the end of a terminal.
signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_report_header() -> list[str]:
    """Says where golden files and compiled kernels come from, for whoever reads a failure."""
    cache = os.environ.get("JOUTE_CACHE") or "the default"
    return [f"golden files: {GOLDEN}", f"cache of compiled kernels: {cache}"]


@pytest.fixture
def hosts(tmp_path):
    """Makes hosted bots, and closes them all when the test is over."""
    from host.hosting import Hosts

    made = Hosts(tmp_path)
    yield made
    made.close()
