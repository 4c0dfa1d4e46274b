"""The laws that hold for every game, executable for any of them.

`check_play(game, seed)` plays one random game in pure Python and raises LawError at the first state
that breaks a law; `check_sequence(game, actions)` checks the state that given actions lead to. The
laws of one state:

- the mover is a player, OVER, or CHANCE where the game says that it has chance; a player has a
  legal action, chance an outcome;
- legal actions are distinct, ascending, in 0..max_actions - 1, at most max_legal; so for outcomes;
- probabilities are positive or zero and sum to 1;
- `parse(describe(a)) == a` for every legal action and outcome;
- legal actions differ in their `decisions`, and have the same number of them;
- a legal action or outcome can be played, changes the state, and leads to a state with a mover;
- `objection` gives a reason for exactly the actions that are not accepted;
- an observation that lists `legal` as numbers lists the mover's legal actions;
- an operation that is asked twice says the same;
- `pick` and `draw` give what `legal` and `chances` list, and `mask` marks what `legal` lists;
  `openings` are legal; a `promise` is in 0..255;
- nothing but `play` and `determinize` changes the state; `play` changes nothing else;
- observations are plain data, features from -1 to 1, also where the game is over;
- a determinization keeps, for its player, the observation, the features, the picture, the mover
  and the legal actions; it draws with `rng`, and changes nothing where nothing is hidden;
- where nothing is hidden but choices of a round, a determinization changes nothing where `pending`
  says that none is in;
- where something is hidden, `seen` gives a player that does not move one number for what looks the
  same to it, and different ones for what does not; what has one number is told alike;
- where nothing is hidden, `seen` tells apart all choices with different effects;

and of a whole play: it ends within max_plies; where players choose at once, nobody is asked twice
in a round, which `pending` ends; the lead in points stays within all the bounds that
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
    accepts,
    chances,
    decisions,
    describe,
    determinize,
    draw,
    fault_action,
    has_rule,
    lead_bounds,
    legal,
    mask,
    mover,
    objection,
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
    seen,
    start,
    tell,
)
from joute.core.random import below, generator
from joute.core.rounds import Round, shown
from joute.errors import Error
from joute.i18n.words import Sentence

TOLERANCE = 1e-9
_HELD = 2.0**40  # in the array that `returns` fills, of another game: searches use one again
_PLAYED = 16  # of a state's choices, each played once
_SHOWN = 8  # features of a state that are out of bounds
_DOUBTED = 8  # random actions of a state, mostly illegal, each asked for the rule that it breaks
_OPERATIONS = {
    "actions": "legal", "ascending": "legal", "balanced": "returns", "bounded": "returns",
    "chance": "mover", "choices": "legal", "count": "legal", "decided": "decisions",
    "decisions": "decisions",
    "draw": "draw", "drawn": "render", "ends": "play", "features": "features", "hidden": "observe",
    "hidden.actions": "determinize", "hidden.drawn": "render", "hidden.features": "features",
    "hidden.mover": "determinize", "hidden.open": "properties", "hidden.rng": "determinize",
    "lead": "lead_bounds", "lead.mirrored": "lead_bounds",
    "listed": "observe", "mask": "mask", "mover": "mover", "negative": "chances",
    "nobody": "legal", "objection": "objection", "opening": "openings", "openings": "openings",
    "pending.drawn": "pending", "pick": "pick",
    "plain": "observe", "promise": "promise", "read": "parse", "same": "play",
    "seen.default": "seen", "seen.less": "seen", "seen.more": "seen", "seen.open": "properties",
    "seen.told": "tell",
    "unwritten": "returns",
    "stays": "play", "sum": "chances", "told": "tell",
}  # fmt: skip
"""The operation that each law is about."""


class LawError(Error, AssertionError):
    """A game breaks a law; says which, and in which state."""

    def __init__(self, game: Any, state: list[int], law: Sentence, operation: str = "") -> None:
        super().__init__(Sentence("error.law", game=game, law=law, state=list(state)))
        self.law = law
        self.operation = operation
        """The operation that the law is about, where it is one."""


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
    leads, current = (-float("inf"), float("inf")), Round()
    wrong: tuple[LawError, int] | None = None  # what is wrong with `seen`, and after how many
    while _mover(game, state) != OVER:
        check_state(game, state, rng)
        _check_round(game, state, current)
        try:
            _check_sights(game, state)
        except LawError as error:  # a wrong observation looks like this: its own laws come first
            wrong = wrong or (error, len(actions))
        leads = _check_lead(game, state, leads)
        if look is not None:
            look(state)
        choices = _choices(game, state)
        action = choices[below(rng, len(choices))]
        _check_told(game, state, action)
        actions.append(action)
        play(game, state, action)
        _check_length(game, state, actions)
    _check_lead(game, state, leads)
    check_end(game, state)
    _check_again(game, state, actions)
    if wrong is not None:
        del actions[wrong[1] :]
        raise wrong[0]
    return actions


def check_sequence(game: Any, actions: list[int]) -> None:
    """Checks the laws of the state that actions and outcomes lead to. Raises LawError."""
    state: list[int] = start(game).tolist()
    leads, current = (-float("inf"), float("inf")), Round()
    for number, action in enumerate(actions, 1):
        _check_round(game, state, current)
        leads = _check_lead(game, state, leads)
        _check_told(game, state, action)
        play(game, state, action)
        _check_length(game, state, actions[:number])
    if _mover(game, state) == OVER:
        check_end(game, state)
    else:
        for seed in range(4 if properties(game).hidden_information else 1):
            check_state(game, state, generator(seed))
        _check_sights(game, state)
        _check_round(game, state, current)
    _check_lead(game, state, leads)
    _check_again(game, state, actions)


def check_state(game: Any, state: list[int], rng: np.ndarray) -> None:
    """Checks the laws of one state that is not over. Raises LawError."""
    facts = properties(game)
    before = state.copy()
    player = _mover(game, state)
    choices = _choices(game, state)
    name = "chances" if player == CHANCE else "legal"
    _law(game, state, choices == sorted(set(choices)), "ascending", found=choices, name=name)
    _check_choices(game, state, choices)
    scratch, weights = [0] * max(facts.max_legal, facts.max_outcomes), [0.0] * facts.max_outcomes
    if player == CHANCE:
        chances(game, state, scratch, weights)
        given = weights[: len(choices)]
        _law(game, state, min(given) >= 0, "negative", found=given)
        _law(game, state, abs(sum(given) - 1) < TOLERANCE, "sum", found=sum(given))
        drawn = draw(game, state, scratch, weights, rng)
        _law(game, state, drawn in choices, "draw", found=drawn)
    else:
        _check_actions(game, state, choices)
        _check_objections(game, state, choices, rng)
        picked = pick(game, state, scratch, rng)
        _law(game, state, picked in choices, "pick", found=picked)
        row = np.zeros(facts.max_actions, np.bool_)
        mask(game, state, row, scratch)
        marked = np.flatnonzero(row).tolist()
        _law(game, state, marked == choices, "mask", found=marked)
        after = state.copy()
        play(game, after, fault_action(game, state, player))
    for each in range(facts.players):
        _check_views(game, state, each, rng)
    _law(game, state, state == before, "unchanged")


def _check_choices(game: Any, state: list[int], choices: list[int]) -> None:
    """The laws of actions and outcomes alike."""
    for choice in choices:
        text = describe(game, state, choice)
        found = parse(game, state, text)
        _law(game, state, found == choice, "read", text=text, action=choice, found=found)
    for choice in choices[:: len(choices) // _PLAYED + 1]:
        after = state.copy()
        play(game, after, choice)
        text = describe(game, state, choice)
        _law(game, state, after != state, "stays", text=text, action=choice)
        again = state.copy()
        play(game, again, choice)
        _law(game, state, again == after, "same", name="play")
        _mover(game, after)


def _check_actions(game: Any, state: list[int], choices: list[int]) -> None:
    """The laws of a player's actions."""
    most = properties(game).max_actions
    _law(game, state, choices[-1] < most, "actions", found=choices[-1], most=most)
    _law(game, state, choices[0] >= 0, "actions", found=choices[0], most=most)
    _law(game, state, set(openings(game, state)) <= set(choices), "openings")
    _law(game, state, len(openings(game, state)) > 0, "opening")
    decided = {decisions(game, state, choice) for choice in choices}
    _law(game, state, len(decided) == len(choices), "decisions")
    _law(game, state, len({len(each) for each in decided}) == 1, "decided")
    for choice in choices:
        found = promise(game, state, choice)
        _law(game, state, 0 <= found <= 255, "promise", action=choice, found=found)


