"""Love Letter for two as a student project of UTBM plays it: negamax over turns, four deep.

It knows hidden cards only as its view imagines them, one deal of those that it has not seen, and
takes that deal for true; so what it may know of a hand is all that it uses. Of actions of equal
value it plays the one that leads farthest on ("prudent"). Some hands it plays without a search:
never the Princess, a Guard after the opponent's Countess.

A turn is a draw, which the search chooses too, and one of the two cards, which is played in one way
(`utbm_values`); so is what is drawn after a Prince on oneself. Cards that a Prince or a Chancellor
draws otherwise are the next of one order of the deck. Both hands are those of the state that is
searched: its caller decides what may be known.

A child of a turn is numbered drawn * 2 * CARDS + which * CARDS + redrawn, `which` being the card
that is played: the one held (0) or the one drawn (1).

Source: "Love Letter, rapport de projet", IA41, UTBM. Option: `depth` in turns.
"""

from typing import Any

import numpy as np

from joute.bots import BuiltinBot, BuiltinError, Choice, Seating, refused
from joute.bots.explain import SearchNode
from joute.core.arrays import copy, index
from joute.core.compiled import kernel
from joute.core.interface import inline, legal, play, properties
from joute.core.random import generator
from joute.games.love_letter.players.utbm_tree import TurnTree
from joute.games.love_letter.players.utbm_turns import (
    MAX_DEPTH,
    may_come,
    playable,
    shuffle,
    top,
    work,
)
from joute.games.love_letter.players.utbm_values import TUNED, kept, way, worth
from joute.games.love_letter.state import (
    CARDS,
    CHOOSING,
    COUNTESS,
    CURRENT,
    DRAWING,
    ENDED,
    FOR_TURN,
    GUARD,
    HANDS,
    NAMES,
    NONE,
    PHASE,
    PLAYED,
    PRINCE,
    PRINCESS,
    REASON,
    STARTING,
    LoveLetter,
    log,
)
from joute.i18n.words import Sentence

__all__ = ["TUNED", "make"]

DEPTH = 4  # turns
CHILDREN = 2 * CARDS * CARDS
INFINITY = 1e9  # beyond every value
DRAW, CARD, REST = range(3)  # stages of a turn


