"""A contest's configuration: a TOML file in, every key resolved and checked out.

    [contest]     name, format, games or first_to and max_games, ranking, reference, seed, deals,
                  workers, minutes, folder; of some formats: groups, references, opponents, spend,
                  rounds, pools, qualified, seeding
    [game]        name, opening = [fewest, most] random plies, map or maps, the game's parameters
    [limits]      move_seconds, bank_seconds, increment_seconds, grace_seconds, start_seconds,
                  memory_mb, isolation, processes, file_mb, import_joute
    [faults]      what each fault costs, "turn", "game" or "disqualification"; max_restarts,
                  disqualify_after, disqualify_for
    [submission]  required, forbidden_imports
    [[bots]]      bot, name, authors, description, python, memory_mb; or in short:
                  bots = ["builtin:greedy", "mine.py"]

Only the bots are required. Relative paths start from the file's folder. The format is `score`
where one plays alone, ranked by the game's points, and `round-robin` where several meet. `games`
counts the games of a group of as many bots as the game has seats (with two seats, of a pairing);
for `score`, those of a bot on each map. docs/contests.md tells of the other formats.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from joute.contest.config.contest_table import SCORE, read_contest
from joute.contest.config.deals import SHARED, usual
from joute.contest.config.entries import BotEntry, read_bots
from joute.contest.config.faults_table import read_faults
from joute.contest.config.format_table import DRAWN, EVENLY, check_bots
from joute.contest.config.game_table import ContestMap, read_game
from joute.contest.config.reading import Origin, Reader, Source, one_of, seconds, whole, yes_or_no
from joute.contest.config.submission import SubmissionRules, read_rules
from joute.contest.config.toml import read_file
from joute.contest.ranking.rules import Ranking
from joute.contest.sealing.seal import Seal
from joute.host.sandbox import Level

ISOLATION = (Level.KERNEL.value, Level.FULL.value)  # what a contest may ask for
TABLES = ("contest", "game", "limits", "faults", "submission")  # in the order they are shown


class Contest(msgspec.Struct, frozen=True, kw_only=True):
    """A contest with every key resolved.

    Times are in seconds, memory in MiB. `seed` is None until one is drawn for the folder, and empty
    in the configuration of a contest that is sealed and waits for its public value.
    `games` is None where `first_to` rules; `max_games` is the most that a group plays (where one
    plays alone, that a bot plays on all maps together; in a knockout, with its tie-break). `maps`
    holds the game's parameters on each map; it has one element, without a name, where no map is
    named.
    """

    name: str
    format: str
    games: int | None
    first_to: int | None
    max_games: int
    ranking: Ranking
    reference: str | None = None  # the bot whose rating is 0; None: the mean is
    groups: int | None = None  # that meet; None: all there are
    references: tuple[str, ...] = ()  # whom all others meet in a gauntlet
    opponents: int | None = None  # of each bot in a league, at least
    spend: str = EVENLY  # EVENLY or UNRESOLVED
    rounds: int | None = None  # of a Swiss contest; None: as many as usual
    pools: int | None = None
    qualified: int | None = None  # of each pool
    seeding: str = DRAWN  # DRAWN or LISTED
    minutes: float | None = None  # after which a run hands out no more games
    seed: str | None
    deals: str = SHARED  # one of DEALS: whether the games of a set have the same
    workers: int
    folder: str  # absolute
    store: str | None  # the URL of the database that is not in the folder
    base: str  # the folder, absolute, that the bots' relative paths start from
    game: str
    players: int
    maps: tuple[ContestMap, ...]
    opening: tuple[int, int]
    move_seconds: float
    bank_seconds: float  # of a bot in each game, for turns that take longer
    increment_seconds: float  # that each turn adds to the bank
    grace_seconds: float
    start_seconds: float
    memory_mb: int
    isolation: str  # the lowest level that bots of others may run at
    processes: int  # of a bot, threads included
    file_mb: int  # of a bot's scratch folder
    import_joute: bool = False  # whether bots may import Joute itself
    costs: dict[str, str]  # of each fault: "turn", "game" or "disqualification"
    max_restarts: int
    disqualify_after: int | None  # games in which a bot committed one of `disqualify_for`
    disqualify_for: tuple[str, ...]
    submission: SubmissionRules
    bots: tuple[BotEntry, ...]
    seal: Seal | None = None  # of the folder, once the contest is sealed


def resolve(path: Path | str, overrides: Mapping[str, Any] | None = None) -> Contest:
    """The contest that a file describes.

    `overrides` maps dotted keys ("limits.move_seconds") to values of the command line.
    Raises ConfigError for anything wrong in the file, the bots it names included.
    """
    return _resolve_file(Path(path), overrides or {})[0]


def rules(path: Path | str) -> Contest:
    """The contest that a file describes without its bots, which need not be there."""
    return _resolve_file(Path(path), {}, bots=False)[0]


def origins(path: Path | str, overrides: Mapping[str, Any] | None = None) -> list[Origin]:
    """Every resolved key of the file with its value and where that comes from."""
    return _resolve_file(Path(path), overrides or {})[1]


def resolve_data(
    data: Mapping[str, Any],
    *,
    where: str,
    base: Path,
    people: bool = False,
    seats: int | None = None,
    bots: bool = True,
) -> Contest:
    """The contest that nested tables describe, with the checks of `resolve`.

    `where` stands for the file, in errors and as the default name. `people` may be among the bots.
    `seats` is how many players a game has that may have any number and is not told. Without
    `bots` it is the contest that they would enter.
    """
    return _resolve(data, Source(where, "", frozenset()), base, where, people, seats, bots)


def _resolve_file(
    path: Path, overrides: Mapping[str, Any], bots: bool = True
) -> tuple[Contest, list[Origin]]:
    content, data = read_file(path)
    for key, value in overrides.items():
        _override(data, key, value)
    source = Source(str(path), content, frozenset(overrides))
    contest = _resolve(data, source, path.resolve().parent, path.stem, bots=bots)
    if "deals" not in data.get("contest", {}) and (deals := usual(contest)) != contest.deals:
        contest = msgspec.structs.replace(contest, deals=deals)
        source.revise("contest.deals", deals)
    return contest, sorted(source.origins, key=_table_number)


def _table_number(origin: Origin) -> int:
    """Where the table of a value is shown; the bots come last."""
    table = origin.key.partition(".")[0]
    return TABLES.index(table) if table in TABLES else len(TABLES)


def _override(data: dict[str, Any], key: str, value: Any) -> None:
    *tables, name = key.split(".")
    for table in tables:
        data = data.setdefault(table, {})
    data[name] = value


def _resolve(
    data: Mapping[str, Any],
    source: Source,
    base: Path,
    stem: str,
    people: bool = False,
    seats: int | None = None,
    bots: bool = True,
) -> Contest:
    top = Reader(source, "", data)
    settings = top.table("contest")  # read after the game, which decides what they may be
    game = read_game(top.table("game"), base, seats)
    contest = read_contest(settings, base, stem, game)
    limits = _read_limits(top.table("limits"))
    faults = read_faults(top.table("faults"), game.name)
    submission = read_rules(top.table("submission"))
    least = 1 if contest["format"] == SCORE else game.players
    given = top.raw("bots", [])
    entries = read_bots(top, given, base, game, least, people) if bots else ()
    if bots:
        check_bots(settings, contest, [bot.name for bot in entries])
    top.finish()
    return Contest(
        base=str(base),
        bots=entries,
        game=game.name,
        players=game.players,
        maps=game.maps,
        opening=game.opening,
        submission=submission,
        **contest,
        **limits,
        **faults,
    )


def _read_limits(table: Reader) -> dict[str, Any]:
    values = {
        "move_seconds": table.take("move_seconds", seconds(0.001, 86400), 10.0),
        "bank_seconds": table.take("bank_seconds", seconds(0, 86400), 0.0),
        "increment_seconds": table.take("increment_seconds", seconds(0, 86400), 0.0),
        "grace_seconds": table.take("grace_seconds", seconds(0, 60), 0.0),
        "start_seconds": table.take("start_seconds", seconds(0.01, 3600), 10.0),
        "memory_mb": table.take("memory_mb", whole(16), 1024),
        "isolation": table.take("isolation", one_of(*ISOLATION), Level.KERNEL.value),
        "processes": table.take("processes", whole(1, 4096), 64),
        "file_mb": table.take("file_mb", whole(1, 65536), 64),
        "import_joute": table.take("import_joute", yes_or_no, False),
    }
    table.finish()
    return values
