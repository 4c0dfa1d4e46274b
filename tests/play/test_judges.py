"""Judges of decisions, where something is hidden from the player who decided."""

import pytest

from joute.core.interface import determinize, legal_actions, mover, play, start
from joute.core.random import generator
from joute.core.registry import make
from joute.play.chance import Streams
from joute.play.mistakes import ChosenTurn, TurnJudge

WORLDS = 3


def decided(name, actions, seed):
    """A decision of so many legal actions, the last of each, at the first choice of a game."""
    game, streams = make(name), Streams(seed)
    state = start(game).tolist()
    while (player := int(mover(game, state))) < 0:
        play(game, state, streams.outcome(game, state))
    reached, played = list(state), []
    for _ in range(actions):
        played.append(legal_actions(game, reached)[-1])
        play(game, reached, played[-1])
    return game, ChosenTurn({"player": player}, [], state, played, [])


@pytest.mark.full  # what they judge by is compiled
@pytest.mark.parametrize(
    ("name", "actions", "seed"),
    [
        pytest.param("love-letter", 1, "e", marks=pytest.mark.game("love-letter")),
        pytest.param("paradise", 2, "f", marks=pytest.mark.game("paradise")),
    ],
)
def test_a_decision_is_judged_by_what_its_player_knew_alone(name, actions, seed):
    game, decision = decided(name, actions, seed)
    player = int(decision.line["player"])
    found, hidden = set(), set()
    for world in range(WORLDS):
        state = list(decision.state)
        determinize(game, state, player, generator(world))
        hidden.add(tuple(state))
        judge = TurnJudge(game, "builtin:ismcts?simulations=50")
        found.add(judge.better(decision._replace(state=state)))
    assert len(hidden) > 1 and len(found) == 1 and found != {None}
