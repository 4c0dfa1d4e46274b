"""Whether a hero of Paradise can be killed, by what a player sees: warnings that are always true.

Nothing stands in the way of an attack on a hero, so all damage adds up. Minions still to be played,
and what the opponent holds, can only add to what is counted here.
"""

from __future__ import annotations

from typing import Any

from joute.games.paradise.cards import ARCANE_SHOT, BOOK, FIREBALL, KILL_COMMAND
from joute.games.paradise.state import MOST_MANA, POWER_COST, POWER_DAMAGE, STRIKE, TARGETS


def now(seen: dict[str, Any]) -> int:
    """What the observer, in his turn, can do to the other hero with his minions, spells and power.

    `seen` is what he observes.
    """
    player = seen["player"]
    awake = {(action - STRIKE) // TARGETS for action in seen["legal"] if action >= STRIKE}
    strikes = sum(seen["boards"][player][number]["attack"] for number in awake)
    return int(strikes) + _most(_spells(seen), seen["mana"][player])


def to_come(seen: dict[str, Any]) -> int:
    """What the opponent can do to the observer's hero in his next turn, with minions and power."""
    other = 1 - seen["player"]
    mana = min(seen["max_mana"][other] + 1, MOST_MANA)
    strikes = sum(each["attack"] for each in seen["boards"][other])
    return int(strikes) + (POWER_DAMAGE if mana >= POWER_COST else 0)


def _spells(seen: dict[str, Any]) -> list[tuple[int, int]]:
    """(cost, damage to the hero) of the power, if it is left, and of each spell in the hand."""
    player = seen["player"]
    damage = {ARCANE_SHOT: 2, FIREBALL: 6, KILL_COMMAND: 5 if seen["boards"][player] else 3}
    found = [(BOOK[card].cost, damage[card]) for card in seen["hand"] if card in damage]
    return found if seen["power_used"][player] else [*found, (POWER_COST, POWER_DAMAGE)]


def _most(spells: list[tuple[int, int]], mana: int) -> int:
    """The most damage for so much mana."""
    best = [0] * (mana + 1)
    for cost, damage in spells:
        for left in range(mana, cost - 1, -1):
            best[left] = max(best[left], best[left - cost] + damage)
    return best[mana]
