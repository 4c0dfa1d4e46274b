"""A language model at a seat: it is sent the rules and what its player sees, and answers in words.

`llm:URL#MODEL` names a server with the chat completions of OpenAI's API, on this machine or not,
and one of its models: `llm:http://localhost:11434/v1#qwen3?tries=3&seconds=60&temperature=0`. Each
decision is a conversation of its own. An answer that is not legal is sent back with the reason,
`tries` times in all. What was answered stands in the record, so that a game is replayed and proved
without the model.
"""

from __future__ import annotations

import json
import os
import re
import time
from dataclasses import replace
from typing import Any, NamedTuple

from joute.core.interface import describe, legal_actions
from joute.core.registry import card
from joute.host.annotations import Annotations
from joute.host.names import BotError, BotSpec
from joute.host.protocol import TEXT_CHARACTERS, Answer, Choice, Fault, InfrastructureError
from joute.i18n.recognised import foreign
from joute.i18n.words import Sentence, english, speaking
from joute.play.illegal import refusal
from joute.play.rulebook import Illustration, Items, Rulebook, rulebook
from joute.text import cut, plain

KEY = "JOUTE_LLM_KEY"
"""The variable with the key that the server asks for, if it does."""
LISTED = 200  # legal actions that a model is told
MOST_BYTES = 1 << 20  # of a server's answer
QUOTED_BYTES = 500  # of an answer that is an error
_ACTION = re.compile(r"(?im)^\W*action\s*:(.*)$")

INSTRUCTIONS = """You play the game {game} as player {player} of {players}. Its rules:

{rules}

The parameters of this game: {parameters}

In each turn you are told what has happened since your last one, what you see, and which actions are
legal. Think as long as you like, then end your answer with one line of this form:
ACTION: the action, as it is written in the list of legal actions"""
TURN = """Events since your last turn: {events}

What you see: {observation}

Legal actions{some}: {actions}"""


class Options(NamedTuple):
    """The options in the name of a model: how it is asked."""

    tries: int = 3  # answers to one question, the first included
    seconds: float = 60.0  # on the wall, that one answer may take
    temperature: float | None = None  # None: the server's usual one


class Said(NamedTuple):
    """A server's answer."""

    text: str
    tokens_read: int
    tokens_written: int


def options_of(bot: BotSpec) -> Options:
    """The options in a model's name. Raises BotError for one that is unknown or out of range."""
    readers = {"tries": int, "seconds": float, "temperature": float}
    found: dict[str, Any] = {}
    for key, text in bot.options.items():
        try:
            found[key] = readers[key](text)
        except KeyError:
            told = Sentence("error.llm.option", key=key, known=", ".join(readers))
            raise BotError.of(bot.text, told) from None
        except ValueError:
            raise _out_of_range(bot, key) from None
    options = Options(**found)
    in_range = {
        "tries": 1 <= options.tries <= 20,
        "seconds": 0 < options.seconds <= 3600,
        "temperature": options.temperature is None or 0 <= options.temperature <= 2,
    }
    for key, fine in in_range.items():
        if not fine:
            raise _out_of_range(bot, key)
    return options


def _out_of_range(bot: BotSpec, key: str) -> BotError:
    return BotError.of(bot.text, Sentence("error.llm.number", key=key, value=bot.options[key]))


