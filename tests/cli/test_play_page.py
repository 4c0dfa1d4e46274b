"""The layout of a turn, and its colours."""

import io

import pytest

from joute.cli.play import as_typed
from joute.cli.playing.drawing import Marks, Terminal, sign, terminal
from joute.cli.playing.page import PageContent, Palette, cut, length, page, palette, wrapped
from joute.core.interface import OVER, mover, play, render, start, tell
from joute.core.maps import find_map, shipped
from joute.core.registry import make
from joute.i18n.words import speak
from joute.play.telling import counted
from joute.text import plain, shown


class Tty(io.StringIO):
    def isatty(self):
        return True


XTERM = {"TERM": "xterm-256color"}


@pytest.mark.parametrize(
    ("stream", "environ", "asked_plain", "depth"),
    [
        (Tty(), XTERM, False, 256),
        (Tty(), {"TERM": "xterm"}, False, 16),
        (Tty(), {"TERM": "xterm", "COLORTERM": "truecolor"}, False, 256),
        (Tty(), {**XTERM, "NO_COLOR": "1"}, False, 0),
        (Tty(), {"TERM": "dumb"}, False, 0),
        (Tty(), XTERM, True, 0),
        (io.StringIO(), XTERM, False, 0),
    ],
)
def test_colours_are_those_that_the_output_can_and_may_show(stream, environ, asked_plain, depth):
    assert palette(stream, environ, asked_plain).depth == depth


def test_a_line_is_painted_run_by_run():
    line = [("a", "bold"), ("b", "bold"), ("c", "")]
    assert Palette(256).paint(line) == "\x1b[1mab\x1b[0mc"
    assert Palette(0).paint(line) == "abc"
    assert Palette(16).paint([("x", "player0 changed")]) == "\x1b[44;97;1;4mx\x1b[0m"


def test_a_line_is_cut_between_its_parts_and_inside():
    line = [("abc", "bold"), ("def", "")]
    assert cut(line, 4) == [("abc", "bold"), ("d", "")]
    assert cut(line, 3) == [("abc", "bold")]


def test_a_name_from_outside_cannot_steer_the_terminal():
    assert shown("a\x1b[2J\n") == "a\N{REPLACEMENT CHARACTER}[2J\N{REPLACEMENT CHARACTER}"


def view(width=10, height=5, **values):
    board = [[("#" * width, "")] for _ in range(height)]
    seats = [[("> Ann", "")], [("  Bob", "")]]
    log = [[(f"{number}. up", "")] for number in range(9)]
    return PageContent(title="Title", board=board, seats=seats, log=log, **values)


def texts(lines):
    return [plain(line) for line in lines]


def test_seats_and_log_stand_beside_the_board_where_there_is_room():
    lines = texts(page(view(), 80, 24))
    assert lines[0] == " Title"
    assert lines[3] == "  ##########    > Ann"
    assert lines[-1] == " " * 16 + "8. up"


def test_seats_and_log_stand_below_the_board_of_a_narrow_terminal():
    lines = texts(page(view(), 30, 24))
    assert lines[2:7] == ["  ##########"] * 5
    assert lines[8:10] == [" > Ann", "   Bob"]
    assert lines[-1] == " 8. up"


def test_a_message_stands_below_and_takes_the_place_of_the_board_where_it_must():
    message = tuple(f"line {number}" for number in range(6))
    tall = texts(page(view(message=message), 80, 24))
    low = texts(page(view(message=message), 80, 10))
    assert tall[-6:] == [f" line {number}" for number in range(6)]
    assert any("#" in line for line in tall)
    assert not any("#" in line for line in low)
    assert low[-1] == " line 5"


def test_a_short_message_leaves_as_much_of_the_board_as_there_is_room_for_and_says_so():
    greeting = ("Type an action", "or: help")
    lines = texts(page(view(height=20, message=greeting), 80, 20))
    assert lines[-2:] == [" Type an action", " or: help"]
    assert [line[:12] for line in lines[:17]] == ["  ##########"] * 17
    assert lines[17] == " No room for the rest: type board."
    assert len(lines) == 20


