"""Rooms drawn as text and as pictures, and the worst move of a game."""

from xml.etree import ElementTree

import pytest
from games.tron.maps import superset

from joute.cli.playing.page import Palette
from joute.core.interface import start
from joute.core.registry import make
from joute.games.tron.players.fill import RoomFiller
from joute.games.tron.text import chart_of, settings_of
from joute.games.tron.workshop import rooms
from joute.games.tron.workshop.pictures import Panel, chart, picture
from joute.games.tron.workshop.report import find_mistake
from joute.games.tron.workshop.rooms import halves, narrow, trace, wide
from joute.games.tron.workshop.series import Figure, SoloGame, SoloResult
from joute.i18n import words
from joute.svg import Svg

LEFT, UP, RIGHT, DOWN, UPSTAIRS, DOWNSTAIRS = range(6)

PLAIN = superset("plain", "######\n#1   #\n#    #\n######")
PAIR = superset("pair", "1A.##A..")
RING = superset("ring", "1...", wrap="x")
TOWER = superset("tower", "1u", ".d")
LINE = superset("line", "..1....")
HALL = superset("hall", ".....\n.....\n..1..")


def alone(text):
    return make("tron", map=text, players=1)


def text_of(lines):
    return Palette(0).lines(lines)


def test_a_path_is_drawn_with_lines_in_two_columns_a_cell():
    path = trace(alone(PLAIN), [RIGHT, RIGHT, DOWN, LEFT])
    assert text_of(wide(path)) == "############\n##o───┐ · ##\n##· @─┘ · ##\n############"


def test_a_path_is_drawn_with_lines_in_one_column_a_cell():
    path = trace(alone(PLAIN), [RIGHT, RIGHT, DOWN, LEFT])
    assert text_of(narrow(path)) == "######\n#o─┐·#\n#·@┘·#\n######"


def test_a_bike_that_has_not_moved_is_a_head():
    assert text_of(narrow(trace(alone(RING), []))) == "@···"


def test_a_direction_into_a_wall_ends_the_path():
    path = trace(alone(PLAIN), [RIGHT, UP, RIGHT])
    assert len(path.path) == 2


def test_both_ends_of_a_pair_are_in_the_path_under_their_letter():
    path = trace(alone(PAIR), [RIGHT, RIGHT])
    assert text_of(wide(path)) == "o─A · ####A─@ · "
    assert path.ends[0] != path.path[1]


def test_a_path_goes_over_the_edge_and_up_the_stairs():
    assert text_of(narrow(trace(alone(RING), [LEFT, LEFT]))) == "o·@─"
    tower = trace(alone(TOWER), [RIGHT, UPSTAIRS, LEFT])
    assert text_of(narrow(tower)) == "ou  @d"


def test_marks_take_the_place_of_what_they_mark():
    path = trace(alone(RING), [RIGHT])
    assert text_of(narrow(path, {(2, 0, 0): ("x", "crash")})) == "o@x·"


@pytest.mark.parametrize(("depth", "code"), [(256, "38;5;240;48;5;240"), (16, "90;100")])
def test_in_half_a_line_a_row_there_are_colours_only(depth, code):
    tall = superset("tall", "###\n#1#\n#.#")
    lines = halves(trace(alone(tall), [DOWN]), depth)
    assert len(lines) == 2
    assert lines[0].startswith(f"\x1b[{code}m▀")
    assert lines[0].endswith("\x1b[0m")
    assert "49m▀" in lines[1]


def test_floors_stand_beside_each_other_in_half_lines_too():
    [line] = halves(trace(alone(TOWER), [RIGHT]), 256)
    assert line.count("▀") == 4
    assert "  " in line


# Side by side.


def course(directions, moves=None):
    played = None if moves is None else SoloResult(directions, moves, 0.0, moves, [])
    return SoloGame(spec=None, directions=directions, played=played)


def test_the_largest_style_in_which_all_rooms_fit_is_chosen():
    ways = rooms.styles(trace(alone(PLAIN), []), Palette(256))
    assert [(way.columns, way.lines) for way in ways] == [(12, 6), (6, 6), (6, 4)]
    assert rooms.chosen(ways, 2, 26, 5) == (ways[0], 2)
    assert rooms.chosen(ways, 3, 26, 5) == (ways[1], 3)
    assert rooms.chosen(ways, 6, 26, 7) == (ways[2], 6)
    assert rooms.chosen(ways, 9, 26, 7) == (ways[2], 6)
    assert len(rooms.styles(trace(alone(PLAIN), []), Palette(0))) == 2


def test_a_page_holds_the_title_the_rooms_and_how_many_are_hidden():
    page = rooms.RoomScreen(alone(PLAIN), "title", Palette(0)).page
    games = [course([RIGHT]), course([DOWN, RIGHT], moves=2), course([])]
    assert page(games, 4, 20, 12).split("\n") == [
        "title",
        "",
        "######  ######",
        "#o@··#  #o···#",
        "#····#  #└@··#",
        "######  ######",
        "4: 1 m  5: 2 o",
        "1 more do not fit. C",
    ]  # fmt: skip
    assert "needs a terminal of 6 columns" in page(games, 1, 5, 12)


