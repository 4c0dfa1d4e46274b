"""The linear evaluation of Paradise, frozen: its weights are those of a winner of the premade-deck
track of the Hearthstone AI competition of 2019. It reads nothing that its player does not see.
"""

from typing import Any, NamedTuple

from joute.core.arrays import index
from joute.core.interface import implements, inline
from joute.games.paradise.state import BOARD_SIZE, DEAD, HERO, LIFE, attack, block, minion

WON = 1e9  # beyond every value of a state that goes on

OWN_HERO, ENEMY_HERO = 21.5, -33.6
OWN_MINIONS, ENEMY_MINIONS = 41.1, -19.4
OWN_LIFE, ENEMY_LIFE = 54.0, -88.5
OWN_ATTACK, ENEMY_ATTACK = 60.5, -84.7


@inline
def linear(state: Any, player: int) -> float:
    """The value of a state for a player: +-WON where a hero is dead, 0 where both are."""
    dead = int(state[DEAD])
    if dead:
        return WON * ((dead >> (1 - player) & 1) - (dead >> player & 1))
    own, other = block(player), block(1 - player)
    value = OWN_HERO * int(state[index(own + HERO)]) + ENEMY_HERO * int(state[index(other + HERO)])
    for number in range(int(state[index(own + BOARD_SIZE)])):
        life = int(state[index(minion(own, number) + LIFE)])
        value += OWN_MINIONS + OWN_LIFE * life + OWN_ATTACK * attack(state, own, number)
    for number in range(int(state[index(other + BOARD_SIZE)])):
        life = int(state[index(minion(other, number) + LIFE)])
        value += ENEMY_MINIONS + ENEMY_LIFE * life + ENEMY_ATTACK * attack(state, other, number)
    return value


class Linear(NamedTuple):
    """The linear evaluation, for searches."""


@implements(Linear, "evaluate")
def _linear(evaluation, game, state, player):
    return linear(state, player)
