"""`joute tron`: the workshop's questions at the command line."""

import json
import os
import signal
import threading
from pathlib import Path
from xml.etree import ElementTree

import pytest
from games.tron.maps import superset
from helpers import PATIENCE

from joute.core.interface import OVER, mover, play, start
from joute.core.maps import find_map
from joute.core.registry import make
from joute.games.tron.workshop import series
from joute.games.tron.workshop.report import maps_for_one
from joute.games.tron.workshop.series import open_room, play_in_step, play_one, solo_games, summary
from joute.i18n import words

SMALL = superset("small", "#######\n#1    #\n#  #  #\n#     #\n#######")
FALLEN = """
def play(observation, clock):
    return "left"
"""


@pytest.fixture
def small(tmp_path) -> Path:
    path = tmp_path / "small.txt"
    path.write_text(SMALL, encoding="utf-8")
    return path


@pytest.fixture
def quick(monkeypatch):
    """Bots that need no simulations in the place of Monte Carlo."""
    bots = {"python": "builtin:random", "numpy": "builtin:wall", "compiled": "builtin:fill"}
    for form, bot in bots.items():
        monkeypatch.setitem(series.FORMS, form, bot)


# solo


def test_final_boards_stand_side_by_side_with_their_moves_and_a_sum(run, small):
    outcome = run("tron", "solo", "--bot", "builtin:fill", "--map", small, "--show", 3)
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    assert lines[0] == "  ".join(["#" * 14] * 3)
    assert [line.split() for line in lines if "over" in line] == [
        ["1:", "12", "over", "2:", "12", "over", "3:", "12", "over"]
    ]
    assert lines[-1].startswith("games 3, mean 12.0 ± 0.0, best 12, at most 12 (--seed ")
    assert "\x1b" not in outcome.out


def test_a_seed_gives_the_same_games_and_each_can_be_played_again(run, small):
    asked = ("tron", "solo", "--bot", "builtin:random", "--map", small, "--seed", "s", "--json")
    first, second = (json.loads(run(*asked, "--games", 4).out) for _ in range(2))
    paths = [[game["directions"] for game in each["games"]] for each in (first, second)]
    assert paths[0] == paths[1]
    assert (first["seed"], first["bound"], len(first["games"])) == ("s", 12, 4)
    game = make("tron", map=SMALL, players=1)
    for each in first["games"]:
        state = start(game).tolist()
        for direction in each["directions"]:
            play(game, state, direction)
        assert mover(game, state) == OVER
        assert each["moves"] == len(each["directions"])


def test_wide_rooms_stand_under_each_other(run):
    outcome = run("tron", "solo", "--bot", "builtin:random", "--map", "spiral", "--games", 3)
    widths = {len(line) for line in outcome.out.splitlines() if line.startswith("####")}
    assert widths == {25 * 3 + 2 * 2}


def test_faults_are_told_and_make_the_command_fail(run, small, failing_bot):
    outcome = run("tron", "solo", "--bot", failing_bot, "--map", small, "--games", 1)
    assert outcome.code == 1
    assert "the first at ply 1" in outcome.out
    assert "no idea" in outcome.out
    assert "1: 4 over" in outcome.out


