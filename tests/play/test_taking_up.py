"""Games that go on from a ply of an earlier one, that are given up, that are watched."""

import pytest
from play.playing import first_legal, lines_of, plies, poker, seats, virus

from joute.core.interface import mover
from joute.core.registry import make
from joute.play.game import GameSpec
from joute.play.record import read_record
from joute.play.referee import play_game
from joute.play.seats import Resign
from joute.play.verify import replay, verify_record


def tron(*bots, players=2, **values):
    parameters = {"players": players}
    return GameSpec(game="tron", parameters=parameters, bots=seats(*bots), seed="0" * 32, **values)


def resigning(after):
    """A person who gives up at their turn number `after`, from 0."""
    turns = iter(range(after))

    def ask(game, state, player):
        return first_legal(game, state, player) if next(turns, None) is not None else Resign()

    return ask


@pytest.mark.game("virus")
@pytest.mark.parametrize("kept", [1, 5, 9])
def test_a_game_goes_on_from_any_ply_of_an_earlier_one(kept):
    spec = virus("builtin:greedy", "human", size=5)
    whole = play_game(spec, first_legal)
    heard = []
    again = play_game(spec, first_legal, plies(whole)[:kept], heard.append)
    assert heard == plies(again)
    assert plies(again)[:kept] == plies(whole)[:kept]
    assert verify_record(again.record).ok
    assert sum(again.asked) == sum(line["by"] == "bot" for line in plies(again))


@pytest.mark.game("virus")
def test_the_person_may_then_play_otherwise():
    spec = virus("human", "builtin:greedy", size=5)
    whole = play_game(spec, first_legal)
    at = next(
        n for n, line in enumerate(plies(whole)) if line.get("by") == "bot" and line["player"] == 0
    )
    states = replay(read_record(whole.record))
    assert mover(make("virus", size=5), states[at]) == 0
    again = play_game(spec, lambda *_: Resign(), plies(whole)[:at])
    assert again.ending == "resignation"
    assert verify_record(again.record).ok


def test_chance_goes_on_where_it_was():
    spec = poker(*["human"] * 3)
    whole = play_game(spec, first_legal)
    for kept in range(len(plies(whole))):
        again = play_game(spec, first_legal, plies(whole)[:kept])
        assert [line["action"] for line in plies(again)] == [
            line["action"] for line in plies(whole)
        ]
        assert verify_record(again.record).ok


@pytest.mark.game("virus")
def test_faults_of_the_plies_taken_over_are_kept(tmp_path):
    (tmp_path / "wrong.py").write_text("def play(observation, clock):\n    return 9999\n")
    spec = virus("wrong.py", "builtin:greedy", size=4, base=tmp_path)
    whole = play_game(spec)
    again = play_game(spec, before=plies(whole)[:6])
    assert again.faults == whole.faults
    assert verify_record(again.record).ok


@pytest.mark.game("virus")
def test_who_resigns_loses():
    result = play_game(virus("human", "builtin:random", size=5), resigning(after=2))
    assert result.returns == [-1.0, 1.0]
    assert result.ending == "resignation"
    assert result.faults == []
    assert lines_of(result.record)[-1]["forfeits"] == [0]
    assert verify_record(result.record).ok


@pytest.mark.game("tron")
def test_among_many_the_game_goes_on_without_who_resigns():
    spec = tron("human", *["builtin:random"] * 3, players=4)
    result = play_game(spec, resigning(after=0))
    lines = plies(result)
    assert lines[0] | {"wall_ms": 0} == {
        "ply": 0, "by": "bot", "player": 0, "cpu_ms": 0.0, "wall_ms": 0,
        "resigned": True, "cost": "game", "action": 0, "text": "left",
    }  # fmt: skip
    assert {line["by"] for line in lines if line["player"] == 0} <= {"bot", "referee"}
    assert result.returns[0] == -1.0
    assert result.ending == "resignation"
    assert verify_record(result.record).ok


@pytest.mark.game("virus")
def test_a_forfeit_by_a_fault_is_told_from_giving_up(tmp_path):
    (tmp_path / "broken.py").write_text("1 / 0\n")
    result = play_game(virus("human", "broken.py", base=tmp_path), resigning(after=0))
    assert result.ending == "forfeit"


@pytest.mark.game("tron")
def test_in_the_arena_a_built_in_bot_in_its_own_process_plays_the_same_game():
    inline = play_game(tron(*["builtin:random"] * 3, players=3))
    hosted = play_game(tron(*["hosted:builtin:random"] * 3, players=3))
    assert [line["action"] for line in plies(inline)] == [line["action"] for line in plies(hosted)]
