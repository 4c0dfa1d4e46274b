"""Features of Tron: the same for either bike, and the map that is played on."""

import numpy as np
import pytest
from games.tron.maps import DUEL, TOWER

from joute.core.features import features_of
from joute.core.interface import OVER, legal_actions, mover, play, start
from joute.core.random import below, generator
from joute.core.registry import make

pytestmark = pytest.mark.game("tron")


@pytest.mark.parametrize("text", [DUEL, TOWER])
def test_bikes_of_tron_are_seen_alike(text):
    one, other = (
        make("tron", map=text, order="simultaneous", rotation=rotation) for rotation in (0, 1)
    )
    rng, state, exchanged = generator(8), start(one).tolist(), start(other).tolist()
    while mover(one, state) != OVER:
        chosen = {}
        while mover(one, state) >= 0 and mover(one, state) not in chosen:
            bike, choices = mover(one, state), legal_actions(one, state)
            chosen[bike] = choices[below(rng, len(choices))]
            play(one, state, chosen[bike])
        for bike in sorted(1 - bike for bike in chosen):
            play(other, exchanged, chosen[1 - bike])
        for player in range(2):
            found = features_of(other, exchanged, 1 - player)
            assert np.array_equal(features_of(one, state, player), found)


def test_the_planes_of_tron_are_its_map():
    game = make("tron", map=DUEL, players=2)
    own, trail, team, others, trails, walls, chooses = features_of(game, start(game), 0)
    rows = [row for row in DUEL.splitlines() if row.startswith("#")]
    assert walls.tolist() == [[float(cell == "#") for cell in row] for row in rows]
    assert np.argwhere(own).tolist() == np.argwhere(trail).tolist() == [[1, 1]]
    assert np.argwhere(others).tolist() == np.argwhere(trails).tolist() == [[4, 7]]
    assert not team.any() and chooses.all()
