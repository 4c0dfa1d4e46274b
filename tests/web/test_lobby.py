"""Choices before a game, and games that go on from a record."""

import pytest
from web.tabled import ANN, BOB, asked, finished, spec

from joute.bots.levels import kept_levels
from joute.core.registry import card
from joute.play.record import read_record
from joute.play.verify import verify_record
from joute.web.errors import RequestRefusal
from joute.web.tables.menu import Beginning, called, continued, menu, opponents, ordered


@pytest.mark.game("virus")
def test_a_form_makes_a_game():
    order = ordered("virus", {"size": "6", "opponent": "2", "place": "last", "name": " Zo\u00eb\n"})
    assert order.spec.parameters == {"size": 6}
    assert [(seat.name, seat.bot) for seat in order.spec.bots] == [
        ("Carrier", f"builtin:{kept_levels(card('virus')).levels[1].bot}"),
        ("Zoë", "human"),
    ]
    assert order.own == (1,)


@pytest.mark.game("virus")
@pytest.mark.parametrize(("place", "names"), [("first", ["Ada", "Bob"]), ("last", ["Bob", "Ada"])])
def test_both_people_at_one_screen_have_names(place, names):
    form = {"opponent": "here", "place": place, "name": "Ada", "second": "Bob"}
    order = ordered("virus", form)
    assert [seat.name for seat in order.spec.bots] == names
    assert order.own == (0, 1)


@pytest.mark.game("virus")
def test_a_name_for_somebody_who_is_not_at_this_screen_is_not_taken():
    order = ordered("virus", {"opponent": "person", "place": "first", "second": "Bob"})
    assert "Bob" not in [seat.name for seat in order.spec.bots]


@pytest.mark.game("love-letter")
def test_each_seat_can_be_chosen():
    form = {"players": "3", "opponent": "here", "opponent1": "person", "place": "first"}
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
        ("virus", {"opponent": "0"}, "opponent"),
        ("virus", {"opponent": "6"}, "opponent"),
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
    assert len(menu("virus").levels) == len(opponents("virus")) == 5
    assert menu("paradise").maps == ()


@pytest.mark.game("love-letter", "paradise", "tron", "vampires", "virus")
def test_it_is_known_who_begins():
    assert menu("virus").starter == Beginning(None)  # it is drawn
    assert menu("vampires").starter == Beginning(0)
    assert menu("tron").starter == Beginning(None, at_once=True)


@pytest.mark.game("love-letter", "tron")
def test_a_lobby_offers_what_suits_people():
    assert menu("love-letter").usual["tokens"] == 0
    assert menu("tron").usual["speed"] == 4


@pytest.mark.game("virus")
def test_a_clock_is_for_several_people():
    form = {"opponent": "person", "clock": "5+5"}
    assert ordered("virus", form).clock == (300.0, 5.0)
    assert ordered("virus", {**form, "opponent": "1"}).clock is None
    with pytest.raises(RequestRefusal, match="clock"):
        ordered("virus", {**form, "clock": "1+1"})


@pytest.mark.game("virus")
def test_anybody_may_join_a_game_that_is_listed():
    assert ordered("virus", {"opponent": "open"}).listed
    assert not ordered("virus", {"opponent": "person"}).listed


@pytest.mark.game("virus")
def test_any_two_built_in_bots_can_be_watched():
    form = {"watch": "1", "player0": "2", "player1": "alphabeta?nodes=8&evaluation=learned"}
    order = ordered("virus", {**form, "pace": "0.4"})
    assert [seat.name for seat in order.spec.bots] == ["Carrier", "alphabeta"]
    assert (order.own, order.pace, order.spec.people) == ((), 0.4, ())
    for wrong in (
        {"player1": "human"},
        {"player1": "/bin/sh"},
        {"pace": "1e9"},
        {"player0": "99x"},
    ):
        with pytest.raises(RequestRefusal):
            ordered("virus", {**form, **wrong})


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
