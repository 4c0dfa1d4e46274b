"""The maps of Vampires vs Werewolves: read leniently, written strictly, drawn at random."""

import pickle

import pytest
from helpers import COPIES
from hypothesis import given
from hypothesis import strategies as st

from joute.core.errors import GameError
from joute.core.maps import find_map, shipped
from joute.core.registry import make
from joute.games.vampires.map import (
    CAUSES,
    VampiresMap,
    VampiresMapError,
    map_errors,
    random_map,
    read_map,
    write_map,
)

PLAIN = """\
<?xml version="1.0" encoding="utf-8" ?>
<Map Rows="2" Columns="3">
  <Humans X="2" Y="0" Count="4"/>
  <Humans X="1" Y="0" Count="255"/>
  <Vampires X="0" Y="0" Count="1"/>
  <Werewolves X="2" Y="1" Count="9"/>
</Map>
"""
CHART = VampiresMap(2, 3, ((2, 0, 4), (1, 0, 255)), (0, 0, 1), (2, 1, 9))
BODY = '<Vampires X="0" Y="0" Count="1"/><Werewolves X="2" Y="1" Count="9"/>'


def test_a_map_is_written_as_the_official_server_reads_it():
    assert read_map(PLAIN) == CHART
    assert write_map(CHART) == PLAIN


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff" + PLAIN,
        PLAIN.split("\n", 1)[1],
        "\n  " + PLAIN,
        PLAIN.replace("utf-8", "utf-16"),
        PLAIN.replace("Map", "map"),
        PLAIN.replace("\n", "\r\n"),
        PLAIN.replace("<Humans X", "<!-- a house\n --><Humans X"),
        PLAIN.replace('"4"/>', '"4"></Humans>').replace('"9"/>', '"9"> </Werewolves>'),
        PLAIN.replace('"4"', '" 4 "').replace("Rows", "xmlns:xsi='http://w3.org' Rows"),
        PLAIN.replace('"', "'"),
    ],
)
def test_a_map_is_read_leniently(text):
    assert map_errors(text) == []
    assert read_map(text) == CHART


WRONG = [
    ("", "xml", 1, 1, "not XML: no element found"),
    (PLAIN.replace("</Map>", ""), "xml", 8, 1, "not XML: no element found"),
    (PLAIN + "more", "xml", 8, 1, "not XML: junk after"),
    ("<!DOCTYPE Map [<!ENTITY a 'b'>]>" + PLAIN[40:], "forbidden", 1, 15, "declares no document"),
    (f'<maps Rows="2" Columns="3">{BODY}</maps>', "root", 1, 1, "the root is 'maps'"),
    (PLAIN.replace("Humans X", "humans X", 1), "element", 3, 3, "'humans' is not allowed here"),
    (PLAIN.replace('"4"/>', '"4"><Cat/></Humans>'), "element", 3, 33, "expected nothing"),
    (PLAIN.replace("</Map>", "end</Map>"), "text", 7, 1, "the text 'end' is not allowed"),
    (PLAIN.replace('X="2" Y="0"', 'X="2" y="0"'), "attribute", 3, 3, "Humans has no attribute 'y'"),
    (PLAIN.replace('Rows="2" ', ""), "missing", 2, 1, "Map has no Rows"),
    (PLAIN.replace(' Count="4"', ""), "missing", 3, 3, "Humans has no Count"),
    (PLAIN.replace("255", "256"), "number", 4, 3, 'Humans: Count="256": expected a whole number'),
    (PLAIN.replace('"4"', '"0"'), "number", 3, 3, "a whole number in 1..255"),
    (PLAIN.replace('"4"', '"four"'), "number", 3, 3, 'Count="four"'),
    (PLAIN.replace('Y="1"', 'Y="one"'), "number", 6, 3, 'Y="one": expected a whole number in 0..1'),
    (PLAIN.replace('Rows="2"', 'Rows="256"'), "number", 2, 1, 'Map: Rows="256"'),
    (PLAIN.replace('X="1"', 'X="3"'), "outside", 4, 3, 'X="3" is outside the grid: expected 0..2'),
    (PLAIN.replace('Y="1"', 'Y="-1"'), "outside", 6, 3, 'Y="-1" is outside the grid'),
    (PLAIN.replace('X="1"', 'X="2"'), "taken", 4, 3, "the cell 2,0 holds Humans already"),
    (PLAIN.replace('X="2" Y="1"', 'X="0" Y="0"'), "taken", 6, 3, "0,0 holds Vampires already"),
    (PLAIN.replace("Vampires", "Humans"), "start-missing", 7, 1, "Vampires are missing"),
    (PLAIN.replace("Humans X", "Vampires X", 1), "start-twice", 5, 3, "a second group of Vampires"),
]


@pytest.mark.parametrize(("text", "cause", "line", "column", "words"), WRONG)
def test_an_error_names_line_element_value_and_cause(text, cause, line, column, words):
    error = next(each for each in map_errors(text) if each.cause == cause)
    assert (error.line, error.column) == (line, column)
    assert words in error.reason
    assert error.with_file("a.xml") == f"a.xml:{line}:{column}: {error.reason}"
    with pytest.raises(VampiresMapError):
        read_map(text)


