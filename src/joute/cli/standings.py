"""Standings as a table of the terminal, and below it what each bot failed in."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from string import ascii_lowercase
from typing import TYPE_CHECKING

from joute.cli.output import print_table
from joute.i18n.recognised import recognised
from joute.i18n.words import say

if TYPE_CHECKING:
    from joute.contest.config.contest import Contest
    from joute.contest.config.entries import BotEntry
    from joute.contest.ranking.rows import FaultCount
    from joute.contest.rating.rating import Rating
    from joute.contest.report.cells import Line
    from joute.contest.run.coordinator import Failure
    from joute.contest.schedule.formats import Table
    from joute.contest.seal import Seal

MOST_PAIRS = 5  # of neighbours that more games would separate, told below a table
MOST_PLACES = 5  # of bots without Joute's own, likewise
_LEFT = ("bot", "results", "score", "elo", "mean")
_PLAIN = str.maketrans("\N{MINUS SIGN}\N{EN DASH}", "--")  # as is typed, for who copies a number


def print_standings(
    table: Table,
    title: str,
    records: Path | None = None,
    rules: str | None = None,
    contest: Contest | None = None,
) -> None:
    """Prints standings; `records` is the folder of the records that faults are shown in.

    `rules` is the path of their game, if it has one and no store beside them knows it. Of a
    `contest` the places that its pages give are told, where they are others.
    """
    from joute.contest.report.cells import ELO, FAULTS, TIME, columns, is_rated
    from joute.contest.report.wording import rank, spoilt

    ratings = _ratings(table)
    shown = [*columns(table), *([ELO] if is_rated(table) else []), TIME, FAULTS]
    print_table(
        [say(f"standings.{name.replace(' ', '.')}") for name in ("rank", "bot", *shown)],
        [
            [rank(line), line.name, *(_text(line, each, ratings) for each in shown)]
            for line in table
        ],
        title=title,
        numbers=[0, *(place for place, name in enumerate(shown, 2) if name not in _LEFT)],
    )
    if contest is not None:
        _print_places(contest, table)
    _print_rating_notes(ratings)
    _print_by_map(table)
    _print_isolation(table)
    for line in table:
        _print_disqualified(line, records, rules)
        forfeits = 0 if line.disqualified else line.forfeits
        print_faults(line.name, line.faults, forfeits, records, rules)
        if line.spoilt:
            print(spoilt(line.name, line.spoilt))


def _print_places(contest: Contest, table: Table) -> None:
    """Prints the first places without Joute's own bots, where one stands before some of several."""
    from joute.contest.report.wording import house_bots, places

    house, found = house_bots(contest), places(contest, table)
    placed = [
        line for line in table if line.placed and not line.disqualified and line.name not in house
    ]
    if len(placed) < 2 or all(found[line.name] == str(line.rank) for line in placed):
        return
    first = [f"{found[line.name]} {line.name}" for line in placed]
    more = ", …" if len(first) > MOST_PLACES else ""
    print(say("standings.places", places=", ".join(first[:MOST_PLACES]) + more))


def _text(line: Line, column: str, ratings: Sequence[Rating]) -> str:
    """A cell as the terminal has it: ends of an interval in brackets, then the groups' letters."""
    from joute.contest.ranking.ranking import Score
    from joute.contest.report.cells import ELO, MEAN, SCORE, cell

    found = cell(line, column)
    text = found.text.rjust(5) if column in (SCORE, ELO, MEAN) and found.text else found.text
    if found.low:
        text += f"  [{found.low}, {found.high}]"
    elif column == MEAN and isinstance(line, Score) and line.deviation == 0:
        text += f"  {say('standings.constant')}"
    if column == ELO and _have_letters(ratings):
        groups = next((each.groups for each in ratings if each.name == line.name), ())
        text = f"{text}  {''.join(ascii_lowercase[group - 1] for group in groups)}".rstrip()
    return text.translate(_PLAIN)


def _ratings(table: Table) -> list[Rating]:
    from joute.contest.ranking.ranking import Standing

    return [line.rating for line in table if isinstance(line, Standing) and line.rating is not None]


def _have_letters(ratings: Sequence[Rating]) -> bool:
    """Whether the groups of bots that cannot be told apart are few enough to have letters."""
    return len({group for each in ratings for group in each.groups}) <= len(ascii_lowercase)


def _print_rating_notes(ratings: Sequence[Rating]) -> None:
    """Prints who cannot be told from whom, what would tell, and who has no rating for what."""
    rated = [each for each in ratings if each.elo is not None]
    if any(each.reason == "reference" for each in ratings):
        print(say("rating.reference"))
    if not rated:
        return
    if _have_letters(ratings) and len({each for line in rated for each in line.groups}) < len(
        rated
    ):
        print(say("rating.letters"))
    for first, second in _close(rated)[:MOST_PAIRS]:
        known = {"above": first.name, "below": second.name, "games": first.games}
        print(say("rating.separate", superiority=100 * (first.superiority or 0.5), **known))
    for reason in ("won", "lost", "games"):
        names = [line.name for line in ratings if line.elo is None and line.reason == reason]
        if names:
            print(say(f"rating.{reason}", names=", ".join(names)))


