"""The learned policy of Virus is a sum over windows, alike under every symmetry of the grid."""

import numpy as np
import pytest
from games.virus.test_patterns import PLIES, mirrored
from search.positions import position

from joute.core.interface import legal_actions, play
from joute.games.virus import learning as virus_learning
from joute.games.virus.players import policy as virus_policy
from joute.games.virus.players.spread import spread
from joute.search.policy import parts, prefer


def drawn():
    """Weights that no two patterns share by chance."""
    rng = np.random.default_rng(1)
    return rng.normal(size=virus_policy.first_weights().size).astype(np.float32)


def liked(policy, game, state):
    """The logarithm of the weight of each action."""
    actions = legal_actions(game, state)
    weights = np.zeros(len(actions))
    prefer(policy, game, state, actions, len(actions), weights)
    return dict(zip(actions, np.log(weights).tolist(), strict=True))


@pytest.mark.parametrize("plies", PLIES)
def test_the_weight_of_an_action_is_that_of_its_parts(plies):
    weights, form = drawn(), virus_learning.policy_form()
    game, state = position(10, plies, plies)
    actions = legal_actions(game, state.tolist())
    places = np.zeros((len(actions), virus_policy.CELLS), np.int32)
    parts(form, game, state, actions, len(actions), places)
    expected = [float(weights[row[row >= 0]].sum()) for row in places]
    found = liked(virus_policy.policy(weights), game, state.tolist())
    assert list(found.values()) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("board", [np.flipud, np.fliplr, np.transpose, np.rot90])
def test_an_action_and_its_mirror_image_are_liked_alike(board):
    policy = virus_policy.policy(drawn())
    image = board(np.arange(100).reshape(10, 10)).ravel().tolist()
    for plies in PLIES:
        game, state = position(10, plies, plies)
        here = liked(policy, game, state.tolist())
        there = liked(policy, game, mirrored(game, state.tolist(), board))
        for place, cell in enumerate(image):
            assert there.get(place) == pytest.approx(here.get(cell), abs=1e-3)


@pytest.mark.parametrize("plies", PLIES)
def test_the_first_weights_are_the_policy_by_hand(plies):
    game, state = position(10, plies, plies)
    first = liked(virus_policy.policy(virus_policy.first_weights()), game, state.tolist())
    by_hand = liked(spread(), game, state.tolist())
    apart = {round(first[each] - by_hand[each], 3) for each in first if each < 100}
    assert len(apart) <= 1  # the same but for a factor


def test_a_pass_that_wins_is_liked():
    game, state = position(10, 20, seed=3)
    after = state.tolist()
    play(game, after, 100)
    policy = virus_policy.policy(virus_policy.first_weights())
    ends = [liked(policy, game, each)[100] for each in (state.tolist(), after)]
    leads = sum(word.bit_count() for word in after[:2]) - sum(w.bit_count() for w in after[2:4])
    wins = leads > 0 if after[4] == 0 else leads < 0
    assert ends == [virus_policy.FIRST_PASS[0], virus_policy.FIRST_PASS[int(wins)]]