def test_all_errors_are_found_at_once():
    text = PLAIN.replace('"4"', '"0"').replace('X="1"', 'X="7"').replace("Vampires", "Vampire")
    assert [error.cause for error in map_errors(text)] == [
        "number",
        "outside",
        "element",
        "start-missing",
    ]


def test_a_map_has_at_most_255_occupied_cells():
    def text(houses):
        cells = [(each % 20, 1 + each // 20) for each in range(houses)]
        chart = VampiresMap(20, 20, tuple((x, y, 1) for x, y in cells), (0, 0, 1), (19, 19, 1))
        return write_map(chart)

    assert map_errors(text(253)) == []
    [error] = map_errors(text(254))
    assert (error.cause, error.reason) == (
        "crowded",
        "256 cells are occupied: expected 255 at most",
    )


def test_entity_bombs_are_not_expanded():
    lines = "".join(f'<!ENTITY a{n} "&a{n - 1};&a{n - 1};">' for n in range(1, 40))
    bomb = f'<!DOCTYPE Map [<!ENTITY a0 "ha">{lines}]><Map Rows="1" Columns="2">&a39;</Map>'
    assert "forbidden" in [error.cause for error in map_errors(bomb)]


def test_every_cause_is_tested_here():
    assert {cause for _, cause, _, _, _ in WRONG} | {"crowded"} == set(CAUSES)


def test_an_error_travels_between_processes():
    error = map_errors("<Maps\x1b/>")[0]
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.cause) == (str(error), error.cause)
    assert str(error).isprintable()


@given(text=st.text(st.sampled_from('<>/="& MapHumansXY012\n'), max_size=60))
def test_any_text_is_a_map_or_has_errors(text):
    for body in (text, f'<Map Rows="2" Columns="3">{BODY}{text}</Map>'):
        if not map_errors(body):
            assert read_map(write_map(read_map(body))) == read_map(body)


# Maps drawn at random.


@given(st.integers(1, 30), st.integers(1, 30), st.integers(0, 40), st.integers(0, 2**32))
def test_a_random_map_is_the_same_upside_down(width, height, houses, seed):
    area = width * height
    if houses > min(area, 255) - 2 or (houses % 2 and area % 2 == 0):
        with pytest.raises(GameError):
            random_map(width, height, houses, seed)
        return
    chart = random_map(width, height, houses, seed)
    assert read_map(write_map(chart)) == chart
    assert (chart.columns, chart.rows, len(chart.humans)) == (width, height, houses)

    def turned(groups):
        return {(width - 1 - x, height - 1 - y, count) for x, y, count in groups}

    assert turned(chart.humans) == set(chart.humans)
    assert turned([chart.vampires]) == {chart.werewolves}
    assert all(1 <= count <= 19 for _, _, count in chart.humans)
    assert 2 <= chart.vampires[2] <= 19
    assert chart == random_map(width, height, houses, seed)


def test_another_seed_gives_another_map():
    found = {random_map(10, 10, 8, seed) for seed in range(50)}
    assert len(found) == 50
    assert {chart.vampires < chart.werewolves for chart in found} == {True, False}


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ((0, 5, 0), "a map’s width must be in 1..255, got 0"),
        ((5, 256, 0), "a map’s height must be in 1..255, got 256"),
        ((5, 5, 24), "houses must be in 0..23 on a grid of 5 x 5; got 24"),
        ((4, 4, 3), "in 0..14 on a grid of 4 x 4, and even: there is no cell in the middle; got 3"),
        ((1, 1, 0), "houses must be in 0..0 on a grid of 1 x 1"),
        ((255, 255, 254), "in 0..253"),
    ],
)
def test_a_map_that_cannot_be_drawn_is_refused(values, words):
    with pytest.raises(GameError, match=words):
        random_map(*values, 1)


# The maps that come with Joute.


def test_every_shipped_map_can_be_read_and_played():
    assert len(shipped("vampires")) >= 8
    for name in shipped("vampires"):
        text = find_map("vampires", name)
        assert map_errors(text) == []
        assert write_map(read_map(text)) == text, name
        make("vampires", map=text)


def test_every_shipped_map_fits_a_terminal_and_is_fair():
    for name in shipped("vampires"):
        chart = read_map(find_map("vampires", name))
        assert chart.columns <= 25, name
        assert chart.rows <= 20, name
        turned = {
            (chart.columns - 1 - x, chart.rows - 1 - y, count) for x, y, count in chart.humans
        }
        assert turned == set(chart.humans), name
        x, y, count = chart.vampires
        assert chart.werewolves == (chart.columns - 1 - x, chart.rows - 1 - y, count), name


def test_the_symmetric_map_is_the_recorded_one():
    recorded = (COPIES / "vampires" / "symmetric-11x9.xml").read_text("utf-8")
    assert read_map(recorded) == read_map(find_map("vampires", "symmetric"))
