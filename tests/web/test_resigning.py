"""People who resign at a table, whoever is thinking: it counts at once, and the record is true."""

import threading

import pytest
from helpers import PATIENCE, wait_until
from web.tabled import ANN, BOB, asked, finished, spec, told

from joute.play.seats import InlineSeat
from joute.play.verify import verify_record
from joute.web.errors import RequestRefusal
from joute.web.tables.receiver import Receiver


class Stuck:
    """A built-in bot that thinks until it is told to go on."""

    def __init__(self, monkeypatch) -> None:
        self.thinking = threading.Event()
        self.may = threading.Event()
        ask = InlineSeat.ask

        def slow(seat, state, message):
            self.thinking.set()
            assert self.may.wait(PATIENCE)
            return ask(seat, state, message)

        monkeypatch.setattr(InlineSeat, "ask", slow)


@pytest.fixture
def stuck(monkeypatch):
    made = Stuck(monkeypatch)
    yield made
    made.may.set()


@pytest.mark.game("virus")
def test_whoever_resigns_while_a_bot_thinks_has_lost_at_once(tables, stuck):
    table = tables.open(spec(bots=("builtin:greedy", "human")), (1,), ANN)
    assert stuck.thinking.wait(PATIENCE)
    table.resign((1,), 1)
    wait_until(lambda: table.over)
    assert not stuck.may.is_set()
    assert table.playing.result.ending == "resignation"
    assert verify_record(tables.record(table.name)).ok


@pytest.mark.game("virus")
def test_whoever_resigns_while_another_person_thinks_has_lost_at_once(tables):
    table = tables.open(spec(bots=("human", "human")), (0,), ANN)
    table.sit(table.chairs[1].key, BOB, "Bob")
    assert asked(table).player == 0
    table.resign((1,), 1)
    wait_until(lambda: table.over)
    assert table.playing.question is None
    assert told(Receiver(table, (0,), "en"))[-1]["lines"] == ["Ann wins: Bob has resigned."]
    assert verify_record(tables.record(table.name)).ok


@pytest.mark.game("love-letter")
def test_among_many_the_others_are_told_at_once_and_play_on(tables):
    table = tables.open(spec("love-letter", ("human", "human", "human"), players=3), (0, 1, 2), ANN)
    question = asked(table)
    receiver = Receiver(table, (0,), "en")
    told(receiver)
    table.resign((2,), 2)
    sent = wait_until(lambda: [each for each in told(receiver) if each["type"] == "position"])
    said = [line for event in sent[0]["events"] for line in event["said"]]
    assert any("Cleo resigns" in line for line in said)
    assert wait_until(lambda: told(Receiver(table, (0,), "en"))[-1]["seats"][2]["resigned"])
    assert table.playing.question is question  # who is asked goes on choosing
    with pytest.raises(RequestRefusal, match="Only players of a game"):
        table.resign((2,), 2)
    finished(table)
    result = table.playing.result
    assert result.ending == "resignation"
    assert result.returns[2] == min(result.returns)
    assert verify_record(tables.record(table.name)).ok


@pytest.mark.game("tron")
@pytest.mark.parametrize("count", [2, 3])
def test_in_real_time_a_bike_is_given_up_at_once(tables, count):
    people = ("human",) * 2 + ("builtin:random",) * (count - 2)
    table = tables.open(spec("tron", people, players=count), (0, 1), ANN, speed=0.01)
    table.ready((0, 1))
    wait_until(lambda: table.playing.clock.left)
    table.resign((1,), 1)
    if count == 2:
        wait_until(lambda: table.over)
        assert verify_record(tables.record(table.name)).ok
    else:
        lines = table.playing.timeline.lines
        wait_until(lambda: any("resigned" in line for line in lines))
        assert not table.over
