"""A game written out to be read, by people who review its rules and by a check that compares.

A game's package may bring `playthrough.txt` beside its card: `joute game playthrough GAME` writes
it, and `joute game check` says where it is no longer true.
"""

from __future__ import annotations

import json
from itertools import zip_longest
from typing import Any

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
from joute.core.registry import card_of, make
from joute.i18n.words import LANGUAGES, Sentence, speaking

FILE = "playthrough.txt"
_SEED = 1
_BEGINS = "# "


def compact(value: Any) -> str:
    """A value as JSON in one line."""
    return json.dumps(value, separators=(", ", ": "))


def _choices(game: Any, state: Any) -> tuple[list[int], str]:
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


def _told(game: Any, state: Any, action: int) -> list[str]:
    """The events that each player is told; one line if all are told the same."""
    lines = [compact(tell(game, state, each, action)) for each in range(properties(game).players)]
    if len(set(lines)) == 1:
        return [f"all are told {lines[0]}"]
    return [f"player {player} is told {line}" for player, line in enumerate(lines)]


def _ply_lines(game: Any, state: Any, number: int, rng: Any) -> list[str]:
    """One ply, which is played."""
    player = mover(game, state)
    who = "chance" if player == CHANCE else f"player {player}"
    out, text = _choices(game, state)
    action = out[below(rng, len(out))]
    lines = [f"## Ply {number}: {who}", "", render(game, state), "", text, ""]
    lines += [f"plays {describe(game, state, action)} ({action})", *_told(game, state, action), ""]
    play(game, state, action)
    return lines


@speaking(LANGUAGES[0])
def play_lines(game: Any, seed: int = _SEED, most: int | None = None) -> list[str]:
    """One random play: what is true of the game, then its plies, then how it ended.

    With `most` it stops after so many plies.
    """
    lines = [f"{_BEGINS}{properties(game).name} {compact(parameters(game))}", ""]
    lines += [f"{key}: {value}" for key, value in properties(game)._asdict().items()]
    lines.append("")
    state, rng, number = start(game).tolist(), generator(seed), 0
    while mover(game, state) != OVER and number != most:
        lines += _ply_lines(game, state, number, rng)
        number += 1
    lines += [f"## After {number} plies", "", render(game, state), ""]
    if mover(game, state) != OVER:
        return [*lines, f"player 0 observes {compact(observe(game, state, 0))}", ""]
    players = range(properties(game).players)
    values = [0.0] * len(players)
    returns(game, state, values)
    scores = [int(points(game, state, player)) for player in players]
    return [*lines, f"over: returns {values}, points {scores}", ""]


def difference(game: Any) -> tuple[str, int, Sentence] | None:
    """The file, line and sentence of the first difference from the game's playthrough, if any.

    The file may hold several plays, of other parameters.
    """
    card = card_of(game)
    path = card.file(FILE)
    if path is None:
        return None
    found = path.read_text(encoding="utf-8").rstrip().splitlines()
    true: list[str] = []
    for number, line in enumerate(found, 1):
        if line.startswith(_BEGINS):
            try:
                values = json.loads(line.removeprefix(f"{_BEGINS}{card.name}"))
            except ValueError:
                told = Sentence("error.law.playthrough.head", name=card.name, found=line)
                return str(path), number, told
            true += play_lines(make(card.name, **values))
    expected = "\n".join(true).rstrip().splitlines()  # a board takes several
    for number, (one, other) in enumerate(zip_longest(found, expected, fillvalue=""), 1):
        if one != other:
            told = Sentence("error.law.playthrough", found=one, expected=other)
            return str(path), number, told
    return None
