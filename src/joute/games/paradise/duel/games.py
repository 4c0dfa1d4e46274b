"""Games of two agents, one after the other, with the rules and the order of the original."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from joute.contest.config.entries import default_name
from joute.core.registry import make
from joute.games.paradise.duel.agents import Console, bot_of
from joute.games.paradise.duel.inside import InsideSeat
from joute.games.paradise.state import END
from joute.host.limits import Limits
from joute.host.names import content_hash, parse_bot
from joute.play.chance import derive
from joute.play.game import GameResult, GameSpec, SeatSpec, usual_costs
from joute.play.record import actions_of
from joute.play.referee import play_game
from joute.play.seats import Human, Seat, check_bot, open_seat

GAME = "paradise"
PARAMETERS = {"quirks": True}
START_SECONDS = 60.0  # what agents learned with takes long to import


class Table(NamedTuple):
    """Two agents, and how they play."""

    seats: tuple[SeatSpec, ...]
    move_seconds: float
    debug: bool  # in this process, without a clock
    console: Console

    @property
    def names(self) -> tuple[str, ...]:
        """The agents' names, agent 1's first."""
        return tuple(seat.name for seat in self.seats)


class Duel(NamedTuple):
    """A game that is over."""

    number: int
    result: GameResult
    turns: int  # both agents' counted

    @property
    def winner(self) -> int | None:
        """The seat that won; None where both lost."""
        returns = self.result.returns
        return None if returns[0] == returns[1] else int(returns[1] > returns[0])


def make_table(modules: Sequence[str], move_seconds: float, debug: bool) -> Table:
    """The agents of these modules, all found. Raises BotError or BuiltinError if one is none."""
    rules = make(GAME, **PARAMETERS)
    seats = []
    for module in modules:
        bot = bot_of(module)
        spec = parse_bot(bot)
        check_bot(spec, rules)
        content_hash(spec)  # reads every file, so that none is found missing later
        seats.append(SeatSpec(name=default_name(bot), bot=bot))
    return Table(tuple(seats), move_seconds, debug, Console())


def play_duel(table: Table, number: int, seed: str) -> Duel:
    """Play game `number`; its chance comes from the seed and the number."""
    spec = GameSpec(
        game=GAME,
        parameters=PARAMETERS,
        bots=table.seats,
        seed=derive(seed, GAME, number),
        limits=Limits(move_seconds=table.move_seconds, start_seconds=START_SECONDS),
        costs=usual_costs(GAME),
    )
    turns = 1

    def count(line: dict[str, Any]) -> None:
        nonlocal turns
        turns += line["by"] != "chance" and actions_of(line)[-1:] == [END]

    opener = _inside if table.debug else open_seat
    result = play_game(spec, table.console.ask, watch=count, opener=opener)
    return Duel(number, result, turns)


def _inside(seat: SeatSpec, spec: GameSpec, game: Any, human: Human | None) -> Seat:
    """A seat in this process where that can be."""
    bot = parse_bot(seat.bot, Path(seat.base))
    if bot.kind == "python" and bot.path is not None:
        return InsideSeat(bot, bot.path)
    return open_seat(seat, spec, game, human)
