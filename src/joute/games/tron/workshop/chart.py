"""The figures of `joute tron table` as a line chart."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10

from joute.games.tron.workshop.figures import Figure
from joute.i18n.words import say
from joute.svg import Svg

WIDTH, HEIGHT = 720, 440
LEFT, RIGHT, TOP, BOTTOM = 64, 24, 84, 56  # margins
INSIDE = 24  # columns between the frame and the first and the last number of simulations
SHIFT = 5  # columns between the markers of two forms
COLOURS = ("blue", "orange", "green")
Z95 = 1.96
STEP = 20  # moves between two lines of the grid


class Axes:
    """Where a number of simulations (log scale) and of moves is drawn."""

    def __init__(self, simulations: Sequence[int], most: float) -> None:
        self.decades = range(int(log10(min(simulations))), _up(log10(max(simulations))) + 1)
        if len(self.decades) == 1:
            self.decades = range(self.decades[0], self.decades[0] + 2)
        self.top = STEP * (int(most) // STEP + 1)

    def x(self, simulations: float) -> float:
        """The column of a number of simulations."""
        first, last = self.decades[0], self.decades[-1]
        width = WIDTH - LEFT - RIGHT - 2 * INSIDE
        return LEFT + INSIDE + width * (log10(simulations) - first) / (last - first)

    def y(self, moves: float) -> float:
        """The row of a number of moves."""
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * moves / self.top


def _up(number: float) -> int:
    return -int(-number // 1)


def chart(figures: Sequence[Figure], reference: dict[int, int], bound: int, name: str) -> str:
    """An SVG of mean moves by simulations, a line for each form; `reference` by simulations."""
    picture = Svg(WIDTH, HEIGHT, say("tron.chart.title", map=name))
    picture.text(LEFT, 26, say("tron.chart.title", map=name), 17, bold=True)
    forms = list(dict.fromkeys(figure.form for figure in figures))
    axes = Axes([figure.simulations for figure in figures], bound)
    _grid(picture, axes)
    picture.line([(LEFT, axes.y(bound)), (WIDTH - RIGHT, axes.y(bound))], "ink", 1.5, "2 4")
    picture.text(LEFT + 6, axes.y(bound) - 5, say("tron.chart.bound", bound=bound), 12, "dim")
    shown = {count: mean for count, mean in reference.items() if axes.x(count) <= WIDTH - RIGHT}
    if shown:
        points = [(axes.x(count), axes.y(mean)) for count, mean in shown.items()]
        picture.line(points, "dim", 1.5, "6 4")
        for x, y in points:
            picture.ring(x, y, 4.5, "dim")
    for place, form in enumerate(forms):
        shift = SHIFT * (place - (len(forms) - 1) / 2)
        _series(picture, axes, [each for each in figures if each.form == form], place, shift)
    _legend(picture, forms, bool(shown))
    return picture.written()


def _grid(picture: Svg, axes: Axes) -> None:
    for moves in range(0, axes.top + 1, STEP):
        y = axes.y(moves)
        picture.line([(LEFT, y), (WIDTH - RIGHT, y)], "grid", 1)
        picture.text(LEFT - 8, y + 4, str(moves), 12, "dim", "end")
    for decade in axes.decades:
        x = axes.x(10**decade)
        picture.line([(x, TOP), (x, HEIGHT - BOTTOM)], "grid", 1)
        label = f"{10**decade:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")
        picture.text(x, HEIGHT - BOTTOM + 18, label, 12, "dim", "middle")
    picture.text(LEFT - 8, TOP - 12, say("tron.chart.y"), 12, "dim", "end")
    middle = (LEFT + WIDTH - RIGHT) / 2
    picture.text(middle, HEIGHT - 12, say("tron.chart.x"), 13, "ink", "middle")


def _series(picture: Svg, axes: Axes, figures: Sequence[Figure], place: int, shift: float) -> None:
    """The line of a form, with the 95 % interval of each mean.

    It is shifted to the side, because forms with equal means would hide each other.
    """
    colour = COLOURS[place % len(COLOURS)]
    points = [(axes.x(each.simulations) + shift, axes.y(each.mean)) for each in figures]
    if len(points) > 1:
        picture.line(points, colour)
    for (x, y), each in zip(points, figures, strict=True):
        if each.error is not None:
            low, high = (axes.y(each.mean + side * Z95 * each.error) for side in (-1, 1))
            picture.line([(x, low), (x, high)], colour, 1.5)
            for end in (low, high):
                picture.line([(x - 4, end), (x + 4, end)], colour, 1.5)
        _marker(picture, x, y, place, colour)


def _marker(picture: Svg, x: float, y: float, place: int, colour: str) -> None:
    """A shape of its own for each form, for who sees no colours."""
    if place % len(COLOURS) == 0:
        picture.circle(x, y, 4.5, colour)
    elif place % len(COLOURS) == 1:
        picture.rectangle(x - 4, y - 4, 8, 8, colour)
    else:
        picture.line([(x - 4, y - 4), (x + 4, y + 4)], colour, 2.5)
        picture.line([(x - 4, y + 4), (x + 4, y - 4)], colour, 2.5)


def _legend(picture: Svg, forms: Sequence[str], reference: bool) -> None:
    x = float(LEFT)
    for place, form in enumerate(forms):
        _marker(picture, x + 5, 46, place, COLOURS[place % len(COLOURS)])
        text = say(f"tron.form.{form}")
        picture.text(x + 16, 50, text, 13)
        x += 34 + 7.4 * len(text)
    if reference:
        picture.ring(x + 5, 46, 4.5, "dim")
        picture.text(x + 16, 50, say("tron.form.workshop"), 13)
