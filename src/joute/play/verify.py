"""Proof that a record is true: its chain, every action by the rules, every outcome by the seed."""

from collections.abc import Iterator
from typing import Any

import msgspec

from joute.core.errors import GameError
from joute.core.interface import (
    CHANCE,
    OVER,
    describe,
    expand,
    fault_action,
    mover,
    play,
    points,
    properties,
    start,
    stop_action,
    stream,
)
from joute.core.registry import find, make, source, unknown
from joute.i18n.recognised import foreign
from joute.i18n.words import Sentence
from joute.play.chance import Streams, commitment
from joute.play.game import FAULT_COSTS, acceptable, final_returns
from joute.play.record import Record, RecordError, actions_of, broken, read_record

HEADER_LINE = 1
ACTORS = ("chance", "opening", "bot", "referee", "clock")  # whose a ply may be
FIRST_PLY_LINE = 2


# A forged record can hold anything where its reader looks for a number, a list, an object.
_FORGED = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError)


class RulesError(GameError):
    """The rules that a record was played by are not at hand, or have changed."""


class Verdict(msgspec.Struct, frozen=True):
    """Whether a record is true; if not, its first line (from 1) that is not, and why.

    A record that could not be checked is not `ok` either: it may be true all the same.
    """

    ok: bool
    line: int | None = None
    reason: object = ""  # a sentence
    checked: bool = True  # False where the rules are not at hand, or have changed
    chain: str = ""
    withheld: list[int] = []  # lines (from 1) that lack words, whose hashes prove nothing


def verify_record(content: bytes, *, partial: bool = False) -> Verdict:
    """Reads a record and replays it; a `partial` one may lack words of bots."""
    return proved(content, partial=partial)[0]


def proved(content: bytes, *, partial: bool = False) -> tuple[Verdict, Record | None]:
    """The verdict on a record, and the record if it is true."""
    try:
        record = read_record(content, partial=partial)
        for _ in _replayed(record):
            pass
    except RecordError as error:
        checked = not isinstance(error.reason, RulesError)
        return Verdict(False, error.line, error.reason, checked), None
    return Verdict(True, chain=record.chain, withheld=record.withheld), record


def replay(record: Record) -> list[list[int]]:
    """The states of a game: the first, then one after each ply. Raises RecordError."""
    states = [start(recorded_game(record)).tolist()]
    states.extend(state for _, state in _replayed(record) if state)
    return states


def _replayed(record: Record) -> Iterator[tuple[int, list[int]]]:
    """Each line that holds, with the state after it (empty if it has none). Raises RecordError."""
    line = 0  # the last one that holds
    try:
        for line, state in _lines(record):
            yield line, state
    except RecordError:
        raise
    except _FORGED as error:
        raise broken(line + 1, "lacks", error=error) from None


def _lines(record: Record) -> Iterator[tuple[int, list[int]]]:
    """As `_replayed`, of a record that holds the right kinds of values."""
    game = recorded_game(record)
    facts = properties(game)
    streams = Streams(_seed(record))
    lowest, highest = record.header["opening"]
    opening = streams.opening_length(game, (lowest, highest))
    state: list[int] = start(game).tolist()
    plies = 0
    out: set[int] = set()  # players who lost the game by a fault
    yield HEADER_LINE, []
    for number, ply in enumerate(record.plies, start=FIRST_PLY_LINE):
        if ply["ply"] != plies:
            raise broken(number, "ply", found=ply["ply"], expected=plies)
        _check_actor(ply, number, out, decided=bool(out) and facts.players <= 2)
        if ply.get("cost") == "game":
            out.add(ply["player"])
        if "action" not in ply:  # a failure that ended the game, or a start that failed
            yield number, []
            continue
        opening -= ply["by"] == "opening"
        _check_ply(game, state, ply, number, streams, opening)
        state = state.copy()
        texts = []
        for action in actions_of(ply):
            texts.append(describe(game, state, action))
            play(game, state, action)
            plies += 1
        if ply["text"] != "; ".join(texts):
            raise broken(number, "text", text=ply["text"])
        yield number, state
    _check_end(game, state, record)


def recorded_game(record: Record) -> Any:
    """The game that a record is of. Raises RecordError."""
    header = record.header
    try:
        of = msgspec.convert(header, _Rules)
        _check_rules(of)
        game = make(of.game, **of.parameters)
    except msgspec.ValidationError as error:
        raise RecordError(HEADER_LINE, foreign(error)) from None
    except (GameError, TypeError) as error:  # a parameter may be of any kind
        raise RecordError(HEADER_LINE, error) from None
    version, followed = properties(game).version, record.header.get("rules")
    if followed != version:
        raise broken(HEADER_LINE, "rules", followed=followed, version=version)
    return game


