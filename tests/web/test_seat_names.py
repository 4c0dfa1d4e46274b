"""The names that nobody has chosen: of free seats, of guests and of built-in bots."""

import pytest
from web.tabled import ANN, BOB, asked, told

from joute.bots.levels import opponent_at
from joute.core.registry import make
from joute.i18n.words import speaking
from joute.play.game import HUMAN, SeatSpec
from joute.play.record import read_record
from joute.web.tables.menu import ordered
from joute.web.tables.receiver import Receiver
from joute.web.tables.seat_names import read_names


def names(game, *seats):
    """The names in English and in French of seats, each a name and a bot."""
    specs = [SeatSpec(name=name, bot=bot) for name, bot in seats]
    found = []
    for language in ("en", "fr"):
        with speaking(language):
            found.append(read_names(game, specs))
    return found


@pytest.mark.game("tron")
def test_guests_and_levels_are_named_in_the_language_of_the_reader():
    game = make("tron")
    level = opponent_at(game, 2)
    seats = [("Invité", HUMAN), ("Invité 2", HUMAN), ("Cycliste", level), ("Cycliste 2", level)]
    english, french = names(game, *seats)
    assert english == ["Guest", "Guest 2", "Cyclist", "Cyclist 2"]
    assert french == ["Invité", "Invité 2", "Cycliste", "Cycliste 2"]


@pytest.mark.game("tron")
def test_names_of_people_and_bots_of_other_names_stay_what_they_are():
    game = make("tron")
    seats = [("Invitée", HUMAN), ("Guest of honour", HUMAN), ("mine", "builtin:fill")]
    assert names(game, *seats) == [[name for name, _ in seats]] * 2


@pytest.mark.game("tron")
def test_no_two_seats_are_read_by_the_same_name():
    game = make("tron")
    english, french = names(game, ("Guest", HUMAN), ("Invité", HUMAN), ("Guest 2", HUMAN))
    assert english == ["Guest", "Guest 2", "Guest 2 2"]
    assert french == ["Invité", "Invité 2", "Invité 2 2"]


@pytest.mark.game("virus")
def test_each_at_a_table_reads_its_own_language_and_the_record_has_one(tables):
    with speaking("fr"):
        form = {"size": "6", "place": "first", "name": "Zoé", "opponent": "person"}
        order = ordered("virus", form)
    table = tables.open(order.spec, order.own, ANN)
    receivers = [Receiver(table, (0,), "fr"), Receiver(table, (), "en")]
    free = [told(each)[-1]["seats"][1]["name"] for each in receivers]
    assert free == ["Invité", "Guest"]
    table.sit(table.chairs[1].key, BOB, "")
    asked(table)
    table.resign((1,), 1)
    table.playing.join()
    last = [told(each)[-1]["lines"] for each in receivers]
    assert last == [["Zoé gagne\u202f: Invité a abandonné."], ["Zoé wins: Guest has resigned."]]
    assert [each["name"] for each in read_record(table.record).header["bots"]] == ["Zoé", "Invité"]
