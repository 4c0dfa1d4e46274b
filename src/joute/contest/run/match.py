"""A match: a few games at once, or of one bot alone, kept only where somebody asks for it."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from joute.contest.config.config import resolve_data
from joute.contest.config.contest import Contest
from joute.contest.config.contest_table import SCORE
from joute.contest.errors import ConfigError, Interrupted
from joute.contest.folder import RECORDS
from joute.contest.rating.sprt import (
    Hypotheses,
    PairsUntilDecided,
    SequentialResult,
    SequentialTest,
)
from joute.contest.run.coordinator import Coordinator, Failure, Finished, Progress, Stop
from joute.contest.run.plan import Plan
from joute.contest.run.playing import game_row, record_name
from joute.contest.run.pool import Pool
from joute.contest.run.tasks import compile_builtins
from joute.contest.run.workers import Play, play_batch
from joute.contest.schedule.formats import Table
from joute.contest.schedule.schedule import place_of
from joute.core.maps import MAP
from joute.files import put
from joute.i18n.words import Sentence
from joute.play.record import actions_of, unchained
from joute.store.columns import unpack
from joute.store.model import StoredGame


class MatchResult(msgspec.Struct, frozen=True, kw_only=True):
    """The results of a match."""

    standings: Table
    games: list[StoredGame]  # in the order of the schedule, whoever ended first
    failures: list[Failure]
    seconds: float
    seed: str
    distinct: int  # games that differ by who sat where, by the map or by what was played
    test: SequentialResult | None = None  # where one was asked for; the games are those it counted


class MatchInterrupted(Interrupted):
    """The match was stopped on request; `result` is of the games played until then."""

    def __init__(self, done: int, total: int, result: MatchResult) -> None:
        super().__init__(done, total)
        self.result = result


def run_match(
    game: str,
    parameters: Mapping[str, Any],
    bots: Sequence[str | Mapping[str, str]],
    games: int | None = None,
    seed: int | str | None = None,
    limits: Mapping[str, Any] | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
    *,
    maps: Sequence[str] = (),
    opening: Sequence[int] | None = None,
    folder: Path | None = None,
    base: Path | None = None,
    here: Play | None = None,
    play: Play | None = None,
    test: Hypotheses | None = None,
) -> MatchResult:
    """Plays `games` games between the bots, or of each bot alone where the game has one seat.

    The games are of every group of as many bots as the game has seats, in sets that rotate the
    seats; one set on each map unless `games` says more. A bot alone plays `games` on each map. A
    game of a variable number of seats has as many as there are bots. `maps` are names, or paths.
    `limits` are the keys of a contest's [limits]; `base` is the folder that the bots' paths start
    from; records go to `folder`/records if it is given. With `here`, which plays a game of people
    too ("human" among the bots), the games are played in this process, one after the other.
    With `test`, the first of two bots is tested against the second until that is decided, or until
    `games` are played.
    Raises ConfigError for a wrong argument, MatchInterrupted on SIGINT or SIGTERM.
    """
    started = time.monotonic()
    most = None if test is None else games or test.usual_most()
    settings: dict[str, Any] = {"games": None if test else games, "seed": seed, "workers": workers}
    keys: dict[str, Any] = {} if opening is None else {"opening": opening}
    if maps and MAP in parameters:
        raise ConfigError("match", f"game.{MAP}", Sentence("error.config.map_or_maps"))
    if maps:
        keys |= {"map": maps[0]} if len(maps) == 1 else {"maps": list(maps)}
    data = {
        "contest": {key: value for key, value in settings.items() if value is not None},
        "game": {"name": game, **parameters, **keys},
        "limits": dict(limits or {}),
        "bots": list(bots),
    }
    contest = resolve_data(
        data,
        where="match",
        base=(base or Path()).resolve(),
        people=here is not None,
        seats=len(bots),
    )
    if most is not None:
        if contest.players != 2 or len(contest.bots) != 2 or here is not None:
            given = {"bots": len(contest.bots), "seats": contest.players}
            raise ConfigError("match", "sprt", Sentence("error.sprt.bots", **given))
        contest = msgspec.structs.replace(contest, max_games=most)
    elif games is None and contest.format != SCORE:
        contest = msgspec.structs.replace(contest, max_games=contest.players * len(contest.maps))
    seed = contest.seed or secrets.token_hex(16)
    match_games = _MatchGames(folder)
    plan, found, stopped = Plan(contest, seed, {}), None, None
    try:
        if test is not None:
            plan, found, stopped = _play_test(contest, seed, test, match_games, progress, play)
        elif here is not None:
            _play_here(plan, match_games, here)
        else:
            _play(contest, plan, match_games, progress, play)
    except Interrupted as error:
        stopped = error
    in_order = _in_order(match_games.games, plan)
    result = MatchResult(
        standings=plan.standings(),
        games=in_order,
        distinct=len({match_games.courses[each.identity] for each in in_order}),
        failures=match_games.failures,
        seconds=time.monotonic() - started,
        seed=seed,
        test=found,
    )
    if stopped is not None:
        raise MatchInterrupted(stopped.done, stopped.total, result)
    return result


def seats_of(game: str, parameters: Mapping[str, Any], bots: int) -> int:
    """The number of seats in games of a match between so many bots. Raises GameError.

    Whether the maps have room for so many is not looked at.
    """
    from joute.core.interface import properties
    from joute.core.registry import defaults, make

    if "players" in defaults(game):
        players = parameters.get("players", bots)
        if isinstance(players, int):
            return players
    return properties(make(game, **parameters)).players


def _in_order(games: list[StoredGame], plan: Plan) -> list[StoredGame]:
    """The games by their places in the schedule: the same list for any number of workers."""
    places = {identity: place_of(slot) for slot, identity in plan.places()}
    return sorted(games, key=lambda game: places[game.identity])


class _MatchGames:
    """Keeps the games of a match in memory, and their records in a folder if there is one."""

    def __init__(self, folder: Path | None) -> None:
        self.games: list[StoredGame] = []
        self.failures: list[Failure] = []  # the games given up
        self.courses: dict[str, int] = {}  # by the game's identity, equal where games are alike
        self.records = None if folder is None else folder / RECORDS
        if self.records is not None:
            self.records.mkdir(parents=True, exist_ok=True)

    def save(self, finished: list[Finished]) -> list[StoredGame]:
        results = [one for one in finished if one.played.result is not None]
        rows = [game_row(one, self._keep_record(one)) for one in results]
        counted = [(row, one) for row, one in zip(rows, results, strict=True) if one.note is None]
        self.games += [row for row, _ in counted]
        self.courses |= {
            row.identity: _course(row, unpack(one.played.record)) for row, one in counted
        }
        return rows

    def _keep_record(self, finished: Finished) -> str:
        """Writes a game's record; returns the name of its file, "" if there are none."""
        if self.records is None:
            return ""
        name = record_name(finished)
        put(self.records / name, unpack(finished.played.record))
        return name


