"""Models of how players of Love Letter choose, for kernels.

A model is a number. By chance, a card, then a player, then a guess; by chance among all legal
actions; by the rules of `builtin:rules`, whose text is there; and by the habits of a player who
searches, which are learned (`habits`). By rules and habits a card that was seen is used alike. Each
reads only what the player to move knows.
"""

from typing import Any

from joute.core.arrays import index, kth, lowest, popcount
from joute.core.interface import inline, pick
from joute.core.random import below, uniform
from joute.games.love_letter.players.habits import (
    NOWHERE,
    crowd_of,
    level,
    plays_first,
    stage_of,
)
from joute.games.love_letter.state import (
    AIMED,
    BARON,
    BOTTOM,
    BOTTOM_COUNT,
    BOTTOM_KNOWN,
    CARDS,
    CHOICE,
    CHOOSING,
    COUNTESS,
    CURRENT,
    FORCING,
    GUARD,
    HANDMAID,
    HANDS,
    KNOWN,
    NOBODY,
    NONE,
    PHASE,
    PLAYED,
    POOL,
    PRIEST,
    PRINCE,
    PRINCESS,
    RANDOM,
    SECOND,
    SINGLE,
    SPY,
    THIRD,
    targets,
)

BY_DECISION, BY_ACTION, BY_RULES, BY_HABITS = MODELS = (0, 1, 2, 3)

NEAR_END = 3  # cards in the deck with which the Princess is kept
SPY_WORTH, PRINCESS_KEPT, PRINCESS_RETURNED = 3, 20, -1


@inline
def chosen(model: int, habits: Any, game: Any, state: Any, out: Any, rng: Any) -> int:
    """The action of the player to move by this model; `out` (int[max_legal]) is scratch."""
    if model == BY_ACTION or (model == BY_DECISION and state[PHASE] == CHOOSING):
        return int(pick(game, state, out, rng))
    if state[PHASE] == CHOOSING:
        return _kept(model, habits, state, rng)
    player = int(state[CURRENT])
    held, drawn = int(state[index(HANDS + player)]), int(state[SECOND])
    others = targets(state)
    card, target, guess = held, -1, -1
    if model >= BY_RULES:
        known = known_to(state, others, player)
        card = held if uniform(rng) < first_chance(model, habits, state, held, drawn) else drawn
        if known and not forced(held, drawn):
            other = kth(known, below(rng, popcount(known)))
            theirs = int(state[index(HANDS + other)])
            use = used(held, drawn, theirs)
            if use != NONE:
                card, target, guess = use, other, theirs if use == GUARD else -1
    elif forced(held, drawn):
        card = COUNTESS
    elif held != drawn and below(rng, 2) == 1:
        card = drawn
    if target < 0:
        kept = drawn if card == held else held
        target = _aimed_at(model, habits, state, card, kept, rng)
    if target < 0:
        return card * PLAYED + NOBODY
    if card == GUARD and guess < 0:
        guess = _guess(model, habits, game, state, out, rng)
    return card * PLAYED + 10 * target + max(guess, 0)


@inline
def forced(one: int, other: int) -> bool:
    """Whether of these two cards the Countess must be played."""
    return (one == COUNTESS and FORCING >> other & 1 == 1) or (
        other == COUNTESS and FORCING >> one & 1 == 1
    )


@inline
def first_chance(model: int, habits: Any, state: Any, held: int, drawn: int) -> float:
    """The chance that by rules or habits the card held is played, where nothing seen is used."""
    if model == BY_RULES or forced(held, drawn):
        return 1.0 if by_rules(held, drawn) == held else 0.0
    return plays_first(habits, state, held, drawn)


@inline
def by_rules(one: int, other: int) -> int:
    """The one of two cards that the rules play where nothing that was seen can be used."""
    if forced(one, other):
        return COUNTESS
    low, high = min(one, other), max(one, other)
    if low == BARON and high in (HANDMAID, PRINCE):
        return high
    return high if low == PRIEST and high == HANDMAID else low


@inline
def worth(card: int, deck: int) -> int:
    """The rank of a card among those to keep with a Chancellor, with so many cards in the deck."""
    if card == PRINCESS:
        return PRINCESS_KEPT if deck <= NEAR_END else PRINCESS_RETURNED
    return SPY_WORTH if card == SPY else card


@inline
def known_to(state: Any, others: int, player: int) -> int:
    """The others whose hands the player knows, as bits."""
    found = 0
    while others:
        other = lowest(others)
        others &= others - 1
        if int(state[index(KNOWN + other)]) >> player & 1:
            found |= 1 << other
    return found


@inline
def used(held: int, drawn: int, theirs: int) -> int:
    """The card by which the rules use a card that was seen, or NONE."""
    if theirs != GUARD and GUARD in (held, drawn):
        return GUARD
    if (held == BARON and drawn > theirs) or (drawn == BARON and held > theirs):
        return BARON
    return PRINCE if theirs == PRINCESS and PRINCE in (held, drawn) else NONE


