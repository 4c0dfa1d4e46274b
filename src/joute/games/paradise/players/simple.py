"""Simple bots of Paradise, and a linear evaluation: `face`, `curve` and `greedy`.

The evaluation is frozen: its weights are those of a winner of the premade-deck track of the
Hearthstone AI competition of 2019. It reads nothing that its player does not see.

Bots raise BuiltinError for another game, or for an option out of range.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from joute.bots import BuiltinBot, Choice, Seating, other_game, wrong_stray
from joute.core.arrays import index
from joute.core.interface import (
    chances,
    implements,
    inline,
    legal_actions,
    observe,
    play,
    properties,
)
from joute.core.random import below, generator, uniform
from joute.games.paradise.state import (
    AIM,
    AIMED,
    AIMS,
    ARCANE_SHOT,
    BOARD_SIZE,
    BOOK,
    COBRA,
    DEAD,
    END,
    FIREBALL,
    HERO,
    LIFE,
    MINION,
    OWN,
    PHASE,
    PLAY,
    POWER_ACTION,
    SHOOTING,
    STRIKE,
    TARGETS,
    Paradise,
    attack,
    block,
    minion,
)

INTERPRETED = True  # no kernel is used

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


def check(name: str, seat: Seating) -> None:
    """Raises BuiltinError for a game that is not Paradise."""
    if not isinstance(seat.game, Paradise):
        raise other_game(name, "paradise", seat)


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


# The bots.


class _Face:
    def __init__(self, seat: Seating, stray: float) -> None:
        self._game = seat.game
        self._player = seat.player
        self._stray = stray
        self._rng = generator(seat.seed)

    def play(self, state: np.ndarray) -> Choice:
        if self._stray and uniform(self._rng) < self._stray:
            actions = legal_actions(self._game, state.tolist())
            return Choice(actions[below(self._rng, len(actions))], "strays")
        turn = TurnChoices(self._game, state, self._player)
        attackers = turn.attackers()
        for number in attackers:
            if turn.minions[number]["attack"] >= turn.health:
                return Choice(strike(number), "wins")
        plays = turn.plays()
        found = dearest([each for each in plays if BOOK[each.card].kind == MINION])
        spells = [each for each in plays if each.aimed]
        if found is not None:
            return Choice(found.action())
        if spells:
            return Choice(spells[0].action())
        if turn.power:
            return Choice(POWER_ACTION)
        return Choice(strike(attackers[0]) if attackers else END)


def face(seat: Seating, *, stray: float = 0.0) -> BuiltinBot:
    """Everything at the other hero.

    First an attack that wins, if there is one; then the dearest minion that can be played, again
    and again, the spells that damage, the power and the attacks. Option: `stray`, the share of its
    actions that may be any legal one, for a weaker opponent.
    """
    check("face", seat)
    if not 0 <= stray <= 1:
        raise wrong_stray("face", stray)
    return _Face(seat, stray)


class _Curve:
    def __init__(self, seat: Seating) -> None:
        self._game = seat.game
        self._player = seat.player

    def play(self, state: np.ndarray) -> Choice:
        turn = TurnChoices(self._game, state, self._player)
        card = dearest(turn.plays())
        if card is not None:
            damage = turn.damage(card.card)
            target = strongest(turn.enemies, lambda each: each["health"] <= damage)
            return Choice(card.action(target or AT_HERO))
        attackers = turn.attackers()
        if attackers:
            target = strongest(turn.enemies, self._trade(turn, turn.minions[attackers[0]]))
            return Choice(strike(attackers[0], target or AT_HERO))
        return Choice(POWER_ACTION if turn.power else END)

    def _trade(self, turn: TurnChoices, own: dict[str, Any]) -> Any:
        return lambda enemy: turn.kills(own, enemy) and not turn.kills(enemy, own)


def curve(seat: Seating) -> BuiltinBot:
    """All mana first, then good trades.

    It plays the dearest card that can be played while there is one, spells at the enemy minion of
    the highest attack that they kill, else at the hero; it attacks minions that it kills without
    loss, else the hero; then it uses the power. No options.
    """
    check("curve", seat)
    return _Curve(seat)


class _Greedy:
    def __init__(self, seat: Seating) -> None:
        self._game = seat.game
        self._player = seat.player
        self._outcomes = [0] * properties(seat.game).max_outcomes
        self._weights = [0.0] * properties(seat.game).max_outcomes

    def play(self, state: np.ndarray) -> Choice:
        before = state.tolist()
        best, best_value = END, linear(before, self._player)
        for action in sensible_actions(self._game, before):
            if action != END and (value := self._value(before, action)) > best_value:
                best, best_value = action, value
        return Choice(best, f"values it {best_value:.1f}")

    def _value(self, before: Any, action: int) -> float:
        after = before.copy()
        play(self._game, after, action)
        if after[PHASE] != SHOOTING:
            return float(linear(after, self._player))
        total = 0.0
        count = chances(self._game, after, self._outcomes, self._weights)
        for outcome, weight in zip(self._outcomes[:count], self._weights, strict=False):
            shot = after.copy()
            play(self._game, shot, outcome)
            total += weight * linear(shot, self._player)
        return total


def greedy(seat: Seating, *, stray: float = 0.0) -> BuiltinBot:
    """The action after which the linear evaluation is highest, the first of equals.

    If no action makes it higher than it is, the turn ends. A shot whose victim is drawn counts by
    the mean. It never strays.
    """
    if not 0 <= stray <= 1:
        raise wrong_stray("greedy", stray)
    return _Greedy(seat)
