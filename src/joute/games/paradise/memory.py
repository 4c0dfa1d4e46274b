"""The state of Paradise for an agent of the contest, from what it is shown and what it remembers.

The contest shows an agent its hand, both boards, health and mana, at its own actions only. The
rest is made up from what happened: within a turn, the agent's own actions are played on; at the
beginning of one, the turns passed tell the sizes of the decks, fatigue and the most mana, and the
opponent's new minions, its mana and the size of its hand tell the cards that it has played. Where
several spells explain the same, the first that does is taken: they are no more than a guess at the
unseen cards.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any

from joute.core.interface import chances, mover, observe, play, start
from joute.games.paradise.csgames import TOKENS, contest_state
from joute.games.paradise.state import (
    BASE,
    BOARD_SIZE,
    BOOK,
    CARD,
    CARDS,
    CHOOSING,
    DEALT,
    DECK,
    DECK_CARDS,
    DECK_SIZE,
    DESTROYED,
    END,
    FATIGUE,
    HAND,
    HAND_SIZE,
    HERO,
    HOUND,
    LEFT,
    LIFE,
    MANA,
    MAX_LIFE,
    MAX_MANA,
    MINION,
    MOST_BOARD,
    MOST_HAND,
    MOST_MANA,
    PHASE,
    PLAYER,
    POWER_COST,
    SHOOTING,
    TURN,
    TURNS,
    UNLEASH,
    Paradise,
    block,
    bonus,
    minion,
)

_NUMBERS = {name: number for number, name in TOKENS.items()}
_SPELLS = [card for card in range(CARDS) if BOOK[card].kind != MINION]
_MOST_GUESSED = 4  # cards of a turn that left nothing to be seen


class Memory:
    """An agent's knowledge of its game, and the state made of it."""

    def __init__(self, game: Paradise) -> None:
        self._game = game
        self.player = -1
        """The agent's seat; -1 before it was shown anything."""
        self.state: list[int] = start(game).tolist()
        """The state of the last `see`, and after `played` what it has become."""
        self._before = self.state  # before the last action
        self._turns = 0  # of the agent's own
        self._goes_on = False  # whether the next state is of the same turn
        self._own: list[int] = [0] * CARDS  # cards of the agent that it has seen
        self._other: list[int] = [0] * CARDS  # that the opponent has played
        self._hand_left = 0  # cards in the opponent's hand when it was last seen

    def see(self, shown: dict[str, Any]) -> list[int]:
        """The state that the contest's dictionary shows: the agent is to act in it."""
        if self._goes_on and self._followed(shown):
            return self.state
        if not self._goes_on or self._ended_by_others(shown):
            self._begin_turn(shown)
        self._build(shown)
        return self.state

    def played(self, action: int) -> None:
        """Notes the agent's action in the last state."""
        self._goes_on = action != END
        if action == END:
            self._hand_left = self.state[block(1 - self.player) + HAND_SIZE]
        else:
            self._before = self.state.copy()
            play(self._game, self.state, action)

    def _followed(self, shown: dict[str, Any]) -> bool:
        """Whether the state, after a victim is drawn if need be, looks like what is shown."""
        if self.state[PHASE] != SHOOTING:
            return mover(self._game, self.state) == self.player and self._looks_like(shown)
        out, weights = [0] * MOST_BOARD, [0.0] * MOST_BOARD
        before = self.state
        for victim in out[: chances(self._game, before, out, weights)]:
            self.state = before.copy()
            play(self._game, self.state, victim)
            if self._looks_like(shown):
                return True
        self.state = before
        return False

    def _ended_by_others(self, shown: dict[str, Any]) -> bool:
        """Whether the engine has ended the turn in place of the agent's last action.

        Mana is filled at the beginning of a turn, and never grows in it.
        """
        if shown["player_mana"] <= self.state[block(self.player) + MANA]:
            return False
        self.state = self._before
        self._hand_left = self.state[block(1 - self.player) + HAND_SIZE]
        return True

    def _looks_like(self, shown: dict[str, Any]) -> bool:
        expected = contest_state(observe(self._game, self.state, self.player))
        places = ("player_hand", "player_target", "opponent_target")
        return all(
            [_facts(each) for each in shown[place]] == [_facts(each) for each in expected[place]]
            for place in places
        )

    def _begin_turn(self, shown: dict[str, Any]) -> None:
        """Counts the turn, the card drawn and the cards that the opponent has played."""
        hand = [each["id"] for each in shown["player_hand"]]
        if self.player < 0:
            # The first player has drawn its fourth card, the second its fifth.
            self.player = int(len(hand) > 1 + DEALT[0])
            self._hand_left = DEALT[1 - self.player]
            before: list[int] = []
        else:
            own = block(self.player)
            before = self.state[own + HAND : own + HAND + self.state[own + HAND_SIZE]]
        for card in range(CARDS):
            self._own[card] += max(hand.count(card) - before.count(card), 0)
        self._turns += 1
        self._note_opponent(shown)

    def _note_opponent(self, shown: dict[str, Any]) -> None:
        turns = self._opponent_turns()
        if turns == 0:
            return
        drawn = DEALT[1 - self.player] + turns <= DECK_CARDS
        hand = min(self._hand_left + drawn, MOST_HAND)
        count = max(hand - int(shown["n_opponent_hand"]), 0)
        # What came in the opponent's turn has begun one turn since: this one.
        minions = shown["opponent_target"][1:]
        new = [_number(each["id"]) for each in minions if each["turns_in_play"] == 1]
        cards = [card for card in new if card < CARDS][:count]
        if HOUND in new and len(cards) < count:
            cards.append(UNLEASH)
        spent = min(turns, MOST_MANA) - int(shown["opponent_mana"])
        spent -= sum(BOOK[card].cost for card in cards)
        for card in [*cards, *self._guess(count - len(cards), spent, cards)]:
            self._other[card] += 1

    def _guess(self, count: int, spent: int, seen: list[int]) -> list[int]:
        """So many unseen cards that were played for that much mana, the power's perhaps in it."""
        unseen = [BOOK[card].copies - self._other[card] - seen.count(card) for card in range(CARDS)]
        able = [card for card in range(CARDS) if unseen[card] > 0]
        spells = [card for card in _SPELLS if card in able]
        for cards in (spells, able):
            for power in (0, POWER_COST):
                for found in combinations_with_replacement(cards, min(count, _MOST_GUESSED)):
                    paid = sum(BOOK[card].cost for card in found) + power
                    if paid == spent and all(found.count(c) <= unseen[c] for c in found):
                        return [*found]
        return [card for card in able for _ in range(unseen[card])][:count]

    def _opponent_turns(self) -> int:
        return self._turns - (self.player == 0)

    def _build(self, shown: dict[str, Any]) -> None:
        """Makes the state of what is shown and of what is remembered."""
        own, other = block(self.player), block(1 - self.player)
        state = self.state = [0] * len(self.state)
        state[PHASE], state[PLAYER], state[LEFT] = CHOOSING, self.player, 0
        state[TURN] = self._turns + self._opponent_turns()
        hand = [each["id"] for each in shown["player_hand"]]
        state[own + HAND : own + HAND + len(hand)] = hand
        state[own + HAND_SIZE] = len(hand)
        state[other + HAND_SIZE] = int(shown["n_opponent_hand"])
        for player, name, turns in (
            (self.player, "player", self._turns),
            (1 - self.player, "opponent", self._opponent_turns()),
        ):
            first, taken = block(player), DEALT[player] + turns
            state[first + HERO] = shown[f"{name}_target"][0]["health"]
            state[first + MANA] = shown[f"{name}_mana"]
            state[first + MAX_MANA] = min(turns, MOST_MANA)
            state[first + FATIGUE] = max(taken - DECK_CARDS, 0)
            state[first + DECK_SIZE] = max(DECK_CARDS - taken, 0)
            _set_board(state, first, shown[f"{name}_target"][1:])
        _set_unseen(state, own, self._own, 0)
        _set_unseen(state, other, self._other, state[other + HAND_SIZE])


