"""The strength of the levels that people choose an opponent by: the figures of `levels.json`.

Each level plays GAMES games, seats exchanged, against the game's beginner and against the level
before; one above a level that beats nearly all beginners plays the level before alone.
`scripts/bench levels GAME` compares with the figures that are kept in the game's folder;
with JOUTE_WRITE=1 it writes them there. Levels that look at the clock depend on the machine.
"""

import json
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from bench.rows import Row
from joute.bots.levels import FILE, PLAIN, PeopleLevels, kept_levels
from joute.core.registry import card, cards
from joute.host.limits import Limits
from joute.play.chance import derive
from joute.play.game import GameSpec, SeatSpec, usual_costs
from joute.play.referee import play_game

GAMES = tuple(each.name for each in cards() if kept_levels(each))
MATCH = 60  # games of each pair
MOVE_SECONDS = 5.0  # as at a table
TOLERANCE = 0.12  # of a share that is measured again, on another machine
WORKERS = 2


def rows(*games: str) -> Iterator[Row]:
    """The figures of these games, or of all that bring levels."""
    with ProcessPoolExecutor(WORKERS) as pool:
        for game in games or GAMES:
            brought = card(game)
            known = kept_levels(brought)
            if known is None:
                continue
            measured = _measured(game, known, pool)
            yield from _compared(game, known, measured)
            if os.environ.get("JOUTE_WRITE") and (path := brought.file(FILE)):
                _write(path, known, measured)


def _measured(game: str, known: PeopleLevels, pool: Any) -> list[dict[str, Any]]:
    """By level, the shares won against beginners and against the level before."""
    found: list[dict[str, Any]] = []
    for at, level in enumerate(known.levels):
        shares: dict[str, Any] = {"bot": level.bot}
        if not found or found[-1].get("beginners", 1.0) <= PLAIN:
            shares["beginners"] = _share(game, known, level.bot, known.beginner, pool)
        if at:
            shares["before"] = _share(game, known, level.bot, known.levels[at - 1].bot, pool)
        found.append(shares)
    return found


def _share(game: str, known: PeopleLevels, bot: str, against: str, pool: Any) -> float:
    specs = [_spec(game, known, bot, against, number) for number in range(MATCH)]
    won = pool.map(_won, specs, [number % 2 for number in range(MATCH)])
    return round(sum(won) / MATCH, 3)


def _spec(game: str, known: PeopleLevels, bot: str, against: str, number: int) -> GameSpec:
    names = (bot, against) if number % 2 == 0 else (against, bot)
    seats = (SeatSpec(name=f"{at} {name}", bot=f"builtin:{name}") for at, name in enumerate(names))
    return GameSpec(
        game=game,
        parameters=known.parameters,
        bots=tuple(seats),
        seed=derive("levels", game, bot, against, str(number // 2)),
        limits=Limits(move_seconds=MOVE_SECONDS),
        costs=usual_costs(game),
    )


def _won(spec: GameSpec, seat: int) -> float:
    """1 for a game won by the seat, 0.5 for a draw."""
    returns = play_game(spec).returns
    own, other = returns[seat], returns[1 - seat]
    return 1.0 if own > other else 0.5 if own == other else 0.0


def _compared(game: str, known: PeopleLevels, measured: list[dict[str, Any]]) -> Iterator[Row]:
    for number, (level, found) in enumerate(zip(known.levels, measured, strict=True), start=1):
        for what in ("beginners", "before"):
            if what not in found:
                continue
            kept, share = getattr(level, what), found[what]
            yield Row(
                f"{game} {number} {level.bot} against {what}",
                100 * share,
                "%",
                f"{MATCH} games, seats exchanged; kept: {kept}",
                aim="" if kept is None else f"{100 * kept:.0f} % ± {100 * TOLERANCE:.0f}",
                met=None if kept is None else abs(share - kept) <= TOLERANCE,
            )


def _write(path: Path, known: PeopleLevels, measured: list[dict[str, Any]]) -> None:
    content: dict[str, Any] = {"beginner": known.beginner}
    if known.parameters:
        content["parameters"] = known.parameters
    content |= {"games": MATCH, "levels": measured}
    if known.rungs:
        content["rungs"] = known.rungs
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
