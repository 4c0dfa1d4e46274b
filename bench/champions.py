"""The strength of the champions at equal time, the figures of the README; and their faults.

Each row is a match that anybody can play again: by the command that is printed as it begins. All of
them take hours; `scripts/bench champions virus tron` plays those of some games.
"""

import json
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from bench.rows import Row
from joute.bots.ladder import with_time
from joute.contest.rating.statistics import wilson

SECONDS = 0.1  # of CPU a turn, for whoever looks at the clock
LIMIT_SECONDS = 1.0  # that a turn may take: nobody is hurried on a busy machine
HURRIED_SECONDS, TRIAL_GAMES = 0.01, 10_000
SEED = "champions"
WORKERS = 2


class Claim(NamedTuple):
    """The share of games that a champion is to win, in per cent."""

    game: str
    opponents: tuple[str, ...]
    least: float
    aim: float
    games: int
    options: tuple[str, ...] = ()  # of `joute match`
    seconds: float = SECONDS  # that the champion has a turn


class Trial(NamedTuple):
    """Many quick games, in which a champion is to commit no fault."""

    game: str
    opponent: str
    options: tuple[str, ...] = ()


class MatchFailedError(Exception):
    """A match could not be played."""


def maps(*names: str) -> tuple[str, ...]:
    """The options that choose maps."""
    return tuple(part for name in names for part in ("--map", name))


DUELS = maps("duel", "columns", "torus", "tunnel", "hourglass")
BATTLES = maps("symmetric", "village", "valley", "siege", "crowded", "far", "skirmish", "prairie")
FOUR = ("--param", "players=4")

CLAIMS = (
    Claim("virus", ("alphabeta?evaluation=hand",), 98, 98, 200),
    Claim("virus", ("alphabeta?evaluation=fitted",), 80, 90, 200),
    Claim("tron", ("random",), 100, 100, 100, DUELS),
    Claim("tron", ("wall",), 100, 100, 100, DUELS),
    Claim("tron", ("territory",), 90, 97, 100, DUELS),
    Claim("vampires", ("random",), 90, 95, 96, BATTLES),
    Claim("vampires", ("nearest",), 95, 95, 160, BATTLES),
    Claim("vampires", ("expectimax?evaluation=race",), 80, 80, 160, BATTLES),
    Claim("vampires", ("champion",), 65, 65, 96, BATTLES, seconds=1.6),
    Claim("love-letter", ("random",), 78, 80, 2000),
    Claim("love-letter", ("rules",), 54, 57, 2000),
    Claim("love-letter", ("utbm",), 55, 62, 2000),
    Claim("love-letter", ("ismcts",), 53, 56, 2000),
    Claim("love-letter", ("random",), 96, 96, 200, ("--param", "tokens=6")),
    Claim("love-letter", ("rules", "rules", "rules"), 29, 33, 1000, FOUR),
    Claim("paradise", ("random",), 99, 99.8, 500),
    Claim("paradise", ("greedy",), 80, 93, 400),
    Claim("paradise", ("turn",), 58, 75, 400),
)

TRIALS = (
    Trial("virus", "greedy"),
    Trial("tron", "random", DUELS),
    Trial("vampires", "nearest", BATTLES),
    Trial("love-letter", "rules"),
    Trial("paradise", "greedy"),
)

GAMES = tuple(trial.game for trial in TRIALS)


def command(claim: Claim) -> list[str]:
    """The command line of a match."""
    times = (claim.seconds, *(SECONDS for _ in claim.opponents))
    names = ("champion", *claim.opponents)
    bots = [f"builtin:{with_time(bot, time)}" for bot, time in zip(names, times, strict=True)]
    limit = ["--move-seconds", f"{max(LIMIT_SECONDS, 2 * claim.seconds):g}"]
    return _match(claim.game, bots, claim.games, [*claim.options, *limit])


def hurried(trial: Trial) -> list[str]:
    """The command line of many games at a hundredth of a second a turn."""
    limit = ["--move-seconds", f"{HURRIED_SECONDS:g}"]
    bots = ["builtin:champion", f"builtin:{trial.opponent}"]
    return _match(trial.game, bots, TRIAL_GAMES, [*trial.options, *limit])


def _match(game: str, bots: list[str], games: int, options: list[str]) -> list[str]:
    often = ["--games", str(games), "--workers", str(WORKERS), "--seed", SEED]
    return ["joute", "match", game, *bots, *options, *often]


def played(line: list[str]) -> dict[str, Any]:
    """The first bot's results by a command of `joute match`. Raises MatchFailedError."""
    print(shlex.join(line), file=sys.stderr, flush=True)
    program = str(Path(sys.executable).with_name(line[0]))
    done = subprocess.run(
        [program, *line[1:], "--json"], stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode != 0:
        raise MatchFailedError(f"{shlex.join(line)}: exit code {done.returncode}")
    standings = json.loads(done.stdout)["standings"]
    name = line[3].removeprefix("builtin:")
    found: dict[str, Any] = next(each for each in standings if each["name"] == name)
    return found


def claim_row(claim: Claim) -> Row:
    """The games that a champion wins."""
    found = played(command(claim))
    games = found["games"]
    if len(claim.opponents) == 1:
        score, interval = found["score"], found["interval"]
    else:  # of a score among several, the second best has its share too
        score = found["won"] / games
        interval = wilson(score, games)
    low, high = (100 * end for end in interval)
    settings = [part for part in claim.options if "=" in part]
    longer = [f"{claim.seconds:g} s a turn"] if claim.seconds != SECONDS else []
    return Row(
        f"{', '.join([claim.game, *settings, *longer])} against {', '.join(claim.opponents)}",
        100 * score,
        "% won",
        f"[{low:.1f}, {high:.1f}] of {games} games",
        aim=f"{claim.aim:g} (at least {claim.least:g})",
        met=100 * score >= claim.aim,
    )


def trial_row(trial: Trial) -> Row:
    """The faults of a champion in many games."""
    found = played(hurried(trial))
    faults = sum(each["count"] for each in found["faults"])
    name = f"{trial.game}, {HURRIED_SECONDS:g} s a turn, against {trial.opponent}"
    return Row(name, faults, "faults", f"{found['games']} games", aim="0", met=faults == 0)


def rows(*games: str) -> Iterator[Row]:
    """Plays the matches of some games, or of all."""
    yield from (claim_row(each) for each in CLAIMS if not games or each.game in games)
    yield from (trial_row(each) for each in TRIALS if not games or each.game in games)