def _number(name: int | str) -> int:
    """The card of a minion as the contest names it: tokens by their names."""
    return _NUMBERS[name] if isinstance(name, str) else int(name)


def _facts(shown: dict[str, Any]) -> tuple[Any, ...]:
    """The facts of a card, a minion or a hero that tell it from others."""
    return tuple(shown.get(key) for key in ("id", "atk", "health", "max_health"))


def _set_board(state: list[int], first: int, minions: list[dict[str, Any]]) -> None:
    """Writes the minions of the block at `first`."""
    state[first + BOARD_SIZE] = len(minions)
    for at, each in enumerate(minions):
        state[minion(first, at) + CARD] = _number(each["id"])
    for at, each in enumerate(minions):
        place = minion(first, at)
        state[place + BASE] = each["atk"] - bonus(state, first, at)
        state[place + LIFE] = each["health"]
        state[place + MAX_LIFE] = each["max_health"]
        state[place + TURNS] = each["turns_in_play"]


def _set_unseen(state: list[int], first: int, seen: list[int], hidden: int) -> None:
    """Writes the cards that nobody has seen of the block at `first`.

    `hidden` cards of them, any, are put into its hand, what is left after those and the deck was
    destroyed. Which is which is never known.
    """
    unseen = [BOOK[card].copies - seen[card] for card in range(CARDS)]
    order = [card for card in range(CARDS) for _ in range(unseen[card])]
    state[first + HAND : first + HAND + hidden] = order[:hidden] if hidden else []
    size = state[first + DECK_SIZE]
    for part, cards in ((DECK, order[hidden : hidden + size]), (DESTROYED, order[hidden + size :])):
        for card in cards:
            state[first + part + card] += 1
