"""A game with people: who is asked, what is taken back, where a recorded game is taken up.

The referee plays it. The terminal and the browser add how people are shown the game and asked.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

import msgspec

from joute import bots
from joute.bots.ladder import player_at
from joute.core.interface import properties
from joute.core.registry import make
from joute.errors import Error
from joute.host.limits import Limits
from joute.host.names import BotError, parse_bot
from joute.host.protocol import Choice
from joute.i18n.words import Sentence
from joute.play.game import HUMAN, GameResult, GameSpec, SeatSpec
from joute.play.record import Record, actions_of
from joute.play.referee import GiveUp, Opener, play_game
from joute.play.seats import Late, Resign, check_uncompiled, open_seat
from joute.play.timeline import Step, Timeline
from joute.play.verify import recorded_game
from joute.text import free_name

STRONGEST = 99  # a level above all

Lines = Sequence[dict[str, Any]]  # Lines of a record, between its header and its end


class UndoError(Error):
    """Nothing can be taken back; the text says why."""


class TakenBack(Exception):
    """Raised by `PeopleGame.ask`: the game is to be played again up to where `lines` end."""

    def __init__(self, lines: Lines) -> None:
        super().__init__()
        self.lines = lines


class PeopleGame:
    """A game with people, up to now; `people` are their seats.

    A subclass says how people are asked, by `ask`, and may follow the game by `begun`, `written`
    and `heard`. These are called in the thread of `play`.
    """

    states_kept: int | None = None
    """Of how many positions, the last ones, the timeline keeps the states."""

    def __init__(self, spec: GameSpec) -> None:
        self.spec = spec
        self.game = make(spec.game, **spec.parameters)
        self.facts = properties(self.game)
        self.people = spec.people
        self.timeline = Timeline(self.game, self.states_kept)
        self._repeated = 0

    def ask(self, game: Any, state: Any, player: int) -> Choice | Resign | Late:
        """The answer of a person. May raise TakenBack, or an exception that ends the game."""
        raise NotImplementedError

    def begun(self) -> None:
        """The game is about to begin, or to be played again; `timeline` is a new one."""

    def written(self, line: dict[str, Any]) -> None:
        """The referee has written a line, of which nobody has heard yet."""

    def heard(self, step: Step | None) -> None:
        """The timeline has heard a line; with it came the position `step`."""

    @property
    def repeating(self) -> bool:
        """Whether lines are to come that were played before."""
        return len(self.timeline.lines) < self._repeated

    @property
    def repeated(self) -> int:
        """The number of lines that were played before."""
        return self._repeated

    def play(
        self,
        before: Lines = (),
        opener: Opener = open_seat,
        leaving: Callable[[GiveUp], None] | None = None,
    ) -> GameResult:
        """Plays the game to its end, as often as something is taken back.

        The arguments are those of `play_game`; so are its exceptions, besides those of `ask`.
        """
        while True:
            self._repeated = len(before)
            self.timeline = Timeline(self.game, self.states_kept)
            self.begun()
            try:
                return play_game(self.spec, self.ask, before, self._hear, opener, leaving=leaving)
            except TakenBack as taken:
                before = taken.lines

    def _hear(self, line: dict[str, Any]) -> None:
        self.written(line)
        self.heard(self.timeline.hear(line))

    @property
    def can_undo(self) -> bool:
        """Whether anything may ever be taken back: not where choices or cards would be known."""
        alone = not self.facts.simultaneous or self.facts.players == 1
        return alone and not self.facts.hidden_information

    def before_last(self, seats: Collection[int]) -> Lines:
        """The lines before the last decision of these seats. Raises UndoError."""
        if not self.can_undo:
            raise UndoError(Sentence("play.undo.hidden"))
        lines = list(self.timeline.lines)
        own = [
            place
            for place, line in enumerate(lines)
            if line["by"] == "bot" and line["player"] in seats and "action" in line
        ]
        if not own:
            raise UndoError(Sentence("play.undo.nothing"))
        if any(line["by"] == "chance" for line in lines[own[-1] :]):
            raise UndoError(Sentence("play.undo.chance"))
        if any(line.get("cost") == "game" for line in lines):
            raise UndoError(Sentence("play.undo.out"))
        return lines[: own[-1]]


def rematch(spec: GameSpec, seed: str) -> GameSpec:
    """The next game between the same players: everybody one seat on."""
    return msgspec.structs.replace(spec, bots=(*spec.bots[1:], spec.bots[0]), seed=seed)


def taken_up(
    record: Record, ply: int, seat: int, person: str, move_seconds: float
) -> tuple[GameSpec, Lines]:
    """The game of a record with a person of that name at a seat, and its lines up to a ply.

    The record has been read and proved as one that can be shown.
    A built-in bot plays on where it sat, the best one of the game in the place of any other.
    """
    game, header = recorded_game(record), record.header
    here = SeatSpec(name=person, bot=HUMAN)
    taken = {person}
    seats = [
        here if number == seat else _taken_up(game, bot, taken)
        for number, bot in enumerate(header["bots"])
    ]
    spec = GameSpec(
        game=header["game"],
        parameters=header["parameters"],
        bots=tuple(seats),
        seed=record.end["seed"],
        opening=tuple(header["opening"]),
        limits=Limits(move_seconds=move_seconds),
        costs=header["costs"],
        max_restarts=header["max_restarts"],
    )
    return spec, _until(record, ply)


def _until(record: Record, ply: int) -> Lines:
    """The lines of the first `ply` actions and outcomes, a turn in one line not taken apart.

    What went wrong without ending the game is left out, and nobody may have lost yet.
    """
    lines = []
    played = 0
    for line in record.plies:
        actions = len(actions_of(line))
        if played + actions > ply or line.get("cost") == "game":
            break
        played += actions
        if actions:
            lines.append(line)
    return lines


def _taken_up(game: Any, recorded: dict[str, Any], taken: set[str]) -> SeatSpec:
    """The built-in bot that plays on for a recorded one; another one has a name of its own."""
    name, bot = str(recorded["name"]), str(recorded["bot"])
    try:
        spec = parse_bot(bot)
        if spec.kind == "builtin" and not spec.hosted:
            check_uncompiled(spec, game)
            taken.add(name)
            return SeatSpec(name=name, bot=bot)
    except (BotError, bots.BuiltinError):
        pass
    best = player_at(game, STRONGEST)
    name = free_name(parse_bot(best).name, taken.__contains__)
    taken.add(name)
    return SeatSpec(name=name, bot=best)
