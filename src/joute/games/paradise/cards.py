"""The cards of Paradise: what each costs, does and is called.

Cards are 0..15; 16 and 17 are the tokens, minions that no card in a hand becomes.
"""

from typing import NamedTuple

import numpy as np

MINION, SHOT, HOUNDS, AIMED = range(4)  # kinds of cards: what playing one needs

CARDS = 16  # that may be in a deck; the numbers above are tokens
DECK_CARDS = 25

COBRA = 1
DEADLY_SHOT = 2
ARCANE_SHOT = 3
RHINO = 5
WOLF = 7
FIREBALL = 9
HYENA = 11
KILL_COMMAND = 12
UNLEASH = 13
HIGHMANE = 14
ALPHA = 15
CUB = 16  # a token of the Highmane
HOUND = 17  # a token of Unleash the Hounds


class Card(NamedTuple):
    """One card, or a token."""

    word: str  # as actions are written, at most 12 letters
    title: str
    copies: int  # in a deck
    cost: int
    attack: int
    health: int
    kind: int
    text: str


BOOK = (
    Card("mole", "Dire Mole", 2, 1, 1, 3, MINION, ""),
    Card("cobra", "Emperor Cobra", 2, 3, 2, 3, MINION, "poison: what it damages dies"),
    Card("deadly shot", "Deadly Shot", 1, 3, 0, 0, SHOT, "destroys a random enemy minion"),
    Card("arcane shot", "Arcane Shot", 2, 1, 0, 0, AIMED, "2 damage to an enemy"),
    Card("hatchling", "Helpless Hatchling", 1, 1, 1, 1, MINION, ""),
    Card("rhino", "Tundra Rhino", 1, 5, 2, 5, MINION, "own minions have charge"),
    Card("snapjaw", "Oasis Snapjaw", 2, 4, 2, 7, MINION, ""),
    Card("wolf", "Timber Wolf", 2, 1, 1, 1, MINION, "other own minions +1 attack"),
    Card("raptor", "Bloodfen Raptor", 2, 2, 3, 2, MINION, ""),
    Card("fireball", "Fireball", 1, 4, 0, 0, AIMED, "6 damage to an enemy"),
    Card("ultrasaur", "Ultrasaur", 2, 10, 7, 14, MINION, ""),
    Card("hyena", "Scavenging Hyena", 1, 2, 2, 2, MINION, "+2/+1 when an own minion dies"),
    Card("kill command", "Kill Command", 1, 3, 0, 0, AIMED, "3 damage, 5 with an own minion"),
    Card("hounds", "Unleash the Hounds", 1, 3, 0, 0, HOUNDS, "a 1/1 with charge per enemy minion"),
    Card("highmane", "Savannah Highmane", 2, 6, 6, 5, MINION, "leaves two 2/2 when it dies"),
    Card("alpha", "Dire Wolf Alpha", 2, 2, 2, 2, MINION, "its neighbours +1 attack"),
    Card("cub", "Cub", 0, 2, 2, 2, MINION, ""),
    Card("hound", "Hound", 0, 1, 1, 1, MINION, "charge"),
)  # fmt: skip

# The same as tables for kernels.
COPIES = np.array([card.copies for card in BOOK], np.int64)
COST = np.array([card.cost for card in BOOK], np.int64)
ATTACK = np.array([card.attack for card in BOOK], np.int64)
HEALTH = np.array([card.health for card in BOOK], np.int64)
KIND = np.array([card.kind for card in BOOK], np.int64)