@pytest.mark.game("vampires")
@pytest.mark.parametrize("name", shipped("vampires"))
def test_a_game_of_any_map_begins_with_its_board_in_an_ordinary_window(name):
    game, state = begun("vampires", map=find_map("vampires", name))
    wide, narrow = terminal(game).draw(game, state, 0, Marks(None, (), True))
    seats = [[("> Ann", "")], [("  Bob", "")]]
    shown = PageContent("Title", wide, seats, [], narrow=tuple(narrow), message=("Type: help",))
    lines = texts(page(shown, 80, 22))
    rows = max(
        sum(any(f"  {row}"[:80] in line for line in lines) for row in texts(each))
        for each in (wide, narrow)
    )
    assert rows >= min(len(narrow), 17)
    assert lines[-1] == " Type: help"


def test_a_board_that_is_wider_than_the_window_is_cut_and_says_how_wide_it_is():
    lines = texts(page(view(width=90), 80, 24))
    assert lines[-1] == " The board has 92 columns: widen the window."
    assert "  " + "#" * 78 in lines
    assert not any("columns" in line for line in texts(page(view(width=78), 80, 24)))


def test_a_board_that_is_too_high_loses_the_title_first():
    lines = texts(page(view(height=8), 80, 8))
    assert [line[:12] for line in lines] == ["  ##########"] * 8
    assert "> Ann" in lines[1]


def test_nothing_is_wider_or_higher_than_the_terminal():
    for width, height in ((80, 24), (20, 5), (7, 3), (200, 60)):
        lines = page(view(message=("a long message " * 9,)), width, height)
        assert len(lines) <= height
        assert max(length(line) for line in lines) <= width


def test_what_may_be_typed_next_stands_below_the_message():
    lines = texts(page(view(message=("which?",), offers=([("this or that", "dim")],)), 80, 24))
    assert lines[-2:] == [" which?", " this or that"]


def test_a_long_line_of_the_log_goes_on_in_the_next():
    long = [("word " * 12 + "end", "")]
    beside = texts(page(view()._replace(log=[long]), 60, 24))
    below = texts(page(view(width=30)._replace(log=[long]), 50, 24))
    for lines in (beside, below):
        assert lines[-1].endswith("end")
        assert lines[-1].lstrip().startswith("word")


def test_a_line_is_wrapped_between_words_and_indented():
    line = [("one two", "bold"), (" three", "")]
    assert texts(wrapped(line, 9)) == ["one two", "    three"]
    assert wrapped(line, 9)[0][0] == ("one", "bold")
    assert texts(wrapped([("unbreakable", "")], 4)) == ["unbreakable"]


def test_a_narrower_drawing_is_taken_where_the_wide_one_has_no_room():
    narrow = tuple([("=" * 10, "")] for _ in range(5))
    wide = texts(page(view(width=60, narrow=narrow), 100, 24))
    slim = texts(page(view(width=60, narrow=narrow), 50, 24))
    assert any("#" * 60 in line for line in wide)
    assert not any("#" in line for line in slim)
    assert sum("==========" in line for line in slim) == 5


def begun(name, **values):
    game = make(name, **values)
    return game, start(game).tolist()


@pytest.mark.game("virus")
def test_virus_marks_the_last_stone_and_what_it_turned():
    game, state = begun("virus", size=4)
    play(game, state, 0)
    for cell in (1, 2, 5):
        last = tell(game, state, 0, cell)
        play(game, state, cell)
    signs, _ = terminal(game).draw(game, state, 0, Marks(last, (), True))
    colours, _ = terminal(game).draw(game, state, 0, Marks(last, (), False))
    assert texts(signs)[1:3] == ["  1 0 0 0 1", "  2 .(0). ."]
    assert ("0", "last0") in colours[2]
    assert ("0", "player0 changed") in colours[1]
    assert "(" not in texts(colours)[2]


@pytest.mark.game("virus")
def test_virus_points_out_legal_cells():
    game, state = begun("virus", size=4)
    play(game, state, 0)
    lines, _ = terminal(game).draw(game, state, 0, Marks(None, (1, 4, 5), True))
    assert texts(lines)[1:3] == ["  1 0 + . 1", "  2 + + . ."]


