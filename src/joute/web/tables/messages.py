"""The messages of a browser to a table, read strictly; a wrong one is refused with a sentence.

A person's choice is checked before the referee gets it, and an unfinished turn can be previewed.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from joute.core.errors import ActionError, GameError
from joute.core.interface import describe, legal_actions, mover, play, properties
from joute.core.reading import read_answer
from joute.host.protocol import Choice
from joute.i18n.recognised import foreign
from joute.i18n.words import say
from joute.play.game import acceptable
from joute.web.errors import RequestRefusal
from joute.web.games import Preview, web_of
from joute.web.positions import position
from joute.web.tables.playing import Question, TableGame

LARGEST = 16 * 1024  # bytes of a message


def _type(name: str) -> str:
    return name.removesuffix("Message").lower()


class _Message(msgspec.Struct, frozen=True, tag_field="type", tag=_type):
    """A message; its `type` is the beginning of the class's name, in small letters."""


class AnswerMessage(_Message, frozen=True):
    """A person's choice: an action, those of a whole turn, or a text."""

    number: int  # of the question
    action: int | str | list[int | list[int]]


class SteerMessage(_Message, frozen=True):
    """A change of direction in real time."""

    player: int
    action: int


class PreviewMessage(_Message, frozen=True):
    """An unfinished turn, to be previewed."""

    actions: str | list[int | list[int]]
    ticket: int = 0  # comes back with the reply


class LookMessage(_Message, frozen=True):
    """The seat whose view is to be shown, in a browser that several people share."""

    player: int


class ReadyMessage(_Message, frozen=True):
    """The wish to begin a game in real time."""


class PauseMessage(_Message, frozen=True):
    """Whether a game in real time is to pause."""

    on: bool


class ResignMessage(_Message, frozen=True):
    """The wish to give up the game."""

    player: int


class UndoMessage(_Message, frozen=True):
    """The wish to take the last decision back."""


class AllowMessage(_Message, frozen=True):
    """The wish to have hints or thoughts in a game between people, or the agreement to it."""

    what: Literal["hint", "think"]


class DeclineMessage(_Message, frozen=True):
    """The refusal of what others wish, or the withdrawal of one's own wish."""

    what: Literal["undo", "rematch", "hint", "think"]


class PaceMessage(_Message, frozen=True):
    """The pace at which a game between built-in bots is to be shown."""

    seconds: Annotated[float, msgspec.Meta(ge=0, le=10)]  # between two positions
    paused: bool = False


class WaitMessage(_Message, frozen=True):
    """The wish to wait for bots that are being compiled, rather than play against another."""


class HintMessage(_Message, frozen=True):
    """The request for a hint."""


class ThinkMessage(_Message, frozen=True):
    """Whether to be sent the computer's evaluation."""

    on: bool


class RematchMessage(_Message, frozen=True):
    """The wish for another game with seats exchanged."""


Message = (
    AnswerMessage
    | SteerMessage
    | PreviewMessage
    | LookMessage
    | ReadyMessage
    | PauseMessage
    | ResignMessage
    | UndoMessage
    | AllowMessage
    | DeclineMessage
    | PaceMessage
    | WaitMessage
    | HintMessage
    | ThinkMessage
    | RematchMessage
)

_decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Message)


def read(text: str | bytes) -> Message:
    """The message of a text. Raises RequestRefusal."""
    if len(text) > LARGEST:
        raise RequestRefusal(say("table.error.large", size=LARGEST))
    try:
        message: Message = _decoder.decode(text)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise RequestRefusal(say("table.error.message", reason=foreign(error))) from None
    return message


def checked(playing: TableGame, question: Question, given: Choice) -> Choice:
    """An answer that the referee will take. Raises RequestRefusal."""
    game, state = playing.game, question.state
    try:
        actions = read_answer(game, state, given)
    except ActionError as error:
        worded = web_of(properties(game).name).refusal
        told = worded(error) if worded is not None else ""
        raise RequestRefusal(told or say("table.error.unclear")) from None
    if not all(0 <= action < 2**31 for action in actions):
        raise RequestRefusal(say("table.error.unclear"))
    if not acceptable(game, state, actions):
        raise RequestRefusal(say("table.error.illegal"))
    return given


def listed(game: Any, state: Any, actions: list[int]) -> list[list[Any]]:
    """Actions, each with how it is written."""
    return [[action, describe(game, state, action)] for action in actions]


def preview(playing: TableGame, question: Question, given: Any) -> dict[str, Any]:
    """The preview of an unfinished turn: whether it is legal so far, odds, actions to add.

    A game without a preview of its own has one of single actions, if nothing is hidden. Raises
    RequestRefusal.
    """
    game, state = playing.game, question.state
    facts = properties(game)
    look = web_of(facts.name).preview
    if look is None and (facts.hidden_information or facts.simultaneous):
        raise RequestRefusal(say("table.error.no_preview"))
    try:
        found = _one_action(question, given) if look is None else look(game, state, given)
    except (ActionError, GameError):
        raise RequestRefusal(say("table.error.unclear")) from None
    sent = {"legal": not found.refusal, "text": found.refusal, "odds": found.odds}
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