def _close(rated: Sequence[Rating]) -> list[tuple[Rating, Rating]]:
    """The neighbours that a number of games would separate, the fewest games first."""
    ordered = sorted(rated, key=lambda line: -(line.elo or 0.0))
    pairs = [(one, other) for one, other in pairwise(ordered) if one.games]
    return sorted(pairs, key=lambda pair: pair[0].games or 0)


def _print_by_map(table: Table) -> None:
    """Prints the mean of each bot on each map, if there are several maps."""
    from joute.contest.report.cells import MAP, cell
    from joute.contest.report.standings import played_on

    maps = played_on(table)
    if not maps:
        return
    rows = [[line.name, *(cell(line, f"{MAP}{each}").text for each in maps)] for line in table]
    print()
    print_table([say("standings.bot"), *maps], rows, numbers=range(1, len(maps) + 1))


def _print_isolation(table: Table) -> None:
    """Prints at which level the bots ran that are no part of ours."""
    held: dict[str, list[str]] = {}
    for line in table:
        for level in line.isolation:
            if level != "inline":
                held.setdefault(level, []).append(line.name)
    if held:
        told = "; ".join(f"{level} ({', '.join(names)})" for level, names in held.items())
        print(say("standings.isolation", levels=told))
        if not held.keys() <= {"none", "full"}:
            print(say("standings.memory"))


def print_presentations(bots: Iterable[BotEntry]) -> None:
    """Prints what is said of the bots, if anything is: their authors, what they do."""
    presented = [bot for bot in bots if bot.authors or bot.description]
    if presented:
        print()
    for bot in presented:
        if bot.authors:
            authors = ", ".join(bot.authors)
            print(
                say("standings.by", name=bot.name, authors=authors, said=bot.description).rstrip()
            )
        else:
            print(say("standings.said", name=bot.name, said=bot.description))


def print_faults(
    name: str,
    faults: Iterable[FaultCount],
    forfeits: int,
    records: Path | None = None,
    rules: str | None = None,
) -> None:
    """Prints a bot's faults, each with its first cause, and how many games they cost.

    `records` and `rules` are as in `print_standings`.
    """
    if forfeits:
        print(say("standings.forfeits", name=name, count=forfeits))
    for fault in faults:
        print(_fault(name, fault))
        _print_replay(records, rules, fault.game, fault.ply)


def print_failures(failures: Iterable[Failure]) -> None:
    """Prints the games that could not be played, through no fault of a bot."""
    for failure in failures:
        print(
            say(
                "standings.unplayed",
                bots=" - ".join(failure.bots),
                reason=recognised(str(failure.reason)),
            )
        )


def _print_disqualified(line: Line, records: Path | None, rules: str | None) -> None:
    offences = [each for each in line.disqualified if each.game]
    if not offences:
        return
    once = len(offences) == 1
    key = "standings.disqualified_once" if once else "standings.disqualified"
    print(say(key, name=line.name, count=len(offences)))
    for offence in offences:
        fault = say(f"fault.{offence.fault}")
        told = say("standings.offence", fault=fault, ply=offence.ply, game=offence.game)
        print(f"  {told}")
        _print_replay(records, rules, offence.game, offence.ply)


def _print_replay(records: Path | None, rules: str | None, game: str, ply: int) -> None:
    """Prints the command that shows a ply of a game, if its record is kept."""
    from joute.contest.records import replay_line

    if records is not None and game:
        record = (records / game).with_suffix(".jsonl")
        print(f"    {replay_line(record, rules)} --at {ply}")


def _fault(name: str, fault: FaultCount) -> str:
    from joute.text import brief, in_one_line

    return say(
        "standings.fault",
        name=name,
        fault=say(f"fault.{fault.fault}"),
        count=fault.count,
        ply=fault.ply,
        reason=brief(str(recognised(in_one_line(fault.first)))),
    )


def seal_text(seal: Seal, seed: str | None) -> str:
    """A seal, with the public value and the seed once they are drawn."""
    if seal.public is None:
        return say("seal.told", seal=seal.seal)
    return say("seal.drawn_from", seal=seal.seal, public=seal.public, seed=seed)


def print_gone(contest: Contest) -> None:
    """Says on standard error whose files are gone, where results are read all the same."""
    from joute.contest.contents import gone_bots
    from joute.contest.report.wording import gone

    if bots := gone_bots(contest):
        print(f"joute: {gone(bots)}", file=sys.stderr)


def print_changes(contest: Contest) -> None:
    """Says on standard error what was changed, where what is shown is not what it was before.

    Before, that is when the contest was sealed, or when it was played by the bots as they were.
    """
    from joute.contest.run.redraw import redrawn_now
    from joute.contest.sealing import broken_seal

    error = broken_seal(contest) or redrawn_now(contest)
    if error is not None:
        print(f"joute: {error}", file=sys.stderr)
