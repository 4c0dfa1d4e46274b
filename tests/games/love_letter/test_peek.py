"""`peek` sees every hand, plays by it, and is refused wherever bots are ranked."""

import numpy as np
import pytest
from games.love_letter.positions import dealt

from joute import bots
from joute.bots import BuiltinError, Seating
from joute.core.errors import SearchError
from joute.core.interface import describe
from joute.games.love_letter.rules import make
from joute.games.love_letter.state import COUNTESS, GUARD, HANDMAID, PRIEST, PRINCESS
from joute.search.uct_search import Uct

CARDS = {"princess": PRINCESS, "countess": COUNTESS, "priest": PRIEST}


@pytest.mark.parametrize("held", CARDS)
def test_it_names_the_card_that_the_other_holds(held):
    game, state = dealt(HANDMAID, CARDS[held], draw=GUARD)
    seat = Seating(game, 0, 1, 1.0)
    bot = bots.make("peek", {"simulations": "500"}, seat, study=True)
    choice = bot.play(np.array(state, np.int16))
    assert describe(game, state, choice.action) == f"guard 1 {held}"
    assert choice.value == 1.0


def test_it_may_not_play_where_it_counts():
    with pytest.raises(BuiltinError, match="builtin:peek sees what is hidden"):
        bots.make("peek", {}, Seating(make(players=2), 0, 1, 1.0))
    with pytest.raises(BuiltinError, match="peek"):
        bots.make("peek", {"simulations": "-1"}, Seating(make(players=2), 0, 1, 1.0), study=True)


def test_its_search_takes_no_game_with_hidden_cards_unless_it_is_to_peek():
    with pytest.raises(SearchError):
        Uct(make(players=2))
