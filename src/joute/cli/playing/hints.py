"""What a built-in bot would play, in words, for who asks."""

from __future__ import annotations

from typing import Any

from joute.cli.playing.game import terminal
from joute.cli.playing.typed import Asked
from joute.i18n.words import say
from joute.play.advice import advise


def hint(game: Any, state: Any, player: int, names: tuple[str, ...] = ()) -> str:
    """A sentence: what the first adviser that plays the game would do, or that there is none."""
    advice = advise(game, state, player)
    if advice is None:
        return say("play.no_hint")
    asked = Asked(game, state, player, advice.actions, names)
    words = terminal(game)
    action = words.spoken(asked, advice.actions)
    said = say("play.hinted", bot=advice.bot, action=action)
    return f"{said}{words.reason(asked, advice.actions[0])}"
