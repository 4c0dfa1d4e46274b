"""A game that an agent plays through tools: it is shown a decision, and answers it."""

from __future__ import annotations

import threading
from datetime import datetime
from os import environ
from queue import SimpleQueue
from typing import Any, NamedTuple

from joute.cli.mcp_commands import ToolError
from joute.cli.play import record_path
from joute.core.interface import describe, legal_actions
from joute.core.registry import card
from joute.files import put
from joute.host.protocol import Choice
from joute.i18n.words import Sentence
from joute.play.game import GameResult, GameSpec
from joute.play.illegal import refusal
from joute.play.people import PeopleGame
from joute.play.seats import Resign, observed
from joute.play.timeline import Step

LISTED = 200  # legal actions that are listed; an observation has all their numbers


class PendingDecision(NamedTuple):
    """A position whose player is the agent's."""

    player: int
    state: list[int]
    shown: dict[str, Any]  # to the agent


class _Closed(Exception):
    """The agent has left the table."""


class AgentTable(PeopleGame):
    """A game with an agent at the seats of people, played in a thread of its own.

    `look` waits for the next decision; `act` answers it. They may be called from several threads:
    an agent that gave up waiting for an answer looks again, while the first call still waits.
    """

    states_kept = 1

    def __init__(self, spec: GameSpec) -> None:
        super().__init__(spec)
        self._news: SimpleQueue[PendingDecision | dict[str, Any] | Exception] = SimpleQueue()
        self._answers: SimpleQueue[Choice | Resign | None] = SimpleQueue()
        self._waiting: PendingDecision | None = None
        self._ended: dict[str, Any] | None = None
        self._broken: Exception | None = None  # what ended the game otherwise
        self._told = [-1] * self.facts.players  # by seat, the last step that it was told
        self._last = spec.people[0]  # the seat of the agent that decided last
        self._calling = threading.RLock()  # held by the one call that may wait for news
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def over(self) -> bool:
        """Whether the game has ended, as far as the agent has looked."""
        return self._ended is not None or self._broken is not None

    def look(self) -> dict[str, Any]:
        """The decision that waits for the agent, or how the game ended; waits for either.

        Raises whatever ended the game otherwise.
        """
        with self._calling:
            if self._waiting is None and not self.over:
                self._noticed(self._news.get())
            if self._broken is not None:
                raise self._broken
            return self._ended if self._waiting is None else self._waiting.shown  # type: ignore[return-value]

    def _noticed(self, news: PendingDecision | dict[str, Any] | Exception) -> None:
        if isinstance(news, Exception):
            self._broken = news
        elif isinstance(news, PendingDecision):
            self._waiting = news
        else:
            self._ended = news

    def act(self, action: Choice) -> dict[str, Any]:
        """Plays an action, and looks again. Raises ToolError if it may not be played."""
        with self._calling:
            self.look()
            if self._waiting is None:
                raise ToolError(Sentence("error.mcp.over"))
            if reason := refusal(self.game, self._waiting.state, action):
                raise ToolError(reason)
            return self._answered(action)

    def resign(self) -> dict[str, Any]:
        """Gives the game up, and looks again."""
        with self._calling:
            self.look()
            return self._answered(Resign()) if self._waiting else self.look()

    def close(self) -> None:
        """Ends the game, whatever its state; its record is kept only if it had ended before."""
        self._answers.put(None)
        self._thread.join()

    def _answered(self, said: Choice | Resign) -> dict[str, Any]:
        self._waiting = None
        self._answers.put(said)
        return self.look()

    # In the thread of the game.

    def _run(self) -> None:
        try:
            result = self.play()
            path = record_path(None, card(self.spec.game).name, environ, datetime.now())
            put(path, result.record)
            self._news.put({**_over(result, str(path)), "events": self._since(self._last)})
        except _Closed:
            return
        except Exception as error:
            self._news.put(error)

    def ask(self, game: Any, state: Any, player: int) -> Choice | Resign:
        """The answer of the agent, once it has looked at the decision."""
        self._last = player
        self._news.put(PendingDecision(player, list(state), self._shown(state, player)))
        said = self._answers.get()
        if said is None:
            raise _Closed
        return said

    def _since(self, player: int) -> list[dict[str, Any]]:
        """The events that a player has not been told of yet."""
        steps = self.timeline.steps[self._told[player] + 1 :]
        self._told[player] = self.timeline.steps[-1].number
        return [event for step in steps for event in _events(step, player)]

    def _shown(self, state: Any, player: int) -> dict[str, Any]:
        legal = legal_actions(self.game, state)
        return {
            "over": False,
            "player": player,
            "events": self._since(player),
            "observation": observed(self.game, state, player),
            "legal": [
                {"action": action, "text": describe(self.game, state, action)}
                for action in legal[:LISTED]
            ],
            "legal_count": len(legal),
        }


def _events(step: Step, player: int) -> list[dict[str, Any]]:
    """The events of a step as the player was told of them; of the record's lines only faults."""
    told = []
    for event in step.told[player]:
        line = event.get("line", {})
        known = {key: line[key] for key in ("fault", "resigned") if key in line}
        told.append({key: event[key] for key in event if key not in ("line", "parts")} | known)
    return told


def _over(result: GameResult, record: str) -> dict[str, Any]:
    return {
        "over": True,
        "ending": result.ending,
        "returns": result.returns,
        "points": result.points,
        "plies": result.plies,
        "record": record,
    }
