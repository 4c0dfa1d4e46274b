"""Orders of Vampires vs Werewolves as people type them, and what they risk."""

from __future__ import annotations

from typing import Any

from joute.cli.playing.typed import Typed, Unclear, known_command
from joute.core.errors import ActionError
from joute.games.vampires.forecast import forecast
from joute.games.vampires.order import actions, check, moves_of, read
from joute.games.vampires.order_text import risks, rule
from joute.i18n.words import folded, say


def understand(game: Any, state: Any, legal: list[int], text: str) -> Typed:
    """The command or the whole order of a text. Raises Unclear.

    The order's risks are the battles that it leads to, with their odds, and cells where more come
    together than they hold.
    """
    word = folded(text)
    if not word:
        raise Unclear(say("play.empty"))
    if command := known_command(word):
        return Typed(command=command)
    try:
        moves = read(game, state, text)
    except ActionError:
        raise Unclear(say("play.order.unclear", text=text.strip())) from None
    if broken := check(game, state, moves):
        raise Unclear(rule(broken))
    found = [line for each in forecast(game, state, moves) for line in risks(each)]
    told = (*found, say("play.order.send")) if found else ()
    return Typed(turn=tuple(actions(game, moves)), told=told)


def listing(game: Any, legal: list[int]) -> list[str]:
    """What may be moved: a line for each group, with the cells that it may go to."""
    most: dict[tuple[int, int], int] = {}
    targets: dict[tuple[int, int], dict[str, None]] = {}
    for x, y, count, x2, y2 in moves_of(game, legal):
        most[x, y] = max(count, most.get((x, y), 0))
        targets.setdefault((x, y), {})[f"{x2},{y2}"] = None
    return [
        say("play.order.legal", cell=f"{x},{y}", count=most[x, y], targets=" ".join(found))
        for (x, y), found in targets.items()
    ]