def test_a_bot_may_drive_into_a_wall(run, small, tmp_path):
    bot = tmp_path / "left.py"
    bot.write_text(FALLEN, encoding="utf-8")
    outcome = run("tron", "solo", "--bot", bot, "--map", small, "--games", 1, "--json")
    assert outcome.code == 0
    assert json.loads(outcome.out)["games"][0]["moves"] == 0


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["solo", "--map", "nowhere"], "there is no map 'nowhere'"),
        (["solo", "--bot", "builtin:nobody"], "no built-in bot 'nobody'"),
        (["table", "--forms", "python,pascal"], "--forms: 'pascal' is not one of python, numpy"),
        (["table", "--simulations", "10,x"], "--simulations: expected numbers from 1 on"),
        (["table", "--simulations", "0"], "got '0'"),
        (["report", "--map", "room", "--map", "nowhere"], "there is no map 'nowhere'"),
    ],
)
def test_what_makes_no_sense_is_refused(run, arguments, reason):
    outcome = run("tron", *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert reason in outcome.err


def test_the_games_are_seen_on_the_terminal_and_then_stay_there(terminal, small):
    screen = terminal(
        *("tron", "solo", "--bot", "builtin:fill", "--map", small, "--show", 2, "--games", 3)
    )
    live = screen.wait_for("\x1b[?1049l")
    assert "1: 1 moves" in live
    assert "2: 12 over" in live
    assert "3: 12 over" in live
    assert "Ctrl-C leaves." in live
    assert "games 3, mean 12.0" in screen.wait_for("at most 12")
    assert screen.process.wait(PATIENCE) == 0
    assert screen.as_before()


@pytest.mark.full
def test_ctrl_c_leaves_the_games_and_the_terminal_as_it_was(terminal):
    screen = terminal("tron", "solo", "--bot", "builtin:fill", "--map", "ziggurat", "--games", 9)
    screen.wait_for("1: 2 moves")
    os.kill(screen.process.pid, signal.SIGINT)
    screen.wait_for("joute: stopped: 0 of 9 games played")
    assert screen.process.wait(PATIENCE) == 3
    assert screen.as_before()


# Games in step.


def some(count, bot="builtin:random"):
    return solo_games(open_room("room"), bot, count, "seed", 10.0)


def test_games_in_step_are_the_same_games_and_advance_together():
    together, alone = some(3), some(3)
    seen = []
    play_in_step(together, lambda: seen.append([len(each.directions) for each in together]))
    for course in alone:
        play_one(course)
    assert [each.directions for each in together] == [each.directions for each in alone]
    for number, moves in enumerate(seen, 1):
        for made, course in zip(moves, together, strict=True):
            assert made == min(number, course.played.moves)


def test_what_a_step_raises_ends_the_games():
    def leave():
        raise KeyboardInterrupt

    before = set(threading.enumerate())
    with pytest.raises(KeyboardInterrupt):
        play_in_step(some(2), leave)
    assert set(threading.enumerate()) <= before


def test_what_a_game_raises_is_raised(monkeypatch):
    def fail(spec, watch):
        raise RuntimeError("broken")

    monkeypatch.setattr(series, "play_game", fail)
    with pytest.raises(RuntimeError, match="broken"):
        play_in_step(some(2), lambda: None)


def test_a_summary_of_one_game_has_no_standard_error():
    assert summary([5]) == (1, 5.0, None, 5, 5)
    assert summary([1, 3])[1:] == (2.0, 1.0, 3, 1)


# table


def test_the_table_has_a_line_for_each_form_and_number(run, quick):
    outcome = run("tron", "table", "--games", 2, "--simulations", "1,10", "--seed", "s")
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    assert lines[0].split()[-1] == "workshop"
    rows = [line.split() for line in lines[2:8]]
    assert [row[:3] for row in rows] == [
        [form, number, "2"] for form in ("python", "numpy", "compiled") for number in ("1", "10")
    ]
    assert rows[1][-1] == "95"
    assert rows[-1][3:6] == ["164.0", "±", "0.0"]
    assert "no game has more than 164 moves. --seed s" in lines[-1]


def test_another_map_has_no_figures_of_the_workshop(run, quick, small):
    outcome = run("tron", "table", "--games", 1, "--simulations", "10", "--map", small)
    assert "workshop" not in outcome.out
    assert "±" not in outcome.out.splitlines()[2]


def test_what_there_was_no_time_for_is_said(run, quick):
    outcome = run("tron", "table", "--games", 2, "--cap", 0, "--forms", "python")
    assert outcome.code == 0
    assert (
        "python, simulations 1, 10, 100, 1000, 10000, 100000: no game was over in its share of "
        "0 s\n" in outcome.out
    )


def test_a_game_is_given_up_when_its_share_of_the_time_is_over(quick, small):
    seconds = iter(range(1000))
    found, missing = series.measure(
        open_room(str(small)),
        ["compiled"],
        [10, 100],
        games=3,
        cap=41,
        seed="s",
        move_seconds=10.0,
        progress=lambda done, total: None,
        clock=lambda: float(next(seconds)),
    )
    # A look at the clock for each move of 12, and one before each game, of 20 in each share.
    assert [(each.simulations, each.games, each.mean) for each in found] == [
        (10, 1, 12.0),
        (100, 1, 12.0),
    ]
    assert [(each.simulations, each.games, each.wanted) for each in missing] == [
        (10, 1, 3),
        (100, 1, 3),
    ]
    assert missing[0].move_seconds > 0


def test_a_slow_move_is_told_with_what_was_left_out(run, quick, monkeypatch):
    short = series.SkippedGames("numpy", 1000, 0, 5, 1.25)
    monkeypatch.setattr(series, "measure", lambda *arguments: ([], [short]))
    outcome = run("tron", "table")
    assert (
        "numpy, simulations 1000: no game was over in its share of 1 min 00 s (a move took 1.2 s)"
        in outcome.out
    )


def test_the_table_as_json_and_as_a_chart(run, quick, tmp_path):
    chart = tmp_path / "chart.svg"
    asked = ("tron", "table", "--games", 1, "--simulations", "10,100", "--svg", chart, "--json")
    data = json.loads(run(*asked).out)
    assert [figure["simulations"] for figure in data["figures"]] == [10, 100] * 3
    assert data["workshop"] == {"10": 95, "100": 110}
    assert (data["bound"], data["skipped"]) == (164, [])
    ElementTree.parse(chart)


@pytest.mark.full
def test_a_chart_of_nothing_is_refused(run, quick, tmp_path):
    outcome = run("tron", "table", "--cap", 0, "--svg", tmp_path / "chart.svg")
    assert outcome.code == 1
    assert "nothing to draw" in outcome.err


# report


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_a_report_has_the_figures_of_each_map_and_the_worst_move(
    run, quick, monkeypatch, small, tmp_path, language
):
    monkeypatch.setitem(series.FORMS, "compiled", "builtin:random")
    drawing = tmp_path / "report.svg"
    outcome = run(
        *("tron", "report", "--map", small, "--map", "workshop", "--games", 2, "--seed", "s"),
        *("--svg", drawing, "--lang", language),
    )
    assert outcome.code == 0
    rows = [line.split() for line in outcome.out.splitlines()]
    assert rows[2][1] == "14"
    assert rows[3][0] == "workshop"
    assert rows[3][-4] == rows[3][-2] == rows[3][-1] == "163"  # the champion's too
    assert {"en": "went wrong at move", "fr": "s’est gâtée"}[language] in outcome.out
    assert "! " in outcome.out
    ElementTree.parse(drawing)


def test_a_report_of_a_game_without_a_flaw_says_so(run, quick, small):
    outcome = run("tron", "report", "--map", small, "--games", 1)
    assert "The game of 12 moves has no worst move" in outcome.out


def test_a_report_as_json_says_which_cells_a_move_cost(run, quick, monkeypatch, tmp_path):
    monkeypatch.setitem(series.FORMS, "compiled", "builtin:wall")
    line = tmp_path / "line.txt"
    line.write_text(superset("line", "..1...."), encoding="utf-8")
    data = json.loads(run("tron", "report", "--map", line, "--games", 1, "--json").out)
    [found] = data["maps"]
    assert (found["cells"], found["filled"], found["bound"]) == (7, 4, 4)
    assert found["champion"]["moves"] == 4
    if found["worst"][0] == "left":
        assert found["mistake"]["cut_off"] == [[3, 0, 0], [4, 0, 0], [5, 0, 0], [6, 0, 0]]
        assert found["mistake"]["better"] == "right"
    else:
        assert found["mistake"] is None


def test_a_report_is_on_the_maps_that_were_made_for_one_bike():
    names = maps_for_one()
    assert {"room", "workshop"} <= set(names)
    for name in names:
        assert "2" not in find_map("tron", name).partition("floor 0")[2]
