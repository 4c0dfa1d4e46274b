"""Illegal actions in random games, and the rules that their games say they break."""

import random

from joute.core.interface import (
    CHANCE,
    OVER,
    accepts,
    chances,
    legal,
    mover,
    objection,
    play,
    properties,
    start,
)
from joute.i18n.recognised import recognised
from joute.i18n.words import Sentence, english, speaking
from joute.play.illegal import illegal

NEAR = (-10, -1, 1, 300, 2048)
"""Differences from a legal action to actions that are nearly legal."""


def objections(game, games, seed=1):
    """By its key, a sentence in English of each rule that is broken in so many random games.

    Each is given exactly where the action is not accepted, and is read again from a record.
    """
    source, facts, found = random.Random(seed), properties(game), {}
    out, weights = [0] * max(facts.max_legal, facts.max_outcomes), [0.0] * facts.max_outcomes
    for _ in range(games):
        state = start(game).tolist()
        while (player := mover(game, state)) != OVER:
            if player == CHANCE:
                action = source.choice(out[: chances(game, state, out, weights)])
            else:
                action = source.choice(out[: legal(game, state, out)])
                anywhere = [source.randrange(facts.max_actions) for _ in range(6)]
                for doubted in (*anywhere, *(action + each for each in NEAR), -1, 10**9):
                    said = objection(game, state, doubted)
                    assert (said is None) == accepts(game, state, doubted), doubted
                    if said is not None and said.key not in found:
                        found[said.key] = english(said)
                        _read_again(illegal(game, state, doubted, [doubted]))
            play(game, state, action)
    return found


def _read_again(told):
    """Checks that a text kept of an illegal answer is the same sentence again, in French too."""
    kept = recognised(english(told))
    assert isinstance(kept, Sentence)
    with speaking("fr"):
        assert str(kept) == str(told)