@kernel
def negamax(game: Any, root: Any, card: int, depth: int, work: Any) -> float:
    """The value of playing `card` for the mover of `root`, whose own turn is the first.

    `depth` turns are searched. `work.leaf[0]` becomes the number of turns to the leaf that the
    value comes from. The window of the root is open, so values of different cards can be compared.
    """
    player = int(root[CURRENT])
    copy(work.states[0], root)
    level = 0
    _enter(work, 0, -INFINITY, INFINITY)
    while True:
        child = int(work.child[level])
        children = CARDS if level == 0 else CHILDREN
        if child >= children or work.value[level] >= work.beta[level]:
            if level == 0:
                return float(work.value[0])
            level -= 1
            _take(work, level, -work.value[level + 1], work.leaf[level + 1])
            continue
        drawn, redrawn = child // (2 * CARDS), child % CARDS
        state = work.states[level + 1]
        copy(state, work.states[level])
        mover = int(state[CURRENT])
        stage = CARD if level == 0 else DRAW
        chosen = card
        impossible = 0
        redraws = False
        while True:
            if stage == DRAW:
                if not may_come(state, drawn):
                    impossible = 2 * CARDS
                    break
                action = drawn
            elif stage == CARD:
                if level > 0:
                    chosen = playable(state, child // CARDS % 2)
                if chosen == NONE:
                    impossible = CARDS
                    break
                action = way(game, state, chosen, work.unseen)
            elif state[PHASE] == CHOOSING:
                action = kept(game, state, work.unseen)
            elif state[PHASE] == DRAWING and state[REASON] != FOR_TURN:
                action = top(state, work)
                if chosen == PRINCE and state[index(HANDS + mover)] == NONE:
                    redraws = True
                    action = redrawn
                    if not may_come(state, redrawn):
                        impossible = 1
                        break
            else:
                break
            play(game, state, action)
            stage = min(stage + 1, REST)
        if impossible == 0 and not redraws:
            work.child[level] = child - child % CARDS + CARDS
        else:
            # Children that share what is impossible come one after the other.
            step = max(impossible, 1)
            work.child[level] = child - child % step + step
        if impossible > 0:
            continue
        over = state[PHASE] == ENDED or state[PHASE] == STARTING
        if not over and level + 1 < depth:
            floor = max(work.alpha[level], work.value[level])
            level += 1
            _enter(work, level, -work.beta[level - 1], -floor)
            continue
        value = worth(game, state, player, work.unseen)
        _take(work, level, -value if level % 2 else value, level + 1)


@inline
def _enter(work: Any, level: int, alpha: float, beta: float) -> None:
    work.child[level] = 0
    work.value[level] = -INFINITY
    work.alpha[level] = alpha
    work.beta[level] = beta


@inline
def _take(work: Any, level: int, value: float, leaf: int) -> None:
    """Notes the value of a child at its level."""
    if value > work.value[level]:
        work.value[level] = value
        work.leaf[level] = leaf


class _Utbm:
    def __init__(self, seat: Seating, depth: int) -> None:
        self._game = seat.game
        self._player = seat.player
        self._depth = depth
        self._rng = generator(seat.seed)
        self._work = work()
        self._out = [0] * properties(seat.game).max_legal

    def play(self, state: np.ndarray) -> Choice:
        known = state.tolist()
        if state[PHASE] == CHOOSING:
            return Choice(int(kept(self._game, known, self._work.unseen)))
        count = legal(self._game, known, self._out)
        cards = sorted({action // PLAYED for action in self._out[:count]})
        card, message = self._without_search(known, cards), ""
        if card is None:
            card, message = self._searched(state, cards)
        return Choice(int(way(self._game, known, card, self._work.unseen)), message)

    def tree(self, state: np.ndarray, turns: int) -> SearchNode | None:
        """The first turns of the search; None where a card is drawn or kept, not played."""
        if state[PHASE] == CHOOSING:
            return None
        known = state.tolist()
        count = legal(self._game, known, self._out)
        cards = sorted({action // PLAYED for action in self._out[:count]})
        shuffle(state, self._work, self._rng)
        return TurnTree(self._game, known, self._depth, self._work).root(cards, turns)

    def _without_search(self, state: list[int], cards: list[int]) -> int | None:
        """The card to play where nothing need be searched, else None."""
        if len(cards) == 1:
            return cards[0]
        if PRINCESS in cards:
            return cards[0]
        played = [one.card for one in log(state) if one.played and one.player != self._player]
        if GUARD in cards and played[-1:] == [COUNTESS]:
            return GUARD
        return None

    def _searched(self, state: np.ndarray, cards: list[int]) -> tuple[int, str]:
        shuffle(state, self._work, self._rng)
        found = []
        for card in cards:
            value = negamax(self._game, state, card, self._depth, self._work)
            found.append((float(value), int(self._work.leaf[0]), card))
        # The first of the best: the lower card where value and depth are equal.
        best = max(found, key=lambda each: each[:2])[2]
        told = (f"{NAMES[card]} {value:+.5f} at turn {leaf}" for value, leaf, card in found)
        return best, ", ".join(told)


def make(seat: Seating, *, depth: int = DEPTH) -> BuiltinBot:
    """The bot. Raises BuiltinError for a game it cannot play or an option out of range."""
    return seated("utbm", seat, depth)


def seated(name: str, seat: Seating, depth: int) -> BuiltinBot:
    """The bot under a name, for its errors."""
    if not isinstance(seat.game, LoveLetter) or seat.game.players != 2:
        facts = properties(seat.game)
        found = {"game": facts.name, "players": facts.players}
        raise BuiltinError(Sentence("error.love-letter.two", bot=name, **found))
    if not 1 <= depth <= MAX_DEPTH:
        bounds = {"lowest": 1, "highest": MAX_DEPTH, "value": depth}
        raise refused(name, Sentence("error.range", name="depth", **bounds))
    return _Utbm(seat, depth)
