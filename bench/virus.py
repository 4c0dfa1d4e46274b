"""The measurements of `bench virus`: kernels against C, hosted bots, contests, start-up."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import dedent

from bench.against_c import NoCompilerError
from bench.hosted import FIRST_LEGAL, round_trip_row, start_row
from bench.rows import Row
from bench.system import command_line_row, contest_rows
from bench.virus_c import VirusC
from bench.virus_kernels import playout_row, search_row
from joute.core.registry import make

GREEDY = dedent("""\
    def play(observation, clock):
        size, grid, legal = observation["size"], observation["grid"], observation["legal"]
        me = observation["to_move"]
        other = str(1 - me)
        best, best_turned = legal[-1], -1
        for action in legal[:-1] or legal:
            row, column = divmod(action, size)
            turned = 0
            for r in range(max(row - 1, 0), min(row + 2, size)):
                turned += grid[r][max(column - 1, 0) : column + 2].count(other)
            if turned > best_turned:
                best, best_turned = action, turned
        return best
    """)
"""A bot as people write them."""


def rows() -> Iterator[Row]:
    """Measures, one after the other: under two minutes."""
    game = make("virus")
    try:
        native: VirusC | None = VirusC()
        why = ""
    except NoCompilerError as error:
        native, why = None, f"skipped: {error}"
    yield playout_row(native, game, why)
    yield search_row(native, game, "lead", why)
    yield search_row(native, game, "fitted", why)
    with TemporaryDirectory() as name:
        folder = Path(name)
        first, greedy = folder / "first.py", folder / "greedy.py"
        first.write_text(FIRST_LEGAL, "ascii")
        greedy.write_text(GREEDY, "ascii")
        yield round_trip_row(game, first)
        yield start_row(game, first)
        yield command_line_row()
        yield from contest_rows("inline, greedy", ["builtin:greedy"] * 2, 400)
        yield from contest_rows(
            "inline, alphabeta?nodes=2000", ["builtin:alphabeta?nodes=2000"] * 2, 240
        )
        yield from contest_rows("hosted, Python", [str(first), str(greedy)], 120)