@pytest.mark.game("tron")
def test_tron_shows_heads_trails_and_legal_cells():
    game, state = begun("tron", map=find_map("tron", "duel"))
    for action in (2, 0, 1):
        play(game, state, action)
    wide, narrow = terminal(game).draw(game, state, 1, Marks(None, (), True))
    assert texts(wide)[7] == "##   1>1                  <2 2  ##"
    assert texts(narrow)[7] == "# 1>         <2 #"
    play(game, state, 1)
    lines, _ = terminal(game).draw(game, state, 0, Marks(None, (0, 1, 2), True))
    assert sum(line.count("+") for line in texts(lines)) == 3


@pytest.mark.game("tron")
def test_tron_s_walls_are_colour_where_there_is_colour():
    game, state = begun("tron", map=find_map("tron", "duel"))
    wide, _ = terminal(game).draw(game, state, 0, Marks(None, (), False))
    assert texts(wide)[0].strip() == ""
    assert {style for _, style in wide[0]} == {"wall"}


@pytest.mark.game("tron")
@pytest.mark.parametrize("name", shipped("tron"))
def test_every_map_reads_well_on_80_columns_and_24_lines(name):
    game, state = begun("tron", map=find_map("tron", name), players=0)
    seats = [[(f"> {seat}  a bot's name  100 points", "")] for seat in range(game.players)]
    wide, narrow = terminal(game).draw(game, state, 0, Marks(None, (), True))
    lines = page(PageContent("Title", wide, seats, [], narrow=tuple(narrow)), 80, 22)
    shown_text = texts(lines)
    assert length(lines[-1]) <= 80
    for row in (texts(wide), texts(narrow)):
        if any(row[0] in line for line in shown_text):
            assert all(any(each in line for line in shown_text) for each in row)
            break
    else:
        pytest.fail("the board is cut")
    for line in texts(seats):
        assert any(line in each for each in shown_text)


@pytest.mark.game("tron")
def test_who_crashed_is_marked_whatever_the_rules_leave_of_it():
    for trail in ("stay", "vanish"):
        game, state = begun("tron", players=3, trail=trail, map="")
        for action in (1, 1, 1, 3, 1, 1):
            play(game, state, action)
        wide, _ = terminal(game).draw(game, state, 0, Marks(None, (), True))
        assert any("x1" in line for line in texts(wide)) == (trail == "stay")


@pytest.mark.game("tron")
def test_several_who_meet_leave_a_star():
    game, state = begun("tron", map=find_map("tron", "duel"))
    while mover(game, state) != OVER:
        play(game, state, (2, 0)[mover(game, state)])
    wide, _ = terminal(game).draw(game, state, 0, Marks(None, (), True))
    assert any("**" in line or "x1" in line for line in texts(wide))


@pytest.mark.game("virus")
def test_a_game_without_a_drawing_is_shown_as_it_is_rendered():
    game, state = begun("virus", size=4)
    lines, narrow = Terminal().draw(game, state, 0, Marks())
    assert "\n".join(texts(lines)) == render(game, state, 0)
    assert narrow == []


@pytest.mark.game("tron", "virus")
def test_signs_are_those_of_the_board():
    assert sign(make("virus"), 0) == "0"
    assert sign(make("tron"), 0) == "1"


@pytest.mark.parametrize(
    ("language", "counts"),
    [("en", ["0 points", "1 point", "2 points"]), ("fr", ["0 point", "1 point", "2 points"])],
)
def test_points_are_counted_as_the_language_does(language, counts):
    speak(language)
    said = [counted(points) for points in range(3)]
    speak("en")
    assert said == counts


def test_a_path_is_shown_as_it_can_be_typed(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert as_typed(tmp_path / "my games" / "a.jsonl") == "~/'my games/a.jsonl'"
    assert as_typed(tmp_path.parent / "a.jsonl") == str(tmp_path.parent / "a.jsonl")
