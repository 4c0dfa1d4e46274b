"""Helpers of bots that play Paradise by simple rules: a turn's choices, and a linear evaluation.

The evaluation is frozen: its weights are those of a winner of the premade-deck track of the
Hearthstone AI competition of 2019. It reads nothing that its player does not see.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from joute.bots import Seating, other_game
from joute.core.arrays import index
from joute.core.interface import implements, inline, legal_actions, observe
from joute.games.paradise.state import (
    AIM,
    AIMED,
    AIMS,
    ARCANE_SHOT,
    BLOCK,
    BLOCKS,
    BOARD_SIZE,
    BOOK,
    CARDS,
    COBRA,
    DEAD,
    DECK,
    FIREBALL,
    HAND,
    HERO,
    LIFE,
    MOST_HAND,
    OWN,
    PLAY,
    POWER_ACTION,
    STRIKE,
    TARGETS,
    Paradise,
    attack,
    block,
    minion,
)

AT_HERO = 0  # the target of a spell or an attack

WON = 1e9  # beyond every value of a state that goes on

OWN_HERO, ENEMY_HERO = 21.5, -33.6
OWN_MINIONS, ENEMY_MINIONS = 41.1, -19.4
OWN_LIFE, ENEMY_LIFE = 54.0, -88.5
OWN_ATTACK, ENEMY_ATTACK = 60.5, -84.7


class TurnChoices:
    """A player's view of a state in which it is their turn."""

    def __init__(self, game: Any, state: np.ndarray, player: int) -> None:
        view = observe(game, state.tolist(), player)
        self.actions: list[int] = view["legal"]
        self.hand: list[int] = view["hand"]
        self.health: int = view["health"][1 - player]
        self.minions: list[dict[str, Any]] = view["boards"][player]
        self.enemies: list[dict[str, Any]] = view["boards"][1 - player]
        self.power = POWER_ACTION in self.actions

    def plays(self) -> list["Playable"]:
        """The cards that can be played, left to right."""
        places = {
            action - PLAY if action < AIM else (action - AIM) // AIMS
            for action in self.actions
            if PLAY <= action < STRIKE
        }
        return [Playable(place, self.hand[place]) for place in sorted(places)]

    def attackers(self) -> list[int]:
        """The minions that can attack, left to right."""
        numbers = {(action - STRIKE) // TARGETS for action in self.actions if action >= STRIKE}
        return sorted(numbers)

    def damage(self, card: int) -> int:
        """The damage of a spell with a target."""
        if card == ARCANE_SHOT:
            return 2
        return 6 if card == FIREBALL else 5 if self.minions else 3

    def kills(self, attacker: dict[str, Any], target: dict[str, Any]) -> bool:
        """Whether a blow of the one kills the other."""
        return bool(attacker["card"] == COBRA or attacker["attack"] >= target["health"])


def known_to(player: int, state: np.ndarray) -> np.ndarray:
    """A copy with nothing in the other's hand and in the decks: equal if it looks so."""
    known = state.copy()
    for each in (0, 1):
        deck = BLOCKS + BLOCK * each + DECK
        known[deck : deck + 2 * CARDS] = 0  # what is in it, and what was destroyed
    hand = BLOCKS + BLOCK * (1 - player) + HAND
    known[hand : hand + MOST_HAND] = 0
    return known


class Playable(NamedTuple):
    """A card of the hand that can be played."""

    place: int
    card: int

    @property
    def aimed(self) -> bool:
        """Whether it needs a target."""
        return BOOK[self.card].kind == AIMED

    def action(self, target: int = AT_HERO) -> int:
        """Its number; a target only counts where one is needed."""
        return AIM + AIMS * self.place + target if self.aimed else PLAY + self.place


def strike(number: int, target: int = AT_HERO) -> int:
    """The number of an attack; targets are AT_HERO, and minions from 1."""
    return STRIKE + TARGETS * number + target


def dearest(plays: list[Playable]) -> Playable | None:
    """The dearest of these cards, the leftmost of equals."""
    return max(plays, key=lambda each: BOOK[each.card].cost, default=None)


def strongest(enemies: list[dict[str, Any]], fits: Callable[[dict[str, Any]], bool]) -> int | None:
    """The target that fits and has the highest attack, the leftmost of equals; None without one."""
    found = [(-each["attack"], number) for number, each in enumerate(enemies, 1) if fits(each)]
    return min(found)[1] if found else None


def check(name: str, table: Seating) -> None:
    """Raises BuiltinError for a game that is not Paradise."""
    if not isinstance(table.game, Paradise):
        raise other_game(name, "paradise", table)


def sensible_actions(game: Any, state: list[int]) -> list[int]:
    """The legal actions, but for those at one's own hero."""
    actions = legal_actions(game, state)
    return [each for each in actions if not AIM <= each < STRIKE or (each - AIM) % AIMS != OWN]


# The linear evaluation.


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
