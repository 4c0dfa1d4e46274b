"""The databases that the tests of the store run on: SQLite, and a real PostgreSQL."""

import pytest
from store.servers import Server


@pytest.fixture(scope="session", name="server")
def _server():
    server = Server()
    yield server
    server.remove()


@pytest.fixture(params=["sqlite", "postgresql"], name="url")
def _url(request, tmp_path):
    """The URL of a new database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'contest.sqlite'}"
    return request.getfixturevalue("server").url()
