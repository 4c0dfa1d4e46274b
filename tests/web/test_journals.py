"""Tables on disk: what comes back after the server was killed, what cannot, what is forgotten."""

import os

import pytest
from helpers import wait_until
from web.tabled import ANN, BOB, asked, finished, spec, told

from joute.play.record import RecordError
from joute.play.thinkers import Thinkers
from joute.play.verify import verify_record
from joute.web.errors import RequestRefusal
from joute.web.tables import journal, table_store
from joute.web.tables.journal import played, read_journal
from joute.web.tables.receiver import Receiver
from joute.web.tables.tables import Tables

pytestmark = pytest.mark.game("virus")


@pytest.fixture
def start(tmp_path):
    """Starts a server's tables on one folder; whatever ran before is left as a killed one."""
    made = []

    def fresh():
        made.append(Tables(most=4, thinkers=Thinkers(1), folder=tmp_path / "tables"))
        return made[-1]

    yield fresh
    for each in made:
        each.close()


def play(table, count=1):
    """Plays the first legal action so often, for whoever is asked."""
    for _ in range(count):
        question = asked(table)
        table.answer(tuple(table.chairs), question.number, question.actions[0])
        wait_until(lambda question=question: table.over or asked(table) is not question)


def back(tables, name):
    """A table that has come back, once it stands where it stood."""
    table = tables.find(name)
    wait_until(lambda: table.over or table.playing.question)
    return table


def test_a_table_comes_back_with_its_game_its_people_and_its_names(start):
    table = start().open(spec(bots=("human", "human")), (0,), ANN)
    key = table.chairs[1].key
    table.sit(key, BOB, "Zoë")
    play(table, 3)
    again = back(start(), table.name)
    assert again.names == ["Ann", "Zoë"]
    assert (again.seats_of(ANN), again.seats_of(BOB)) == ((0,), (1,))
    assert again.chairs[1].key == key
    assert again.playing.timeline.lines == table.playing.timeline.lines
    assert again.playing.question.state == table.playing.question.state
    assert again.playing.question.number > table.playing.question.number
    finished(again)
    assert verify_record(again.record).ok


def test_a_table_that_waits_for_somebody_goes_on_waiting(start):
    table = start().open(spec(bots=("human", "human")), (0,), ANN)
    again = start().find(table.name)
    assert not again.begun
    assert again.sit(table.chairs[1].key, BOB, "Bo") == 1
    assert asked(again).player == 0


def test_what_was_taken_back_stays_taken_back(start):
    table = start().open(spec(), (0,), ANN)
    play(table, 2)
    second = asked(table)
    table.undo((0,))
    wait_until(lambda: asked(table) is not second)
    lines = list(table.playing.timeline.lines)
    again = back(start(), table.name)
    assert again.playing.timeline.lines == lines
    assert again.playing.part.number == table.playing.part.number == 2
    again.undo((0,))
    wait_until(lambda: again.playing.part.number == 3 and asked(again))
    assert len(again.playing.timeline.lines) < len(lines)


def test_wishes_and_agreements_are_kept(start):
    table = start().open(spec(bots=("human", "human")), (0,), ANN)
    table.sit(table.chairs[1].key, BOB, "Bob")
    play(table)
    table.allow("hint", (0,))
    table.allow("hint", (1,))
    table.undo((0,))
    again = back(start(), table.name)
    assert again.may("hint") and not again.may("think")
    assert again.wishes["undo"] == {0}


def test_the_clocks_of_people_stand_where_they_stood(start):
    table = start().open(spec(bots=("human", "human")), (0, 1), ANN, clock=(60.0, 5.0))
    play(table, 3)
    again = back(start(), table.name)
    assert [again.playing.left(seat) for seat in (0, 1)] == [
        table.playing.left(seat) for seat in (0, 1)
    ]


def test_a_clock_that_runs_out_loses_the_game(start):
    table = start().open(spec(bots=("human", "human")), (0, 1), ANN, clock=(0.05, 0.0))
    wait_until(lambda: table.over)
    assert table.playing.result.ending == "forfeit"
    assert table.playing.result.faults[0].fault == "timeout"
    assert verify_record(table.record).ok


@pytest.mark.game("love-letter")
def test_a_player_of_several_who_has_resigned_is_still_out(start):
    cards = spec("love-letter", ("human", "human", "human"), players=3)
    table = start().open(cards, (0, 1, 2), ANN)
    asked(table)
    table.resign((0, 1, 2), 2)
    wait_until(lambda: any("resigned" in line for line in table.playing.timeline.lines))
    play(table)
    again = back(start(), table.name)
    assert again.playing.timeline.lines == table.playing.timeline.lines
    finished(again)
    assert verify_record(again.record).ok


