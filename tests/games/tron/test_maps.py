"""The maps that come with Tron, and where a map is found."""

import re
from pathlib import Path

import pytest
from helpers import COPIES

from joute.core.errors import GameError
from joute.core.maps import find_map, shipped
from joute.games.tron.board import board
from joute.games.tron.map import map_errors, read_map, write_2010
from joute.games.tron.map_text import CAUSES

TEXT = "3 1\n1 2\n"


def all_maps():
    return {name: read_map(find_map("tron", name)) for name in shipped("tron")}


def test_every_map_can_be_read_and_bears_the_name_of_its_file():
    for name in shipped("tron"):
        assert map_errors(find_map("tron", name)) == []
    assert [each.name for each in all_maps().values()] == shipped("tron")


def test_every_map_fits_a_terminal_of_80_by_24():
    for name, each in all_maps().items():
        assert each.width <= 30, name
        assert each.height <= 20, name


def test_the_maps_show_everything_that_a_map_can_have():
    found = all_maps().values()
    signs = {sign for each in found for rows in each.floors for row in rows for sign in row}
    assert set("# 12345678ABud") <= signs
    assert {1, 2, 3} == {len(each.floors) for each in found}
    assert {1, 2, 4, 6, 8} == {len(board(each, each.wrap).starts) for each in found}
    assert {"none", "x", "xy"} <= {each.wrap for each in found}
    assert {"stay", "vanish"} == {each.trail for each in found}


def test_the_document_shows_a_map_and_names_every_cause():
    document = (Path(__file__).parents[3] / "docs" / "en" / "tron-maps.md").read_text("utf-8")
    [example] = re.findall(r"```\n(tron 1\n.*?)```", document, re.DOTALL)
    assert map_errors(example) == []
    [error] = map_errors(example.replace("#          d#", "#           #"))
    assert error.with_file("lodge.txt") in document
    assert {cause for cause in CAUSES if f"`{cause}`" not in document} == set()


def test_the_two_rooms_of_the_workshop_are_as_they_were():
    for name, file in (("room", "classic165.txt"), ("workshop", "template164.txt")):
        text = (COPIES / "tron" / file).read_text("utf-8")
        assert text == write_2010(all_maps()[name])


def test_some_duels_are_for_programs_of_2010():
    for name in ("duel", "columns", "hourglass"):
        assert "2" in write_2010(all_maps()[name])


def test_every_cell_of_every_map_can_be_reached_from_the_first_start():
    for name, each in all_maps().items():
        graph = board(each, each.wrap)
        reached = [graph.starts[0]]
        for cell in reached:
            near = graph.neighbour[8 * cell : 8 * cell + 6]
            reached += [int(to) for to in dict.fromkeys(near) if to and to not in reached]
        assert len(reached) == len(graph.places) - 1, name


def test_maps_for_several_bikes_look_the_same_upside_down():
    for name, each in all_maps().items():
        graph = board(each, each.wrap)
        if len(graph.starts) == 1:
            continue

        def turned(places, each=each):
            return {(each.width - 1 - x, each.height - 1 - y, floor) for x, y, floor in places}

        free = set(graph.places[1:])
        starts = {graph.places[cell] for cell in graph.starts}
        assert (free, starts) == (turned(free), turned(starts)), name


@pytest.mark.game("vampires")
def test_a_map_is_found_by_its_text_its_name_or_its_file(tmp_path):
    (tmp_path / "mine.txt").write_bytes(b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode())
    assert find_map("tron", TEXT) == TEXT
    assert find_map("vampires", "<Map/>") == "<Map/>"
    assert find_map("tron", "duel").startswith("tron 1\n")
    assert find_map("tron", "mine.txt", tmp_path) == TEXT
    assert find_map("tron", str(tmp_path / "mine.txt")) == TEXT


def test_the_name_of_a_map_means_the_one_that_comes_with_joute(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("duel").write_text(TEXT)
    assert find_map("tron", "./duel") == TEXT
    assert find_map("tron", "duel") != TEXT


def test_what_is_no_map_is_refused_with_names_that_are_near(tmp_path):
    with pytest.raises(GameError, match=r"no map 'duell' of tron.*did you mean duel\?"):
        find_map("tron", "duell")
    with pytest.raises(GameError, match=r"no map 'duel' of chess, neither a file nor one of: none"):
        find_map("chess", "duel")
    for word in (str(tmp_path), "a\0b", ""):
        with pytest.raises(GameError, match="there is no map"):
            find_map("tron", word)


def test_a_file_that_is_no_text_is_refused(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_bytes(b"3 1\n\xff")
    with pytest.raises(GameError, match=r"mine\.txt: a map is a text in UTF-8"):
        find_map("tron", str(path))
