"""Built-in bots that are compiled before somebody waits for them."""

import threading

import pytest
from helpers import wait_until
from web.tabled import ANN, asked, spec, told

from joute.core.registry import make
from joute.play import preparing
from joute.web.tables import thinkers as module
from joute.web.tables.receiver import Receiver
from joute.web.tables.tables import Tables
from joute.web.tables.thinkers import Thinkers

pytestmark = pytest.mark.game("virus")

GREEDY, RANDOM, FLAT = "builtin:greedy", "builtin:random", "builtin:flat"


class Workshop:
    """Compiles nothing, each bot when it is told to."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.may = threading.Semaphore(0)

    def prepare(self, game, bot, running=None):
        self.begun.append(bot)
        assert self.may.acquire(timeout=60)


@pytest.fixture
def workshop(monkeypatch):
    made = Workshop()
    monkeypatch.setattr(module, "prepare", made.prepare)
    monkeypatch.setattr(module, "prepared", lambda game, bot: False)
    yield made
    made.may.release(100)


def test_whoever_waits_for_a_bot_that_is_not_ready_is_told_so(workshop):
    tables = Tables(thinkers=Thinkers(1, preparing=True))
    table = tables.open(spec(bots=(GREEDY, "human")), (1,), ANN)
    wait_until(lambda: told(Receiver(table, (1,), "en"))[-1]["preparing"] == 0)
    workshop.may.release()
    assert asked(table).player == 1
    assert told(Receiver(table, (1,), "en"))[-1]["preparing"] is None
    tables.close()


@pytest.mark.game("tron")
def test_in_real_time_the_countdown_waits_too(workshop):
    tables = Tables(thinkers=Thinkers(1, preparing=True))
    table = tables.open(spec("tron", ("human", RANDOM)), (0,), ANN, speed=1.0)
    wait_until(lambda: told(Receiver(table, (0,), "en"))[-1]["preparing"] == 1)
    assert table.playing.clock.left == 0
    workshop.may.release()
    wait_until(lambda: table.playing.clock.left)
    tables.close()


def test_who_is_waited_for_comes_first_and_nobody_comes_twice(workshop):
    thinkers, game = Thinkers(1, preparing=True), make("virus")
    thinkers.want(game, [RANDOM, GREEDY])
    wait_until(lambda: workshop.begun)
    thinkers.want(game, [FLAT, RANDOM])
    thinkers.want(game, [GREEDY])
    workshop.may.release(3)
    wait_until(lambda: not any(thinkers.pending(game, bot) for bot in (RANDOM, GREEDY, FLAT)))
    assert workshop.begun == [RANDOM, GREEDY, FLAT]
    thinkers.want(game, [GREEDY])
    assert not thinkers.pending(game, GREEDY)


def test_a_server_that_closes_keeps_nobody_waiting(workshop):
    thinkers, game = Thinkers(1, preparing=True), make("virus")
    thinkers.want(game, [RANDOM, GREEDY])
    wait_until(lambda: workshop.begun)
    thinkers.close()
    with thinkers.turn(game, GREEDY):
        pass
    thinkers.want(game, [FLAT])
    assert workshop.begun == [RANDOM]


def test_a_bot_is_prepared_once_by_a_process(monkeypatch, tmp_path):
    monkeypatch.setenv("JOUTE_CACHE", str(tmp_path))
    game, processes = make("virus", size=4), []
    assert not preparing.prepared(game, RANDOM)
    assert preparing.prepared(game, "human")
    preparing.prepare(game, RANDOM, processes.append)
    assert [process.returncode for process in processes] == [0]
    assert preparing.prepared(game, RANDOM)
    assert not preparing.prepared(game, GREEDY)
