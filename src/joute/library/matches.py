"""Matches and contests, from Python."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from html import escape
from math import inf, nan
from pathlib import Path
from typing import Any

from joute.contest.config.config import resolve, resolve_data
from joute.contest.config.contest import Contest
from joute.contest.config.default_names import default_names
from joute.contest.folder import RECORDS, has_store, known_to, opened_store
from joute.contest.report.cells import Value, values
from joute.contest.report.standings import standings
from joute.contest.run.coordinator import Failure
from joute.contest.run.match import MatchResult, run_match
from joute.contest.run.plan import planned
from joute.contest.run.runner import RunSummary, run_contest
from joute.contest.schedule.formats import Table
from joute.core.arguments import game_text, unwrapped, wrong
from joute.core.registry import check_parameters
from joute.errors import Error
from joute.library.bots import Bot, bot, name_of
from joute.library.positions import Game
from joute.library.records import GameRecord
from joute.play.game import GameResult, GameSpec, SeatSpec
from joute.play.referee import play_game
from joute.play.seats import Seat, open_seat
from joute.text import free_name


class Standings(list[dict[str, Value]]):
    """The lines of a table, the best bot first: plain data by the names of the columns.

    A line has `rank`, `name`, `won`, `drawn`, `lost`, `score` (from 0 to 1), `low` and `high` (the
    ends of its 95% interval), `elo`, `faults`, `mean_ms` (CPU milliseconds of a turn) and more.
    """

    def __init__(self, table: Table) -> None:
        super().__init__(values(line) for line in table)

    def __str__(self) -> str:
        return "\n".join("  ".join(f"{cell:>12}" for cell in line) for line in self._lines())

    def _repr_html_(self) -> str:
        head, *rows = self._lines()
        top = "".join(f"<th>{cell}</th>" for cell in head)
        body = "".join(f"<tr>{_cells(row)}</tr>" for row in rows)
        return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"

    def _lines(self) -> list[list[str]]:
        wanted = ("rank", "name", "won", "drawn", "lost", "mean", "score", "low", "high", "faults")
        shown = [key for key in wanted if any(line.get(key) is not None for line in self)]
        return [shown, *([_text(line.get(key)) for key in shown] for line in self)]


class Match:
    """The result of a match; `joute.match` plays one."""

    def __init__(self, result: MatchResult, names: list[str], records: Mapping[str, bytes]) -> None:
        self.result = result
        """The result as the program has it: `standings`, `games`, `failures`, `seconds`, `seed`."""
        self.bots = names
        """The bots' names, in the order in which they were given."""
        self._records = records

    def table(self) -> Standings:
        """The standings, the best bot first."""
        return Standings(self.result.standings)

    @property
    def seed(self) -> str:
        """The seed of the match: with it the same games come again."""
        return self.result.seed

    @property
    def score(self) -> float:
        """The first bot's mean score, from 0, all lost, to 1; alone, its mean of points.

        It is nan where no game counts.
        """
        line = self._first()
        found = line["score"] if "score" in line else line["mean"]
        return nan if found is None else float(found)

    @property
    def interval(self) -> tuple[float, float]:
        """The two ends of the 95% interval of `score`; in a match of bots that of Wilson (1927).

        They are infinite where the games tell nothing of chance: where none counts, and of a bot
        alone where a map has one game, or no points vary.
        """
        line = self._first()
        if line["low"] is None:
            return -inf, inf
        return float(line["low"]), float(line["high"])

    @property
    def failures(self) -> list[Failure]:
        """The games that were given up for reasons that are no bot's; they count for no bot."""
        return self.result.failures

    @cached_property
    def records(self) -> list[GameRecord]:
        """The games' records, in the order of the schedule: the same seed gives the same list.

        Two bots of one text play each deal once, for with the seats exchanged it is the same game:
        it counts for both, and has one record.
        """
        return [GameRecord(content, name) for name, content in self._records.items()]

    def _first(self) -> dict[str, Any]:
        return next(line for line in self.table() if line["name"] == self.bots[0])

    def __repr__(self) -> str:
        return str(self.table())

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()


