"""What a computer thinks of a game, for people: hints, and the thoughts of built-in bots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from joute.bots import Choice
from joute.core.interface import describe, mover, play
from joute.i18n.words import say, spoken
from joute.play.advice import advise, adviser
from joute.play.telling import chosen
from joute.web.tables.answers import Refused
from joute.web.tables.playing import Playing, Question, Thought
from joute.web.tables.thinkers import Thinkers

SHOWN = 8  # actions of a line


def hint(playing: Playing, question: Question, thinkers: Thinkers) -> dict[str, Any]:
    """What a built-in bot would play, as it is sent. Raises Refused if none plays the game.

    Takes as long as the bot does. The bot is given what the player may know, and no more.
    """
    with thinkers.turn(playing.game, adviser(playing.game)):
        advice = advise(playing.game, question.state, question.player)
    if advice is None:
        raise Refused(say("play.no_hint"))
    names = [seat.name for seat in playing.spec.bots]
    action = chosen(playing.game, question.state, advice.actions, names)
    return {
        "type": "hint",
        "number": question.number,
        "actions": advice.actions,
        "text": say("play.hinted", bot=advice.bot, action=action),
    }


def opinion(playing: Playing, question: Question, thinkers: Thinkers) -> None:
    """Let `playing.advised` be what the game's adviser thinks of the state of a question.

    Takes as long as the adviser does; it is given what the player may know, and no more.
    """
    with thinkers.turn(playing.game, adviser(playing.game)):
        advice = advise(playing.game, question.state, question.player)
    if advice is not None:
        choice = Choice(advice.actions, advice.message, advice.value, advice.line)
        playing.advised = Thought(question.player, question.state, choice)


def thought_sent(game: Any, thought: Thought) -> dict[str, Any]:
    """What a bot thought when it last chose, as it is sent.

    `value` is what it expects for the first seat, from -1, lost, to 1, won.
    """
    choice = thought.choice
    value = choice.value
    if value is not None and thought.player != 0:
        value = -value
    return {
        "type": "thought",
        "player": thought.player,
        "value": None if value is None else round(value, 3),
        "line": [spoken(text) for text in written(game, thought.state, choice.line[:SHOWN])],
        "text": choice.message,
    }


def written(game: Any, state: Sequence[int], actions: Sequence[int]) -> list[str]:
    """Actions one after the other as the game writes them, as far as no chance comes between."""
    texts, after = [], list(state)
    for action in actions:
        if mover(game, after) < 0:
            break
        texts.append(describe(game, after, action))
        play(game, after, action)
    return texts
