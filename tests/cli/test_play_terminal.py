"""Playing on a terminal of its own kind: what a real person sees and types."""

import os
import signal

import pytest
from helpers import PATIENCE

from joute.play.record import read_record

SLOW = """
def play(observation, clock):
    while True:
        pass
"""
SMALL = ("--param", "size=4", "--seed", 2)


@pytest.fixture
def play(terminal, tmp_path):
    """Opens a terminal with `joute play` on it; records go to tmp_path."""

    def open_terminal(*arguments, **options):
        return terminal("play", *arguments, XDG_DATA_HOME=str(tmp_path), **options)

    return open_terminal


def records(tmp_path):
    return sorted((tmp_path / "joute" / "games").glob("*.jsonl"))


@pytest.mark.game("virus")
def test_a_game_is_played_on_a_screen_of_its_own_and_summed_up_below(play, tmp_path):
    screen = play("virus", "human:Ann", "builtin:greedy", *SMALL)
    assert "\x1b[?1049h" in screen.wait_for("your action:")
    screen.press("b1\r")
    screen.wait_for("4. ")
    screen.wait_for("your action:")
    screen.press("resign\r")
    assert "\x1b[?1049l" in screen.wait_for("greedy wins: Ann has resigned.")
    screen.wait_for("Another game, seats exchanged? [y/N]")
    screen.press("n\r")
    assert screen.process.wait(timeout=PATIENCE) == 0
    assert screen.as_before()
    assert len(records(tmp_path)) == 1


@pytest.mark.game("virus")
def test_another_game_is_played_with_seats_exchanged(play, tmp_path):
    screen = play("virus", "human:Ann", "human:Bob", *SMALL)
    screen.wait_for("Bob (1), your action:")
    screen.press("resign\r")
    screen.wait_for("[y/N]")
    screen.press("y\r")
    screen.wait_for("your action:")
    screen.press("resign\r")
    screen.wait_for("[y/N]")
    screen.press("\x04")
    assert screen.process.wait(timeout=PATIENCE) == 0
    names = [
        [bot["name"] for bot in read_record(path.read_bytes()).header["bots"]]
        for path in records(tmp_path)
    ]
    assert sorted(names) == [["Ann", "Bob"], ["Bob", "Ann"]]


@pytest.mark.game("virus")
def test_tab_completes_what_is_typed(play):
    screen = play("virus", "human", "human", *SMALL)
    screen.wait_for("your action:")
    screen.press("res\t")
    screen.wait_for("ign")
    screen.press("\r")
    screen.wait_for("has resigned")


@pytest.mark.game("virus")
@pytest.mark.parametrize("key", ["\x03", "\x04"])
def test_ctrl_c_and_ctrl_d_leave_with_code_3_and_the_terminal_as_it_was(play, tmp_path, key):
    screen = play("virus", "human", "human", *SMALL)
    screen.wait_for("your action:")
    screen.press(key)
    assert "\x1b[?1049l" in screen.wait_for("left; the game is not kept")
    assert screen.process.wait(timeout=PATIENCE) == 3
    assert screen.as_before()
    assert records(tmp_path) == []


@pytest.mark.game("virus")
def test_who_is_thinking_is_said_and_ctrl_c_leaves_even_then(play, tmp_path):
    bot = tmp_path / "slow.py"
    bot.write_text(SLOW)
    screen = play("virus", "human", bot, *SMALL, "--move-seconds", 3600)
    screen.wait_for("slow (1) is thinking…")
    os.killpg(screen.process.pid, signal.SIGINT)
    screen.wait_for("left; the game is not kept")
    assert screen.process.wait(timeout=PATIENCE) == 3
    assert screen.as_before()


@pytest.mark.game("virus")
def test_a_resize_draws_the_page_anew(play):
    screen = play("virus", "human", "human", *SMALL, columns=80, lines=24)
    screen.wait_for("your action:")
    screen.resize(34, 24)
    os.kill(screen.process.pid, signal.SIGWINCH)
    assert "1. human 2 starts" in screen.wait_for("your action:")


@pytest.mark.game("virus")
@pytest.mark.parametrize("how", ["NO_COLOR", "--plain"])
def test_no_colours_are_shown_to_who_wants_none(play, how):
    variables = {"NO_COLOR": "1"} if how == "NO_COLOR" else {}
    options = ["--plain"] if how == "--plain" else []
    screen = play("virus", "human", "human", *SMALL, *options, **variables)
    text = screen.wait_for("your action:")
    for code in ("\x1b[3", "\x1b[4", "\x1b[38", "\x1b[48", "\x1b[1m", "\x1b[90m"):
        assert code not in text


@pytest.mark.game("virus")
def test_plain_lines_leave_the_screen_alone(play):
    screen = play("virus", "human", "human", *SMALL, "--plain")
    text = screen.wait_for("your action:")
    screen.press("?\r")
    text += screen.wait_for("quit, q, exit")
    assert "\x1b" not in text
    screen.press("\x04")
    screen.wait_for("left; the game is not kept")
    assert screen.process.wait(timeout=PATIENCE) == 3


@pytest.mark.game("virus")
def test_a_terminal_with_colours_shows_them(play):
    screen = play("virus", "human", "human", *SMALL)
    assert "97;44m0" in screen.wait_for("your action:")


@pytest.mark.game("tron")
def test_tron_runs_by_itself_and_leaves_on_q(play):
    screen = play("tron", "human", "human", "--map", "duel", "--live", "--speed", 20)
    screen.wait_for("3…")
    screen.press("q")
    assert "\x1b[?1049l" in screen.wait_for("left; the game is not kept")
    assert screen.process.wait(timeout=PATIENCE) == 3
    assert screen.as_before()


@pytest.mark.game("tron")
def test_tron_in_real_time_ends_in_words(play, tmp_path):
    screen = play("tron", "human:Ann", "human:Bob", "--map", "duel", "--live", "--speed", 50)
    screen.wait_for("1…")
    screen.press("\x1b[A")
    screen.wait_for("Bob wins")
    screen.wait_for("[y/N]")
    screen.press("\x04")
    assert screen.process.wait(timeout=PATIENCE) == 0
    assert len(records(tmp_path)) == 1
