"""Whole games of Tron by programs of the 2010 contest and by a function of the workshop."""

import sys
from pathlib import Path

import pytest
from play.playing import SEED, plies, seats

from joute.bots import BuiltinError
from joute.contest.config.config import resolve
from joute.contest.errors import ConfigError
from joute.core.registry import make
from joute.host.limits import Limits
from joute.host.names import BotError, parse_bot
from joute.play.game import GameSpec
from joute.play.referee import play_game
from joute.play.seats import check_bot
from joute.play.verify import verify_record

TESTS = Path(__file__).parents[2]
EXAMPLE = TESTS.parent / "examples" / "tron" / "bots" / "montecarlo_atelier.py"

# In the format of the programs' own contest. Both go up along a wall for six moves; then a bike has
# to turn, so that a third move straight ahead is well.
HALL = "9 9\n#########\n" + "#   #   #\n" * 6 + "#1  #  2#\n#########\n"
TOWER = "tron 1\nname tower\nsize 3 3 2\nfloor 0\n###\n#1u\n###\nfloor 1\n###\n# d\n###\nend\n"


def stand_in(way="well"):
    return f"tron2010:{sys.executable} tron2010.py {way}"


def duel(*bots, text=HALL, move_seconds=20.0, **values):
    return GameSpec(
        game="tron",
        parameters={"map": text, "players": len(bots)},
        bots=seats(*bots, base=TESTS / "bots"),
        seed=SEED,
        limits=Limits(move_seconds=move_seconds, start_seconds=20.0),
        **values,
    )


def moves(result, player):
    """The actions of a bike, in the game's own words, faults marked."""
    return [
        line["text"] + ("!" if "fault" in line else "")
        for line in plies(result)
        if line.get("player") == player and "action" in line
    ]


def test_two_programs_fill_their_halls_from_either_seat():
    result = play_game(duel(stand_in(), stand_in()))
    assert (result.ending, result.faults, result.returns) == ("finished", [], [0.0, 0.0])
    assert moves(result, 0)[:9] == ["up"] * 6 + ["right", "right", "down"]
    assert moves(result, 1)[:9] == ["up"] * 6 + ["left", "left", "down"]
    assert result.points == [20, 20]
    assert verify_record(result.record).ok


def test_a_program_plays_against_a_built_in_bot():
    result = play_game(duel("builtin:random", stand_in()))
    assert (result.ending, result.faults) == ("finished", [])
    assert moves(result, 1)[0] == "up"
    assert result.asked[1] == result.points[1] or result.returns[1] == -1
    assert verify_record(result.record).ok


@pytest.mark.parametrize(
    ("way", "fault"),
    [("late", "timeout"), ("crash", "crash"), ("leave", "crash"), ("rubbish", "protocol"),
     pytest.param("silent", "timeout", marks=pytest.mark.full)],
)  # fmt: skip
def test_a_fault_costs_the_turn_straight_ahead_or_the_game(way, fault):
    seconds = 0.25 if fault == "timeout" else 20.0

    def played(**values):
        return play_game(duel(stand_in(way), stand_in(), move_seconds=seconds, **values))

    once = played(costs={fault: "game"})
    assert (once.ending, once.returns) == ("forfeit", [-1.0, 1.0])
    assert [(f.ply, f.fault, f.cost) for f in once.faults] == [(4, fault, "game")]
    assert verify_record(once.record).ok
    game = played(costs={fault: "turn"}, max_restarts=1)
    assert moves(game, 0)[:4] == ["up", "up", "up!", "up" if way != "rubbish" else "up!"]
    assert {(f.fault, f.seat) for f in game.faults} == {(fault, 0)}
    if way == "rubbish":
        # It goes on as it is: up into the wall.
        assert [f.cost for f in game.faults] == ["turn"] * 5
        assert (game.ending, game.points) == ("finished", [6, 7])
    else:
        # Started again, it is well for two moves; started too often, it has lost.
        assert [(f.ply, f.cost) for f in game.faults] == [(4, "turn"), (10, "game")]
        assert game.ending == "forfeit"
    assert verify_record(game.record).ok


def test_a_flood_on_the_standard_error_costs_nothing_and_is_kept_in_part():
    result = play_game(duel(stand_in("loud"), stand_in()))
    assert (result.ending, result.faults, result.points) == ("finished", [], [20, 20])
    third = [line for line in plies(result) if line.get("player") == 0][2]
    assert third["output"].endswith("bytes more")


