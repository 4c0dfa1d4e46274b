"""The databases that the tests of the store run on: SQLite, and a real PostgreSQL."""

import pytest
from helpers import cannot_run

from bench.postgresql import NoServerError, Server, programs


@pytest.fixture(scope="session", name="server")
def _server():
    try:
        programs()
    except NoServerError as error:
        cannot_run(str(error))
    server = Server()
    yield server
    server.remove()


@pytest.fixture(params=["sqlite", "postgresql"], name="url")
def _url(request, tmp_path):
    """The URL of a new database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'contest.sqlite'}"
    return request.getfixturevalue("server").url()
