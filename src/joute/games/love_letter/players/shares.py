"""How likely a model of an opponent of Love Letter chooses each action; `chosen` draws one."""

from typing import Any

from joute.core.arrays import index, lowest, popcount
from joute.core.interface import inline
from joute.games.love_letter.players.policies import (
    BY_ACTION,
    BY_DECISION,
    BY_RULES,
    by_rules,
    forced,
    kept_card,
    known_to,
    unseen_copies,
    used,
)
from joute.games.love_letter.state import (
    CARDS,
    CHOICE,
    CHOOSING,
    COUNTESS,
    CURRENT,
    GUARD,
    HANDS,
    NOBODY,
    NONE,
    PHASE,
    PLAYED,
    PRINCE,
    SECOND,
    SINGLE,
    targets,
)


@inline
def shares(
    model: int, game: Any, state: Any, actions: Any, count: int, weights: Any, scratch: Any
) -> None:
    """Write how likely the model chooses each legal action, of which there are `count`.

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
        _share_kept(state, actions, count, weights)
        return
    player = int(state[CURRENT])
    held, drawn = int(state[index(HANDS + player)]), int(state[SECOND])
    unseen_copies(game, state, player, scratch)
    one, two, part = held, drawn, 0.5  # how likely each of the two is
    if forced(held, drawn):
        one = two = COUNTESS
    elif model == BY_RULES:
        one = two = by_rules(held, drawn)
        part -= 0.5 * _share_known(state, player, held, drawn, actions, count, weights)
    for card in (one, two):
        ways = 0
        for turn in range(2):
            for each in range(count):
                action = int(actions[index(each)])
                if action // PLAYED != card or not _sensible(model, state, action, scratch):
                    continue
                if turn == 0:
                    ways += 1
                else:
                    weights[index(each)] += part / ways


@inline
def _share_known(state, player, held, drawn, actions, count, weights):
    """Share out what uses a card that was seen, by the rules; return how likely that is."""
    known = known_to(state, targets(state), player)
    part, total = 1.0 / max(popcount(known), 1), 0.0
    while known:
        other = lowest(known)
        known &= known - 1
        his = int(state[index(HANDS + other)])
        card = used(held, drawn, his)
        if card != NONE:
            total += part
            action = card * PLAYED + 10 * other + (his if card == GUARD else 0)
            for each in range(count):
                if actions[index(each)] == action:
                    weights[index(each)] += part
    return total


@inline
def _sensible(model, state, action, scratch):
    """Whether a model plays a card in this way at all: all such ways are as likely.

    By the rules a Guard names the likeliest, and a Prince is for oneself only if he must.
    """
    card, how = action // PLAYED, action % PLAYED
    if model != BY_RULES or how == NOBODY:
        return True
    if card == PRINCE:
        return how // 10 != state[CURRENT] or targets(state) == 0
    most = 0
    for each in range(CARDS):
        most = max(most, int(scratch[each]))
    return card != GUARD or scratch[index(how % 10)] == most


@inline
def _share_kept(state, actions, count, weights):
    """Share out a Chancellor's choice by the rules: the others go back in any order."""
    best, ways = kept_card(state), 0
    for turn in range(2):
        for each in range(count):
            action = int(actions[index(each)])
            kept = (action - SINGLE) // 10 if action >= SINGLE else (action - CHOICE) // 100
            if kept == best and turn == 0:
                ways += 1
            elif kept == best:
                weights[index(each)] = 1.0 / ways
