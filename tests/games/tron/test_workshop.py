"""The Tron workshop's interface: a function that gets a `Game` and answers (dx, dy)."""

import runpy
import sys
import types
from pathlib import Path

import numpy as np
import pytest
from games.mistakes import in_french
from games.tron.bikes import tron_play, tron_start
from helpers import english_words
from host.hosting import start_message

from joute.games.tron.adapters import workshop
from joute.host import Fault, parse_bot
from joute.host.child.errors import CannotLoad, IllegalAnswer

EXAMPLE = Path(__file__).parents[3] / "examples" / "tron" / "bots" / "montecarlo_atelier.py"
LEFT, UP, RIGHT, DOWN = range(4)
SOLO = ["#####", "# a #", "# a1#", "## b#", "#####"]


def adapter(function, **start):
    return workshop.Adapter(types.SimpleNamespace(Play=function), tron_start(**start))


def reply(answer):
    return adapter(lambda game: answer).play(tron_play(SOLO))


def seen(rows, player=0, **changes):
    """The `Game` that a function gets."""
    games = []
    spy = adapter(lambda game: games.append(game) or (0, 1), player=player)
    spy.play(tron_play(rows, player, **changes))
    return games[0]


def test_the_grid_is_indexed_x_y_from_the_bottom_left():
    game = seen(SOLO, points=[7])
    assert (game.Grille.dtype, game.Grille.shape) == (np.int8, (5, 5))
    assert game.Grille.T[::-1].tolist() == [
        [1, 1, 1, 1, 1],
        [1, 0, 2, 0, 1],
        [1, 0, 2, 0, 1],
        [1, 1, 0, 2, 1],
        [1, 1, 1, 1, 1],
    ]
    assert (game.PlayerX, game.PlayerY, game.Score) == (3, 2, 7)


def test_an_open_edge_is_walled_and_a_teleporter_is_free():
    game = seen(["A 1", "  A"])
    assert game.Grille.T[::-1].tolist() == [
        [1, 1, 1, 1, 1],
        [1, 0, 0, 0, 1],
        [1, 0, 0, 0, 1],
        [1, 1, 1, 1, 1],
    ]
    assert (game.PlayerX, game.PlayerY) == (3, 2)


def test_other_bikes_are_their_trails():
    game = seen(["#####", "#1 b#", "#####"], points=[4, 4], floors=[["#####", "#1 2#", "#####"]])
    assert game.Grille[:, 1].tolist() == [1, 0, 0, 2, 1]


def test_a_copy_and_the_next_turns_game_share_nothing():
    games = []

    def spoil(game):
        other = game.copy()
        other.Grille[:] = 9
        games.append(game.Grille.copy())
        game.Grille[:] = 3
        game.PlayerX = 100
        return 0, 1

    bot = adapter(spoil)
    for _ in range(2):
        bot.play(tron_play(SOLO))
    assert games[0].tolist() == games[1].tolist()
    assert games[0].max() == 2


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        ((-1, 0), LEFT),
        ([0, 1], UP),
        ((np.int8(1), np.int64(0)), RIGHT),
        (np.array([0, -1], dtype=np.int8), DOWN),
    ],
)
def test_an_answer_is_a_pair_of_whole_numbers(answer, action):
    assert reply(answer) == {"action": action}


@pytest.mark.parametrize(
    "answer",
    [None, True, 1, "up", (), (1,), (1, 0, 0), (1, 1), (0, 0), (2, 0), (1.0, 0), (None, 1),
     (True, 0), ("1", 0), {0: 1, 1: 0}, np.float64(1), np.zeros((2, 2))],
)  # fmt: skip
def test_anything_else_is_illegal_and_shown(answer):
    with pytest.raises(IllegalAnswer) as raised:
        reply(answer)
    assert str(raised.value).startswith("Play answered ")
    assert str(raised.value).endswith(
        "expected (dx, dy), one of (-1, 0) left, (0, 1) up, (1, 0) right, (0, -1) down"
    )


def test_none_reads_so():
    with pytest.raises(IllegalAnswer, match=r"^Play answered None: expected \(dx, dy\), one of"):
        reply(None)


