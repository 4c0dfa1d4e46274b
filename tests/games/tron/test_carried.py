"""A player carried to the Google AI Challenge 2010, in a stand-in of its engine."""

import io
import subprocess
import sys

import pytest
from games.tron.oracle import Oracle

from joute import bots
from joute.core.interface import mover, play, start
from joute.core.registry import make
from joute.games.tron.carried import Driver, read_maps
from joute.games.tron.carried import run as program

ROOM = ["#" * 9, *["#" + " " * 7 + "#"] * 7, "#" * 9]
MAP = [*ROOM]
MAP[2] = "#1  #   #"
MAP[6] = "#   #  2#"
OPEN = ["1   ", "    ", "   2"]  # without walls around it
DIGITS = {"1": 1, "2": 2, "3": 3, "4": 0}
CHAMPION = "builtin:champion?nodes=300"
SEED = 7


class Engine:
    """The contest's engine: both programs get the map, each as `1`, and both move at once."""

    def __init__(self, rows):
        self.oracle = Oracle([rows], 2)
        self.choices = []

    def rows(self, bike):
        """The map as the program of a bike reads it."""
        heads = {self.oracle.heads[bike]: "1", self.oracle.heads[1 - bike]: "2"}
        width, height = self.oracle.width, self.oracle.height
        return [
            "".join(
                heads.get(cell, " " if self.oracle.free(cell) else "#")
                for cell in ((x, height - 1 - top, 0) for x in range(width))
            )
            for top in range(height)
        ]

    def run(self, programs):
        """Plays to the end; `programs` answer a map by a digit."""
        while not self.oracle.over():
            asked = [DIGITS[program(self.rows(bike))] for bike, program in enumerate(programs)]
            self.choices.append(asked)
            self.oracle.play_round(lambda bike, free, asked=asked: asked[bike])
        return self.choices


def first_free(rows):
    """A program that takes the first free direction: north, east, south, west."""
    [(x, y)] = [(row.index("1"), y) for y, row in enumerate(rows) if "1" in row]
    steps = {"1": (0, -1), "2": (1, 0), "3": (0, 1), "4": (-1, 0)}
    for digit, (right, down) in steps.items():
        inside = 0 <= y + down < len(rows) and 0 <= x + right < len(rows[0])
        if inside and rows[y + down][x + right] == " ":
            return digit
    return "1"


def text_of(rows):
    return "\n".join([f"{len(rows[0])} {len(rows)}", *rows]) + "\n"


@pytest.mark.parametrize("rows", [MAP, OPEN], ids=["walled", "open"])
@pytest.mark.parametrize("seat", [0, 1])
def test_the_carried_champion_plays_as_the_one_built_in(seat, rows):
    engine = Engine(rows)
    begin = engine.rows(seat)
    programs = [first_free, first_free]
    programs[seat] = Driver(CHAMPION, 1.0, SEED).answer
    choices = engine.run(programs)
    game = make("tron", map=text_of(begin))
    twin = bots.make("champion", {"nodes": "300"}, bots.Seating(game, 0, SEED, 1.0))
    state = start(game)
    for asked in choices:
        if mover(game, state.tolist()) == 0:
            assert twin.play(state.copy()).action == asked[seat]
        for bike, choice in enumerate((asked[seat], asked[1 - seat])):
            if mover(game, state) == bike:
                play(game, state, choice)
    assert len(choices) > 3


def test_what_is_written_is_a_program_of_the_contest(run, tmp_path):
    folder = tmp_path / "mine"
    made = run("carry", "tron", "builtin:wall", folder)
    assert (made.code, made.err) == (0, "")
    written = folder / "program.py"
    assert written.stat().st_mode & 0o111
    engine = Engine(MAP)
    with subprocess.Popen(
        [sys.executable, written], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:

        def ask(rows):
            process.stdin.write(text_of(rows))
            process.stdin.flush()
            return process.stdout.readline().strip()

        assert len(engine.run([ask, first_free])) > 3
        process.stdin.close()
        assert process.wait(60) == 0


def test_each_map_is_answered_by_a_line_until_the_input_ends():
    second = [row.replace("1", "#") for row in MAP]
    second[3] = "#1  #   #"
    second[6] = "#   # 2##"
    answers = io.StringIO()
    maps = io.StringIO(text_of(MAP) + text_of(second))
    program("builtin:wall", seed=SEED, maps=maps, answers=answers)
    assert len(answers.getvalue().split()) == 2
    assert set(answers.getvalue()) <= set("1234\n")


def test_a_map_that_does_not_follow_begins_a_game():
    driver = Driver("builtin:wall", 1.0, SEED)
    assert driver.answer(MAP) in DIGITS
    assert driver.answer(OPEN) in ("2", "3")
    assert driver.answer(MAP) in DIGITS


def test_who_has_no_free_cell_answers_all_the_same():
    shut = ["####", "#1##", "#  2", "####"]
    assert Driver("builtin:wall", 1.0, SEED).answer(["####", "#1#2", "####"]) == "1"
    assert Driver("builtin:wall", 1.0, SEED).answer(shut) == "3"


def test_rows_may_have_lost_the_spaces_at_their_ends():
    assert list(read_maps(io.StringIO("\n3 2\n1\n  2\n"))) == [["1  ", "  2"]]
