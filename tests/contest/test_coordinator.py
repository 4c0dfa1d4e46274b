"""The coordinator with workers that come, go and die as it pleases the test."""

from concurrent.futures import ALL_COMPLETED, FIRST_COMPLETED, BrokenExecutor, Future, wait

import pytest
from contest import fakes
from contest.fakes import contest_in

from joute.contest.run import coordinator
from joute.contest.run.coordinator import Coordinator, Stop
from joute.contest.run.plan import Plan
from joute.contest.run.playing import game_row
from joute.contest.run.workers import play_batch

pytestmark = pytest.mark.game("virus")


class Crew:
    """Workers whose batches are played as they are handed out, or as `fate` says.

    `fate` is called with the seats' names of each game of a batch; what it returns is raised, or
    cancels the batch if it is True.
    """

    insists = True
    waiting = 1
    heard = True  # whether who waits for a batch hears of it when it is cancelled

    def __init__(self, fate=lambda games: None, absent=0, lost=0, play=fakes.quick):
        self.workers = 0 if absent else 2
        self.batches = []
        self.renewed = 0
        self._fate = fate
        self._absent = absent
        self._lost = lost
        self._play = play

    def look(self):
        if self._lost:
            self._lost -= 1
            raise BrokenExecutor
        self._absent -= 1
        self.workers = 0 if self._absent > 0 else 2

    def submit(self, specs):
        games = [[seat.name for seat in spec.bots] for spec in specs]
        self.batches.append(games)
        future = Future()
        fate = self._fate(games)
        if fate is True:
            future.cancel()
            if self.heard:
                future.set_running_or_notify_cancel()
        elif fate is None:
            future.set_result(play_batch(self._play, specs))
        else:
            future.set_exception(fate)
        return future

    def begun(self, futures):
        return list(futures)

    def wait(self, futures, seconds, whole=False):
        wait(futures, seconds, ALL_COMPLETED if whole else FIRST_COMPLETED)

    def fewer(self):
        self.workers -= self.workers > 1
        return self.workers > 1

    def renew(self):
        self.renewed += 1

    def abandon(self):
        pass


def run(contest, crew):
    """The coordinator at the end of a contest."""
    plan = Plan(contest, "fixed", {})
    found = Coordinator(
        plan, crew, lambda batch: [game_row(one, "") for one in batch], None, Stop()
    )
    found.run()
    assert plan.left == len(found.failures)
    return found


def test_of_a_batch_that_kills_its_worker_the_game_that_does_is_found_and_given_up(tmp_path):
    def fate(games):
        return RuntimeError("4 of them") if ["random", "greedy"] in games else None

    crew = Crew(fate)
    found = run(contest_in(tmp_path, "games = 2", bots=3), crew)
    assert found.played == 5
    [failure] = found.failures
    assert (failure.bots, str(failure.reason)) == (
        ("random", "greedy"),
        "its worker died (4 of them)",
    )
    assert [["random", "greedy"]] in crew.batches  # alone, to be sure


@pytest.mark.parametrize("heard", [True, False])
def test_a_batch_that_is_called_back_is_handed_out_again_however_often(tmp_path, heard):
    fates = iter([True] * 10)
    crew = Crew(lambda _: next(fates, None))
    crew.heard = heard
    found = run(contest_in(tmp_path, "games = 2", bots=2), crew)
    assert (found.played, found.failures) == (2, [])
    assert len(crew.batches) > 10


def test_workers_who_are_not_there_yet_are_waited_for(tmp_path, monkeypatch):
    monkeypatch.setattr(coordinator, "POLL_SECONDS", 0.0)
    found = run(contest_in(tmp_path, "games = 2", bots=2), Crew(absent=5))
    assert (found.played, found.failures) == (2, [])


def test_a_lost_connection_is_made_again(tmp_path):
    crew = Crew(lost=2)
    found = run(contest_in(tmp_path, "games = 2", bots=2), crew)
    assert (found.played, found.failures, crew.renewed) == (2, [], 2)
