"""The figures of `joute tron` as text."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Sequence
from itertools import groupby

from joute.cli.output import print_drawn
from joute.cli.playing.colours import palette
from joute.cli.tables import print_table
from joute.games.tron.workshop.report import RoomReport, at_most, explained, position
from joute.games.tron.workshop.rooms import columns, narrow, wide
from joute.games.tron.workshop.series import Figure, SkippedGames, SoloGame, summary
from joute.i18n.figures import duration
from joute.i18n.recognised import recognised
from joute.i18n.words import say

TEXT_COLUMNS = 100  # longer lines are hard to read


def print_sum(played: Sequence[SoloGame], bound: int, seed: str) -> None:
    """Prints the results of the games, and the faults in them."""
    over = [course.played for course in played if course.played]
    for number, game in enumerate(over, 1):
        for fault in game.faults[:1]:
            text = say("tron.fault", number=number, count=len(game.faults), ply=fault.ply)
            lines = str(recognised(fault.detail)).splitlines() or [fault.fault]
            print(f"{text} {lines[-1]}")
    total = summary([game.moves for game in over])
    print()
    print(
        say(
            "tron.sum",
            games=total.games,
            mean=spread(total.mean, total.error),
            best=total.best,
            bound=bound,
            seed=seed,
        )
    )


def print_figures(figures: Sequence[Figure], reference: dict[int, int]) -> None:
    """Prints a line for each form and number of simulations."""
    keys = ["form", "simulations", "games", "mean", "best", "seconds"]
    rows = []
    for figure in figures:
        row = [
            say(f"tron.form.{figure.form}"),
            str(figure.simulations),
            str(figure.games),
            spread(figure.mean, figure.error),
            str(figure.best),
            seconds(figure.move_seconds),
        ]
        rows.append([*row, str(reference.get(figure.simulations, ""))] if reference else row)
    if reference:
        keys.append("workshop")
    print_table([say(f"tron.column.{key}") for key in keys], rows, numbers=range(1, len(keys)))


def print_missing(missing: Sequence[SkippedGames], cap: float) -> None:
    """Prints the games that were left out, and why."""
    print()
    # Games that were not even begun are told in one line for each form.
    alike = groupby(missing, lambda each: (each.form, each.games, each.move_seconds))
    for group in (list(each) for _, each in alike):
        each = group[0]
        text = say(
            "tron.short" if each.games else "tron.skipped",
            form=say(f"tron.form.{each.form}"),
            simulations=", ".join(str(one.simulations) for one in group),
            games=each.games,
            wanted=each.wanted,
            cap=duration(cap),
        )
        if not each.games and each.move_seconds is not None:
            text += " " + say("tron.slow", seconds=seconds(each.move_seconds))
        print(text)


def print_reports(reports: Sequence[RoomReport]) -> None:
    """Prints a table of the rooms, then the worst move in each of them."""
    rows = [
        [
            each.room.name,
            str(each.cells),
            spread(each.games.mean, each.games.error),
            str(each.games.best),
            seconds(each.seconds),
            str(each.champion.moves),
            seconds(each.champion.seconds),
            str(len(each.filling.cells)),
            str(at_most(each)),
        ]
        for each in reports
    ]
    keys = ("map", "cells", "mean", "best", "game", "champion", "game", "filled", "bound")
    print_table([say(f"tron.column.{key}") for key in keys], rows, numbers=range(1, len(keys)))
    colours = palette(sys.stdout, os.environ)
    width = min(shutil.get_terminal_size().columns, TEXT_COLUMNS)
    for each in reports:
        path, marks = position(each)
        draw = wide if columns(path, 2) <= width else narrow
        print()
        print_drawn(colours.paint([(each.room.name, "bold")]))
        print("\n".join(textwrap.wrap(explained(each), width)))
        print()
        print_drawn(colours.lines(draw(path, marks)))
    print()


def seconds(number: float) -> str:
    """A time in two digits that count."""
    return f"{number:.2g}" if number < 1 else f"{number:.1f}"


def spread(mean: float, error: float | None) -> str:
    """A mean with its standard error, where there is one."""
    return f"{mean:.1f}" if error is None else f"{mean:.1f} ± {error:.1f}"
