"""The text of Tron's maps: what is refused and where, what is forgiven, what is written."""

import gzip
import json
import pickle

import pytest
from games.tron.making_maps import sound_maps
from helpers import COPIES, GOLDEN, recorded_files
from hypothesis import given, settings
from hypothesis import strategies as st

from joute.core.errors import GameError
from joute.games.tron.board import TronMap
from joute.games.tron.map import facts, map_errors, picture, read_map, write_2010, write_map
from joute.games.tron.map_text import CAUSES, TronMapError
from joute.i18n.words import speaking

HOUSE = """\
tron 1
name the old house
size 7 4 2
option trail stay
option wrap none
option order turns
floor 0
#######
#1A  u#
#    2#
#######
floor 1
#######
#    d#
#    A#
#######
end
"""
FLAT = "5 4\n#####\n#1  #\n#  2#\n#####\n"


def changed(line, to, text=HOUSE):
    """The text with another line, or without it."""
    lines = text.splitlines()
    lines[line - 1 : line] = [] if to is None else [to]
    return "\n".join([*lines, ""])


def found(text):
    return [(error.line, error.column, error.cause) for error in map_errors(text)]


WRONG = [
    (changed(1, "tron 1 0"), (1, 1, "header")),
    (changed(1, "  rooms 1"), (1, 3, "header")),
    ("", (1, 1, "header")),
    ("#####\n#1  #\n#####\n", (1, 1, "header")),
    ("\n# a comment\n5 4\n", (3, 1, "header")),
    (changed(2, " colour red"), (2, 2, "keyword")),
    (changed(2, "name a\nname b"), (3, 1, "keyword")),
    (changed(3, "size 7 4 2\nsize 7 4 2"), (4, 1, "keyword")),
    (changed(17, "fin"), (17, 1, "keyword")),
    (changed(12, " étage 1"), (12, 2, "keyword")),
    (changed(17, "end of it"), (17, 5, "keyword")),
    (changed(17, "end\n\n more"), (19, 2, "keyword")),
    (changed(2, "name bell \a"), (2, 11, "character")),
    (changed(3, None), (6, 1, "size")),
    (changed(3, "end"), (3, 1, "size")),
    ("tron 1\n", (2, 1, "size")),
    (changed(3, "size 7 4"), (3, 9, "size")),
    (changed(3, "size"), (3, 5, "size")),
    (changed(3, "size 7 -4 2"), (3, 8, "size")),
    (changed(3, "size 7 4.0 2"), (3, 8, "size")),
    (changed(3, "size 7 ٤ 2"), (3, 8, "size")),
    (changed(3, "size 7 4 9999999999"), (3, 10, "size")),
    (changed(3, "size 7 4286 1"), (3, 8, "size")),
    (changed(3, "size 7 4 2 1"), (3, 12, "size")),
    (changed(4, "option"), (4, 7, "option-name")),
    (changed(4, "option Trail stay"), (4, 8, "option-name")),
    (changed(5, "option trail vanish"), (5, 8, "option-name")),
    (changed(4, "option trail"), (4, 13, "option-value")),
    (changed(4, "option trail none"), (4, 14, "option-value")),
    (changed(4, "option trail stay put"), (4, 19, "option-value")),
    (changed(7, "floor"), (7, 6, "floor-number")),
    (changed(7, "floor 1"), (7, 7, "floor-number")),
    (changed(12, "floor one"), (12, 7, "floor-number")),
    (changed(12, "floor 1 up"), (12, 9, "floor-number")),
    (changed(17, "floor 2"), (17, 7, "floor-number")),
    (changed(7, "end"), (7, 1, "floor-missing")),
    ("tron 1\nsize 3 3 1\n", (3, 1, "floor-missing")),
    ("\n".join(HOUSE.splitlines()[:11]), (12, 1, "floor-missing")),
    (changed(9, ""), (9, 1, "row-length")),
    (changed(9, "#1A  u##"), (9, 8, "row-length")),
    (changed(11, None), (11, 1, "row-missing")),
    ("\n".join(HOUSE.splitlines()[:9]), (10, 1, "row-missing")),
    (changed(12, "#######\nfloor 1"), (12, 1, "row-extra")),
    (changed(12, "\nfloor 1"), (12, 1, "row-extra")),
    (changed(17, "#######\nend"), (17, 1, "row-extra")),
    (changed(17, None), (17, 1, "end-missing")),
    (changed(17, "\n"), (17, 1, "end-missing")),
    (changed(9, "#1A 0u#"), (9, 5, "character")),
    (changed(9, "#1A\t u#"), (9, 4, "character")),
    (changed(9, "#1A a u"), (9, 5, "character")),
    (changed(9, "# A  u#"), (10, 6, "start-missing")),
    (changed(10, "#  1 2#"), (10, 4, "start-twice")),
    ("tron 1\nsize 3 2 1\nfloor 0\n1 #\n##2\nend\n", (5, 3, "start-blocked")),
    (changed(9, "#1   u#"), (15, 6, "teleporter")),
    (changed(14, "#  A d#"), (15, 6, "teleporter")),
    (changed(14, "#     #"), (9, 6, "stairs")),
    (changed(14, "#    b#"), (14, 6, "stairs")),
    (changed(9, "#1A   #"), (14, 6, "stairs")),
    ("9 seven\n", (1, 3, "size")),
    ("9\n", (1, 2, "size")),
    ("0 7\n", (1, 1, "size")),
    ("9 7 1\n", (1, 5, "size")),
    ("30001 1\n", (1, 1, "size")),
    (changed(3, "#1 #", FLAT), (3, 5, "row-length")),
    (changed(3, "#1.2#", FLAT), (3, 3, "character")),
    (changed(4, "#A A#", FLAT), (4, 2, "character")),
    (changed(5, None, FLAT), (5, 1, "row-missing")),
    (FLAT + "#####\n", (6, 1, "row-extra")),
    (FLAT + "end\n", (6, 1, "row-extra")),
    (changed(3, "#   #", FLAT), (4, 4, "start-missing")),
    (changed(4, "#   #", changed(3, "#   #", FLAT)), (6, 1, "start-missing")),
    (changed(4, "#1 2#", FLAT), (4, 2, "start-twice")),
    ("3 1\n1#2\n", (2, 1, "start-blocked")),
]  # fmt: skip