def test_the_function_is_found_by_its_name(hosts):
    hosts.write("mine.py", "def aide(x): return x\ndef Play(G): return aide((1, 0))\n")
    bot = hosts.bot("mine.py", base=hosts.folder)
    assert bot.start(tron_start()).fault is None
    assert bot.ask(tron_play(SOLO)).action == RIGHT


def test_its_metrics_stand_in_a_dictionary_called_joute(hosts):
    text = "joute = {}\ndef Play(G):\n    joute['metrics'] = {'x': G.PlayerX}\n    return 0, 1\n"
    hosts.write("mine.py", text)
    bot = hosts.bot("mine.py", base=hosts.folder)
    bot.start(tron_start())
    assert bot.ask(tron_play(SOLO)).annotations.metrics == {"x": 3}


def test_it_has_any_name_where_the_interface_is_forced(hosts):
    text = """
        from random import randrange, shuffle
        import numpy as np

        def _aide(G):
            return G.PlayerX

        def jouer(G):
            return None if _aide(G) == 3 else (0, 1)
        """
    hosts.write("mine.py", text)
    assert parse_bot("workshop:mine.py", hosts.folder).interface == "workshop"
    bot = hosts.bot("workshop:mine.py", base=hosts.folder)
    assert bot.start(tron_start()).fault is None
    answer = bot.ask(tron_play(SOLO))
    assert (answer.fault, answer.alive) == (Fault.ILLEGAL, True)
    assert answer.detail.startswith("jouer answered None: ")


@pytest.mark.parametrize("text", ["x = 1\n", "def a(G): return 0, 1\ndef b(G): return 0, 1\n"])
def test_no_function_or_several_of_other_names_are_a_failed_start(hosts, text):
    hosts.write("mine.py", text)
    answer = hosts.bot("workshop:mine.py", base=hosts.folder).start(tron_start())
    assert answer.fault is Fault.START_UP
    assert ": it needs def Play(Game)" in answer.detail


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("tron 1\nname towers\nsize 7 5 3\nfloor 0\n", "knows one floor; this map has 3"),
        (None, "plays Tron, and this game is none"),
    ],
)
def test_a_game_that_it_does_not_know_is_refused_with_the_reason(hosts, text, reason):
    hosts.write("mine.py", "def Play(G): return 0, 1\n")
    start = start_message() if text is None else tron_start(text=text)
    answer = hosts.bot("mine.py", base=hosts.folder).start(start)
    assert answer.fault is Fault.START_UP
    assert answer.detail == "a function of the Tron workshop " + reason


def test_a_map_in_the_format_of_2010_has_one_floor():
    assert not workshop.refusal({"map": "3 3\n###\n#1#\n###\n"})
    assert not workshop.refusal({"map": "tron 1\nsize 7 5 1\n"})


def test_an_interpreter_without_numpy_is_told_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(CannotLoad) as raised:
        adapter(print)
    assert str(raised.value) == (
        f"a Grille is a NumPy array, and {sys.executable} has no NumPy: install it "
        "there, or name another interpreter"
    )


def test_the_example_takes_the_way_that_is_longer():
    play = runpy.run_path(str(EXAMPLE))["Play"]
    rows = ["#########", "# #      ", "#1       ", "#########"]
    bot = adapter(play)
    assert bot.play(tron_play(rows)) == {"action": RIGHT}
    assert bot.play(tron_play(["###", "#1#", "###"])) == {"action": UP}


def test_the_example_is_served(hosts):
    bot = hosts.bot(str(EXAMPLE))
    assert bot.start(tron_start()).fault is None
    answer = bot.ask(tron_play(["#####", "# 1 #", "#####"]))
    assert answer.action in (LEFT, RIGHT)


def test_an_answer_that_is_none_is_told_in_the_readers_language():
    with pytest.raises(IllegalAnswer) as caught:
        workshop._direction((2, 0), "Play")
    assert "Play a répondu (2, 0)\u202f: attendu\u202f: (dx, dy)" in in_french(str(caught.value))


@pytest.mark.parametrize("parameters", [{}, {"map": "size 3 3 2\n"}])
def test_why_it_cannot_play_a_game_is_told_in_the_readers_language(parameters):
    assert not english_words(in_french(workshop.refusal(parameters)))