def test_driving_into_a_wall_is_a_move():
    result = play_game(duel(stand_in("wall"), stand_in()))
    assert (result.ending, result.faults, result.returns) == ("finished", [], [-1.0, 1.0])
    assert result.points[0] == 2


# Games that they cannot play are refused before they begin.


def game(text=HALL, **values):
    return make("tron", map=text, **values)


@pytest.mark.parametrize(
    ("text", "values", "reason"),
    [
        (HALL, {"players": 1}, "here there is one bike"),
        ("tron 1\nname x\nsize 3 2 1\nfloor 0\n123\n   \nend\n", {"players": 3}, "3 bikes"),
        (HALL, {"wrap": "x"}, r"joins its edges \(wrap = x\)"),
        (HALL, {"order": "turns"}, r"in turns \(order = turns\)"),
        ("tron 1\nname x\nsize 4 2 1\nfloor 0\n1  A\n2  A\nend\n", {}, "this map has A"),
        (TOWER.replace("# d", "#2d"), {}, "this map has 2 floors"),
    ],
)
def test_a_program_of_2010_is_refused_where_its_protocol_has_no_words(text, values, reason):
    bot = parse_bot(stand_in(), TESTS / "bots")
    with pytest.raises(BotError, match=rf"^bot 'tron2010:.*: programs of the 2010 .*{reason}"):
        check_bot(bot, game(text, **values))


@pytest.mark.game("virus")
def test_every_other_bot_is_checked_as_far_as_its_name_says():
    check_bot(parse_bot(stand_in(), TESTS / "bots"), game())
    check_bot(parse_bot("human"), game())
    with pytest.raises(BuiltinError):
        check_bot(parse_bot("builtin:gredy"), game())
    with pytest.raises(BotError, match="this game is none"):
        check_bot(parse_bot(f"workshop:{EXAMPLE}"), make("virus"))
    with pytest.raises(BotError, match="is not Tron"):
        check_bot(parse_bot(stand_in(), TESTS / "bots"), make("virus"))


@pytest.mark.game("virus")
def test_a_game_and_a_contest_refuse_such_a_bot_at_once(tmp_path):
    with pytest.raises(BotError, match="2 floors"):
        play_game(duel(stand_in(), stand_in(), text=TOWER.replace("# d", "#2d")))
    bot = f"tron2010:{sys.executable} {TESTS / 'bots' / 'tron2010.py'}"
    (tmp_path / "contest.toml").write_text(
        f'bots = ["{bot}", "builtin:random"]\n[game]\nname = "virus"\n', "utf-8"
    )
    with pytest.raises(ConfigError, match="this game is not Tron"):
        resolve(tmp_path / "contest.toml")


# The workshop.


def solo(bot, text):
    return GameSpec(
        game="tron",
        parameters={"map": text, "players": 1},
        bots=seats(str(bot)),
        seed=SEED,
    )


def test_a_function_of_the_workshop_fills_a_room_alone():
    result = play_game(solo(EXAMPLE, "6 5\n######\n#    #\n#    #\n#1   #\n######\n"))
    assert (result.ending, result.faults) == ("finished", [])
    assert 8 <= result.points[0] <= 11
    assert result.returns == [float(result.points[0])]
    assert verify_record(result.record).ok


def test_none_is_illegal_and_the_bike_goes_straight_on(file):
    bot = file("mine.py", "def Play(G):\n    return (0, 1) if G.Score < 2 else None\n")
    result = play_game(solo(bot, HALL.replace("2", " ")))
    assert moves(result, 0) == ["up", "up", *["up!"] * 5]
    assert {f.fault for f in result.faults} == {"illegal"}
    assert result.faults[0].detail.startswith("Play answered None: expected (dx, dy), one of")
    assert result.points == [6]


def test_a_function_of_the_workshop_knows_one_floor():
    with pytest.raises(BotError, match="knows one floor; this map has 2"):
        play_game(solo(f"workshop:{EXAMPLE}", TOWER))
    found = play_game(solo(EXAMPLE, TOWER))
    assert (found.ending, found.faults[0].fault) == ("forfeit", "start-up")
    assert found.faults[0].detail.endswith("knows one floor; this map has 2")
