"""Choices before a game, and games that go on from a record."""

import pytest
from web.tabled import ANN, BOB, asked, finished, spec

from joute.core.registry import card
from joute.play.record import read_record
from joute.play.verify import verify_record
from joute.web.errors import RequestRefusal
from joute.web.tables.menu import called, continued, menu, ordered


@pytest.mark.game("virus")
def test_a_form_makes_a_game():
    order = ordered("virus", {"size": "6", "opponent": "2", "place": "last", "name": " Zo\u00eb\n"})
    assert order.spec.parameters == {"size": 6}
    assert [(seat.name, seat.bot) for seat in order.spec.bots] == [
        ("greedy", f"builtin:{card('virus').levels[1]}"),
        ("Zoë", "human"),
    ]
    assert order.own == (1,)


@pytest.mark.game("love-letter")
def test_each_seat_can_be_chosen():
    form = {"players": "3", "opponent": "here", "opponent1": "person"}
    order = ordered("love-letter", form)
    assert order.own == (0, 1)
    assert [seat.bot for seat in order.spec.bots] == ["human"] * 3
    assert len({seat.name for seat in order.spec.bots}) == 3


@pytest.mark.game("tron")
def test_a_map_and_a_pace_can_be_chosen():
    order = ordered("tron", {"map": "duel", "players": "2", "speed": "4", "opponent": "1"})
    assert order.speed == 4
    assert order.spec.limits.move_seconds == 0.25
    assert order.spec.parameters["map"].startswith("tron")


@pytest.mark.parametrize(
    ("game", "form", "reason"),
    [
        ("chess", {}, "chess"),
        ("virus", {"size": "7"}, "size"),
        ("virus", {"opponent": "nobody"}, "opponent"),
        ("virus", {"place": "middle"}, "place"),
        ("tron", {"map": "nowhere"}, "map"),
        ("tron", {"map": "duel", "players": "5"}, "at most 2"),
        ("tron", {"speed": "1000"}, "speed"),
        ("love-letter", {"players": "9"}, "players"),
    ],
)
def test_a_form_that_cannot_be_is_refused(game, form, reason):
    with pytest.raises(RequestRefusal, match=reason):
        ordered(game, form)


def test_names_are_taken_as_far_as_they_can_be_shown():
    assert called(" A\x00n\u202en ") == "Ann"
    assert called("\n") == ""
    assert len(called("x" * 500)) < 100


@pytest.mark.game("paradise", "virus")
def test_every_game_has_a_menu():
    assert menu("chess") is None
    assert menu("virus").levels[0].name == "random"
    plays = next(each for each in menu("virus").levels if each.name == "alphabeta")
    assert plays.options == "nodes 8"  # without what all levels of this name have
    assert menu("paradise").maps == ()


@pytest.mark.game("virus")
def test_a_game_goes_on_from_a_ply_of_a_record(tables):
    table = tables.open(spec(), (0,), ANN)
    finished(table)
    content = tables.record(table.name)
    new, seat, before = continued(read_record(content), "5", "1", "Zoë")
    assert [each.bot for each in new.bots] == [f"builtin:{card('virus').levels[-1]}", "human"]
    again = tables.open(new, (seat,), BOB, before=before)
    question = asked(again)
    plies = [line for line in read_record(content).plies if "action" in line]
    assert again.playing.timeline.lines[: len(before)] == plies[: len(before)]
    assert question.player == 1
    finished(again)
    assert verify_record(again.record).ok


@pytest.mark.game("virus")
@pytest.mark.parametrize(("ply", "seat"), [("x", "0"), ("1", "7"), ("1", "-1"), ("9" * 30, "0")])
def test_a_game_goes_on_from_no_place_that_there_is_not(tables, ply, seat):
    table = tables.open(spec(), (0,), ANN)
    finished(table)
    with pytest.raises(RequestRefusal):
        continued(read_record(table.record), ply, seat)
