"""A contest's configuration: read from a TOML file, every key resolved and checked.

    [contest]     name, format, games or first_to and max_games, ranking, reference, seed, deals,
                  workers, minutes, folder; of some formats: groups, references, opponents, spend,
                  rounds, pools, qualified, seeding
    [game]        name, opening = [fewest, most] random plies, map or maps, the game's parameters
    [limits]      the fields of `joute.host.limits.Limits`
    [faults]      what each fault costs, "turn", "game" or "disqualification"; max_restarts,
                  disqualify_after, disqualify_for
    [submission]  required, forbidden_imports
    [show]        listed, ladder, ladder_at
    [[bots]]      bot, name, authors, description, python, memory_mb; or in short:
                  bots = ["builtin:greedy", "mine.py"]

Only the bots are required. Relative paths start from the file's folder. The format is `score`
where one plays alone, ranked by the game's points, and `round-robin` where several meet. `games`
counts the games of a group of as many bots as the game has seats (with two seats, of a pairing);
for `score`, those of a bot on each map. docs/en/contests.md tells of the other formats.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from joute.contest.config.begun import Begun, as_begun
from joute.contest.config.contest import Contest
from joute.contest.config.contest_table import SCORE, named_bots, read_contest
from joute.contest.config.entries import read_bots
from joute.contest.config.game_table import MAPS, read_game
from joute.contest.config.reading import (
    DEFAULT,
    Origin,
    Reader,
    Source,
    bounded,
    one_of,
    read_file,
    whole,
)
from joute.contest.config.showing import read_showing
from joute.contest.config.submission import read_rules
from joute.contest.errors import ContestError
from joute.contest.ranking.discipline import DISQUALIFICATION
from joute.core.maps import MAP
from joute.host.limits import ASKED, Limits
from joute.i18n.words import Sentence

TABLES = (
    "contest",
    "game",
    "limits",
    "faults",
    "submission",
    "show",
)  # in the order they are shown


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
    source = Source(where, "", homes=_homes(data, base))
    return _resolve(data, source, base, where, people, seats, bots)


def _resolve_file(
    path: Path, overrides: Mapping[str, Any], bots: bool = True
) -> tuple[Contest, list[Origin]]:
    content, data = read_file(path)
    for key, value in overrides.items():
        _override(data, key, value)
    base = path.resolve().parent
    source = Source(str(path), content, frozenset(overrides), _homes(data, base))
    contest = _resolve(data, source, base, path.stem, bots=bots)
    tables = [*TABLES, "bots"]
    origins = sorted(
        source.origins, key=lambda each: tables.index(re.split(r"[.\[]", each.key, maxsplit=1)[0])
    )
    return contest, origins


def _homes(data: Mapping[str, Any], base: Path) -> Callable[[str], list[str]]:
    """A function from a name to the paths of the keys of that name, in a contest of the same game.

    Of the name of a table it is that of what the table names: game.name of game.
    Nothing is read before it is called, which only errors do.
    """

    def homes(name: str) -> list[str]:
        game = data.get("game")
        named = game.get("name") if isinstance(game, Mapping) else game
        usual = Source("", "")
        try:
            _resolve({"game": {"name": named}} if named else {}, usual, base, "", bots=False)
        except ContestError:
            return []
        known = [each.key for each in usual.origins]
        if f"game.{MAP}" in known:
            known.append(f"game.{MAPS}")
        found = [key for key in known if key.rpartition(".")[2] == name]
        return found or [key for key in known if key == f"{name}.name"]

    return homes


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
    show = read_showing(top.table("show"))
    least = 1 if contest["format"] == SCORE else game.players
    given = top.raw("bots", [])
    # Only a file is the contest of a folder for sure.
    begun = Begun(contest["folder"], contest["store"]) if source.is_file else Begun()
    entries = read_bots(top, given, base, game, least, people, begun.noted) if bots else ()
    if bots:
        contest |= named_bots(settings, contest, [bot.name for bot in entries])
    top.finish()
    found = Contest(
        base=str(base),
        bots=entries,
        game=game.name,
        rules=game.rules,
        players=game.players,
        maps=game.maps,
        opening=game.opening,
        limits=limits,
        submission=submission,
        show=show,
        **contest,
        **faults,
    )
    return as_begun(found, source, begun) if source.is_file else found


def _read_limits(table: Reader) -> Limits:
    checks: dict[str, Callable[[Any], Any]] = {"isolation": one_of(*ASKED)}
    values = {
        field.name: table.take(
            field.name, checks.get(field.name) or bounded(field.type), field.default
        )
        for field in msgspec.structs.fields(Limits)
    }
    table.finish()
    return msgspec.convert(values, Limits)


LATE = "timeout"  # depends on the machine too: it disqualifies only where the contest says so


def read_faults(table: Reader, game: str) -> dict[str, Any]:
    """The fields of a contest that the table gives. Raises ConfigError."""
    from joute.play.game import FAULT_COSTS, usual_costs

    costs = {
        fault: table.take(fault, one_of(*FAULT_COSTS, DISQUALIFICATION), usual, DEFAULT)
        for fault, usual in usual_costs(game).items()
    }
    restarts = table.take("max_restarts", whole(0), 2)
    if table.has("disqualify_for") and not table.has("disqualify_after"):
        reason = Sentence("error.config.goes_with", key="disqualify_after")
        raise table.error("disqualify_for", reason)
    after = table.take("disqualify_after", whole(1), None)
    usual_counted = tuple(fault for fault in costs if fault != LATE)
    counted = table.take("disqualify_for", _some_of(*costs), usual_counted)
    table.finish()
    return {
        "costs": costs,
        "max_restarts": restarts,
        "disqualify_after": after,
        "disqualify_for": counted,
    }


def _some_of(*choices: str) -> Callable[[Any], tuple[str, ...]]:
    check_one = one_of(*choices)

    def check(value: Any) -> tuple[str, ...]:
        if not isinstance(value, list | tuple) or not value:
            raise ValueError(Sentence("error.config.faults"))
        if any(value.count(word) > 1 for word in value):
            raise ValueError(Sentence("error.config.different_faults"))
        return tuple(check_one(word) for word in value)

    return check