def golden_errors():
    files = recorded_files("tron", "invalid_maps*.jsonl")
    return [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]


def test_every_golden_error_is_found_where_it_is_and_nothing_else():
    recorded = golden_errors()
    assert recorded
    for each in recorded:
        [(line, column, cause)] = found(each["text"])
        assert (line, cause) == (each["line"], each["cause"]), each["id"]
        if each["column_sure"] or GOLDEN == COPIES:
            assert column == each["column"], each["id"]


def test_every_golden_map_is_read_and_written_back():
    texts = set()
    for path in recorded_files("tron", "*.jsonl.gz"):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            texts |= {json.loads(line)["map"] for line in file}
    for text in texts:
        read = read_map(text)
        assert read == read_map(write_map(read))
        if not text.startswith("tron"):
            assert text == write_2010(read)


@pytest.mark.parametrize(("text", "first"), WRONG)
def test_an_error_has_its_place_and_its_cause(text, first):
    assert first == found(text)[0]
    with pytest.raises(TronMapError) as caught:
        read_map(text)
    error = caught.value
    assert first == (error.line, error.column, error.cause)
    assert str(error).startswith(f"line {first[0]}, column {first[1]}: ")


def test_stairs_that_lead_nowhere_are_told_in_the_readers_language():
    with speaking("fr"), pytest.raises(TronMapError) as caught:
        read_map(changed(14, "#     #"))
    with speaking("fr"):
        assert str(caught.value).endswith("il faut, au même endroit\u202f: étage 1\u202f: d b")
        assert picture(facts(HOUSE), 80)[0].split() == ["étage", "0", "étage", "1"]


def test_every_cause_is_tried():
    assert set(CAUSES) == {cause for _, (_, _, cause) in WRONG}


def test_several_errors_are_found_at_once():
    text = changed(9, "#1A  b#", changed(10, "#A   1#", changed(15, "#   2A#")))
    assert found(text) == [
        (9, 6, "stairs"),
        (10, 6, "start-twice"),
        (15, 6, "teleporter"),
    ]
    # Pairs and stairs are not checked where signs are wrong in themselves.
    assert found(changed(8, "####?", text)) == [(8, 5, "character"), (8, 6, "row-length")]


def test_every_start_that_is_missing_and_every_end_too_many_is_named():
    rows = "#########\n#2 B 5 8#\n#B B B  #\n#########"
    text = f"tron 1\nsize 9 4 1\nfloor 0\n{rows}\nend\n"
    assert found(text) == [
        (5, 2, "start-missing"),
        (5, 6, "start-missing"),
        (5, 8, "start-missing"),
        (6, 4, "teleporter"),
        (6, 6, "teleporter"),
    ]


def test_an_error_says_what_was_found_and_what_was_expected():
    [error] = map_errors(changed(4, "option trail none"))
    assert str(error) == "line 4, column 14: 'none': expected stay, vanish"
    assert error.with_file("a.txt") == "a.txt:4:14: 'none': expected stay, vanish"


def test_signs_that_a_terminal_would_obey_are_shown_as_escapes():
    [error] = map_errors(changed(2, "\x1b[2Jcolour red"))
    assert error.reason.startswith("'\\x1b[2Jcolour' ")
    assert str(error).isprintable()


def test_an_error_can_be_sent_to_another_process():
    [error] = map_errors(changed(10, "#  1 2#"))
    copy = pickle.loads(pickle.dumps(error))
    assert (str(error), error.cause) == (str(copy), copy.cause)


