"""Games in real time, on a terminal or in a browser: rounds come by themselves, players steer.

Quick turns wait for the next rounds, so that two in a row come out as meant; who does not steer
goes straight ahead.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Collection, Iterable
from typing import Any, NamedTuple

from joute import bots
from joute.core.card import Card
from joute.core.interface import OVER, mover, start
from joute.core.registry import card_of
from joute.host.names import parse_bot

LEFT, UP, RIGHT, DOWN, UPSTAIRS, DOWNSTAIRS = range(6)
COUNTDOWN = 3  # seconds before the first round
WAITING = 2  # turns that wait for the next rounds


class Realtime(NamedTuple):
    """The operations of a game that can be played in real time.

    All players choose at once, and the actions are directions: LEFT, UP, RIGHT, DOWN, and where
    there are floors UPSTAIRS and DOWNSTAIRS.
    """

    rounds: Callable[[Any, Any], int]  # How many rounds were played
    driving: Callable[[Any, Any], Collection[int]]  # The players who still choose
    ahead: Callable[[Any, Any, int], int]  # The action of the player to move, if it does not steer
    turns: Callable[[Any, Any, int, int], bool]
    """Whether an action of a player changes its direction to one that leads anywhere."""


def realtime(brought: Card) -> Realtime | None:
    """The real-time play of a card's game, if it has any."""
    found: Realtime | None = brought.load(brought.realtime) if brought.realtime else None
    return found


def timed(game: Any) -> Realtime:
    """The real-time play of a game that has it."""
    found = realtime(card_of(game))
    if found is None:
        message = f"{game} cannot be played in real time"
        raise ValueError(message)
    return found


class Steering:
    """The turns of some players that are still to be taken."""

    def __init__(self, players: Iterable[int]) -> None:
        self._turns: dict[int, deque[int]] = {player: deque(maxlen=WAITING) for player in players}

    def steer(self, player: int, turn: int) -> None:
        """Keeps a turn for the coming rounds, unless it is the one that waits or many do."""
        turns = self._turns[player]
        if not (turns and turns[-1] == turn) and len(turns) < WAITING:
            turns.append(turn)

    def direction(self, game: Any, state: Any, player: int) -> int:
        """A player's direction now: the next turn that leads anywhere else, or straight ahead."""
        known, turns = timed(game), self._turns[player]
        while turns:
            turn = turns.popleft()
            if known.turns(game, state, player, turn):
                return turn
        return known.ahead(game, state, player)


class RoundClock:
    """Rounds that come by themselves, `speed` of them a second, once a countdown is over.

    A round is waited for when the referee asks one of `people`, or has played what bots chose.
    `bots` are compiled before the countdown. Where `attach` was given a way to wait for people, the
    countdown begins when all are `ready`, and rounds can be held.
    """

    def __init__(
        self,
        speed: float,
        people: Iterable[int],
        bots: Iterable[str],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.left = 0  # seconds before the next round, while they are counted down
        self.held = False  # whether no round comes until it is let go
        self.unready: frozenset[int] = frozenset()  # the people who are still waited for
        self._step = 1 / speed
        self._people = frozenset(people)
        self._bots = tuple(bots)
        self._clock = clock
        self._steering = Steering(self._people)
        self._due = 0.0  # when the coming round is to be played
        self._timed = -1  # the last round that was waited for
        self._wait: Callable[[float], None] = time.sleep
        self._until: Callable[[Callable[[], bool]], None] = lambda settled: None
        self._changed: Callable[[], None] = lambda: None

    def attach(
        self,
        wait: Callable[[float], None],
        changed: Callable[[], None],
        until: Callable[[Callable[[], bool]], None] | None = None,
    ) -> None:
        """Waits by `wait`, which may raise to end the game; tells of the countdown by `changed`.

        `until` returns when a condition holds that people bring about.
        """
        self._wait, self._changed = wait, changed
        if until is not None:
            self._until, self.unready = until, self._people

    def ready(self, players: Iterable[int]) -> None:
        """These players are not waited for any more."""
        self.unready -= frozenset(players)

    def hold(self, on: bool) -> None:
        """Holds the rounds after the present one, or lets them go on after a countdown."""
        self.held = on

    def steer(self, player: int, turn: int) -> None:
        """A player turns, in one of the coming rounds."""
        self._steering.steer(player, turn)

    def delay(self, seconds: float) -> None:
        """The coming rounds come so much later."""
        self._due += seconds

    def choose(self, game: Any, state: Any, player: int) -> int:
        """The action of a player when the time of the round is up."""
        self._wait_for(game, int(timed(game).rounds(game, state)))
        return self._steering.direction(game, state, player)

    def follow(self, game: Any, state: Any) -> None:
        """Returns when a round in which no person chooses any more may go on."""
        if mover(game, state) == OVER:
            return
        played = int(timed(game).rounds(game, state))
        people = self._people.intersection(timed(game).driving(game, state))
        if played and self._timed < played and not people:
            self._wait_for(game, played)

    def _wait_for(self, game: Any, number: int) -> None:
        if self._timed == number:
            return
        if self._timed < 0:
            self._begin(game)
        else:
            self._wait(max(0.0, self._due - self._clock()))
        while self.held:
            self._until(lambda: not self.held)
            self._count_down()
        self._timed = number
        # A round that came late does not make the next ones come in a hurry.
        now = self._clock()
        self._due = (self._due if now - self._due < self._step else now) + self._step

    def _begin(self, game: Any) -> None:
        self._until(lambda: not self.unready)
        self.left = COUNTDOWN
        self._changed()
        for bot in self._bots:
            warm_up(game, bot)
        self._count_down()

    def _count_down(self) -> None:
        for left in range(COUNTDOWN, 0, -1):
            self.left = left
            self._changed()
            self._wait(1.0)
        self.left = 0
        self._due = self._clock()
        self._changed()


def warm_up(game: Any, bot: str) -> None:
    """Has a built-in bot compile what it needs, so that it is not late in the first round."""
    spec = parse_bot(bot)
    if spec.kind == "builtin" and not spec.hosted:
        bots.make(spec.name, spec.options, bots.Seating(game, 0, 0, 0.1)).play(start(game))
