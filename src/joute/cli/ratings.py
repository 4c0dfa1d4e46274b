"""Ratings beside the standings: a cell for each bot, and below the table what they do not say."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from string import ascii_lowercase
from typing import TYPE_CHECKING

from joute.i18n.words import say

if TYPE_CHECKING:
    from joute.contest.ranking.ranking import Standing
    from joute.contest.rating.rating import Rating

MOST_PAIRS = 5  # of neighbours that more games would separate, told below a table


def any_rated(table: Sequence[Standing]) -> bool:
    """Whether some bot has a rating."""
    return any(line.rating is not None and line.rating.elo is not None for line in table)


def rating_cell(line: Standing, lettered: bool) -> str:
    """An Elo with its interval and, where groups have letters, those of the bot's groups."""
    rating = line.rating
    if rating is None or rating.elo is None or rating.interval is None:
        return ""
    low, high = rating.interval
    letters = "".join(ascii_lowercase[group - 1] for group in rating.groups) if lettered else ""
    return f"{round(rating.elo):+5}  [{round(low):+}, {round(high):+}]  {letters}".rstrip()


def has_letters(table: Sequence[Standing]) -> bool:
    """Whether the groups of bots that cannot be told apart are few enough to have letters."""
    groups = {group for line in table if line.rating for group in line.rating.groups}
    return len(groups) <= len(ascii_lowercase)


def print_rating_notes(table: Sequence[Standing]) -> None:
    """Prints who cannot be told from whom, what would tell, and who has no rating for what."""
    ratings = [line.rating for line in table if line.rating is not None]
    rated = [each for each in ratings if each.elo is not None]
    if any(each.reason == "reference" for each in ratings):
        print(say("rating.reference"))
    if not rated:
        return
    if has_letters(table) and len({each for line in rated for each in line.groups}) < len(rated):
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