def _course(game: StoredGame, record: bytes) -> int:
    """A hash of who sat where, of the map and of all that was played."""
    lines, _ = unchained(record)
    played = tuple(action for line in lines for action in actions_of(line))
    return hash((tuple(game.bots), game.map, played))


def _play(
    contest: Contest,
    plan: Plan,
    match_games: _MatchGames,
    progress: Progress | None,
    play: Play | None,
    enough: Callable[[], bool] = lambda: False,
) -> None:
    """Plays a plan, or until `enough` says so. Raises Interrupted."""
    workers = min(contest.workers, plan.left)

    def watch(done: int, total: int, rate: float, left: float | None) -> None:
        stop.requested = stop.requested or enough()
        if progress is not None:
            progress(done, total, rate, left)

    try:
        if play is None:
            compile_builtins(contest)
        with Stop() as stop, Pool(workers, play) as pool:
            coordinator = Coordinator(plan, pool, match_games.save, watch, stop)
            match_games.failures = coordinator.failures
            coordinator.run()
    except KeyboardInterrupt:
        raise Interrupted(plan.done, plan.done + plan.left) from None


def _play_test(
    contest: Contest,
    seed: str,
    hypotheses: Hypotheses,
    match_games: _MatchGames,
    progress: Progress | None,
    play: Play | None,
) -> tuple[Plan, SequentialResult, Interrupted | None]:
    """Plays pairs until the test is decided; the plan and `match_games` have those counted.

    Games still being played then are cut short. The last is None unless it was stopped before.
    """
    first, second = (bot.name for bot in contest.bots)
    maps = [each.name for each in contest.maps]
    test = SequentialTest(hypotheses)
    pairs = PairsUntilDecided((first, second), seed, contest.max_games, test, maps=maps)
    plan = Plan(contest, seed, {}, pairs)
    stopped = None
    try:
        _play(contest, plan, match_games, progress, play, lambda: bool(test.decision))
    except Interrupted as error:
        stopped = None if test.decision else error
    match_games.games = [game for game in match_games.games if game.set_number < test.pairs]
    counted = msgspec.structs.replace(contest, max_games=max(2 * test.pairs, 2))
    played = {game.identity: game for game in match_games.games}
    after = Plan(counted, seed, played, in_force=plan.in_force)
    return after, test.result((first, second)), stopped


def _play_here(plan: Plan, match_games: _MatchGames, play: Play) -> None:
    try:
        while plan.due:
            task = plan.due.popleft()
            [played] = play_batch(play, [task.spec])
            if played.result is None:
                failure = Failure(task.slot.seats, task.slot.seed, played.failure)
                match_games.failures.append(failure)
                continue
            for game in match_games.save([Finished(task, played)]):
                plan.record(game)
    except KeyboardInterrupt:
        raise Interrupted(plan.done, plan.done + plan.left) from None