@inline
def _aimed_at(model: int, habits: Any, state: Any, card: int, kept: int, rng: Any) -> int:
    """The target of a card, or -1 for none."""
    player, others = int(state[CURRENT]), targets(state)
    if card == PRINCE:
        if model < BY_RULES:
            others |= 1 << player
        elif uniform(rng) < for_oneself(model, habits, state, kept, others):
            return player
    elif AIMED >> card & 1 == 0:
        return -1
    count = popcount(others)
    if count == 0:
        return -1
    return kth(others, below(rng, count)) if count > 1 else lowest(others)


@inline
def for_oneself(model: int, habits: Any, state: Any, kept: int, others: int) -> float:
    """The chance by rules or habits that a Prince is for who plays it; `others` may be chosen."""
    if others == 0:
        return 1.0
    if model == BY_RULES:
        return 0.0
    return float(habits.oneself[index(stage_of(state)), index(crowd_of(state)), index(kept)])


@inline
def _guess(model: int, habits: Any, game: Any, state: Any, out: Any, rng: Any) -> int:
    """The character that a Guard names."""
    if model < BY_RULES:
        guess = below(rng, CARDS - 1)
        return guess + (guess >= GUARD)
    unseen_copies(game, state, int(state[CURRENT]), out)
    most, total = most_copies(out), 0.0
    for card in range(CARDS):
        total += guess_weight(model, habits, state, int(out[card]), most)
    rest, guess = uniform(rng) * total, SPY
    for card in range(CARDS):
        weight = guess_weight(model, habits, state, int(out[card]), most)
        if weight > 0.0 and rest >= 0.0:
            guess = card
            rest -= weight
    return guess


@inline
def most_copies(copies: Any) -> int:
    """The most copies that are unseen of a character that may be named."""
    most = 0
    for card in range(CARDS):
        most = max(most, int(copies[card]))
    return most


@inline
def guess_weight(model: int, habits: Any, state: Any, copies: int, most: int) -> float:
    """The weight of naming a character of which so many copies are unseen, by rules or habits.

    By the rules it is one with most copies unseen.
    """
    there = level(copies, most)
    if there == NOWHERE:
        return 0.0
    if model == BY_RULES:
        return 1.0 if there == 0 else 0.0
    return float(habits.guesses[index(stage_of(state)), index(crowd_of(state)), index(there)])


@inline
def unseen_copies(game: Any, state: Any, player: int, out: Any) -> None:
    """Writes by character how many copies the player has not seen; of Guards, never named, -1."""
    for card in range(CARDS):
        out[card] = state[index(POOL + card)]
    for other in range(game.players):
        at = index(HANDS + other)
        if other != player and state[at] != NONE and not state[index(KNOWN + other)] >> player & 1:
            out[index(int(state[at]))] += 1
    for place in range(int(state[BOTTOM_COUNT])):
        if not state[index(BOTTOM_KNOWN + place)] >> player & 1:
            out[index(int(state[index(BOTTOM + place)]))] += 1
    out[GUARD] = -1


@inline
def _kept(model: int, habits: Any, state: Any, rng: Any) -> int:
    """A Chancellor's choice by rules or habits; the order of the others is drawn."""
    player = int(state[CURRENT])
    one, two, three = int(state[index(HANDS + player)]), int(state[SECOND]), int(state[THIRD])
    best = kept_card(state) if model == BY_RULES else _kept_by_habit(habits, state, rng)
    if best == three:
        one, three = three, one
    elif best == two:
        one, two = two, one
    if three == NONE:
        return SINGLE + one * 10 + two
    if below(rng, 2) == 1:
        two, three = three, two
    return CHOICE + one * 100 + two * 10 + three


@inline
def _kept_by_habit(habits: Any, state: Any, rng: Any) -> int:
    """The one of a Chancellor's cards that is kept by habit, drawn by their weights."""
    one, two = int(state[index(HANDS + int(state[CURRENT]))]), int(state[SECOND])
    three = int(state[THIRD])
    first, second, third = keep_weight(habits, state, one), 0.0, 0.0
    if two != one:
        second = keep_weight(habits, state, two)
    if three != NONE and one != three != two:
        third = keep_weight(habits, state, three)
    rest = uniform(rng) * (first + second + third)
    if rest < first or second + third == 0.0:
        return one
    return two if rest < first + second or third == 0.0 else three


@inline
def keep_weight(habits: Any, state: Any, card: int) -> float:
    """The weight of keeping a card of a Chancellor's, by habit."""
    return float(habits.keeps[index(stage_of(state)), index(crowd_of(state)), index(card)])


@inline
def kept_card(state: Any) -> int:
    """The one of a Chancellor's cards that the rules keep: of two of one rank, the first."""
    deck = int(state[RANDOM]) + int(state[BOTTOM_COUNT])
    best, three = int(state[index(HANDS + int(state[CURRENT]))]), int(state[THIRD])
    if three != NONE and worth(three, deck) > worth(best, deck):
        best = three
    return int(state[SECOND]) if worth(int(state[SECOND]), deck) > worth(best, deck) else best
