"""The times of a bot's answers along recorded games, and where a Python bot's time goes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from joute.core.interface import pending, properties
from joute.host.protocol import Answer
from joute.play.record import Record, actions_of, ply_number
from joute.play.seats import Seat, observed, start_message
from joute.play.trial_positions import TrialPosition, reach, told
from joute.play.verify import recorded_game

_PERCENTILE = 0.95


class SeatTurns(NamedTuple):
    """Turns of one seat of a game, in their order, and what a bot is told at the game's start."""

    game: Any
    player: int
    names: list[str]
    seed: str
    move_seconds: float
    turns: list[TrialPosition]


class FunctionTime(NamedTuple):
    """A function of a bot, or one that it calls."""

    function: str
    file: str  # "" for what is built into Python
    line: int
    calls: int
    own_ms: float  # of CPU, without the functions that it calls
    total_ms: float  # with them


class AnswerTime(NamedTuple):
    """The time of an answer; the fault's code, reason and output, or "" if it was in order."""

    place: str
    ms: float
    fault: str
    detail: str = ""
    output: str = ""


class TimeSummary(NamedTuple):
    """Times of answers in milliseconds."""

    median: float
    p95: float
    most: float


def seat_turns(record: Record, place: str, name: str | None = None) -> Iterator[SeatTurns]:
    """The turns in a record of the seats of this name; None for all.

    Only what a bot was asked counts: nothing of the opening, no choice of the referee, and of all
    seats no turn that is half chosen, since other bots than those of the record may choose it as a
    whole. `place` names a turn, with {at} for the plies before it and {ply} for its own. Raises
    RecordError for a record whose rules are not at hand.
    """
    header = record.header
    game = recorded_game(record)
    names = [str(bot["name"]) for bot in header["bots"]]
    simultaneous = properties(game).simultaneous
    for player in range(len(names)):
        if name not in (None, names[player]):
            continue
        before: list[int] = []
        turns = []
        for line in record.plies:
            if line["by"] == "bot" and line["player"] == player and "action" in line:
                at = line["ply"]
                label = place.replace("{at}", str(at)).replace("{ply}", str(ply_number(at)))
                turn = reach(game, label, list(before))
                if name is not None or simultaneous or not pending(game, turn.state):
                    turns.append(turn)
            before += actions_of(line)
        seconds = header["limits"]["move_seconds"]
        yield SeatTurns(game, player, names, record.end["seed"], seconds, turns)


def spread(seats: Sequence[SeatTurns], most: int) -> list[SeatTurns]:
    """So many of the turns, from everywhere in the games."""
    total = sum(len(each.turns) for each in seats)
    chosen = {number * total // most for number in range(most)} if total > most else range(total)
    found, first = [], 0
    for each in seats:
        turns = [turn for at, turn in enumerate(each.turns, start=first) if at in chosen]
        first += len(each.turns)
        if turns:
            found.append(each._replace(turns=turns))
    return found


def ask_along(seat: Seat, seats: SeatTurns) -> Iterator[tuple[TrialPosition, Answer]]:
    """The answers of a bot in these turns; it is started anew where it has ended.

    A bot that does not start answers with that fault, and is not asked any further.
    """
    known: list[dict[str, Any]] = []
    running = False
    for turn in seats.turns:
        events = told(seats.game, turn)
        news = events[len(known) :]
        known = events
        if not running:
            begun = seat.start(_beginning(seats, events))
            if begun.fault is not None:
                yield turn, begun
                return
            news = []
        seen = observed(seats.game, turn.state, seats.player)
        message = {"type": "play", "observation": seen, "events": news}
        answer = seat.ask(turn.state, message)
        running = answer.alive
        yield turn, answer


def _beginning(seats: SeatTurns, events: list[dict[str, Any]]) -> dict[str, Any]:
    return start_message(
        seats.game, seats.player, seats.names, seats.seed, seats.move_seconds, events
    )


def summary(times: Sequence[float]) -> TimeSummary:
    """The median, the 95th percentile and the most of these times, of which there is one."""
    ordered = sorted(times)
    middle = len(ordered) // 2
    median = ordered[middle] if len(ordered) % 2 else sum(ordered[middle - 1 : middle + 1]) / 2
    nearest = math.ceil(_PERCENTILE * len(ordered)) - 1
    return TimeSummary(median, ordered[nearest], ordered[-1])


def functions(rows: Sequence[dict[str, Any]]) -> list[FunctionTime]:
    """The rows of a report, see `DebugSeat.report`."""
    times = ("own_ms", "total_ms")
    return [FunctionTime(**{**row, **{key: round(row[key], 3) for key in times}}) for row in rows]
