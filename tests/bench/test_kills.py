"""Two contests are compared game for game, but for games that the machine spoilt."""

import pytest

from bench.kills import Outcome

RANKING = [(1, "first"), (2, "last")]
PLAYED = Outcome({"a": ("1", [1.0, -1.0]), "b": ("2", [0.0, 0.0])}, RANKING, set())


def test_contests_that_ended_the_same_do_not_differ():
    assert not PLAYED.differs(PLAYED._replace(games=dict(PLAYED.games)))


@pytest.mark.parametrize(
    "other",
    [
        PLAYED._replace(games={"a": ("1", [1.0, -1.0])}),
        PLAYED._replace(games={**PLAYED.games, "b": ("2", [1.0, -1.0])}),
        PLAYED._replace(games={**PLAYED.games, "b": ("3", [0.0, 0.0])}),
        PLAYED._replace(games={**PLAYED.games, "b": ("3", [0.0, 0.0])}, spoilt={"1"}),
        PLAYED._replace(ranking=RANKING[::-1]),
    ],
)
def test_a_game_less_another_result_another_game_and_another_ranking_are_told(other):
    assert PLAYED.differs(other)
    assert other.differs(PLAYED)


def test_a_game_in_the_place_of_one_that_the_machine_spoilt_may_end_otherwise():
    games = {**PLAYED.games, "b": ("3", [1.0, -1.0])}
    other = Outcome(games, RANKING[::-1], {"2"})
    assert not PLAYED.differs(other)
    assert not other.differs(PLAYED)
