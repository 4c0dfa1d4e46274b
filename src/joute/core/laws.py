"""The laws that hold for every game, executable for any of them.

`check_play(game, seed)` plays one random game in pure Python and raises LawError at the first state
that breaks a law. The laws of one state:

- the mover is a player, CHANCE or OVER; a player has a legal action, chance an outcome;
- legal actions are distinct, ascending, in 0..max_actions - 1, at most max_legal; so for outcomes;
- probabilities are positive or zero and sum to 1;
- `parse(describe(a)) == a` for every legal action and outcome;
- legal actions differ in their `decisions`, and have the same number of them;
- `pick` and `draw` give what `legal` and `chances` list, and `mask` marks what `legal` lists;
  `openings` are legal; a `promise` is in 0..255;
- nothing but `play` and `determinize` changes the state; `play` changes nothing else;
- observations are plain data, features from -1 to 1;
- a determinization keeps, for its player, the observation, the mover and the legal actions;

and of a whole play: it ends within max_plies; the lead in points stays within all the bounds that
were given for it; returns lie within their bounds and sum to zero where declared; the same actions
give the same bytes.
"""

import json
from collections.abc import Callable
from typing import Any

import numpy as np

from joute.core.features import features_of
from joute.core.interface import (
    CHANCE,
    OVER,
    chances,
    decisions,
    describe,
    determinize,
    draw,
    fault_action,
    lead_bounds,
    legal,
    mask,
    mover,
    observe,
    openings,
    parse,
    pick,
    play,
    points,
    promise,
    properties,
    render,
    returns,
    start,
    tell,
)
from joute.core.random import below, generator
from joute.errors import Error

TOLERANCE = 1e-9


class LawError(Error, AssertionError):
    """A game breaks a law; says which, and in which state."""

    def __init__(self, game: Any, state: list[int], law: object) -> None:
        super().__init__(f"{game}: broken: {law}; state {state}")
        self.law = law


def check_play(
    game: Any,
    seed: int,
    look: Callable[[list[int]], None] | None = None,
    actions: list[int] | None = None,
) -> list[int]:
    """Plays a random game, checks every law in every state; returns its actions and outcomes.

    `look` is called with each state, for laws of one's own; `actions` is a list that receives what
    is played, for whoever wants to know how far it went. Raises LawError.
    """
    rng = generator(seed)
    state: list[int] = start(game).tolist()
    actions = [] if actions is None else actions
    leads = (-float("inf"), float("inf"))
    while mover(game, state) != OVER:
        check_state(game, state, rng)
        leads = _check_lead(game, state, leads)
        if look is not None:
            look(state)
        choices = _choices(game, state)
        action = choices[below(rng, len(choices))]
        _check_told(game, state, action)
        play(game, state, action)
        actions.append(action)
        _law(game, state, len(actions) <= properties(game).max_plies, "it ends within max_plies")
    _check_lead(game, state, leads)
    _check_end(game, state)
    again: list[int] = start(game).tolist()
    for action in actions:
        play(game, again, action)
    _law(game, state, again == state, "the same actions give the same state")
    return actions


def check_state(game: Any, state: list[int], rng: np.ndarray) -> None:
    """Checks the laws of one state that is not over. Raises LawError."""
    facts = properties(game)
    before = state.copy()
    player = mover(game, state)
    _law(game, state, player == CHANCE or 0 <= player < facts.players, "the mover is a player")
    choices = _choices(game, state)
    _law(game, state, bool(choices), "somebody can play")
    _law(game, state, choices == sorted(set(choices)), "choices are distinct and ascending")
    for choice in choices:
        text = describe(game, state, choice)
        _law(game, state, parse(game, state, text) == choice, f"{text!r} is read as written")
    scratch, weights = [0] * max(facts.max_legal, facts.max_outcomes), [0.0] * facts.max_outcomes
    if player == CHANCE:
        chances(game, state, scratch, weights)
        given = weights[: len(choices)]
        _law(game, state, min(given) >= 0, "probabilities are not negative")
        _law(game, state, abs(sum(given) - 1) < TOLERANCE, "probabilities sum to 1")
        drawn = draw(game, state, scratch, weights, rng)
        _law(game, state, drawn in choices, "draw gives an outcome")
    else:
        _law(game, state, choices[-1] < facts.max_actions, "actions are below max_actions")
        _law(game, state, pick(game, state, scratch, rng) in choices, "pick gives a legal action")
        row = [False] * facts.max_actions
        mask(game, state, row, scratch)
        marked = [action for action, found in enumerate(row) if found]
        _law(game, state, marked == choices, "mask marks the legal actions")
        _law(game, state, set(openings(game, state)) <= set(choices), "openings are legal")
        _law(game, state, len(openings(game, state)) > 0, "there is an opening")
        decided = {decisions(game, state, choice) for choice in choices}
        _law(game, state, len(decided) == len(choices), "actions differ in their decisions")
        _law(game, state, len({len(each) for each in decided}) == 1, "each has as many of them")
        promises = [promise(game, state, choice) for choice in choices]
        _law(game, state, all(0 <= each <= 255 for each in promises), "promises are in 0..255")
        after = state.copy()
        play(game, after, fault_action(game, state, player))
    for each in range(facts.players):
        _check_views(game, state, each, rng)
    _law(game, state, state == before, "only play and determinize change a state")


