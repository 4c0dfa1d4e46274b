"""The levels that people choose an opponent by."""

import pytest

from joute import bots
from joute.bots.levels import (
    kept_levels,
    level_name,
    level_told,
    named_bot,
    opponent_at,
    people_levels,
)
from joute.core.registry import card, make
from joute.i18n.words import speaking

FIVE = ("love-letter", "paradise", "tron", "vampires", "virus")


@pytest.mark.parametrize("game", FIVE)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_each_game_has_five_levels_with_a_name_and_a_strength(game, language):
    known = kept_levels(card(game))
    assert len(known.levels) == 5
    with speaking(language):
        names = [level_name(game, number) for number in range(1, 6)]
        told = [level_told(game, known, number) for number in range(1, 6)]
    assert len(set(names)) == 5
    assert all("10" in each for each in told)
    assert not any(each.isdecimal() or "evel" in each for each in names)


@pytest.mark.parametrize("game", FIVE)
def test_each_level_is_stronger_than_the_one_before(game):
    known = kept_levels(card(game)).levels
    assert all(level.before > 0.5 for level in known[1:])
    shares = [level.beginners for level in known if level.beginners is not None]
    assert shares == sorted(shares)
    assert shares[0] < 0.5


@pytest.mark.parametrize("game", FIVE)
def test_each_level_plays_the_usual_game(game):
    made = make(game)
    for number, level in enumerate(people_levels(made).levels, start=1):
        assert opponent_at(made, number) == f"builtin:{level.bot}"
        name, _, options = level.bot.partition("?")
        values = dict(each.split("=") for each in options.split("&") if each)
        bots.make(name, values, bots.Seating(made, 0, 0, 1.0))


@pytest.mark.game("virus")
def test_a_bot_has_the_name_of_its_level_or_its_own():
    game = make("virus")
    assert named_bot(game, opponent_at(game, 2)) == "Carrier"
    assert named_bot(game, "builtin:alphabeta?nodes=7") == "alphabeta"


@pytest.mark.game("virus")
def test_on_another_board_a_level_that_cannot_play_gives_way_to_one_below():
    small = make("virus", size=5)
    assert opponent_at(small, 4) == f"builtin:{kept_levels(card('virus')).levels[2].bot}"
