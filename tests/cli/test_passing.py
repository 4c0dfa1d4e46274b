"""Several people at one keyboard, in games where something is hidden from each of them."""

import io
import re

import pytest
from cli.test_play_session import Display, Never, session
from helpers import install_game

from joute.cli.playing.asking import Left
from joute.cli.playing.display import Lines, Wait, size
from joute.cli.playing.page import PageContent, Palette
from joute.cli.playing.session import TerminalGame, make_spec
from joute.play.record import read_record
from joute.play.telling import learned
from joute.text import plain

PASS = "Enter when nobody else is looking"


@pytest.fixture(autouse=True)
def small_games(monkeypatch):
    install_game(monkeypatch, "poker", "games.poker")


def poker(seats, lines):
    game, display, _ = session("poker", seats, lines)
    return game, display


def prompts(display) -> list[str]:
    return [prompt for prompt, _ in display.asked]


def test_the_keyboard_is_passed_before_each_turn_of_another_person():
    game, display = poker(["human:Ann", "human:Bob", "human:Cid"], ["", "1"] * 3)
    game.run()
    expected = [f"{name}, {what}" for name in ("Ann (0)", "Bob (1)", "Cid (2)")
                for what in (f"{PASS} ", "your action: ")]  # fmt: skip
    assert prompts(display) == expected


def test_nothing_is_to_see_or_to_call_back_while_the_keyboard_is_passed():
    game, display = poker(["human"] * 3, ["", "1"] * 3)
    game.run()
    blank = [view for prompt, view in display.asked if PASS in prompt]
    assert len(blank) == 3
    assert all(view.board == view.log == view.seats == [] for view in blank)
    assert next(view.message for view in blank) == ("Pass the keyboard to human 1 (0).",)
    # Cleared before each question of the passing, and after it: 0 and 1, 2 and 3 ...
    assert display.cleared == [0, 1, 2, 3, 4, 5]


def test_a_person_among_bots_passes_the_keyboard_to_nobody():
    game, display = poker(["human", "builtin:random", "builtin:random"], ["1"])
    game.run()
    assert prompts(display) == ["human (0), your action: "]
    assert display.cleared == []


@pytest.mark.game("virus")
def test_where_nothing_is_hidden_the_keyboard_is_not_passed():
    game, display, _ = session("virus", ["human", "human"], ["c1", "b1", "resign"], size=4)
    game.run()
    assert display.cleared == []
    assert all("your action" in prompt for prompt in prompts(display))


def test_nothing_is_shown_while_bots_begin_and_nobody_has_the_keyboard():
    game, display = poker(["builtin:random", "human", "human"], ["", "1"] * 2)
    game.run()
    assert display.shown
    assert all(view.board == view.log == view.seats == [] for view in display.shown)


def test_who_leaves_while_the_keyboard_is_passed_leaves_the_game():
    for lines in ([], ["", "1"], ["quit"], ["", "1", "quitter"]):
        game, _ = poker(["human"] * 3, lines)
        with pytest.raises(Left):
            game.run()


def test_what_is_typed_while_the_keyboard_is_passed_plays_nothing():
    game, display = poker(["human"] * 3, ["", "1", "0", "1", "resign", "1"])
    result = game.run()
    assert (result.ending, len(display.asked)) == ("finished", 6)
    plies = read_record(result.record).plies
    assert [line["action"] for line in plies if line["by"] == "bot"] == [1, 1, 1]


def priest(*lines: str):
    from games.love_letter.positions import seeded

    from joute.games.love_letter.state import BARON, PRIEST

    """A display where Ann looks at Bob's hand, and what is typed then."""
    display = Display(["", "priest", *lines])
    spec = make_spec("love-letter", {}, ["human:Ann", "human:Bob"], 1.0, seeded({PRIEST, BARON}))
    with pytest.raises(Left):
        TerminalGame(spec, display, wait=Wait(make=Never)).run()
    return display


