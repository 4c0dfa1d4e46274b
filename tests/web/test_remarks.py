"""The server's remarks beside a seat's observation, for a browser that knows no rules."""

import pytest
from web.card_tables import duel, letters, seen

from joute.core.interface import observe, properties
from joute.i18n.words import speaking
from joute.web.games import web_of

pytestmark = pytest.mark.game("love-letter", "paradise")


def observed(game, state, seat=0):
    seen = observe(game, state, seat)
    return seen | {"remarks": web_of(properties(game).name).remarks(seen)}


def test_remarks_say_when_a_hero_can_be_killed_and_only_to_the_player_who_chooses():
    shown = duel(40, when=lambda mine: "lethal" in mine["remarks"])
    assert list(seen(shown)["remarks"]) == ["lethal"]
    assert observed(shown.game, shown.state, 1)["remarks"] == {}


def test_remarks_warn_of_what_the_enemy_can_do_next():
    shown = duel(
        8, bots=("builtin:random", "builtin:face"), when=lambda mine: "danger" in mine["remarks"]
    )
    mine = seen(shown)
    strikes = sum(minion["attack"] for minion in mine["boards"][1])
    assert strikes + 2 >= mine["health"][0]
    assert f"{mine['health'][0]} health" in mine["remarks"]["danger"]


def test_remarks_are_in_the_language_spoken():
    shown = duel(40, when=lambda mine: "lethal" in mine["remarks"])
    with speaking("fr"):
        assert observed(shown.game, shown.state)["remarks"]["lethal"].startswith("Vous pouvez")


def test_a_known_card_leaves_no_remark_on_what_was_missed():
    shown = letters(when=lambda mine: mine["known"])
    for holder, _ in seen(shown)["known"]:
        assert seen(shown)["remarks"]["missed"][holder] == []
    assert seen(shown)["remarks"]["missed"][0] == []


def test_a_game_without_remarks_is_observed_as_it_is():
    assert web_of("virus").remarks is None
