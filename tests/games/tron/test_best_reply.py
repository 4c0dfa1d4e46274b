"""The search of best replies in Tron, where the other bikes choose unseen."""

import numpy as np
from games.tron.maps import superset
from search.plain import actions_of, after
from search.random_tree import Worth

from joute.core.interface import mover, start
from joute.core.registry import make
from joute.games.tron.arena import CHOICE
from joute.games.tron.players.champion import Rivals
from joute.games.tron.players.evaluation import territory
from joute.games.tron.players.model import drivers
from joute.search import best_reply
from joute.search.best_reply import BestReply

WORTH = Worth(most=10**9)  # so that no two values tie

ROWS = ("#########", "# 1   2 #", "#       #", "#   #   #", "#   3   #", "#########")
ARENA = make("tron", map=superset("room", "\n".join(ROWS)), players=3)


def reply_of(game, player):
    return BestReply(game, start(game), player, territory(game), drivers(game), 2, True)


def test_choices_of_a_round_that_nobody_sees_are_those_that_are_expected(monkeypatch):
    monkeypatch.setattr(best_reply, "expand", best_reply.expand.function)
    reply = reply_of(ARENA, 2)
    states = []
    for first in actions_of(ARENA, start(ARENA).tolist()):
        state = np.array(after(ARENA, start(ARENA), first), np.int16)
        state = np.array(after(ARENA, state, 3), np.int16)
        states.append(reply.asked(Rivals(ARENA, 2).opened(state)))
        assert mover(ARENA, states[-1]) == 2
    assert all(np.array_equal(state, states[0]) for state in states)
    assert reply.asked(states[0]) is states[0]
    assert states[0][CHOICE + 0] >= 0  # expected


def test_who_is_out_is_asked_no_more(monkeypatch):
    monkeypatch.setattr(best_reply, "expand", best_reply.expand.function)
    rows = ("###########", "#1#2  #3  #", "# #   #   #", "###   #   #", "###########")
    game = make("tron", map=superset("room", "\n".join(rows)), players=3)
    (worth,) = reply_of(game, 0).search(start(game), 8)
    assert worth.final and worth.depth < 8 and worth.value < -1e6