def test_a_game_that_is_over_has_its_record_and_a_rematch(start):
    table = start().open(spec(), (0,), ANN)
    finished(table)
    wait_until(lambda: table.record)
    second = start()
    assert second.record(table.name) == table.record
    again = second.find(table.name)
    wait_until(lambda: again.record)
    assert again.record == table.record
    assert second.rematch(again).seats_of(ANN) == (1,)
    assert start().find(table.name).successor == again.successor


def test_the_line_that_was_being_written_is_left_out(start):
    table = start().open(spec(), (0,), ANN)
    play(table, 2)
    path = table.journal.path
    content = path.read_bytes()
    path.write_bytes(content[:-7])
    again = back(start(), table.name)
    assert again.playing.timeline.lines[:-1] == table.playing.timeline.lines[:-1]
    assert read_journal(path.read_bytes())[2] == path.stat().st_size


def test_a_table_that_cannot_go_on_says_why_and_gives_what_was_played(start, monkeypatch):
    table = start().open(spec(bots=("human", "human")), (0,), ANN)
    table.sit(table.chairs[1].key, BOB, "Bob")
    play(table, 2)
    monkeypatch.setattr("joute.web.tables.tables._rules", lambda spec: ("other", ""))
    later = start()
    assert later.find(table.name) is None
    lost = later.lost(table.name)
    assert "updated" in str(lost.reason)
    lines = lost.played.splitlines()
    assert len(lines) == 1 + len(table.playing.timeline.lines)
    secrets = [ANN, BOB, *(chair.key for chair in table.chairs.values()), table.spec.seed]
    assert not any(each.encode() in lost.played for each in secrets)
    assert later.lost("never-was-there") is None


def test_who_asks_for_a_lost_table_changes_nothing_of_one_that_goes_on(start):
    tables = start()
    table = tables.open(spec(), (0,), ANN)
    play(table)
    path = table.journal.path
    written = path.read_bytes() + b'{"line": '  # a line that is just being written
    path.write_bytes(written)
    assert tables.lost(table.name) is None
    assert start().lost(table.name) is None
    assert path.read_bytes() == written and table.journal.whole


def test_a_journal_that_was_changed_is_not_gone_on_with(start):
    table = start().open(spec(), (0,), ANN)
    play(table)
    path = table.journal.path
    path.write_bytes(path.read_bytes().replace(b'"Ann"', b'"Eve"'))
    with pytest.raises(RecordError):
        read_journal(path.read_bytes())
    later = start()
    assert later.find(table.name) is None
    assert "line 1" in str(later.lost(table.name).reason)


def test_of_another_place_nothing_is_read(start, tmp_path):
    (tmp_path / "secret-name.table").write_bytes(b"{}")
    tables = start()
    assert tables.find("../secret-name") is None
    assert tables.record("../../secret-name") is None


def test_old_tables_are_forgotten_and_only_so_many_are_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(table_store, "MOST_TABLES", 3)
    tables = Tables(most=1, thinkers=Thinkers(1), folder=tmp_path)
    names = []
    for _ in range(5):
        table = tables.open(spec(), (0,), ANN)
        asked(table)
        table.touched = -1e9
        names.append(table.name)
        os.utime(table.journal.path, (len(names), 1e9 + len(names)))
        monkeypatch.setattr(tables._store, "_clock", lambda: 1e9 + 100)
    kept = {path.stem for path in tmp_path.glob("*.table")}
    assert kept == set(names[-3:])
    monkeypatch.setattr(tables._store, "_clock", lambda: 1e9 + 2 * table_store.KEPT_SECONDS)
    tables.find(names[-1]).touched = -1e9
    tables.open(spec(), (0,), ANN)
    assert not (tmp_path / f"{names[-2]}.table").exists()
    tables.close()


def test_a_full_disk_is_told_and_the_game_goes_on(start, monkeypatch):
    table = start().open(spec(), (0,), ANN)
    play(table)
    assert table.kept

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(journal.os, "write", full)
    play(table)
    monkeypatch.undo()
    assert not table.kept
    assert told(Receiver(table, (0,), "en"))[-1]["kept"] is False
    assert not table.journal.path.exists()
    finished(table)
    assert verify_record(table.record).ok


def test_in_a_journal_full_of_what_was_taken_back_nothing_is_any_more(start, monkeypatch):
    table = start().open(spec(), (0,), ANN)
    play(table)
    monkeypatch.setattr("joute.web.tables.table.LARGE", 10)
    with pytest.raises(RequestRefusal, match="Too many"):
        table.undo((0,))


def test_only_its_owner_can_read_a_journal(start):
    table = start().open(spec(), (0,), ANN)
    assert table.journal.path.stat().st_mode & 0o077 == 0
    assert played(read_journal(table.journal.path.read_bytes())[0]).endswith(b"\n")