def _check_views(game: Any, state: list[int], player: int, rng: np.ndarray) -> None:
    observation = observe(game, state, player)
    plain = json.loads(json.dumps(observation)) == observation
    _law(game, state, plain, "an observation is plain data")
    _law(game, state, isinstance(render(game, state, player), str), "a state can be drawn")
    numbers = features_of(game, state, player)
    _law(game, state, bool((np.abs(numbers) <= 1).all()), "features are from -1 to 1")
    guess = state.copy()
    determinize(game, guess, player, rng)
    same = observe(game, guess, player) == observation
    _law(game, state, same, f"a determinization keeps what player {player} sees")
    alike = np.array_equal(features_of(game, guess, player), numbers)
    _law(game, state, alike, f"a determinization keeps the features of player {player}")
    _law(game, state, mover(game, guess) == mover(game, state), "and who is to move")
    if mover(game, state) == player:
        kept = _choices(game, guess) == _choices(game, state)
        _law(game, state, kept, "and its legal actions")


def _check_told(game: Any, state: list[int], action: int) -> None:
    for player in range(properties(game).players):
        told = tell(game, state, player, action)
        plain = told is None or json.loads(json.dumps(told)) == told
        _law(game, state, plain, "what is told is plain data")


def _check_lead(game: Any, state: list[int], leads: tuple[float, float]) -> tuple[float, float]:
    """Checks player 0's lead against earlier bounds, for two players; returns the new bounds."""
    if properties(game).players != 2:
        return leads
    lead = points(game, state, 0) - points(game, state, 1)
    _law(game, state, leads[0] <= lead <= leads[1], "the lead stays within the bounds of leads")
    lowest, highest = lead_bounds(game, state, 0)
    mirrored = lead_bounds(game, state, 1) == (-highest, -lowest)
    _law(game, state, mirrored, "the bounds of leads are the other player's negated")
    return max(leads[0], lowest), min(leads[1], highest)


def _check_end(game: Any, state: list[int]) -> None:
    facts = properties(game)
    values = [0.0] * facts.players
    returns(game, state, values)
    bounded = all(facts.lowest_return <= value <= facts.highest_return for value in values)
    _law(game, state, bounded, "returns lie within their bounds")
    balanced = not facts.zero_sum or abs(sum(values)) < TOLERANCE
    _law(game, state, balanced, "returns sum to zero")
    for player in range(facts.players):
        observe(game, state, player)


def _choices(game: Any, state: list[int]) -> list[int]:
    """The legal actions, or the outcomes of chance."""
    facts = properties(game)
    # Room for lists that are too long, so that the law says so.
    if mover(game, state) == CHANCE:
        most = facts.max_outcomes
        out, weights = [0] * (2 * most + 1), [0.0] * (2 * most + 1)
        count = chances(game, state, out, weights)
    else:
        most = facts.max_legal
        out = [0] * (most + facts.max_actions)
        count = legal(game, state, out)
    _law(game, state, count <= most, f"there are at most {most} choices, not {count}")
    return out[:count]


def _law(game: Any, state: list[int], holds: bool, law: str) -> None:
    if not holds:
        raise LawError(game, state, law)
