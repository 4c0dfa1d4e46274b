"""A game of the store beside its record: all that both of them say must be the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from joute.contest.proof.difference import Difference, shown
from joute.contest.proof.facts import Facts
from joute.store.game import Game

ROUNDED = 0.0005  # milliseconds by which a ply's time in a record may be off
SUMMED = 1e-6  # milliseconds by which two sums of the same times may differ


def record_name(game: Game) -> str:
    """The name under which the record of a game must be kept."""
    return f"{game.identity}.jsonl"


def compared(game: Game, facts: Facts | None) -> Iterator[Difference]:
    """What a game's row and its record do not agree in; nothing else is worth a look then."""

    def differs(key: str, **values: object) -> Difference:
        return Difference(key=key, game=game.identity, values=values)

    if game.record != record_name(game):
        yield differs("record_name", found=shown(game.record))
        return
    if facts is None:
        yield differs("no_record")
        return
    if not facts.ok:
        values = {"reason": facts.reason}
        yield Difference(key="untrue", game=game.identity, line=facts.line, values=values)
        return
    if facts.header.get("identity") != game.identity:
        yield differs("another_game", found=shown(facts.header.get("identity")))
        return
    for key, here, there in _pairs(game, facts):
        if here != there:
            yield differs(key, found=shown(here), expected=shown(there))
    if len(facts.asked) == len(game.bots):
        yield from (differs(key, **values) for key, values in _times(game, facts))
    if facts.chain != game.chain:
        yield differs("another_record")


def _pairs(game: Game, facts: Facts) -> Iterator[tuple[str, Any, Any]]:
    """What the row has and what the record has, by the key of the sentence that tells it."""
    end, bots = facts.end, facts.header["bots"]
    yield "bots", game.bots, [bot.get("name") for bot in bots]
    yield "returns", game.returns, end["returns"]
    yield "points", game.points, end["points"]
    yield "ending", game.ending, end["ending"]
    yield "plies", game.plies, end["plies"]
    yield "faults", _told(game.faults), _told(facts.faults)
    yield "asked", game.asked, facts.asked
    if game.isolation:  # stores of older versions did not note it
        yield "isolation", game.isolation, [bot.get("isolation") for bot in bots]


def _told(faults: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    names = ("seat", "ply", "fault", "detail", "cost")
    return [tuple(each.get(name) for name in names) for each in faults]


def _times(game: Game, facts: Facts) -> Iterator[tuple[str, dict[str, str]]]:
    for seat, (here, there) in enumerate(zip(game.cpu_ms, facts.cpu_ms, strict=True)):
        if abs(here - there) > ROUNDED * facts.asked[seat] + SUMMED * (1 + abs(there)):
            values = {"bot": game.bots[seat], "found": f"{here:.3f}", "expected": f"{there:.3f}"}
            yield "cpu_ms", values
