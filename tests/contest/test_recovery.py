"""Formats recover the true order of bots of known strength, as well as their games allow.

The measure is Kendall's tau: 1 for the true order, 0 for a draw of lots. The seeds are fixed; the
thresholds are what theory gives, less a margin, as said beside each.
"""

import pytest
from contest.simulation import drawn_result, kendall, names_of, play, strengths, table_of
from contest.test_formats import pools

from joute.contest.config.contest_table import BY_FORMAT, KNOCKOUT, LEAGUE, POOLS, SWISS
from joute.contest.ranking.rules import HX2
from joute.contest.schedule.draws import Elimination, Swiss, usual_rounds
from joute.contest.schedule.round_robin import RoundRobin, Unresolved, drawn
from joute.contest.schedule.rounds import Rounds
from joute.contest.schedule.series import Terms, fixed

SPREAD = 6.4  # strength of the first above the last, in logistic units: neighbours are close
MANY = pytest.param(1000, marks=pytest.mark.full)
BOTH = pytest.mark.parametrize("count", [64, MANY])


def recovered(make, count, ranking):
    """Tau of a format's standings, the true places of its first four, and its games."""
    names = names_of(count)
    schedule = make(sorted(names))
    results = play(schedule, drawn_result(strengths(names, SPREAD / count)))
    table = table_of(schedule, names, results, ranking)
    return kendall(names, table), [names.index(line.name) for line in table[:4]], len(results)


@BOTH
def test_a_swiss_contest_orders_all(count):
    # Half of all pairs are more than 1.9 apart, which 16 games show; a round robin of as many
    # games for each bot has tau 0.8.
    rounds = usual_rounds(count)
    tau, first, games = recovered(
        lambda names: Rounds(Swiss(names, "s", rounds, 2), "s", fixed(2)), count, BY_FORMAT[SWISS]
    )
    assert games == count * rounds
    assert tau > 0.7
    assert min(first) < count // 10


@BOTH
@pytest.mark.parametrize(("lives", "least"), [(1, 0.25), (2, 0.4)])
def test_a_knockout_finds_a_strong_winner_and_with_two_lives_more_of_the_order(count, lives, least):
    # With half of all out in the first round, tau is 0.45 if the stronger one always wins.
    # With two lives only a quarter is out after two rounds, and tau is 0.67.
    tau, first, games = recovered(
        lambda names: Rounds(Elimination(names, lives), "s", Terms(2, None, 6)),
        count,
        BY_FORMAT[KNOCKOUT],
    )
    assert tau > least
    assert first[0] < count // 4
    assert games <= 6 * (lives * count - 1)


@BOTH
def test_pools_put_the_strong_ones_into_the_knockout(count):
    # Seven opponents of each bot order a pool of 8 with tau 0.6; two pools' places compare badly.
    tau, first, _ = recovered(lambda names: pools(names, pools=count // 8), count, BY_FORMAT[POOLS])
    assert tau > 0.5
    assert first[0] < count // 4


@BOTH
def test_a_league_orders_all_by_games_against_a_few(count):
    # Ten and more opponents are drawn; how strong they happen to be blurs the score.
    tau, _, games = recovered(
        lambda names: RoundRobin(names, "s", 2, groups=drawn(names, 10, "s")),
        count,
        BY_FORMAT[LEAGUE],
    )
    assert 10 * count <= games <= 14 * count
    assert tau > 0.65


def test_a_round_robin_that_spends_on_what_is_open_orders_better_than_one_that_spends_evenly():
    even, _, games = recovered(lambda names: RoundRobin(names, "s", 8), 64, HX2)
    tau, _, spent = recovered(lambda names: Unresolved(names, "s", 8), 64, HX2)
    assert spent == games == 8 * 64 * 63 // 2
    assert tau > even > 0.9


@BOTH
def test_games_spent_on_what_is_open_show_of_more_pairs_who_is_the_stronger(count):
    names = names_of(count)
    groups = drawn(names, 10, "s")
    strength = strengths(names, SPREAD / count)

    def share_right(schedule):
        leads = dict.fromkeys((tuple(sorted(pair)) for pair in groups), 0.0)
        for slot, returns in play(schedule, drawn_result(strength)).items():
            leads[slot.members] += returns[slot.seats.index(slot.members[0])]
        right = sum(
            (lead > 0) == (strength[one] > strength[other]) and lead != 0
            for (one, other), lead in leads.items()
        )
        return right / len(leads)

    even = share_right(RoundRobin(names, "s", 12, groups=groups))
    assert share_right(Unresolved(names, "s", 12, groups=groups)) > even + 0.01