def test_the_screen_is_drawn_no_more_often_than_it_should(capsys):
    now = [0.0]
    slept = []

    def sleep(seconds):
        slept.append(round(seconds, 3))
        now[0] += seconds

    screen = rooms.RoomScreen(alone(PLAIN), "title", Palette(0), lambda: now[0], sleep)
    for _ in range(3):
        screen.show([course([])], 1)
    assert slept == [rooms.FRAME_SECONDS] * 2
    assert capsys.readouterr().out.count("Ctrl-C") == 3


# The worst move.


def test_the_worst_move_of_a_game_on_a_line_is_the_turn_to_the_short_side():
    found = find_mistake(alone(LINE), [LEFT, LEFT])
    assert (found.ply, found.direction, found.better, found.why) == (0, LEFT, RIGHT, "cut")
    assert (found.before, found.after) == (4, 2)
    assert len(found.cut) == 4


def test_a_move_that_leaves_two_parts_without_a_way_back_is_found():
    found = find_mistake(alone(HALL), [UP, UP, LEFT, LEFT, DOWN, RIGHT, DOWN, LEFT])
    assert (found.ply, found.why, found.cut) == (1, "pocket", [])
    assert (found.before, found.after) == (14, 8)
    assert len(found.left) == 6


def test_a_move_after_which_the_rest_is_no_longer_one_path_is_found():
    game = alone(superset("hall", "....\n..1.\n...."))
    found = find_mistake(game, [RIGHT, UP, LEFT, LEFT, LEFT, DOWN, RIGHT, DOWN, RIGHT, RIGHT])
    assert (found.ply, found.direction, found.better, found.why) == (0, RIGHT, UP, "shape")
    assert (found.before, found.after, found.cut) == (11, 10, [])
    assert len(found.left) == 1


def test_a_game_without_a_flaw_has_no_worst_move():
    game = alone(HALL)
    best = RoomFiller(game).fill(start(game))
    assert find_mistake(game, best.directions) is None
    assert find_mistake(game, []) is None


def test_what_was_cut_off_has_both_ends_of_a_pair():
    game = alone(superset("cut pair", ".1..A#A..."))
    found = find_mistake(game, [LEFT])
    places = chart_of(settings_of(game))[1].places
    assert sorted(places[cell][0] for cell in found.cut) == [2, 3, 4, 6, 7, 8, 9]


# Pictures.


def elements(text):
    """The elements of a document, by name; it must be well-formed."""
    root = ElementTree.fromstring(text.encode())
    found = {}
    for element in root.iter():
        found.setdefault(element.tag.rpartition("}")[2], []).append(element)
    return found


def test_texts_in_a_picture_cannot_break_it():
    drawing = Svg(10, 10, "<&>")
    drawing.text(1, 2, "a < b & c", bold=True)
    found = elements(drawing.written())
    assert found["title"][0].text == "<&>"
    assert found["text"][0].text == "a < b & c"


def test_a_picture_is_dark_for_who_wants_it_dark():
    assert "@media (prefers-color-scheme:dark){.f-paper{fill:#15191e}" in Svg(1, 1, "").written()


def test_a_room_s_picture_shows_the_path_in_pieces_and_what_was_lost():
    path = trace(alone(PAIR), [RIGHT, RIGHT, RIGHT])
    panel = Panel("pair", "long " * 30, path, 1, frozenset({(2, 0, 0)}))
    found = elements(picture([panel], "all"))
    classes = [each.get("class") for each in found["rect"]]
    assert classes.count("f-lost") == 2  # in the room and in the legend
    assert classes.count("f-wall") == 1
    texts = [each.text for each in found["text"]]
    assert texts[0] == "pair"
    assert texts.count("A") == 2
    lines = [each.get("class") for each in found["polyline"]]
    assert lines == ["s-blue", "s-blue", "s-red"]


def test_a_room_s_picture_without_a_worst_move_has_none():
    panels = [
        Panel("ring", "", trace(alone(RING), [LEFT, LEFT]), None, frozenset()),
        Panel("tower", "", trace(alone(TOWER), [RIGHT, UPSTAIRS]), None, frozenset()),
        Panel("still", "", trace(alone(RING), []), None, frozenset()),
    ]
    found = elements(picture(panels, "all"))
    assert not [each for each in found["rect"] if each.get("class") in ("f-red", "f-lost")]


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_a_chart_has_a_line_a_form_bars_and_the_workshop_s_figures(language):
    words.speak(language)
    try:
        figures = [
            Figure("python", 1, 4, 80.0, 2.0, 90, 0.1),
            Figure("python", 10, 1, 95.0, None, 95, 0.5),
            Figure("numpy", 10, 4, 96.0, 1.0, 99, 0.2),
            Figure("compiled", 1000, 4, 150.0, 1.0, 160, 0.01),
        ]
        found = elements(chart(figures, {10: 95, 100: 110, 100_000: 160}, 164, "room"))
        title = words.say("tron.chart.title", map="room")
    finally:
        words.speak("en")
    texts = [each.text for each in found["text"]]
    assert title in texts
    assert "1\N{NARROW NO-BREAK SPACE}000" in texts
    rings = [each for each in found["circle"] if each.get("class") == "s-dim"]
    assert len(rings) == 3  # two figures within the axes, one in the legend


def test_a_chart_of_one_number_has_axes_too():
    figures = [Figure("compiled", 1, 1, 80.0, None, 80, 0.1)]
    texts = [each.text for each in elements(chart(figures, {}, 90, "mine"))["text"]]
    assert {"1", "10", "100"} & set(texts) == {"1", "10", "100"}
    assert rooms.columns(trace(alone(TOWER), []), 2) == 10