def test_dots_comments_blank_lines_and_line_ends_of_windows_are_forgiven():
    text = HOUSE.replace("#1A  u#", "#1A..u#").replace("size", "# a comment\n\n  size")
    text = text.replace("turns", "turns  # one after the other").replace("floor 0", "floor 0 # low")
    text = text.replace("\n", "\r\n") + "\r\n  \r\n"
    assert read_map(HOUSE) == read_map(text)


def test_name_and_options_may_be_left_out_and_stand_in_any_order():
    rows = "floor 0\n1 2\nend"
    expected = TronMap("", 3, 1, (("1 2",),))
    assert expected == read_map(f"tron 1\nsize 3 1 1\n{rows}")
    text = f"# first\n\ntron 1\noption wrap xy\nname  two  words \nsize 3 1 1\n{rows}"
    assert expected._replace(name="two  words", wrap="xy") == read_map(text)


def test_what_is_written_is_as_the_specification_shows_it():
    assert read_map(HOUSE).name == "the old house"
    assert write_map(read_map(HOUSE)) == HOUSE


def test_rows_that_would_end_in_a_blank_are_written_with_dots():
    written = write_map(TronMap("", 3, 2, (("1  ", "# 2"),)))
    assert "\n1..\n#.2\n" in written


@pytest.mark.parametrize("name", ["a # b", "two\nlines", " edge", "bell\a"])
def test_a_name_that_no_line_can_hold_is_not_written(name):
    with pytest.raises(GameError, match="cannot be called"):
        write_map(TronMap(name, 2, 1, (("1 ",),)))


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ({"floors": (("1 ",), ("  ",))}, "one floor, this map has 2"),
        ({"wrap": "xy"}, "no option wrap xy"),
        ({"trail": "vanish"}, "no option trail vanish"),
        ({"order": "turns"}, "no option order turns"),
        ({"floors": (("1A",),)}, "no sign 'A'"),
        ({"floors": (("13",),)}, "no sign '3'"),
    ],
)
def test_a_map_that_the_format_of_2010_cannot_say_is_refused_with_the_reason(other, reason):
    with pytest.raises(GameError, match=reason):
        write_2010(TronMap("", 2, 1, (("1 ",),))._replace(**other))


def test_the_format_of_2010_is_written_as_it_was_read():
    for name in ("classic165", "template164"):
        text = (COPIES / "tron" / f"{name}.txt").read_text("utf-8")
        assert text == write_2010(read_map(text))


ROWS = "#######\n#1   3#\n#  #  #\n#4   2#\n#######\n"


@pytest.mark.parametrize("text", [ROWS, ROWS.replace("\n", "\r\n"), ROWS + "\n\n"])
def test_rows_of_2010_without_a_line_for_the_size_are_read_with_three_or_four_starts(text):
    read = read_map(text)
    assert (read.width, read.height) == (7, 5)
    assert read.floors == (tuple(ROWS.splitlines()),)


@pytest.mark.parametrize(
    ("before", "after", "place", "reason"),
    [
        ("#  #  #", "#  #  ", (3, 7), "the row has 6 signs, not 7"),
        ("3", "5", (2, 6), "'5'"),
        ("3", " ", (4, 2), "3"),
        ("2", "4", (2, 6), "start 2 is missing"),
        ("#  #  #\n", "#  #  #\nA      \n", (4, 1), "'A'"),
    ],
)
def test_where_such_rows_are_wrong_the_place_and_the_cause_are_named(before, after, place, reason):
    error = map_errors(ROWS.replace(before, after))[0]
    assert (error.line, error.column) == place
    assert reason in error.reason


def test_rows_of_more_cells_than_a_map_may_have_are_refused():
    with pytest.raises(TronMapError, match="30000 cells"):
        read_map("\n".join(["#" * 199 + "3"] * 151))


def test_before_the_first_line_of_a_map_of_joute_a_row_is_a_comment():
    assert read_map("#####\n" + HOUSE) == read_map(HOUSE)


@given(sound_maps())
@settings(max_examples=100, derandomize=True)
def test_a_map_is_read_as_it_was_written(drawn):
    assert drawn == read_map(write_map(drawn))


@given(sound_maps(), st.data())
@settings(max_examples=200, derandomize=True)
def test_a_broken_text_is_read_or_refused_at_a_place_inside_it(drawn, data):
    text = data.draw(st.sampled_from([write_map(drawn), FLAT]))
    for _ in range(data.draw(st.integers(1, 3))):
        begin = data.draw(st.integers(0, len(text)))
        end = begin + data.draw(st.integers(0, 12))
        put = data.draw(st.text(" #.12389AQudb\n\r\tendfloor x-", max_size=8) | st.text(max_size=3))
        text = text[:begin] + put + text[end:]
    errors = map_errors(text)
    if not errors:
        assert read_map(text) == read_map(write_map(read_map(text)))
    lines = text.split("\n")
    for error in errors:
        assert 1 <= error.line <= len(lines) + 1
        assert 1 <= error.column <= max(map(len, [*lines, ""])) + 1
        assert error.cause in CAUSES
    assert errors == sorted(errors, key=lambda error: (error.line, error.column))
