"""A game written out to be read, by people who review rules and by a test that compares.

`PYTHONPATH=tests python -m games.playthrough` writes the files of all games again, each in the
folder of the game's tests; what changed is to be read before it is kept.
"""

import json

from games.samples import FOLDER, samples

from joute.core.interface import (
    CHANCE,
    OVER,
    chances,
    describe,
    legal,
    mover,
    observe,
    parameters,
    play,
    points,
    properties,
    render,
    returns,
    start,
    tell,
)
from joute.core.random import below, generator
from joute.core.registry import make


def compact(value):
    return json.dumps(value, separators=(", ", ": "))


def choices(game, state):
    """The legal actions, or the outcomes of chance with their probabilities; and as text."""
    facts = properties(game)
    if mover(game, state) == CHANCE:
        out, weights = [0] * facts.max_outcomes, [0.0] * facts.max_outcomes
        out = out[: chances(game, state, out, weights)]
        texts = [
            f"{describe(game, state, each)} ({weight:.4g})"
            for each, weight in zip(out, weights, strict=False)
        ]
        return out, "outcomes: " + ", ".join(texts)
    out = [0] * facts.max_legal
    out = out[: legal(game, state, out)]
    texts = [describe(game, state, each) for each in out]
    return out, "legal: " + (", " if any(" " in text for text in texts) else " ").join(texts)


def told(game, state, action):
    """The events that each player is told; one line if all are told the same."""
    lines = [compact(tell(game, state, each, action)) for each in range(properties(game).players)]
    if len(set(lines)) == 1:
        return [f"all are told {lines[0]}"]
    return [f"player {player} is told {line}" for player, line in enumerate(lines)]


def ply_lines(game, state, number, rng):
    """One ply, which is played."""
    player = mover(game, state)
    who = "chance" if player == CHANCE else f"player {player}"
    out, text = choices(game, state)
    action = out[below(rng, len(out))]
    lines = [f"## Ply {number}: {who}", "", render(game, state), "", text, ""]
    lines += [f"plays {describe(game, state, action)} ({action})", *told(game, state, action), ""]
    play(game, state, action)
    return lines


def play_lines(name, values, seed, most):
    """One play: what is true of the game, then its plies, then how it ended."""
    game = make(name, **values)
    lines = [f"# {name} {compact(parameters(game))}", ""]
    lines += [f"{key}: {value}" for key, value in properties(game)._asdict().items()]
    lines.append("")
    state, rng, number = start(game).tolist(), generator(seed), 0
    while mover(game, state) != OVER and number != most:
        lines += ply_lines(game, state, number, rng)
        number += 1
    lines += [f"## After {number} plies", "", render(game, state), ""]
    if mover(game, state) != OVER:
        lines += [f"player 0 observes {compact(observe(game, state, 0))}", ""]
        return lines
    players = range(properties(game).players)
    values = [0.0] * len(players)
    returns(game, state, values)
    scores = [int(points(game, state, player)) for player in players]
    return [*lines, f"over: returns {values}, points {scores}", ""]


def text(name):
    """The whole file of a game."""
    plays = samples()[name].PLAYS
    return "\n".join(line for each in plays for line in play_lines(name, *each))


def path(name):
    """The place of a game's file."""
    return FOLDER / name.replace("-", "_") / "playthrough.txt"


if __name__ == "__main__":
    for each in samples():
        path(each).write_text(text(each), "utf-8")
