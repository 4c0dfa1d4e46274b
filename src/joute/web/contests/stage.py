"""The day of the final on a projector: the teams in order, the bracket that their games fill."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import count
from typing import NamedTuple

from joute.contest.config.contest import Contest
from joute.contest.config.contest_table import DOUBLE_KNOCKOUT, KNOCKOUT, POOLS
from joute.contest.config.entries import BotEntry
from joute.contest.report.report import Report
from joute.contest.report.wording import house_bots
from joute.contest.schedule.formats import terms_of
from joute.contest.schedule.schedule import Members
from joute.contest.schedule.series import fixed
from joute.store.model import StoredGame

KNOCKOUTS = (KNOCKOUT, DOUBLE_KNOCKOUT, POOLS)
"""The formats with a bracket."""


_PARTS = _UNBEATEN, _BEATEN, _FINAL = ("stage.unbeaten", "stage.beaten", "stage.final")


class KnockoutMeeting(NamedTuple):
    """A meeting of a knockout."""

    names: tuple[str, ...]
    scores: tuple[float, ...]  # games won by each, draws as halves
    winner: str  # who goes on, or has won it all; "" while that is open
    number: int  # of the meetings that are shown one after the other, from 0


Bracket = Sequence[Sequence[KnockoutMeeting]]
"""The meetings by round, the first round first; those of a round as they lead to the next."""


class BracketPart(NamedTuple):
    """A bracket with its heading, the key of a word; "" where it is the only one."""

    heading: str
    rounds: Bracket


def teams(contest: Contest) -> list[BotEntry]:
    """The bots that are presented, in the order of the contest's file, without house bots."""
    house = house_bots(contest)
    return [each for each in contest.bots if each.name not in house]


def brackets(report: Report) -> list[BracketPart]:
    """The brackets of a contest so far, each as far as it has come.

    A double knockout has those of the unbeaten, of the once beaten, and the final.
    """
    if report.contest.format == DOUBLE_KNOCKOUT:
        return _of_two_lives(report)
    found = bracket(report)
    return [BracketPart("", found)] if found else []


def _of_two_lives(report: Report) -> list[BracketPart]:
    parts: dict[str, dict[int, list[KnockoutMeeting]]] = {key: defaultdict(list) for key in _PARTS}
    over = dict(enumerate(report.progression.losers))
    losses: Counter[str] = Counter()
    steps = count()
    for number, meetings in _by_round(report).items():
        lost = over.get(number, {})
        for names, games in meetings.items():
            part = _BEATEN if any(losses[name] for name in names) else _UNBEATEN
            # The last unbeaten one meets the last once beaten, and if it loses once more.
            if parts[_FINAL] or len({losses[name] for name in names}) > 1:
                part = _FINAL
            scores = tuple(sum(_share(game, name) for game in games) for name in names)
            loser = lost.get(names)
            winner = next(name for name in names if name != loser) if loser else ""
            parts[part][number].append(KnockoutMeeting(names, scores, winner, next(steps)))
        losses.update(lost.values())
    return [
        BracketPart(key, _beside_their_next([rounds[number] for number in sorted(rounds)]))
        for key, rounds in parts.items()
        if rounds
    ]


def bracket(report: Report) -> Bracket:
    """The knockout of a contest so far, by its games; empty where it has none.

    Once it is over, rounds are counted from the final, so that whoever had no opponent in the
    first round joins where the others are by then.
    """
    meetings = _meetings(report)
    if not meetings:
        return []
    depths = _from_final(meetings) if not report.left else _from_start(meetings)
    rounds: dict[int, list[KnockoutMeeting]] = defaultdict(list)
    for meeting in meetings:
        rounds[depths[meeting.number]].append(meeting)
    found = [rounds[depth] for depth in sorted(rounds)]
    return _beside_their_next(found)


def _meetings(report: Report) -> list[KnockoutMeeting]:
    """The meetings in the order in which they were played."""
    games: dict[tuple[str, ...], list[StoredGame]] = defaultdict(list)
    for game in report.met:
        if _of_knockout(report.contest, game):
            games[tuple(sorted(game.bots))].append(game)
    names = list(games)
    found = []
    for number, pair in enumerate(names):
        later = {name for other in names[number + 1 :] for name in other}
        on = [name for name in pair if name in later]
        if not on and not report.left:
            on = [name for name in report.ranked if name in pair]
        scores = tuple(sum(_share(game, name) for game in games[pair]) for name in pair)
        found.append(KnockoutMeeting(pair, scores, on[0] if on else "", number))
    return found


def _by_round(report: Report) -> dict[int, dict[Members, list[StoredGame]]]:
    """The games of each meeting, by its round, from 0, and its members; the first round first."""
    sets = terms_of(report.contest).sets(seats=2)
    found: dict[int, dict[Members, list[StoredGame]]] = {}
    for game in report.met:
        meetings = found.setdefault(game.set_number // sets, {})
        meetings.setdefault(tuple(game.members), []).append(game)
    return dict(sorted(found.items()))


def _of_knockout(contest: Contest, game: StoredGame) -> bool:
    if contest.format == KNOCKOUT:
        return True
    # Sets of the knockout have higher numbers than those of the pools.
    sets = fixed(contest.games or contest.max_games).sets(seats=2)
    return contest.format == POOLS and game.set_number >= sets


def _share(game: StoredGame, name: str) -> float:
    """1 for a game that a bot of two won, 1/2 for a draw, 0 for one lost."""
    own = game.returns[game.bots.index(name)]
    other = game.returns[1 - game.bots.index(name)]
    return (1 + (own > other) - (own < other)) / 2


def _from_start(meetings: Sequence[KnockoutMeeting]) -> dict[int, int]:
    """The round of each meeting, as far as its members have come."""
    reached: dict[str, int] = defaultdict(int)
    found = {}
    for meeting in meetings:
        found[meeting.number] = 1 + max(reached[name] for name in meeting.names)
        reached.update(dict.fromkeys(meeting.names, found[meeting.number]))
    return found


def _from_final(meetings: Sequence[KnockoutMeeting]) -> dict[int, int]:
    """The rounds counted back from the last meeting, which is round 0, then -1 ..."""
    found = {}
    next_of: dict[str, int] = {}
    for meeting in reversed(meetings):
        depth = next_of.get(meeting.winner, 1) - 1
        found[meeting.number] = depth
        next_of.update(dict.fromkeys(meeting.names, depth))
    return found


def _beside_their_next(rounds: list[list[KnockoutMeeting]]) -> Bracket:
    """The rounds with their meetings in the order of those that their winners play next."""
    for at in range(len(rounds) - 2, -1, -1):
        later = [name for meeting in rounds[at + 1] for name in meeting.names]
        rounds[at].sort(key=lambda each: later.index(each.winner) if each.winner in later else 0)
    return rounds