def match(
    played: str | Path | Game,
    *bots: Any,
    games: int | None = None,
    seed: int | str | None = None,
    move_seconds: float = 10.0,
    maps: str | Sequence[str] = (),
    limits: Mapping[str, Any] | None = None,
    workers: int | None = None,
    **parameters: Any,
) -> Match:
    """Plays games between bots, every bot at every seat equally often, and returns the match.

    Args:
        played: the game's name or path, or a game.
        bots: as `joute.bot` takes them. Files of one name are named after their folders; of
            several of one name the others are numbered. Bots of files and programs run in processes
            of their own, isolated and behind a clock; with a Python object among the bots, the
            games are played one after the other in this process, and what the object raises is not
            caught.
        games: how many, for each group of bots that sit at one table; where it is left out, as
            many on each map as the game has seats.
        seed: what openings and chance are drawn from; a random one where it is left out.
        move_seconds: CPU seconds that a turn may take.
        maps: names or files of maps, each of which is played equally often.
        limits: other keys of `[limits]` in a contest's file, and their values.
        workers: how many games are played at the same time.
        parameters: those of the game; where a game is given, they replace its own.

    Raises joute.Error (GameError, BotError, ConfigError) for an argument that is not one of these.
    """
    if isinstance(played, Game):
        parameters = {**played.parameters, **parameters}
    called = played.name if isinstance(played, Game) else game_text(played)
    check_parameters(called, parameters, match.__kwdefaults__ or ())
    if not isinstance(limits or {}, Mapping):
        raise wrong("limits", limits, "table")
    seated = [bot(each) for each in bots]
    names = _names(seated)
    texts = [each.text(name) for each, name in zip(seated, names, strict=True)]
    local = {text: each for text, each in zip(texts, seated, strict=True) if each.here}
    raised: list[Exception] = []

    def play(spec: GameSpec) -> GameResult:
        try:
            return play_game(
                spec, opener=lambda seat, spec, rules, human: _open(seat, spec, rules, local)
            )
        except Exception as error:
            raised.append(error)
            raise _RaisedHere from None

    with tempfile.TemporaryDirectory(prefix="joute-") as folder, suppress(_RaisedHere):
        result = run_match(
            called,
            {key: unwrapped(value) for key, value in parameters.items()},
            [{"bot": text, "name": name} for text, name in zip(texts, names, strict=True)],
            unwrapped(games),
            unwrapped(seed),
            {"move_seconds": unwrapped(move_seconds), **(limits or {})},
            unwrapped(workers),
            maps=_listed(maps),
            folder=Path(folder),
            here=play if local else None,
        )
        kept = [game.record for game in result.games if game.record]
        return Match(result, names, {n: Path(folder, RECORDS, n).read_bytes() for n in kept})
    raise raised[0]  # as the bot raised it, and nothing of the match with it


def _names(seated: Sequence[Bot]) -> list[str]:
    """The names of the bots in tables, each another."""
    files = {
        number: str(each.source)
        for number, each in enumerate(seated)
        if not each.here and each.name == name_of(each.source)
    }
    usual = dict(zip(files, default_names(list(files.values()), Path()), strict=True))
    names: list[str] = []
    for number, each in enumerate(seated):
        names.append(free_name(usual.get(number, each.name), names.__contains__))
    return names


class _RaisedHere(BaseException):
    """A bot of this process raised an error: no Exception, for those give up one game alone."""


class ContestRun:
    """A contest; `joute.contest` reads one."""

    def __init__(self, resolved: Contest) -> None:
        self.contest = resolved
        """The contest's configuration: every key, with its usual value where the file has none."""

    def run(self, workers: int | None = None, redraw: bool = False) -> RunSummary:
        """Plays what remains of the contest into its folder, and returns a summary.

        `workers` games are played at the same time. The summary counts games: `played` now,
        `already` there before, `failed` (given up for reasons that are no bot's), `left`; the
        contest is complete where none is left. Raises joute.Error where it cannot be played, is
        stopped before its end, or would be drawn again, with games that count no more, because its
        bots have changed; `redraw` plays on then.
        """
        return run_contest(self.contest, workers=workers, redraw=redraw)

    def table(self) -> Standings:
        """The standings of the games played so far."""
        return Standings(standings(self.contest))

    @property
    def folder(self) -> Path:
        """The folder of the contest's results."""
        return Path(self.contest.folder)

    @property
    def records(self) -> list[GameRecord]:
        """The records of the contest's games so far, without others that its folder may hold."""
        if not has_store(self.folder):
            return []
        with opened_store(self.folder, self.contest.store) as store:
            own = planned(self.contest, known_to(store, self.contest)).asked_for()
            kept = ((name, content) for name, content in store.records() if name in own)
            return [GameRecord(content, f"{name}.jsonl") for name, content in kept]

    def __repr__(self) -> str:
        return f"<contest {self.contest.name}>"


def contest(source: str | Path | Mapping[str, Any]) -> ContestRun:
    """The contest of a file, or of a dictionary with the keys of such a file.

    Relative paths in a dictionary start from the working directory. Raises ConfigError for what is
    wrong in it, and Error for a source that is neither.
    """
    if isinstance(source, Mapping):
        return ContestRun(resolve_data(_plain(source), where="contest", base=Path().resolve()))
    if not isinstance(source, str | Path):
        raise wrong("contest", source, "contest", Error)
    return ContestRun(resolve(source))


def _plain(given: Any) -> Any:
    """Tables and lists with numbers of Python, as a file has them, for those of NumPy."""
    if isinstance(given, Mapping):
        return {key: _plain(value) for key, value in given.items()}
    return [_plain(each) for each in given] if isinstance(given, list) else unwrapped(given)


def _listed(maps: Any) -> Sequence[Any]:
    """The maps of a match; what is no list of them is taken for one map."""
    if isinstance(maps, str) or not isinstance(maps, Sequence | None):
        return [maps]
    return maps or ()


def _cells(row: list[str]) -> str:
    return "".join(f"<td>{escape(cell)}</td>" for cell in row)


def _text(value: Value) -> str:
    if isinstance(value, float):
        return f"{value:.3g}"
    return "" if value is None else str(value)


def _open(seat: SeatSpec, spec: GameSpec, rules: Any, local: Mapping[str, Bot]) -> Seat:
    found = local.get(seat.bot)
    return open_seat(seat, spec, rules, None) if found is None else found.open(spec, rules)