class LanguageModelSeat:
    """A model on a server. It is charged no CPU time, as it uses none of this machine."""

    isolation = "remote"
    observes = True

    def __init__(self, bot: BotSpec, game: Any) -> None:
        self._bot = bot
        self._game = game
        self._options = options_of(bot)
        self._instructions = ""
        self._player = 0

    def start(self, message: dict[str, Any]) -> Answer:
        self._player = message["player"]
        with speaking("en"):
            rules = _written(rulebook(card(message["game"])))
        self._instructions = INSTRUCTIONS.format(
            game=message["game"],
            player=message["player"],
            players=", ".join(f"{seat} ({name})" for seat, name in enumerate(message["names"])),
            rules=rules,
            parameters=json.dumps(message["parameters"]),
        )
        return _answer()

    def ask(self, state: list[int], message: dict[str, Any]) -> Answer:
        began = time.perf_counter()
        talk = [
            {"role": "system", "content": self._instructions},
            {"role": "user", "content": self._question(state, message)},
        ]
        read, written, refused = 0, 0, []
        outcome = _answer()
        for number in range(self._options.tries):
            try:
                said = self._said(talk)
            except TimeoutError:
                over = Sentence("error.llm.timeout", seconds=self._options.seconds)
                outcome = replace(_answer(), fault=Fault.TIMEOUT, detail=english(over))
                break
            read, written = read + said.tokens_read, written + said.tokens_written
            choice, reason = self._chosen(state, said.text)
            outcome = replace(_answer(), action=choice, message=said.text[-TEXT_CHARACTERS:])
            if reason is None:
                break
            outcome = replace(outcome, action=None, fault=Fault.ILLEGAL, detail=reason)
            if number + 1 < self._options.tries:
                refused.append(f"{cut(said.text, TEXT_CHARACTERS // 4)}\n=> {reason}")
                talk += [
                    {"role": "assistant", "content": said.text},
                    {"role": "user", "content": f"{reason}. End with one line ACTION: ..."},
                ]
        asked = len(refused) + 1
        spent = {"requests": asked, "tokens read": read, "tokens written": written}
        return replace(
            outcome,
            annotations=Annotations({name: float(value) for name, value in spent.items()}, [], []),
            output="\n".join(refused),
            wall_ms=1000 * (time.perf_counter() - began),
        )

    def end(self, message: dict[str, Any]) -> None:
        pass

    def close(self) -> None:
        pass

    def _question(self, state: list[int], message: dict[str, Any]) -> str:
        """A turn in words; what is seen has the legal actions as texts instead of numbers."""
        seen = {key: value for key, value in message["observation"].items() if key != "legal"}
        legal = legal_actions(self._game, state)
        texts = [describe(self._game, state, action) for action in legal[:LISTED]]
        some = f", the first {LISTED} of {len(legal)}" if len(legal) > LISTED else ""
        return TURN.format(
            events=json.dumps(message["events"]),
            observation=json.dumps(seen),
            some=some,
            actions="; ".join(texts),
        )

    def _chosen(self, state: list[int], text: str) -> tuple[Choice | None, str | None]:
        """The action in an answer, or why there is no legal one."""
        found = _ACTION.findall(text)
        choice = found[-1].strip().strip("*`\"'.").strip() if found else ""
        if not choice:
            return None, english(Sentence("error.llm.no_action"))
        reason = refusal(self._game, state, choice)
        return choice, None if reason is None else english(reason)

    def _said(self, talk: list[dict[str, str]]) -> Said:
        """The server's answer. Raises TimeoutError, and InfrastructureError if there is none."""
        # Loaded here: every referee imports this module, and most ask no server.
        from joute.http_client import AnswerError, ask

        body: dict[str, Any] = {"model": self._bot.name, "messages": talk}
        if self._options.temperature is not None:
            body["temperature"] = self._options.temperature
        try:
            answered = ask(
                f"{self._bot.address}/chat/completions",
                json.dumps(body).encode(),
                {"Content-Type": "application/json", **_authorization()},
                self._options.seconds,
                MOST_BYTES,
            )
            found = json.loads(answered)
            message = found["choices"][0]["message"]
            # None, or left out, in a refusal and where thinking took all tokens: without an action.
            text = message.get("content") or ""
            if not isinstance(text, str):
                raise TypeError(text)
        except AnswerError as error:
            told = error.body[:QUOTED_BYTES].decode("utf-8", "replace")
            refused = f"{error.status} {error.reason}: {told}"
            raise self._unreachable(refused if error.status else foreign(error.reason)) from None
        except (ValueError, LookupError, TypeError, AttributeError):
            raise self._unreachable(Sentence("error.llm.shape")) from None
        usage = found.get("usage") or {}
        return Said(text, *(_count(usage, f"{kind}_tokens") for kind in ("prompt", "completion")))

    def _unreachable(self, reason: object) -> InfrastructureError:
        told = Sentence("error.llm.server", address=self._bot.address, reason=reason)
        return InfrastructureError(english(told), (self._player,))


def _written(rules: Rulebook) -> str:
    """Rules as text, without their drawings."""
    parts = []
    for part in rules.parts:
        if isinstance(part, Items):
            parts.append("\n".join(f"- {plain(item)}" for item in part.words))
        elif not isinstance(part, Illustration):
            parts.append(plain(part.words))
    return "\n\n".join(parts)


def _authorization() -> dict[str, str]:
    key = os.environ.get(KEY)
    return {"Authorization": f"Bearer {key}"} if key else {}


def _count(usage: Any, key: str) -> int:
    """A number of tokens, 0 where the server tells none."""
    value = usage.get(key) if isinstance(usage, dict) else None
    return value if isinstance(value, int) else 0


def _answer() -> Answer:
    """An answer without anything yet."""
    return Answer(None, None, "", cpu_ms=0.0, wall_ms=0.0, output="", message="", alive=True)
