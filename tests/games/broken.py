"""A game that breaks one law at a time: each player takes one or two from a pile of four.

State: int16[3]: the pile, who is to move, a mark that means nothing.
"""

from typing import Any, NamedTuple

import numpy as np

from joute.core import interface
from joute.core.interface import CHANCE, OVER, Properties, implements
from joute.core.random import below
from joute.i18n.words import Sentence

PILE, MOVER, MARK = 0, 1, 2
CLOCK = [0]  # the hidden state of a game that is not deterministic


class Broken(NamedTuple):
    """The law it breaks, in a word; with none, a game as it should be."""

    fault: str = ""


@implements(Broken)
def properties(game: Broken) -> Properties:
    return Properties(
        name="broken",
        players=2,
        simultaneous=False,
        chance=True,
        hidden_information=game.fault in ("forgets actions", "draws without rng"),
        zero_sum=True,
        max_actions=2 if game.fault == "action too big" else 3,
        max_legal=2,
        max_outcomes=2,
        max_plies=2 if game.fault == "too long" else 5,
        lowest_return=-1.0,
        highest_return=1.0,
        version=1,
    )


@implements(Broken)
def start(game: Broken) -> np.ndarray:
    return np.array([4, CHANCE, 0], np.int16)


@implements(Broken)
def mover(game, state):
    if game.fault == "no such player" and state[MOVER] >= 0:
        return 2
    return OVER if state[PILE] <= 0 else int(state[MOVER])


@implements(Broken)
def legal(game, state, out):
    actions = {
        "nothing to play": [],
        "twice the same": [1, 1],
        "descending": [2, 1],
        "too many": [0, 1, 2],
    }.get(game.fault, [1, 2])
    if game.fault == "forgets actions" and state[MARK] == 1:
        actions = [2]
    for index, action in enumerate(actions):
        out[index] = action
    return len(actions)


@implements(Broken)
def chances(game, state, out, weights):
    out[0], out[1] = 0, 1
    weights[0] = {"negative": -0.5, "not a sum": 0.25}.get(game.fault, 0.5)
    weights[1] = 1.5 if game.fault == "negative" else 0.5
    if game.fault == "too many outcomes":
        out[2], weights[2] = 2, 0.0
        return 3
    return 2


@implements(Broken)
def draw(game, state, out, weights, rng):
    return 2 if game.fault == "draws wrong" else 1


@implements(Broken)
def pick(game, state, out, rng):
    return 0 if game.fault == "picks wrong" else 1


@implements(Broken)
def play(game, state, action):
    if state[MOVER] == CHANCE:
        state[MOVER] = action
        return
    state[PILE] -= action
    state[MOVER] = 1 - state[MOVER]
    if game.fault == "not deterministic":
        CLOCK[0] += 1
        state[MARK] = CLOCK[0]


@implements(Broken)
def returns(game, state, out):
    out[0] = 2.0 if game.fault == "returns too high" else 1.0
    out[1] = 0.0 if game.fault == "not zero-sum" else -out[0]
    if game.fault == "returns too high":
        out[1] = -2.0


@implements(Broken)
def mask(game, state, row, out):
    row[1] = True
    row[2] = game.fault != "marks wrong"


@implements(Broken)
def features_shape(game: Broken) -> tuple[int, ...]:
    return (1,)


@implements(Broken)
def features(game, state, player, out):
    out[0] = state[PILE] / (1 if game.fault == "features too large" else 9)


@implements(Broken)
def promise(game, state, action):
    return 256 if game.fault == "promises too much" else 0


@implements(Broken)
def points(game, state, player):
    return int(state[PILE]) * (1 - player)


@implements(Broken)
def lead_bounds(game, state, player):
    lowest, highest = 1 if game.fault == "bounds too tight" else -1, int(state[PILE])
    if player == 1 and game.fault != "bounds of one player":
        return -highest, -lowest
    return lowest, highest


@implements(Broken)
def determinize(game, state, player, rng):
    if game.fault == "shows":
        state[PILE] += 1
    if game.fault == "changes the mover" and state[MOVER] >= 0:
        state[MOVER] = 1 - state[MOVER]
    if game.fault == "forgets actions":
        state[MARK] = 1 + below(rng, 1)
    if game.fault == "draws without rng":
        state[MARK] = 1
    if game.fault == "hides, and says that it does not":
        state[MARK] = 1 + below(rng, 2)


@implements(Broken)
def seen(game, state, player, action):
    return -1 if game.fault == "sees nothing, and nothing is hidden" else action


@implements(Broken)
def fault_action(game, state, player):
    return 1


@implements(Broken)
def openings(game: Broken, state: Any) -> list[int]:
    return {"opens wrong": [0], "no opening": []}.get(game.fault, [1, 2])


@implements(Broken)
def objection(game: Broken, state: Any, action: int) -> Sentence | str | None:
    if game.fault == "objects in a bare text":
        return None if action in (1, 2) else "no"
    refused = action == 1 if game.fault == "objects to legal ones" else action not in (1, 2)
    return Sentence("error.illegal.other", action=action) if refused else None


@implements(Broken)
def observe(game: Broken, state: Any, player: int) -> dict[str, Any]:
    if game.fault == "observing changes" and state[MOVER] >= 0:
        state[MARK] += 1
    pile = int(state[PILE])
    return {"pile": (pile,) if game.fault == "not plain" else [pile]}


@implements(Broken)
def tell(game: Broken, state: Any, player: int, action: int) -> dict[str, Any]:
    return {"player": 0, "action": (1,) if game.fault == "tells objects" else 1, "text": ""}


@implements(Broken)
def parse(game: Broken, state: Any, text: str) -> int:
    return 0 if game.fault == "misreads" else int(text)


@implements(Broken)
def render(game: Broken, state: Any, player: int | None = None) -> Any:
    return None if game.fault == "draws no board" else str(interface.observe(game, state, 0))


FAULTS = {
    "no such player": "the mover is a player",
    "nothing to play": "somebody can play",
    "twice the same": "distinct and ascending",
    "descending": "distinct and ascending",
    "too many": "at most 2 choices",
    "too many outcomes": "at most 2 choices",
    "action too big": "below max_actions",
    "misreads": "read as written",
    "negative": "not negative",
    "not a sum": "sum to 1",
    "draws wrong": "draw gives an outcome",
    "picks wrong": "pick gives a legal action",
    "marks wrong": "mask marks the legal actions",
    "features too large": "features are from -1 to 1",
    "opens wrong": "openings are legal",
    "no opening": "there is an opening",
    "objects to legal ones": "for the actions that are not accepted",
    "objects in a bare text": "for the actions that are not accepted",
    "promises too much": "promises",
    "not plain": "an observation is a dictionary of plain data",
    "tells objects": "told is plain data",
    "draws no board": "a state can be drawn",
    "shows": "keeps what player 0 sees",
    "changes the mover": "who is to move",
    "forgets actions": "keeps the legal actions",
    "draws without rng": "left rng as it was",
    "hides, and says that it does not": "determinize changes nothing where nothing is hidden",
    "sees nothing, and nothing is hidden": "a player can tell choices apart",
    "observing changes": "only play and determinize",
    "bounds too tight": "stays within the bounds of leads",
    "bounds of one player": "the other player’s negated",
    "too long": "within max_plies",
    "not deterministic": "the same actions give the same state",
    "returns too high": "within their bounds",
    "not zero-sum": "sum to zero",
}
"""Every fault of this game, and words of the law that finds it."""
