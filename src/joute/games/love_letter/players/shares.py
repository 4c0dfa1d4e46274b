"""The shares of actions that players of Love Letter choose, by the models of `policies`."""

from typing import Any

from joute.core.arrays import index, lowest, popcount
from joute.core.interface import inline
from joute.games.love_letter.players.policies import (
    BY_ACTION,
    BY_DECISION,
    BY_RULES,
    first_chance,
    for_oneself,
    forced,
    guess_weight,
    keep_weight,
    kept_card,
    known_to,
    most_copies,
    unseen_copies,
    used,
)
from joute.games.love_letter.state import (
    CHOOSING,
    CURRENT,
    GUARD,
    HANDS,
    NOBODY,
    NONE,
    PHASE,
    PLAYED,
    PRINCE,
    SECOND,
    card_kept,
    targets,
)


@inline
def shares(
    model: int,
    habits: Any,
    game: Any,
    state: Any,
    actions: Any,
    count: int,
    weights: Any,
    scratch: Any,
) -> None:
    """Writes how likely the model chooses each legal action, of which there are `count`.

    `chosen` of the module `policies` draws one by the same chances.
    `scratch` is int[CARDS] at least.
    """
    choosing = state[PHASE] == CHOOSING
    if model == BY_ACTION or (model == BY_DECISION and choosing):
        for each in range(count):
            weights[index(each)] = 1.0 / count
        return
    for each in range(count):
        weights[index(each)] = 0.0
    if choosing:
        _share_kept(model, habits, state, actions, count, weights)
        return
    player = int(state[CURRENT])
    held, drawn = int(state[index(HANDS + player)]), int(state[SECOND])
    unseen_copies(game, state, player, scratch)
    first, rest = 0.5, 1.0  # how likely the card held is, and how likely one of the two at all
    if model >= BY_RULES or forced(held, drawn):
        first = first_chance(model, habits, state, held, drawn)
    if model >= BY_RULES and not forced(held, drawn):
        rest -= _share_known(state, player, held, drawn, actions, count, weights)
    for turn in range(2):
        card, kept, part = held, drawn, first * rest
        if turn == 1:
            card, kept, part = drawn, held, (1.0 - first) * rest
        total = 0.0
        for each in range(count):
            total += _way(model, habits, state, int(actions[index(each)]), card, kept, scratch)
        for each in range(count):
            way = _way(model, habits, state, int(actions[index(each)]), card, kept, scratch)
            if way > 0.0:
                weights[index(each)] += part * way / total


@inline
def _share_known(
    state: Any, player: int, held: int, drawn: int, actions: Any, count: int, weights: Any
) -> float:
    """Shares out what uses a card that was seen, by the rules; returns how likely that is."""
    known = known_to(state, targets(state), player)
    part, total = 1.0 / max(popcount(known), 1), 0.0
    while known:
        other = lowest(known)
        known &= known - 1
        theirs = int(state[index(HANDS + other)])
        card = used(held, drawn, theirs)
        if card != NONE:
            total += part
            action = card * PLAYED + 10 * other + (theirs if card == GUARD else 0)
            for each in range(count):
                if actions[index(each)] == action:
                    weights[index(each)] += part
    return total


@inline
def _way(
    model: int, habits: Any, state: Any, action: int, card: int, kept: int, scratch: Any
) -> float:
    """The likelihood of an action, beside others that play this card and keep that one."""
    how = action % PLAYED
    if action // PLAYED != card:
        return 0.0
    if model < BY_RULES or how == NOBODY:
        return 1.0
    if card == PRINCE:
        others = targets(state)
        oneself = for_oneself(model, habits, state, kept, others)
        if how // 10 == state[CURRENT]:
            return oneself
        return (1.0 - oneself) / popcount(others)
    if card != GUARD:
        return 1.0
    return guess_weight(model, habits, state, int(scratch[index(how % 10)]), most_copies(scratch))


@inline
def _share_kept(
    model: int, habits: Any, state: Any, actions: Any, count: int, weights: Any
) -> None:
    """Shares out a Chancellor's choice by rules or habits: the others go back in any order."""
    best, total = kept_card(state), 0.0
    for each in range(count):
        kept, ways = card_kept(int(actions[index(each)])), 0
        for other in range(count):
            ways += card_kept(int(actions[index(other)])) == kept
        weight = keep_weight(habits, state, kept)
        if model == BY_RULES:
            weight = 1.0 if kept == best else 0.0
        weights[index(each)] = weight / ways
        total += weight / ways
    for each in range(count):
        weights[index(each)] /= total
