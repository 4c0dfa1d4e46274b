"""What bots that play Paradise by simple rules look at: the choices of their turn, in words."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from joute.bots import Seating, other_game
from joute.core.interface import legal_actions, observe
from joute.games.paradise.cards import AIMED, ARCANE_SHOT, BOOK, CARDS, COBRA, FIREBALL
from joute.games.paradise.state import (
    AIM,
    AIMS,
    BLOCK,
    BLOCKS,
    DECK,
    HAND,
    MOST_HAND,
    OWN,
    PLAY,
    POWER_ACTION,
    STRIKE,
    TARGETS,
    Paradise,
)

HERO = 0


class Turn:
    """A player's view of a state in which it is his turn."""

    def __init__(self, game: Any, state: np.ndarray, player: int) -> None:
        view = observe(game, state.tolist(), player)
        self.actions: list[int] = view["legal"]
        self.hand: list[int] = view["hand"]
        self.health: int = view["health"][1 - player]
        self.minions: list[dict[str, Any]] = view["boards"][player]
        self.enemies: list[dict[str, Any]] = view["boards"][1 - player]
        self.power = POWER_ACTION in self.actions

    def plays(self) -> list["Play"]:
        """The cards that can be played, left to right."""
        places = {
            action - PLAY if action < AIM else (action - AIM) // AIMS
            for action in self.actions
            if PLAY <= action < STRIKE
        }
        return [Play(place, self.hand[place]) for place in sorted(places)]

    def attackers(self) -> list[int]:
        """The minions that can attack, left to right."""
        numbers = {(action - STRIKE) // TARGETS for action in self.actions if action >= STRIKE}
        return sorted(numbers)

    def damage(self, card: int) -> int:
        """What a spell with a target does to it."""
        if card == ARCANE_SHOT:
            return 2
        return 6 if card == FIREBALL else 5 if self.minions else 3

    def kills(self, attacker: dict[str, Any], target: dict[str, Any]) -> bool:
        """Whether a blow of the one kills the other."""
        return bool(attacker["card"] == COBRA or attacker["attack"] >= target["health"])


class Known:
    """What a player knows, as a state: two that look equal to him are."""

    def __init__(self, player: int) -> None:
        self._other = 1 - player

    def of(self, state: np.ndarray) -> np.ndarray:
        """A copy with nothing in the other's hand and in the decks."""
        known = state.copy()
        for player in (0, 1):
            deck = BLOCKS + BLOCK * player + DECK
            known[deck : deck + 2 * CARDS] = 0  # what is in it, and what was destroyed
        hand = BLOCKS + BLOCK * self._other + HAND
        known[hand : hand + MOST_HAND] = 0
        return known


class Play(NamedTuple):
    """A card of the hand that can be played."""

    place: int
    card: int

    @property
    def aimed(self) -> bool:
        """Whether it needs a target."""
        return BOOK[self.card].kind == AIMED

    def action(self, target: int = HERO) -> int:
        """Its number; a target only counts where one is needed."""
        return AIM + AIMS * self.place + target if self.aimed else PLAY + self.place


def strike(number: int, target: int = HERO) -> int:
    """The number of an attack; targets are HERO, and minions from 1."""
    return STRIKE + TARGETS * number + target


def dearest(plays: list[Play]) -> Play | None:
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
