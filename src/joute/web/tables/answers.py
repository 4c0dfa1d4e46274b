"""What people answer: checked before the referee hears of it, and turns looked at beforehand."""

from __future__ import annotations

from typing import Any

from joute.core.errors import ActionError, GameError
from joute.core.interface import describe, expand, legal_actions, mover, play, properties
from joute.host.protocol import Choice
from joute.i18n.words import say
from joute.play.game import acceptable
from joute.web.games import Preview, web_of
from joute.web.positions import position
from joute.web.tables.playing import Question, TableGame


class Refused(Exception):
    """What a person wants cannot be; the text says why, in the language spoken now."""


def checked(playing: TableGame, question: Question, given: Choice) -> Choice:
    """An answer that the referee will take. Raises Refused."""
    game, state = playing.game, question.state
    try:
        actions = expand(game, state, given)
    except (ActionError, GameError) as error:
        worded = web_of(properties(game).name).refusal
        told = worded(error) if worded is not None else ""
        raise Refused(told or say("table.error.unclear")) from None
    if not all(0 <= action < 2**31 for action in actions):
        raise Refused(say("table.error.unclear"))
    if not acceptable(game, state, actions):
        raise Refused(say("table.error.illegal"))
    return given


def listed(game: Any, state: Any, actions: list[int]) -> list[list[Any]]:
    """Actions, each with how it is written."""
    return [[action, describe(game, state, action)] for action in actions]


def preview(playing: TableGame, question: Question, given: Any) -> dict[str, Any]:
    """What an unfinished turn comes to: whether it is legal so far, the odds, what may be added.

    Of a game that says nothing itself, one action is looked at where nothing is hidden. Raises
    Refused.
    """
    game, state = playing.game, question.state
    facts = properties(game)
    look = web_of(facts.name).preview
    if look is None and (facts.hidden_information or facts.simultaneous):
        raise Refused(say("table.error.no_preview"))
    try:
        found = _one_action(question, given) if look is None else look(game, state, given)
    except (ActionError, GameError):
        raise Refused(say("table.error.unclear")) from None
    sent = {"legal": not found.refusal, "text": found.refusal, "odds": found.odds, "actions": []}
    if found.refusal:
        return sent
    after = list(state)
    for action in found.actions:
        play(game, after, action)
    step = playing.timeline.steps[-1]._replace(state=tuple(after))
    names = [seat.name for seat in playing.spec.bots]
    sent["position"] = position(game, step, names) | {"events": []}
    if mover(game, after) == question.player and look is not None:
        sent["ask"] = {
            "number": question.number,
            "player": question.player,
            "actions": listed(game, after, legal_actions(game, after)),
        }
    return sent


def _one_action(question: Question, given: Any) -> Preview:
    """A legal action. Raises GameError for anything else."""
    if not isinstance(given, list) or len(given) != 1 or given[0] not in question.actions:
        raise GameError("no legal action")
    return Preview("", given)
