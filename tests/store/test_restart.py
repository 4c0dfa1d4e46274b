"""A server that goes away and comes back, in the middle of reading, writing and playing."""

import threading
from pathlib import Path

import pytest
from contest.fakes import contest_in, start_coordinator
from contest.kept_records import records_of
from helpers import wait_until
from sqlalchemy import Engine, event
from store.samples import numbered, record_of

from joute.contest.folder import stored_games
from joute.store.store import Store, StoreError


def batch(numbers) -> dict:
    games = [numbered(number) for number in numbers]
    return {"batch": games, "records": {game.identity: record_of(game) for game in games}}


def test_what_was_kept_is_there_after_a_restart_and_the_store_goes_on(server):
    with Store(server.url()) as store:
        store.add(**batch(range(5)))
        server.stop()
        server.start()
        assert store.count() == 5
        server.stop()
        server.start()
        assert store.add(**batch(range(3, 8))) == 3
        assert all(store.record(numbered(each).identity) for each in range(8))


@pytest.mark.parametrize("moment", ["INTO games", "INTO records", "commit"])
def test_a_crash_of_the_server_in_the_middle_of_a_batch_loses_and_doubles_nothing(server, moment):
    done = threading.Event()

    def restart(*facts):
        if not done.is_set() and (moment == "commit" or moment in facts[2]):
            done.set()
            server.stop()
            server.start()

    name = "commit" if moment == "commit" else "after_cursor_execute"
    with Store(server.url()) as store:
        store.add(**batch(range(2)))
        event.listen(Engine, name, restart)
        try:
            store.add(**batch(range(9)))
        finally:
            event.remove(Engine, name, restart)
        assert done.is_set()
        assert store.count() == 9
        assert all(store.record(numbered(each).identity) for each in range(9))


def test_a_server_that_stays_away_is_given_up_with_its_reason(server):
    store = Store(server.url(), patience_seconds=0.2)
    server.stop()
    try:
        with pytest.raises(StoreError, match=r"no answer for 0\.2 s: .*connection"):
            store.count()
    finally:
        server.start()
        store.close()


@pytest.mark.game("virus")
def test_a_contest_waits_for_a_server_that_was_stopped_and_started_again(tmp_path, server):
    contest = contest_in(tmp_path, "games = 4", f'store = "{server.url()}"', bots=3)
    process = start_coordinator(tmp_path, "waits_for_leave")
    wait_until(lambda: list(tmp_path.glob("playing.*")), what="a worker that plays")
    server.stop("fast")
    (tmp_path / "go").touch()
    wait_until(lambda: list(tmp_path.glob("gone.*")), what="a game that cannot be saved yet")
    server.start()
    assert process.wait() == 0
    games = stored_games(Path(contest.folder))[1]
    assert len(games) == len(records_of(contest)) == 12
