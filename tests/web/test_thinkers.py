"""Built-in bots that are compiled before somebody waits for them."""

import threading

import pytest
from helpers import PATIENCE, wait_until
from web.tabled import ANN, asked, spec, told

from joute.core.registry import make
from joute.play import preparing
from joute.play import thinkers as module
from joute.play.thinkers import Thinkers
from joute.web.tables.receiver import Receiver
from joute.web.tables.tables import Tables

pytestmark = pytest.mark.game("virus")

GREEDY, RANDOM, FLAT = "builtin:greedy", "builtin:random", "builtin:flat"


class Workshop:
    """Compiles nothing, each bot when it is told to; it is its own process."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.ended: list[str] = []
        self.niceness: list[int] = []
        self.may = threading.Semaphore(0)
        self.kill = self.may.release

    def prepare(self, game, bot, running, niceness):
        self.begun.append(bot)
        self.niceness.append(niceness)
        running(self)
        assert self.may.acquire(timeout=PATIENCE)
        self.ended.append(bot)


@pytest.fixture
def workshop(monkeypatch):
    made = Workshop()
    monkeypatch.setattr(module, "prepare", made.prepare)
    monkeypatch.setattr(module, "prepared", lambda game, bot: False)
    yield made
    made.may.release(100)


def waited_for(table, seat):
    """The bots that are prepared, as the person at a seat is told."""
    return told(Receiver(table, (seat,), "en"))[-1]["preparing"]


def test_another_plays_for_a_bot_that_is_not_ready_and_people_are_told_so(workshop):
    tables = Tables(thinkers=Thinkers(1, preparing=True))
    table = tables.open(spec(bots=(FLAT, "human")), (1,), ANN)
    assert asked(table).player == 1  # while the compiling goes on for ever
    waited = waited_for(table, 1)
    assert (waited["seat"], waited["by"]) == (0, "greedy")
    assert waited["seconds"] >= 0
    assert table.playing.timeline.lines[-1]["stand_in"] == GREEDY
    workshop.may.release()
    wait_until(lambda: waited_for(table, 1) is None)
    tables.close()


def test_people_who_would_rather_wait_are_told_for_whom(workshop):
    tables = Tables(thinkers=Thinkers(1, preparing=True))
    table = tables.open(spec(bots=(FLAT, "human")), (1,), ANN)
    question = asked(table)
    table.playing.waits = True
    table.answer((1,), question.number, question.actions[0])
    waited = wait_until(lambda: waited_for(table, 1))
    assert (waited["seat"], waited["by"]) == (0, "")
    tables.close()


def test_a_game_that_is_only_watched_waits_for_its_bots(workshop):
    tables = Tables(thinkers=Thinkers(1, preparing=True))
    table = tables.open(spec(bots=(FLAT, RANDOM)), (), ANN)
    waited = wait_until(lambda: waited_for(table, 0))
    assert (waited["seat"], waited["by"]) == (0, "")
    tables.close()


@pytest.mark.game("tron")
def test_in_real_time_the_countdown_waits_too(workshop):
    tables = Tables(thinkers=Thinkers(1, preparing=True))
    table = tables.open(spec("tron", ("human", RANDOM)), (0,), ANN, speed=1.0)
    wait_until(lambda: waited_for(table, 0))
    assert waited_for(table, 0)["seat"] == 1
    assert table.playing.clock.left == 0
    workshop.may.release()
    table.ready((0,))
    wait_until(lambda: table.playing.clock.left)
    tables.close()


@pytest.mark.game("tron")
def test_where_all_choose_at_once_who_waits_for_a_bot_is_told_so(workshop):
    tables = Tables(thinkers=Thinkers(1, preparing=True))
    table = tables.open(spec("tron", ("human", RANDOM)), (0,), ANN)
    table.playing.waits = True
    question = asked(table)
    assert waited_for(table, 0) is None  # the person is asked first
    table.answer((0,), question.number, question.actions[0])
    wait_until(lambda: waited_for(table, 0))
    assert waited_for(table, 0)["seat"] == 1
    workshop.may.release()
    wait_until(lambda: asked(table) is not question)
    tables.close()


def test_what_is_prepared_for_later_comes_last(workshop):
    thinkers, game = Thinkers(1, preparing=True), make("virus")
    thinkers.want_later(game, [RANDOM, FLAT])
    wait_until(lambda: workshop.begun)
    thinkers.want(game, [GREEDY])
    workshop.may.release(3)
    wait_until(lambda: not any(thinkers.pending(game, bot) for bot in (RANDOM, GREEDY, FLAT)))
    assert workshop.begun == [RANDOM, GREEDY, FLAT]
    thinkers.close()


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


def test_what_somebody_waits_for_is_compiled_beside_what_nobody_does(workshop):
    thinkers, game = Thinkers(1, preparing=True), make("virus")
    thinkers.want(game, [RANDOM, FLAT])
    wait_until(lambda: workshop.begun)
    thinkers.want_now(game, [GREEDY])
    wait_until(lambda: workshop.begun == [RANDOM, GREEDY])
    assert workshop.niceness == [preparing.NICENESS, 0]
    thinkers.close()
    assert workshop.begun == [RANDOM, GREEDY]


def test_a_turn_has_its_bot_compiled_though_it_was_wanted_for_later(workshop):
    thinkers, game = Thinkers(1, preparing=True), make("virus")
    thinkers.want_later(game, [RANDOM, FLAT, GREEDY])
    wait_until(lambda: workshop.begun)
    played = threading.Thread(target=lambda: thinkers.turn(game, GREEDY).__enter__())
    played.start()
    wait_until(lambda: workshop.begun == [RANDOM, GREEDY])
    workshop.may.release(2)
    played.join(60)
    assert not played.is_alive()
    thinkers.close()


def test_a_server_that_closes_keeps_nobody_waiting(workshop):
    thinkers, game = Thinkers(1, preparing=True), make("virus")
    thinkers.want(game, [RANDOM, GREEDY])
    wait_until(lambda: workshop.begun)
    thinkers.close()
    with thinkers.turn(game, GREEDY):
        pass
    thinkers.want(game, [FLAT])
    thinkers.want_later(game, [FLAT])
    with thinkers.turn(game, FLAT):
        pass
    assert workshop.begun == [RANDOM]


def test_a_server_has_closed_when_nothing_is_compiled_any_more(workshop):
    thinkers, game = Thinkers(1, preparing=True), make("virus")
    workshop.kill = threading.Timer(0.2, workshop.may.release).start  # it dies after a while
    thinkers.want(game, [RANDOM, GREEDY])
    wait_until(lambda: workshop.begun)
    thinkers.close()
    assert workshop.ended == workshop.begun == [RANDOM]


def test_a_bot_is_prepared_once_by_a_process(monkeypatch, tmp_path):
    monkeypatch.setenv("JOUTE_CACHE", str(tmp_path))
    game, processes = make("virus", size=4), []
    assert not preparing.prepared(game, FLAT)
    assert preparing.prepared(game, "human")
    preparing.prepare(game, FLAT, processes.append)
    assert [process.returncode for process in processes] == [0]
    assert preparing.prepared(game, FLAT)
    assert not preparing.prepared(game, f"{FLAT}?simulations=1")