def _check_objections(game: Any, state: list[int], choices: list[int], rng: np.ndarray) -> None:
    """The law of what is told of an illegal action, for a few of all and for impossible ones."""
    most = properties(game).max_actions
    doubted = [below(rng, most) for _ in range(_DOUBTED)]
    for action in (*doubted, -1, most, choices[0], choices[-1]):
        found = objection(game, state, action)
        taken = accepts(game, state, action)
        said = isinstance(found, Sentence) and bool(str(found))
        holds = found is None if taken else said
        _law(game, state, holds, "objection", action=action, accepted=taken, found=found)


def _check_views(game: Any, state: list[int], player: int, rng: np.ndarray) -> None:
    observation = observe(game, state, player)
    _law(game, state, _is_observation(observation), "plain", found=observation)
    _law(game, state, observe(game, state, player) == observation, "same", name="observe")
    picture = render(game, state, player)
    _law(game, state, isinstance(picture, str), "drawn")
    if mover(game, state) == player:
        _check_listed(game, state, observation)
    numbers = _features(game, state, player)
    guess, before = state.copy(), rng.copy()
    determinize(game, guess, player, rng)
    changed = guess != state  # asked at once: an observation that changes the state has its own law
    _law(game, state, observe(game, guess, player) == observation, "hidden", player=player)
    alike = np.array_equal(features_of(game, guess, player), numbers)
    _law(game, state, alike, "hidden.features", player=player)
    _law(game, state, render(game, guess, player) == picture, "hidden.drawn", player=player)
    _law(game, state, mover(game, guess) == mover(game, state), "hidden.mover", player=player)
    if mover(game, state) == player:
        kept = _choices(game, guess) == _choices(game, state)
        _law(game, state, kept, "hidden.actions", player=player)
    if changed:
        _law(game, state, _hides(game), "hidden.open", player=player)
        _law(game, state, not shown(game, state), "pending.drawn", player=player)
        # A choice that is not seen may be replaced by any one, cards that are hidden may not.
        drawn = not properties(game).hidden_information or not np.array_equal(rng, before)
        _law(game, state, drawn, "hidden.rng", player=player)


