"""The schedule and the ranking of each format of contests: the one place that tells them apart."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

import msgspec

from joute.contest.config.contest import Contest
from joute.contest.config.contest_table import (
    DOUBLE_KNOCKOUT,
    DRAWN,
    ELIMINATING,
    GAUNTLET,
    LEAGUE,
    POOLS,
    SCORE,
    SWISS,
    UNRESOLVED,
)
from joute.contest.ranking.discipline import Offence
from joute.contest.ranking.ranking import NO_PROGRESSION, Score, Standing, rank, rank_scores
from joute.contest.ranking.rows import Row, among_others
from joute.contest.ranking.rules import (
    HX2,
    STAGE,
    Ranking,
    RankingFacts,
    of_a_game,
    places,
    rules_of,
)
from joute.contest.rating.rating import rate
from joute.contest.schedule.draws import Elimination, Order, PoolsThenKnockout, Swiss, usual_rounds
from joute.contest.schedule.round_robin import (
    Alone,
    RoundRobin,
    Unresolved,
    against,
    balanced,
    drawn,
)
from joute.contest.schedule.rounds import Rounds
from joute.contest.schedule.schedule import Members, Progression, Schedule, digest
from joute.contest.schedule.series import Terms
from joute.store.model import RETIRED

IN_ROUNDS = (SWISS, *ELIMINATING)
"""The formats in which who meets whom depends on earlier results."""

Table = list[Standing] | list[Score]
"""Standings, best first."""


def schedule_of(
    contest: Contest, seed: str, leaving: Mapping[str, str] = MappingProxyType({})
) -> Schedule:
    """The schedule of a contest, nothing of it handed out yet.

    `leaving` are the bots that a decision takes out, with its kind.
    """
    names = [bot.name for bot in contest.bots]
    maps = [each.name for each in contest.maps]
    if contest.format == SCORE:
        return Alone(names, seed, contest.max_games // len(maps), maps)
    if contest.format in IN_ROUNDS:
        retired = [name for name, kind in leaving.items() if kind == RETIRED]
        return _in_rounds(contest, names, seed, maps, retired)
    groups = _groups(contest, names, seed, leaving)
    if contest.spend == UNRESOLVED:
        return Unresolved(names, seed, contest.max_games, maps=maps, groups=groups)
    return RoundRobin(
        names,
        seed,
        contest.max_games,
        contest.first_to,
        seats=contest.players,
        maps=maps,
        groups=groups,
    )


def is_drawn(contest: Contest) -> bool:
    """Whether a bot that is new or changed may have others meet whom they did not meet before.

    In a league that holds for a few games of each new bot, as it is made for.
    """
    drawn = contest.format in IN_ROUNDS or contest.groups is not None
    return drawn or contest.spend == UNRESOLVED


def _groups(
    contest: Contest, names: list[str], seed: str, leaving: Collection[str]
) -> list[Members] | None:
    if contest.format == GAUNTLET:
        return against(names, contest.references)
    if contest.format == LEAGUE and contest.opponents is not None:
        return drawn(names, contest.opponents, seed, leaving)
    if contest.groups is not None:
        return balanced(names, contest.players, contest.groups, seed)
    return None


def _in_rounds(
    contest: Contest, names: list[str], seed: str, maps: list[str], retired: Collection[str]
) -> Schedule:
    """The schedule of a format whose next round depends on the one before."""
    terms = terms_of(contest)
    if contest.format == SWISS:
        rounds = contest.rounds or usual_rounds(len(names))
        return Rounds(Swiss(names, seed, rounds, terms.games, retired), seed, terms, maps)
    seeds = names
    if contest.seeding == DRAWN:
        seeds = sorted(names, key=lambda name: digest(seed, "seeding", name))
    if contest.format == POOLS:
        pools, qualified = contest.pools or 1, contest.qualified or 1
        order = _order_of_pools(contest)
        return PoolsThenKnockout(seeds, seed, terms, maps, order, pools=pools, qualified=qualified)
    lives = 2 if contest.format == DOUBLE_KNOCKOUT else 1
    return Rounds(Elimination(seeds, lives), seed, terms, maps)


def terms_of(contest: Contest) -> Terms:
    """The length of a meeting in a contest that is played in rounds."""
    return Terms(contest.games or contest.max_games, contest.first_to, contest.max_games)


def _order_of_pools(contest: Contest) -> Order:
    """The order of a pool: by the contest's rules but for the stage, or by the usual ones."""
    rules = tuple(rule for rule in rules_of(contest.ranking) if rule != STAGE)
    ranking: Ranking = rules or rules_of(HX2)
    if of_a_game(contest.ranking):
        ranking = contest.ranking

    def order(names: Sequence[str], rows: Sequence[Row]) -> list[list[str]]:
        return places(ranking, RankingFacts(names, rows, ranking, contest.first_to, NO_PROGRESSION))

    return order


def ranked(
    contest: Contest,
    rows: Sequence[Row],
    out: Mapping[str, list[Offence]] | None = None,
    course: Progression = NO_PROGRESSION,
) -> Table:
    """The standings of a contest after these games; `out` are the disqualified, for what.

    `course` is what its schedule knows besides.
    """
    names = [bot.name for bot in contest.bots]
    if contest.format == SCORE:
        return rank_scores(names, rows, out)
    out = out or {}
    table = rank(names, rows, contest.ranking, contest.first_to, out, course)
    staying = [name for name in names if name not in out]
    ratings = rate(staying, among_others(rows, out), contest.reference)
    by_name = {} if ratings is None else {rating.name: rating for rating in ratings.bots}
    return [msgspec.structs.replace(line, rating=by_name.get(line.name)) for line in table]
