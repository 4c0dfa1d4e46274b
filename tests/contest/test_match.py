"""Matches: a few games at once, in memory or with their records."""

from functools import partial

import pytest
from contest import fakes

from joute.contest.errors import ConfigError
from joute.contest.rating.sprt import Hypotheses
from joute.contest.run.match import MatchInterrupted, run_match
from joute.play.referee import play_game
from joute.play.verify import verify_record

pytestmark = pytest.mark.game("virus")

BOTS = ["builtin:greedy", "builtin:random"]


def test_a_match_is_played_in_pairs():
    result = run_match("virus", {"size": 6}, BOTS, 4, seed=1, play=fakes.first_wins, workers=1)
    assert [(line.name, line.won, line.sets) for line in result.standings] == [
        ("greedy", 4, 2),
        ("random", 0, 2),
    ]
    assert {tuple(game.bots) for game in result.games} == {
        ("greedy", "random"),
        ("random", "greedy"),
    }
    assert result.seed == "1"
    assert result.failures == []


def test_the_seed_and_nothing_else_determines_a_match():
    first, second, other = (
        run_match("virus", {"size": 4}, BOTS, 2, seed=seed, workers=1) for seed in (7, 7, 8)
    )
    assert returns(first) == returns(second)
    assert returns(first).keys().isdisjoint(returns(other))


@pytest.mark.parametrize("test", [None, Hypotheses(0, 1)], ids=["match", "test"])
def test_a_match_that_is_stopped_has_the_games_played_until_then(test):
    def stop(done, total, rate, left):
        if done >= 2:
            raise KeyboardInterrupt

    with pytest.raises(MatchInterrupted) as stopped:
        run_match(
            *("virus", {}, BOTS, 2_000, 1),
            workers=1,
            play=fakes.first_wins,
            progress=stop,
            test=test,
        )
    found = stopped.value
    assert 2 <= found.done < found.total == 2_000
    assert len(found.result.games) == (2 * (found.done // 2) if test else found.done)
    counts = [(line.name, line.won, line.lost) for line in found.result.standings]
    won = len(found.result.games)
    assert counts == [("greedy", won, 0), ("random", 0, won)]
    assert (found.result.test is None) == (test is None)


def test_a_match_at_one_table_that_is_stopped_has_its_games_too():
    played = []

    def play(spec):
        if played:
            raise KeyboardInterrupt
        played.append(spec)
        return fakes.first_wins(spec)

    with pytest.raises(MatchInterrupted) as stopped:
        run_match("virus", {}, BOTS, 4, seed=1, here=play)
    assert (stopped.value.done, stopped.value.total) == (1, 4)
    assert [game.returns for game in stopped.value.result.games] == [[1.0, -1.0]]


def test_the_games_of_a_match_are_in_the_order_of_the_schedule_however_many_are_played_at_once():
    one, three = (
        run_match("virus", {"size": 4}, BOTS, 60, seed=1, workers=workers, play=fakes.quick)
        for workers in (1, 3)
    )
    assert [game.identity for game in one.games] == [game.identity for game in three.games]
    assert [game.set_number for game in three.games] == [each // 2 for each in range(60)]


def returns(result):
    return {game.identity: (game.returns, game.plies) for game in result.games}


def test_the_records_of_a_match_can_be_kept_and_proved(tmp_path):
    result = run_match("virus", {"size": 4}, BOTS, 2, seed=7, workers=1, folder=tmp_path)
    for game in result.games:
        assert verify_record((tmp_path / "records" / game.record).read_bytes()).ok
    assert len(list((tmp_path / "records").iterdir())) == 2


def test_somebody_can_sit_at_the_table(tmp_path):
    asked = []

    def person(game, state, player):
        asked.append(player)
        return "pass"

    result = run_match(
        "virus",
        {"size": 4},
        ["human", BOTS[1]],
        2,
        here=partial(play_game, human=person),
        folder=tmp_path,
    )
    assert set(asked) == {0, 1}
    assert {line.name for line in result.standings} == {"human", "random"}


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"games": 3}, "contest.games"),
        ({"bots": ["builtin:greedy"]}, "bots"),
        ({"bots": ["builtin:greedy", "human"]}, "bots[2].bot"),
        ({"parameters": {"size": 99}}, "game.size"),
        ({"limits": {"move_seconds": 0}}, "limits.move_seconds"),
        ({"opening": [3]}, "game.opening"),
        ({"parameters": {"map": "duel"}, "maps": ["torus"]}, "game.map"),
    ],
)
def test_a_wrong_argument_is_named(changes, key):
    arguments = {"game": "virus", "parameters": {}, "bots": BOTS, "games": 2, **changes}
    with pytest.raises(ConfigError) as error:
        run_match(**arguments)
    assert error.value.key == key


@pytest.mark.parametrize(
    ("bot", "reason"),
    [
        ("builtin:gredy", "there is no built-in bot 'gredy'"),
        ("human", "people do not play in a contest"),
        ("local:mine", "an object of a Python program"),
        ("none.py", "no file or folder"),
    ],
)
def test_a_bot_that_no_file_lists_is_told_by_its_name_and_not_by_its_number(bot, reason):
    with pytest.raises(ConfigError) as error:
        run_match("virus", {}, ["builtin:greedy", bot], 2)
    assert error.value.key == "bots[2].bot"
    assert str(error.value).startswith(f"match: bot {bot!r}: ")
    assert str(error.value).count(repr(bot)) == 1 and reason in str(error.value)


def test_of_several_bots_that_no_file_lists_each_wrong_one_is_told_by_its_name():
    with pytest.raises(ConfigError) as error:
        run_match("virus", {}, ["builtin:one", "builtin:two"], 2)
    first, second = str(error.value).splitlines()
    assert first.startswith("match: bot 'builtin:one': ")
    assert second.startswith("match: bot 'builtin:two': ")
