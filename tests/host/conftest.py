"""Bots in processes of their own, for the tests of the host."""

import pytest
from host.hosting import Hosts


@pytest.fixture
def hosts(tmp_path):
    """Makes hosted bots, and closes them all when the test is over."""
    made = Hosts(tmp_path)
    yield made
    made.close()
