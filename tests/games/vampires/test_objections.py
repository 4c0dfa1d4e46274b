import pytest
from games.doubted import objections

from joute.core.interface import legal_actions, objection, play, start
from joute.core.registry import make
from joute.i18n.words import english


@pytest.mark.parametrize("split", [True, False])
def test_an_illegal_choice_is_told_with_the_rule_that_it_breaks(split):
    found = objections(make("vampires", plies=20, split=split), 5)
    assert {"error.vampires.illegal", "error.vampires.number"} <= found.keys()


def said(game, state, action):
    return english(objection(game, state, action))


def test_each_rule_of_a_small_choice_is_named():
    game = make("vampires")
    state = start(game).tolist()
    first = legal_actions(game, state)[0]
    assert said(game, state, 0) == "an order has 1 to 255 moves"
    assert "the source holds the mover’s species" in said(game, state, (15 * 8) * 256 + 1)
    assert "every count is at least 1" in said(game, state, first - first % 256)
    assert "no more leave a cell than it holds" in said(game, state, first + 50)
    play(game, state, first)
    assert "comes too late: sources and directions ascend" in said(game, state, first)
    beyond = 255 * 8 * 256 + 1
    assert said(game, state, beyond) == f"{beyond} is no move"