def _hides(game: Any) -> bool:
    """Whether players cannot see all of a state: by its nature, or while they choose at once."""
    facts = properties(game)
    return bool(facts.hidden_information or facts.simultaneous)


def _check_sights(game: Any, state: list[int]) -> None:
    """The laws of `seen`, of all players that do not move. Raises LawError."""
    check = _check_seen if _hides(game) else _check_open
    if check is _check_open and not has_rule(type(game), "seen"):
        return  # each action is its own number
    choices, mover_now = _choices(game, state), _mover(game, state)
    for player in range(properties(game).players):
        if player != mover_now:
            check(game, state, player, choices)


def _check_open(game: Any, state: list[int], player: int, choices: list[int]) -> None:
    """The law of what a player sees of another's choice where nothing is hidden."""
    by_sight: dict[int, tuple[int, list[int]]] = {}
    for choice in choices[:: len(choices) // _PLAYED + 1]:
        after = state.copy()
        play(game, after, choice)
        sight = seen(game, state, player, choice)
        other, known = by_sight.setdefault(sight, (choice, after))
        one, two = describe(game, state, other), describe(game, state, choice)
        values = {"player": player, "one": one, "two": two, "sight": sight}
        _law(game, state, known == after, "seen.open", **values)


def _check_seen(game: Any, state: list[int], player: int, choices: list[int]) -> None:
    """The laws of what a player that does not move sees of a choice."""
    own = has_rule(type(game), "tell")
    tells = own or properties(game).simultaneous
    by_sight: dict[int, tuple[int, str, str]] = {}
    by_view: dict[tuple[str, str], tuple[int, int]] = {}
    for choice in choices[:: len(choices) // _PLAYED + 1]:
        after = state.copy()
        play(game, after, choice)
        view, told = _text(observe(game, after, player)), _text(tell(game, state, player, choice))
        sight = seen(game, state, player, choice)
        two = describe(game, state, choice)
        # The default of `tell` names the action itself where `seen` lets it: nothing looks alike.
        other, first = by_view.setdefault((view, told if tells else ""), (choice, sight))
        alike = {"player": player, "one": describe(game, state, other), "two": two}
        _law(game, state, first == sight, "seen.more", **alike, first=first, second=sight)
        other, before, news = by_sight.setdefault(sight, (choice, view, told))
        apart = {"player": player, "one": describe(game, state, other), "two": two, "sight": sight}
        _law(game, state, before == view, "seen.less", **apart)
        law = "seen.told" if own else "seen.default"
        _law(game, state, news == told, law, **apart, first=news, second=told)


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, default=str)


def _features(game: Any, state: list[int], player: int) -> np.ndarray:
    """The features of a player; raises LawError where one is out of bounds, or no number."""
    numbers = features_of(game, state, player)
    bounded = np.abs(numbers) <= 1  # False of NaN
    found = numbers[~bounded].tolist()[:_SHOWN]
    _law(game, state, bool(bounded.all()), "features", found=found)
    return numbers


def _check_listed(game: Any, state: list[int], observation: dict[str, Any]) -> None:
    """The legal actions in an observation, which bots rely on, where they are there as numbers."""
    listed = observation.get("legal")
    if isinstance(listed, list) and all(isinstance(each, int) for each in listed):
        choices = _choices(game, state)
        _law(game, state, sorted(listed) == choices, "listed", listed=listed, legal=choices)


def _is_observation(value: Any) -> bool:
    return isinstance(value, dict) and _is_plain(value)


def _is_plain(value: Any) -> bool:
    """Whether JSON in UTF-8 can say a value: no number but a finite one, no half of a character."""
    try:
        text = json.dumps(value, allow_nan=False, ensure_ascii=False)
        return bool(json.loads(text.encode()) == value)
    except (TypeError, ValueError):
        return False


def _check_told(game: Any, state: list[int], action: int) -> None:
    for player in range(properties(game).players):
        told = tell(game, state, player, action)
        _law(game, state, told is None or _is_plain(told), "told", found=told)


def _check_length(game: Any, state: list[int], actions: list[int]) -> None:
    most = properties(game).max_plies
    _law(game, state, len(actions) <= most, "ends", most=most)


def _check_round(game: Any, state: list[int], current: Round) -> None:
    fault = current.fault(game, state)
    if fault is not None:
        raise LawError(game, state, fault, "pending")


def _check_again(game: Any, state: list[int], actions: list[int]) -> None:
    again: list[int] = start(game).tolist()
    for action in actions:
        play(game, again, action)
    _law(game, state, again == state, "same", name="play")


def _check_lead(game: Any, state: list[int], leads: tuple[float, float]) -> tuple[float, float]:
    """Checks player 0's lead against earlier bounds, for two players; returns the new bounds."""
    if properties(game).players != 2:
        return leads
    lead = points(game, state, 0) - points(game, state, 1)
    bounds = {"lead": lead, "lowest": leads[0], "highest": leads[1]}
    _law(game, state, leads[0] <= lead <= leads[1], "lead", **bounds)
    lowest, highest = lead_bounds(game, state, 0)
    mirrored = lead_bounds(game, state, 1) == (-highest, -lowest)
    _law(game, state, mirrored, "lead.mirrored")
    return max(leads[0], lowest), min(leads[1], highest)


def check_end(game: Any, state: list[int]) -> None:
    """Checks the laws of a state in which a game is over. Raises LawError."""
    facts = properties(game)
    values = [0.0] * facts.players
    returns(game, state, values)
    bounds = {"lowest": facts.lowest_return, "highest": facts.highest_return}
    bounded = all(bounds["lowest"] <= value <= bounds["highest"] for value in values)
    _law(game, state, bounded, "bounded", found=values, **bounds)
    balanced = not facts.zero_sum or abs(sum(values)) < TOLERANCE
    _law(game, state, balanced, "balanced", found=values)
    again = [_HELD] * facts.players
    returns(game, state, again)
    unwritten = [player for player, value in enumerate(again) if value != values[player]]
    _law(game, state, not unwritten, "unwritten", found=unwritten)
    for player in range(facts.players):
        _features(game, state, player)
        observation = observe(game, state, player)
        _law(game, state, _is_observation(observation), "plain", found=observation)
    for viewer in (*range(facts.players), None):
        _law(game, state, isinstance(render(game, state, viewer), str), "drawn")


def _mover(game: Any, state: list[int]) -> int:
    """The mover; raises LawError where it is none of the players, CHANCE or OVER.

    It may be CHANCE only where the game says that it has chance.
    """
    player, facts = mover(game, state), properties(game)
    known = _is_int(player) and OVER <= player < facts.players
    _law(game, state, known, "mover", found=player, highest=facts.players - 1)
    _law(game, state, facts.chance or player != CHANCE, "chance")
    return player


def _choices(game: Any, state: list[int]) -> list[int]:
    """The legal actions, or the outcomes of chance."""
    facts = properties(game)
    # Room for lists that are too long, so that the law says so.
    if mover(game, state) == CHANCE:
        most, name = facts.max_outcomes, "chances"
        out, weights = [0] * (2 * most + 1), [0.0] * (2 * most + 1)
        count = chances(game, state, out, weights)
    else:
        most, name = facts.max_legal, "legal"
        out = [0] * (most + facts.max_actions)
        count = legal(game, state, out)
    _law(game, state, _is_int(count), "count", name=name, found=count)
    _law(game, state, count > 0, "nobody", name=name)
    _law(game, state, count <= most, "choices", most=most, count=count, name=name)
    return out[:count]


def _is_int(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _law(game: Any, state: list[int], holds: bool, law: str, **values: Any) -> None:
    if not holds:
        told = Sentence(f"error.law.{law}", **values)
        raise LawError(game, state, told, values.get("name") or _OPERATIONS.get(law, ""))
