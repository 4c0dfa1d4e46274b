"""Advice of built-in bots, what they expect, and the levels that people climb."""

from dataclasses import replace

import pytest

from joute import bots
from joute.bots.ladder import player_at
from joute.core import registry
from joute.core.card import LEVELS, Card
from joute.core.interface import CHANCE, legal_actions, mover, play, properties, start
from joute.core.registry import card, cards, make, names
from joute.host.names import parse_bot
from joute.i18n.words import speaking
from joute.play import advice
from joute.play.chance import Streams, derive
from joute.play.seats import check_builtin


def begun(game) -> list[int]:
    """A state in which a player is to choose."""
    state = start(game).tolist()
    streams = Streams(derive("advice"))
    while mover(game, state) == CHANCE:
        play(game, state, streams.outcome(game, state))
    return state


@pytest.mark.game("virus")
def test_advice_is_legal_and_its_value_is_between_lost_and_won():
    game = make("virus", size=4)
    state = begun(game)
    found = advice.advise(game, state, mover(game, state), seconds=0.05)
    assert found.bot == "champion"
    assert found.actions[0] in legal_actions(game, state)
    assert -1 <= found.value <= 1
    assert found.line[0] == found.actions[0]


@pytest.mark.game("virus")
def test_a_game_without_an_adviser_gets_no_advice(monkeypatch):
    monkeypatch.setattr(advice, "ADVISERS", ("fill",))
    game = make("virus", size=4)
    assert advice.advise(game, begun(game), 0) is None


@pytest.mark.full  # some levels compile what they need when they are made
@pytest.mark.parametrize("game", sorted(names()))
def test_every_level_plays_its_game(game):
    made = make(game)
    assert 6 <= len(card(game).levels) <= 14
    for each in card(game).levels:
        check_builtin(parse_bot(f"builtin:{each}"), made)


def test_a_game_that_is_not_named_has_levels_too():
    assert Card(name="chess", rules="").levels == LEVELS


@pytest.mark.game("tron", "virus")
def test_a_level_that_cannot_play_is_taken_by_the_one_below():
    alone = make("tron", players=1)
    assert player_at(alone, 1) == "builtin:random"
    assert player_at(make("virus"), 99) == f"builtin:{card('virus').levels[-1]}"
    small = make("virus", size=5)
    assert (
        player_at(small, 8) == "builtin:greedy"
    )  # the levels of alpha-beta read a board of 10 x 10


@pytest.mark.game("virus")
def test_no_level_plays_what_none_can_play(monkeypatch):
    monkeypatch.setitem(registry._loaded, "virus", replace(card("virus"), levels=("fill",)))
    with pytest.raises(bots.BuiltinError, match="level 1"):
        player_at(make("virus", size=5), 1)


def test_who_plays_the_usual_game_is_known_without_making_a_bot(monkeypatch):
    def never(*_):
        raise AssertionError("a bot was made")

    monkeypatch.setattr(bots, "make", never)
    for name in (each.name for each in cards() if each.champion):
        game = make(name)
        assert player_at(game, 99) == f"builtin:{card(name).levels[-1]}"
        assert advice.adviser(game) == "builtin:champion"


@pytest.mark.parametrize(
    ("game", "bot"),
    [
        ("virus", "alphabeta?depth=2"),
        ("love-letter", "ismcts?simulations=20"),
        ("tron", "territory"),
    ],
)
def test_bots_that_search_say_what_they_expect(game, bot):
    made = make(game, **({"size": 4} if game == "virus" else {}))
    state = begun(made)
    spec = parse_bot(f"builtin:{bot}")
    player = bots.make(spec.name, spec.options, bots.Seating(made, mover(made, state), 1, 1.0))
    choice = player.play(_array(made, state))
    assert -1 <= choice.value <= 1
    assert choice.line[0] == choice.action


def _array(game, state):
    array = start(game)
    array[:] = state
    return array


@pytest.mark.game("virus")
def test_a_value_is_measured_by_what_often_decides():
    assert bots.outlook(0.0, 10.0) == 0.0
    assert bots.outlook(1e9, 10.0) == 1.0
    assert 0.7 < bots.outlook(10.0, 10.0) < 0.8
    game = make("virus")
    assert bots.centred(game, properties(game).highest_return) == 1.0
    assert bots.centred(game, properties(game).lowest_return) == -1.0


@pytest.mark.parametrize(
    ("message", "worded"),
    [
        (
            "1,4 x6 -> 2,4; done: +0.31 at depth 6, 773410 nodes",
            "1,4 x6 -> 2,4; fini\u202f: +0,31 à la profondeur 6, 773410 nœuds",
        ),
        (
            "left: -1.00 at depth 3, 12 nodes, solved",
            "gauche\u202f: \N{MINUS SIGN}1,00 à la profondeur 3, 12 nœuds, résolu",
        ),
        ("I have you: beware", "I have you: beware"),
    ],
)
def test_what_a_bot_says_of_its_search_is_told_in_the_language_spoken(message, worded):
    with speaking("fr"):
        assert advice.message_in_words(message) == worded
    if message != worded:
        assert advice.message_in_words(message) == message.replace("-1.00", "\N{MINUS SIGN}1.00")