@pytest.mark.game("love-letter")
def test_who_learned_something_by_an_action_reads_it_before_passing_the_keyboard():
    display = priest("", "")
    assert [prompt.partition(" (")[0] for prompt in prompts(display)] == [
        "Ann", "Ann", "Enter hides this before the keyboard is passed on ", "Bob", "Bob",
    ]  # fmt: skip
    (_, page), (_, blank), (_, others) = display.asked[2:]
    assert "Priest on Bob, sees: " in texts(page)
    assert texts(blank) == ""
    assert "Priest on Bob\n" in texts(others) + "\n"
    assert "Ann draws" not in texts(others)
    assert display.cleared == [0, 1, 3, 4]


@pytest.mark.game("love-letter")
def test_who_leaves_over_what_was_learned_leaves_the_game():
    assert prompts(priest())[-1].startswith("Enter hides this")


def texts(view) -> str:
    lines = [*view.board, *view.log]
    return "\n".join(plain(line).rstrip() for line in lines)


def test_an_action_shows_something_where_more_is_told_than_the_action():
    own = {"player": 0, "action": 1, "text": "end", "line": {}}
    other = {"player": 1, "action": 1, "text": "end", "seen": 9, "line": {}}
    assert not learned([], 0)
    assert not learned([own, other], 0)
    assert learned([{**own, "seen": 9}, other], 0)
    assert learned([{**own, "parts": [{**own, "hit": True}, own]}], 0)
    assert not learned([{**own, "hit": True}, own], 0)


def test_lines_are_pushed_out_of_sight_and_the_board_is_printed_again(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n\n1\n"))
    display = Lines(Palette(0))
    view = PageContent("Title", [[("the board", "")]], [], [])
    display.ask(view, "> ", [])
    capsys.readouterr()
    display.clear()
    assert len(capsys.readouterr().out) > size()[1]
    display.ask(PageContent("Title", [], [], [], message=("Pass it.",)), "> ", [])
    display.ask(view, "> ", [])
    assert capsys.readouterr().out == "Title\nPass it.\n> \n\nthe board\n> 1\n"


@pytest.mark.game("love-letter")
def test_on_a_screen_neither_cards_nor_keys_nor_history_pass_to_the_next_person(terminal, tmp_path):
    from games.love_letter.positions import seeded

    from joute.games.love_letter.state import GUARD, HANDMAID

    names = ("human:Ann", "human:Bob", "--seed", seeded({GUARD, HANDMAID}))
    screen = terminal("play", "love-letter", *names, XDG_DATA_HOME=str(tmp_path))
    assert "Your hand" not in screen.wait_for("Ann (0), Enter when nobody else is looking")
    screen.press("\r")
    assert "Your hand" in screen.wait_for("Ann (0), your action:")
    screen.press("4\r\r\r")  # a key too often
    blank = screen.wait_for("Bob (1), Enter when nobody else is looking")
    assert "Your hand" not in blank
    screen.press("\r")
    screen.wait_for("Bob (1), your action:")
    screen.press("aa\r")
    said = screen.wait_for("aa is no card and no command")
    assert not re.search("or: help(?!   legal)", said)  # what an Enter too early would be answered
    screen.press("\x1b[A\x1b[Azz\r")  # Ann's 4, if it could be called back; else aa
    screen.wait_for("aazz is no card and no command")


@pytest.mark.game("love-letter")
def test_plain_lines_say_to_whom_the_keyboard_goes(terminal, tmp_path):
    from games.love_letter.positions import seeded

    from joute.games.love_letter.state import GUARD, HANDMAID

    names = ("human:Ann", "human:Bob", "--seed", seeded({GUARD, HANDMAID}), "--plain")
    screen = terminal("play", "love-letter", *names, XDG_DATA_HOME=str(tmp_path), lines=30)
    screen.wait_for("Ann (0), Enter when nobody else is looking")
    screen.press("\r")
    screen.wait_for("Ann (0), your action:")
    screen.press("4\r")
    passed = screen.wait_for("Bob (1), Enter when nobody else is looking")
    assert "Pass the keyboard to Bob (1)." in passed
    assert passed.count("\r\n\r\n") >= 10
    assert "\x1b" not in passed
