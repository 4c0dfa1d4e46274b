"""The objection to an illegal answer: the rule that it breaks, and some legal actions."""

from __future__ import annotations

from typing import Any

from joute.core.errors import ActionError
from joute.core.interface import describe, legal_actions, mover, objection, play
from joute.core.reading import read_answer
from joute.i18n.words import Sentence, sentence_of
from joute.play.game import acceptable
from joute.text import cut

SHOWN = 5  # legal actions
LONGEST = 60  # characters of an answer


def refusal(game: Any, state: Any, answer: Any) -> object:
    """The sentence on an answer of the mover that may not be played; None if it may."""
    try:
        actions = read_answer(game, state, answer)
    except ActionError as error:
        return error
    return None if acceptable(game, state, actions) else illegal(game, state, answer, actions)


def illegal(game: Any, state: Any, answer: Any, actions: list[int]) -> Sentence:
    """The sentence on an answer of the mover, whose actions it may not play one after the other."""
    legal = legal_actions(game, state)
    return sentence_of(
        len(legal),
        "error.answer.illegal.why",
        answer=cut(repr(answer), LONGEST),
        reason=_reason(game, state, actions),
        count=len(legal),
        some=", ".join(_named(game, state, action) for action in legal[:SHOWN]),
    )


def _reason(game: Any, state: Any, actions: list[int]) -> Sentence:
    """The rule that the first of these actions breaks that may not be played."""
    player, after = mover(game, state), list(state)
    for place, action in enumerate(actions):
        if mover(game, after) != player:
            values = {"count": place, "all": len(actions)}
            return sentence_of(place, "error.illegal.turn", **values)
        reason = objection(game, after, action)
        if reason is not None:
            several = Sentence("error.illegal.place", place=place + 1, reason=reason)
            return several if len(actions) > 1 else reason
        play(game, after, action)
    return Sentence("error.illegal.other", action=actions[-1])


def _named(game: Any, state: Any, action: int) -> str:
    """An action as a number, with its text where that is another."""
    text = describe(game, state, action)
    return text if text == str(action) else f"{action} ({text})"