class _Source(msgspec.Struct):
    file: str
    hash: str


class _Rules(msgspec.Struct):
    """The entries of a header that say what is played."""

    game: str
    parameters: dict[str, Any]
    source: _Source | None = None


def _check_rules(of: _Rules) -> None:
    """Makes sure of the rules of a game that is not Joute's own. Raises RulesError.

    The record of a stranger says nowhere which file is to be imported.
    """
    told = of.source
    if find(of.game) is None:
        if told is None:
            raise RulesError(unknown(of.game))
        facts = {"game": of.game, "file": told.file, "hash": told.hash}
        raise RulesError(Sentence("error.record.rules_missing", **facts))
    found = source(of.game)
    if (found.hash if found else None) != (told.hash if told else None):
        raise RulesError(Sentence("error.record.rules_changed", game=of.game))


def _seed(record: Record) -> str:
    seed = str(record.end.get("seed"))
    if commitment(seed) != record.header["commitment"]:
        line = FIRST_PLY_LINE + len(record.plies)
        raise broken(line, "seed")
    return seed


def _check_actor(ply: dict[str, Any], number: int, out: set[int], decided: bool) -> None:
    """Raises RecordError unless whoever acted could: a bot until it is out, then the referee."""
    by = ply["by"]
    if by not in ACTORS:
        raise broken(number, "actor", by=by)
    if ("fault" in ply or "resigned" in ply) and (by != "bot" or ply["cost"] not in FAULT_COSTS):
        raise broken(number, "fault")
    if "action" not in ply and "fault" not in ply and "resigned" not in ply:
        raise broken(number, "nothing")
    if "cost" in ply and "fault" not in ply and "resigned" not in ply:
        raise broken(number, "fault")
    if "resigned" in ply and ply["cost"] != "game":
        raise broken(number, "resigned")
    if decided and "action" in ply:
        raise broken(number, "lost")
    if by in ("bot", "referee") and (by == "referee") != (ply["player"] in out):
        raise broken(number, "by", player=ply["player"], by=by)


def _check_ply(
    game: Any, state: list[int], ply: dict[str, Any], number: int, streams: Streams, opening: int
) -> None:
    """Raises RecordError unless this ply is what the rules, the seed and the referee allow."""
    player, actions, by = int(mover(game, state)), actions_of(ply), ply["by"]
    if player == OVER:
        raise broken(number, "over")
    if (player == CHANCE) != (by == "chance") or ply.get("player", CHANCE) != player:
        raise broken(number, "player", player=player)
    if by == "chance":
        expected = [streams.outcome(game, state)]
        if ply["stream"] != stream(game, state):
            raise broken(number, "stream", stream=stream(game, state))
    elif by == "opening":
        if opening < 0:
            raise broken(number, "opening_over")
        expected = [streams.opening_action(game, state)]
    elif by == "clock":
        end = stop_action(game, state)
        expected = [] if end is None else [end]
    elif by == "referee" or "fault" in ply or "resigned" in ply:
        expected = [int(fault_action(game, state, player))]
    elif opening > 0:
        raise broken(number, "opening")
    else:
        expected = expand(game, state, ply.get("answer", actions))
        if not acceptable(game, state, expected):
            raise broken(number, "illegal", action=ply["action"])
    if actions != expected or not actions:
        raise broken(number, "action", action=ply["action"], expected=_one(expected))


def _one(actions: list[int]) -> int | list[int]:
    """Actions as a record writes them: one alone is a number."""
    return actions[0] if len(actions) == 1 else actions


def _check_end(game: Any, state: list[int], record: Record) -> None:
    line = FIRST_PLY_LINE + len(record.plies)
    end = record.end
    players = range(properties(game).players)
    lost = {ply["player"] for ply in record.plies if ply.get("cost") == "game"}
    forfeits = [player in lost for player in players]
    if end["forfeits"] != sorted(lost):
        raise broken(line, "forfeits", forfeits=sorted(lost))
    decided = lost and len(forfeits) <= 2
    if not decided and mover(game, state) != OVER:
        raise broken(line, "going_on")
    by_fault = any("fault" in ply for ply in record.plies if ply.get("cost") == "game")
    if end["ending"] != ("forfeit" if by_fault else "resignation" if lost else "finished"):
        raise broken(line, "ending", ending=end["ending"])
    if end["returns"] != final_returns(game, state, forfeits):
        raise broken(line, "returns", returns=final_returns(game, state, forfeits))
    if end["points"] != [int(points(game, state, player)) for player in players]:
        raise broken(line, "points")
    if end["plies"] != sum(len(actions_of(ply)) for ply in record.plies):
        raise broken(line, "plies", plies=end["plies"])
