"""The evaluations that a bot may be told to look ahead by: the game's own, and its points."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from joute.bots import refused
from joute.core.interface import properties
from joute.core.registry import card_of
from joute.i18n.words import Sentence


class Evaluation(NamedTuple):
    """An evaluation by name; see `joute.search.evaluation`."""

    make: Callable[[], Any]
    decisive: float = 0.0  # a value that often decides a game; 0: as many points as usual
    several: bool = False  # whether it judges more than two players


Known = Mapping[str, Evaluation]


def own(game: Any) -> dict[str, Evaluation]:
    """The evaluations that a game brings, the best first."""
    card = card_of(game)
    return dict(card.load(card.evaluations)(game)) if card.evaluations else {}


def evaluation_of(bot: str, game: Any, name: str, known: Known) -> Evaluation:
    """The one of this name. Raises BuiltinError, in the name of a bot, with those there are."""
    if name not in known:
        found = {"evaluation": name, "game": properties(game).name, "known": ", ".join(known)}
        raise refused(bot, Sentence("error.builtin.evaluation", **found))
    return known[name]
