"""Mistakes of users and bots, as calls that raise, and their French sentences."""

import pytest
from helpers import english_words

from joute import bots
from joute.core.registry import make
from joute.host.names import parse_bot
from joute.i18n.recognised import recognised
from joute.i18n.words import english, speaking
from joute.play.seats import check_bot


def bot(game, name, **options):
    """Makes a built-in bot with such options."""

    def mistake():
        table = bots.Seating(make(game), 0, 0, 1.0)
        bots.make(name, {key: str(value) for key, value in options.items()}, table)

    return mistake


def played(game, text, **parameters):
    """Seats the bot of such a name at a game."""
    return lambda: check_bot(parse_bot(text), make(game, **parameters))


def check(mistake):
    """Fails unless a call raises an error of ours whose French is not English."""
    with pytest.raises(Exception) as caught:
        mistake()
    assert type(caught.value).__module__.startswith("joute."), repr(caught.value)
    with speaking("fr"):
        french = str(caught.value)
    assert str(caught.value) != french
    assert not english_words(french), french


def in_french(text):
    """An English text of ours in French, and that it is found again as it was."""
    assert english(recognised(text)) == text
    with speaking("fr"):
        return str(recognised(text))
