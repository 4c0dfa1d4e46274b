"""Proof that a record is true: its chain, every action by the rules, every outcome by the seed."""

from typing import Any

import msgspec

from joute.games import GameError, make
from joute.games.interface import (
    CHANCE,
    OVER,
    describe,
    fault_action,
    legal,
    mover,
    play,
    points,
    properties,
    start,
    stream,
)
from joute.play.chance import Streams, commitment
from joute.play.record import Record, RecordError, read_record
from joute.play.referee import final_returns

HEADER_LINE = 1
FIRST_PLY_LINE = 2


class Verdict(msgspec.Struct, frozen=True):
    """Whether a record is true; if not, its first line (from 1) that is not, and why."""

    ok: bool
    line: int | None = None
    reason: str = ""
    chain: str = ""


def verify_record(content: bytes) -> Verdict:
    """Read a record and replay it."""
    try:
        record = read_record(content)
        replay(record)
    except RecordError as error:
        return Verdict(False, error.line, error.reason)
    return Verdict(True, chain=record.chain)


def replay(record: Record) -> list[list[int]]:
    """The states of a game: the first, then one after each ply. Raises RecordError."""
    game = recorded_game(record)
    streams = Streams(_seed(record))
    opening = streams.opening_length(tuple(record.header["opening"]))
    state: list[int] = start(game).tolist()
    states = [state]
    for number, ply in enumerate(record.plies, start=FIRST_PLY_LINE):
        if ply["ply"] != len(states) - 1:
            raise RecordError(number, f"it is of ply {ply['ply']}, expected {len(states) - 1}")
        if "action" not in ply:  # a failure that cost the game, or a start that failed
            continue
        opening -= ply.get("by") == "opening"
        _check_ply(game, state, ply, number, streams, opening)
        state = state.copy()
        play(game, state, ply["action"])
        states.append(state)
    _check_end(game, state, record)
    return states


def recorded_game(record: Record) -> Any:
    """The game that a record is of. Raises RecordError."""
    try:
        game = make(record.header["game"], **record.header["parameters"])
    except (GameError, KeyError, TypeError) as error:
        raise RecordError(HEADER_LINE, str(error)) from None
    version = properties(game).version
    if record.header["rules"] != version:
        raise RecordError(
            HEADER_LINE, f"it follows version {record.header['rules']} of the rules, not {version}"
        )
    return game


def _seed(record: Record) -> str:
    seed = str(record.end["seed"])
    if commitment(seed) != record.header["commitment"]:
        line = FIRST_PLY_LINE + len(record.plies)
        raise RecordError(line, "the seed is not the one that the header commits to")
    return seed


def _check_ply(
    game: Any, state: list[int], ply: dict[str, Any], number: int, streams: Streams, opening: int
) -> None:
    """Raise RecordError unless this ply is what the rules, the seed and the referee allow."""
    player, action, by = int(mover(game, state)), ply["action"], ply["by"]
    if player == OVER:
        raise RecordError(number, "the game was over")
    if (player == CHANCE) != (by == "chance") or ply.get("player", CHANCE) != player:
        raise RecordError(number, f"player {player} was to move")
    if by == "chance":
        expected = streams.outcome(game, state)
        if ply["stream"] != stream(game, state):
            raise RecordError(number, f"this outcome is of stream {stream(game, state)!r}")
    elif by == "opening":
        if opening < 0:
            raise RecordError(number, "the opening was over")
        expected = streams.opening_action(game, state)
    elif by == "referee" or "fault" in ply:
        expected = int(fault_action(game, state, player))
    elif opening > 0:
        raise RecordError(number, "the opening was not over")
    else:
        actions = [0] * properties(game).max_legal
        if action not in actions[: legal(game, state, actions)]:
            raise RecordError(number, f"action {action} is not legal")
        expected = action
    if action != expected:
        raise RecordError(number, f"action {action}, expected {expected}")
    if ply["text"] != describe(game, state, action):
        raise RecordError(number, f"{ply['text']!r} is not how action {action} is written")


def _check_end(game: Any, state: list[int], record: Record) -> None:
    line = FIRST_PLY_LINE + len(record.plies)
    end = record.end
    players = range(properties(game).players)
    lost = {ply["player"] for ply in record.plies if ply.get("cost") == "game"}
    forfeits = [player in lost for player in players]
    if end["forfeits"] != sorted(lost):
        raise RecordError(line, f"the forfeits are {sorted(lost)}")
    decided = lost and len(forfeits) <= 2
    if not decided and mover(game, state) != OVER:
        raise RecordError(line, "the game was not over")
    if end["ending"] != ("forfeit" if lost else "finished"):
        raise RecordError(line, f"the ending is not {end['ending']!r}")
    if end["returns"] != final_returns(game, state, forfeits):
        raise RecordError(line, f"the returns are {final_returns(game, state, forfeits)}")
    if end["points"] != [int(points(game, state, player)) for player in players]:
        raise RecordError(line, "the points are not those of the last state")
    if end["plies"] != sum("action" in ply for ply in record.plies):
        raise RecordError(line, f"{end['plies']} plies, which is not their number")
