"""The law of what `determinize` deals, for games whose first plies can be listed whole.

It deals nothing that cannot be, and, given time, all that may well be. Every way to play the first
plies is listed, with its probability where players choose uniformly, for as many plies as the ways
are few enough. Of each player's knowledge, all that it observed, saw and was told on the way, the
ways that agree with it are known then, and what `determinize` deals is compared with them:

- a state that no way leads to is never dealt;
- a state in which the player may well be, by its probability, is dealt sooner or later.

States are compared by their meanings, which are what all players observe, who is to move and what
can be chosen: numbers of a state that nobody sees and that change nothing are left out, and so is
the order of cards in a hand. Nothing is said where a player may not know how many plies were
played, nor where it may know more than a state holds: whatever is told here is certain.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from joute.core.interface import (
    CHANCE,
    OVER,
    chances,
    determinize,
    legal_actions,
    mover,
    observe,
    play,
    properties,
    seen,
    start,
    tell,
)
from joute.core.random import below, generator
from joute.i18n.words import Sentence

_WAYS = 4000  # listed at most
_GROUPS = 100  # of ways that a player cannot tell apart, looked at at most
_DRAWS = 256  # for each of them
_LIKELY = 0.1  # what is as likely is missed by as many draws once in 10^11 times
_MOST = 0.5  # so is as large a part of what may be


class Misdeal(NamedTuple):
    """A fault of `determinize`, and the actions and outcomes that lead to where it was asked."""

    law: Sentence
    actions: tuple[int, ...]


class _Way(NamedTuple):
    """A way to play the first plies."""

    actions: tuple[int, ...]
    state: list[int]
    probability: float
    known: tuple[int, ...]  # a number for each player's knowledge


class _Group(NamedTuple):
    """Ways of as many plies that a player cannot tell apart."""

    player: int
    view: str  # what it observes
    ways: list[_Way]


def misdeal(game: Any) -> Misdeal | None:
    """The first state that `determinize` deals and must not, or the other way round, if any."""
    layers, whole = _layers(game)
    meanings = _Meanings(game)
    possible = {meanings.of(way.state) for layer in layers for way in layer}
    rng = generator(0)
    groups = _groups(game, layers if whole else layers[:-1], layers)
    for _, group in zip(range(_GROUPS), groups, strict=False):
        way = group.ways[below(rng, len(group.ways))]
        dealt = set[object]()
        for _ in range(_DRAWS):
            guess = way.state.copy()
            determinize(game, guess, group.player, rng)
            meaning = meanings.of(guess)
            dealt.add(meaning)
            if meaning not in possible:
                law = Sentence("error.law.deals.impossible", **_facts(group, guess))
                return Misdeal(law, way.actions)
        missing = _missing(group, meanings, dealt)
        if missing is not None:
            return Misdeal(missing, way.actions)
    return None


def _missing(group: _Group, meanings: _Meanings, dealt: set[object]) -> Sentence | None:
    """The law of what is never dealt; None if nothing likely is missing."""
    shares: dict[object, float] = defaultdict(float)
    states: dict[object, list[int]] = {}
    total = sum(way.probability for way in group.ways)
    for way in group.ways:
        meaning = meanings.of(way.state)
        shares[meaning] += way.probability / total
        states[meaning] = way.state
    missing = {meaning: share for meaning, share in shares.items() if meaning not in dealt}
    # Dealt states outside of the group may be all that the state remembers of what was told.
    if not missing or not dealt <= shares.keys():
        return None
    likeliest = max(missing, key=lambda meaning: missing[meaning])
    if missing[likeliest] < _LIKELY and sum(missing.values()) < _MOST:
        return None
    chance = {"draws": _DRAWS, "percent": round(100 * missing[likeliest])}
    return Sentence("error.law.deals.never", **_facts(group, states[likeliest]), **chance)


def _facts(group: _Group, state: list[int]) -> dict[str, object]:
    return {"player": group.player, "view": group.view, "dealt": state}


def _layers(game: Any) -> tuple[list[list[_Way]], bool]:
    """The ways of 0, 1, 2 ... plies, as far as they can be listed, and whether that is all."""
    numbers: dict[object, int] = {}
    first = start(game).tolist()
    layers = [[_Way((), first, 1.0, (0,) * properties(game).players)]]
    left = _WAYS
    while True:
        ahead = [(way, _weighted(game, way.state)) for way in layers[-1]]
        left -= sum(len(choices) for _, choices in ahead)
        if left < 0:
            return layers, False
        layer = [
            _longer(game, way, action, weight, numbers)
            for way, choices in ahead
            for action, weight in choices
        ]
        if not layer:
            return layers, True
        layers.append(layer)


def _weighted(game: Any, state: list[int]) -> list[tuple[int, float]]:
    """All that can be chosen, with its probability where it is above 0; nothing at the end."""
    player = mover(game, state)
    if player == OVER:
        return []
    if player != CHANCE:
        actions = legal_actions(game, state)
        return [(action, 1 / len(actions)) for action in actions]
    most = properties(game).max_outcomes
    out, weights = [0] * most, [0.0] * most
    count = chances(game, state, out, weights)
    return [(out[place], weights[place]) for place in range(count) if weights[place] > 0]


def _longer(game: Any, way: _Way, action: int, weight: float, numbers: dict[object, int]) -> _Way:
    """A way with an action or outcome more; `numbers` counts what players have come to know."""
    player, state = mover(game, way.state), way.state.copy()
    play(game, state, action)
    known = []
    for each, before in enumerate(way.known):
        told = _text(tell(game, way.state, each, action))
        sight = action if each == player else seen(game, way.state, each, action)
        news = (before, sight, told, _text(observe(game, state, each)))
        known.append(numbers.setdefault(news, len(numbers) + 1))
    return _Way((*way.actions, action), state, way.probability * weight, tuple(known))


def _groups(game: Any, asked: list[list[_Way]], layers: list[list[_Way]]) -> Iterator[_Group]:
    """The groups of ways, of the layers asked for, whose player knows how many plies were played.

    It does where its view comes in no other layer.
    """
    players = range(properties(game).players)
    depths = defaultdict[object, set[int]](set)
    for depth, layer in enumerate(layers):
        for way in layer:
            for player in players:
                depths[player, _view(game, way.state, player)].add(depth)
    for layer in asked:
        for player in players:
            groups = defaultdict[int, list[_Way]](list)
            for way in layer:
                if mover(game, way.state) != OVER:
                    groups[way.known[player]].append(way)
            for ways in groups.values():
                view = _view(game, ways[0].state, player)
                if len(depths[player, view]) == 1:
                    yield _Group(player, view[1], ways)


def _view(game: Any, state: list[int], player: int) -> tuple[int, str]:
    return mover(game, state), _text(observe(game, state, player))


class _Meanings:
    """The meanings of states, each found out once."""

    def __init__(self, game: Any) -> None:
        self._game = game
        self._known: dict[tuple[int, ...], object] = {}

    def of(self, state: list[int]) -> object:
        """The same for states that nobody can tell apart."""
        key = tuple(state)
        if key not in self._known:
            game = self._game
            seats = range(properties(game).players)
            views = [_text(_unordered(observe(game, state, each))) for each in seats]
            choices = [(action, round(weight, 9)) for action, weight in _weighted(game, state)]
            self._known[key] = (mover(game, state), *choices, *views)
        return self._known[key]


def _unordered(value: Any) -> Any:
    """An observation with its innermost lists sorted, such as hands."""
    if isinstance(value, dict):
        return {key: _unordered(each) for key, each in value.items()}
    if not isinstance(value, list):
        return value
    if any(isinstance(each, dict | list) for each in value):
        return [_unordered(each) for each in value]
    return sorted(value, key=repr)


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, default=str)
