"""The end of a round, where players choose at once, is told by `pending`; a wrong one is found."""

import pytest
from games.changed import alike
from games.odd_one_out import ROUND, ROUNDS, OddOneOut, _chosen
from games.pennies import Pennies

from joute.core.interface import properties, rules_of
from joute.core.laws import LawError, check_play, check_sequence
from joute.core.rounds import Round
from joute.i18n.words import speaking
from joute.library.evidence import Evidence

OPEN = {"properties": lambda game: properties(OddOneOut())._replace(hidden_information=False)}


def pending_of(counts):
    """A rule for `pending` that gives these, by how many have chosen."""
    return lambda game, state: 0 if state[ROUND] == ROUNDS else counts[_chosen(state)]


def told(game, seed=1):
    """The law that a random game breaks."""
    with speaking("en"), pytest.raises(LawError) as raised:
        check_play(game, seed)
    assert raised.value.operation == "pending"
    return str(raised.value.law)


def test_a_round_that_does_not_end_is_told():
    never_ends = alike(OddOneOut, pending=pending_of([1, 1, 1]))
    law = told(never_ends)
    assert law.startswith("pending is 0 once all have chosen: player 0, which has chosen in the ")
    with pytest.raises(LawError):
        check_sequence(never_ends, [0, 1, 0])
    check_sequence(never_ends, [0, 1])


@pytest.mark.parametrize("counts", [[0, 0, 0], [0, 1, 0], [0, 0, 2]])
def test_a_round_that_ends_too_early_is_told_where_nothing_else_is_hidden(counts):
    law = told(alike(OddOneOut, pending=pending_of(counts), **OPEN))
    assert law.startswith("pending is above 0 while a choice of the round is not shown: for player")


def test_a_round_that_ends_as_it_should_is_right():
    for game in (OddOneOut(), alike(OddOneOut, **OPEN), Pennies()):
        for seed in range(5):
            check_play(game, seed)


def walk(**rules):
    """A game whose state is the mover and what is pending."""
    rules.setdefault("pending", lambda game, state: state[1])
    return alike(Pennies, mover=lambda game, state: state[0], **rules)


def faults(game, states):
    """The keys of the laws that each of these states breaks."""
    current = Round()
    found = [current.fault(game, state) for state in states]
    return [each and each.key for each in found]


def test_a_player_may_choose_in_several_actions():
    once = [[0, 0], [0, 1], [1, 2], [1, 3]]
    assert faults(walk(), [*once, *once, [-2, 0]]) == [None] * 9
    assert faults(walk(), [*once, [0, 4]])[-1] == "error.law.pending.again"


def test_players_in_turn_may_come_again_whatever_is_pending():
    turns = walk(properties=lambda game: properties(Pennies())._replace(simultaneous=False))
    assert faults(turns, [[0, 1], [1, 1], [0, 1]]) == [None] * 3


def shown(game, states):
    """The laws that random games that came to these states have shown to be broken."""
    evidence = Evidence(game)
    for state in states:
        evidence.look(state, 0)
    return [(law.key, operation) for law, operation in evidence.laws(len(states))]


def test_choices_at_once_that_are_never_pending_are_told():
    first = [0, 0, 0, -1, -1]
    game = alike(Pennies, pending=lambda game, state: 0)
    states = [first, [0, 0, 0, 1, -1], [0, 0, 0, 0, -1]]
    assert shown(game, states) == [("error.law.pending.never", "pending")]
    assert shown(Pennies(), states) == []
    one = [("error.law.hidden.never", "determinize")]  # the others may have been out
    assert shown(game, [first]) == one


def ending(values, scores):
    """All that is noted of ten games that end with these returns and points."""

    def returns(game, state, out):
        out[:] = values

    players = {"properties": lambda game: properties(Pennies())._replace(players=len(values))}
    kept = {"returns": returns, "points": lambda game, state, player: scores[player], **players}
    evidence = Evidence(alike(Pennies, **kept))
    for _ in range(10):
        evidence.ended([0, 0] * 3)
    with speaking("en"):
        return [str(each) for each in evidence.notes()]


def test_points_of_who_loses_are_noted():
    [note] = ending([1.0, -1.0], [3, 7])
    assert note.startswith("who leads in points at the end does not win in 10 of 10 random games:")
    assert ending([2.0, -1.0, -1.0], [0, 1, 0])


@pytest.mark.parametrize(
    ("values", "scores"),
    [
        ([1.0, -1.0], [7, 3]),
        ([0.0, 0.0], [7, 3]),  # a draw
        ([1.0, -1.0], [3, 3]),
        ([1.0, 1.0, -1.0], [1, 5, 2]),  # two win
    ],
)
def test_points_of_who_wins_are_not_noted(values, scores):
    assert ending(values, scores) == []


def test_nothing_is_noted_of_few_games_or_of_most():
    wrong = alike(Pennies, points=lambda game, state, player: -int(state[player]))
    few, some = Evidence(wrong), Evidence(Pennies())
    lost, won = [0, 1] * 3, [0, 0] * 3
    for _ in range(9):
        few.ended(lost)
    assert [*few.notes()] == []
    few.ended(won)
    assert [*few.notes()]
    for _ in range(20):
        some.ended(won)
    assert [*some.notes()] == []


def test_a_game_without_points_is_not_noted():
    without = {name: rule for name, rule in rules_of(Pennies).items() if name != "points"}
    evidence = Evidence(alike(object, **without))
    for _ in range(10):
        evidence.ended([0, 0] * 3)
    assert [*evidence.notes()] == []
