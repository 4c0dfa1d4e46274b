"""A bounded number of tables, and of the records of finished games; tables that end otherwise."""

import pytest
from helpers import wait_until
from web.tabled import ANN, asked, finished, spec, told

from joute.i18n.words import say
from joute.play.verify import verify_record
from joute.web.tables.playing import STATES_KEPT, Closed
from joute.web.tables.receiver import CAUGHT_UP, Receiver
from joute.web.tables.tables import IDLE_SECONDS, SHORT_SECONDS, Full

pytestmark = pytest.mark.game("virus")


def test_there_is_room_for_so_many_tables(tables):
    for _ in range(4):
        asked(tables.open(spec(), (0,), ANN))
    with pytest.raises(Full, match="4 tables"):
        tables.open(spec(), (0,), ANN)


def test_tables_that_were_left_make_room(tables, clock):
    left = tables.open(spec(), (0,), ANN)
    asked(left)
    clock.now = IDLE_SECONDS + 1
    other = tables.open(spec(), (0,), ANN)
    assert left.name not in tables.names()
    left.playing.join()
    assert tables.find(other.name) is other
    for _ in range(3):
        tables.open(spec(), (0,), ANN)
    clock.now += SHORT_SECONDS + 1
    tables.open(spec(), (0,), ANN)  # the others were not left for long, but room is wanted
    assert other.name not in tables.names()


def test_a_table_that_was_left_comes_back_where_it_stood(tables, clock):
    left = tables.open(spec(), (0,), ANN)
    question = asked(left)
    left.answer((0,), question.number, question.actions[0])
    wait_until(lambda: asked(left) is not question)
    lines = list(left.playing.timeline.lines)
    clock.now = IDLE_SECONDS + 1
    tables.open(spec(), (0,), ANN)
    left.playing.join()
    again = tables.find(left.name)
    assert again is not left
    asked(again)
    assert again.playing.timeline.lines == lines
    assert again.seats_of(ANN) == (0,)
    finished(again)
    assert verify_record(again.record).ok


def test_the_record_of_a_game_outlives_its_table(tables, clock):
    table = tables.open(spec(), (0,), ANN)
    finished(table)
    clock.now = SHORT_SECONDS + 1
    tables.open(spec(), (0,), ANN)
    assert tables.find(table.name) is None
    assert verify_record(tables.record(table.name)).ok
    assert tables.record("no such table") is None


def test_records_of_finished_games_are_kept_up_to_a_bound(tables, clock, monkeypatch):
    monkeypatch.setattr("joute.web.tables.table_store.MOST_RECORDS", 2)
    names = []
    for _ in range(4):
        table = tables.open(spec(), (0,), ANN)
        finished(table)
        names.append(table.name)
        clock.now += SHORT_SECONDS + 1
    tables.open(spec(), (0,), ANN)
    assert [tables.record(name) is not None for name in names] == [False, False, True, True]


def test_a_failure_of_a_bot_is_told(tables, monkeypatch):
    table = tables.open(spec(), (0,), ANN)
    question = asked(table)

    def broken(*_):
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr("joute.play.seats.InlineSeat.ask", broken)
    table.answer((0,), question.number, question.actions[0])
    wait_until(lambda: table.over)
    assert told(Receiver(table, (0,), "en"))[-1]["lines"] == [say("table.failed")]


def test_a_closed_table_says_so(tables):
    table = tables.open(spec(), (0,), ANN)
    asked(table)
    table.close()
    table.playing.join()
    assert told(Receiver(table, (0,), "en"))[-1]["lines"] == [say("table.closed")]


def test_of_old_positions_only_the_words_are_kept(tables, monkeypatch):
    monkeypatch.setattr("joute.web.tables.playing.STATES_KEPT", 3)
    table = tables.open(spec(), (0,), ANN)
    finished(table)
    steps = table.playing.timeline.steps
    kept = [step.number for step in steps if step.state]
    assert kept[-3:] == [len(steps) - 3, len(steps) - 2, len(steps) - 1]
    assert len(kept) <= 4
    entries = told(Receiver(table, (0,), "en"))[0]["log"]
    assert [entry["number"] for entry in entries] == list(range(1, len(steps) - 1))
    assert CAUGHT_UP < STATES_KEPT


@pytest.mark.game("tron")
def test_a_table_that_is_closed_waits_for_nothing(tables):
    table = tables.open(spec("tron", ("human", "builtin:random")), (0,), ANN, speed=1.0)
    table.close()
    table.playing.join()
    with pytest.raises(Closed):
        table.playing.wait(1000.0)
