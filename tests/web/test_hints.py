"""Hints: a choice in the language of people, and nothing of what will come of it."""

import pytest

from joute.core.interface import legal_actions, mover, play, start
from joute.core.registry import make
from joute.i18n.words import speaking
from joute.play.chance import Streams
from joute.play.telling import chosen

NAMES = ("Ann", "Bob", "Cleo")


def choices(name, **parameters):
    """All legal choices of a game in which the last one is taken, with its states."""
    game = make(name, **parameters)
    state, streams = start(game).tolist(), Streams("0" * 32)
    for _ in range(200):
        player = mover(game, state)
        if player == -1:
            play(game, state, streams.outcome(game, state))
        elif player >= 0:
            actions = legal_actions(game, state)
            yield from ((game, list(state), action) for action in actions)
            play(game, state, actions[-1])


@pytest.mark.game("love-letter")
@pytest.mark.parametrize(
    ("language", "expected"),
    [
        (
            "en",
            {"Guard on Bob: King", "Priest on Bob", "Handmaid", "keep Spy, put back Guard, Prince"},
        ),
        ("fr", {"Garde sur Bob\u202f: Roi", "Prêtre sur Bob", "Servante"}),
    ],
)
def test_a_choice_of_love_letter_names_its_cards_and_its_target(language, expected):
    with speaking(language):
        said = {chosen(*each, NAMES) for each in listed("love-letter", players=3)}
    assert expected <= said


def listed(name, **parameters):
    return [(game, state, [action]) for game, state, action in choices(name, **parameters)]


@pytest.mark.game("paradise")
def test_a_choice_of_paradise_is_said_with_full_names():
    with speaking("fr"):
        said = {chosen(*each, NAMES) for each in listed("paradise")}
    assert "Finir le tour" in said and "Loup redoutable alpha attaque le héros" in said


@pytest.mark.game("vampires")
def test_an_order_has_no_word_for_its_end():
    game = make("vampires")
    state = start(game).tolist()
    first = next(action for action in legal_actions(game, state) if action)
    assert chosen(game, state, [first, 0], NAMES).count(";") == 0
