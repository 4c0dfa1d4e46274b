"""Pictures as SVG: a small writer, with colours for light and for dark surroundings.

Elements get their colours by class, so that one rule makes a picture dark where its reader asks for
that. Fonts are the generic ones of whoever shows the picture.
"""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

# Okabe and Ito's colours where things must be told apart: (light, dark).
COLOURS = {
    "paper": ("#ffffff", "#15191e"),
    "ink": ("#1c2329", "#e4e8ec"),
    "dim": ("#5d6872", "#9aa5b0"),
    "grid": ("#dde2e7", "#333b43"),
    "wall": ("#66707a", "#56606a"),
    "free": ("#f1f3f5", "#20262c"),
    "blue": ("#0072b2", "#56a9e0"),
    "orange": ("#c77700", "#f0b040"),
    "green": ("#008060", "#3dc9a3"),
    "red": ("#c43c00", "#ff7f50"),
    "purple": ("#b45f90", "#d78fb7"),
    "lost": ("#ffd9a0", "#6b4a10"),
    "accent": ("#8c1c49", "#f793b6"),
    "wash": ("#f7e8ee", "#35202b"),
}
CAP = 5  # half the height of the ends of an interval
_FONT = "font-family:sans-serif"


class Svg:
    """A picture, `width` by `height` pixels, of elements in the order they are added."""

    def __init__(self, width: float, height: float, title: str) -> None:
        self.width = width
        self.height = height
        self._title = title
        self._parts: list[str] = []
        self.rectangle(0, 0, width, height, "paper")

    def rectangle(
        self, x: float, y: float, width: float, height: float, fill: str, opacity: float = 1
    ) -> None:
        """A filled rectangle; `fill` and `stroke` here and below are names of COLOURS."""
        more = {} if opacity == 1 else {"fill_opacity": opacity}
        self._add("rect", f"f-{fill}", x=x, y=y, width=width, height=height, **more)

    def circle(self, x: float, y: float, radius: float, fill: str) -> None:
        """A filled circle."""
        self._add("circle", f"f-{fill}", cx=x, cy=y, r=radius)

    def ring(self, x: float, y: float, radius: float, stroke: str, thick: float = 2) -> None:
        """A circle that is not filled."""
        self._add("circle", f"s-{stroke}", cx=x, cy=y, r=radius, stroke_width=thick)

    def lozenge(self, x: float, y: float, radius: float, fill: str) -> None:
        """A filled square on one of its corners, which are `radius` from its centre."""
        corners = [(x, y - radius), (x + radius, y), (x, y + radius), (x - radius, y)]
        self._add("polygon", f"f-{fill}", points=_points(corners))

    def line(
        self, points: list[tuple[float, float]], stroke: str, thick: float = 2, dashes: str = ""
    ) -> None:
        """A line through points; `dashes` as SVG writes them."""
        more = {"stroke_dasharray": dashes} if dashes else {}
        self._add("polyline", f"s-{stroke}", points=_points(points), stroke_width=thick, **more)

    def whisker(self, low: float, high: float, y: float, stroke: str) -> None:
        """A level line between two ends with caps: an interval."""
        self.line([(low, y), (high, y)], stroke)
        for x in (low, high):
            self.line([(x, y - CAP), (x, y + CAP)], stroke)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float = 14,
        fill: str = "ink",
        anchor: str = "start",
        bold: bool = False,
    ) -> None:
        """A line of text whose base line begins (`anchor`: start, middle, end) at a point."""
        more = {"font_weight": "bold"} if bold else {}
        attributes: dict[str, float | str] = {"x": x, "y": y, "font_size": size}
        attributes |= {"text_anchor": anchor, **more}
        self._parts.append(_opened("text", f"f-{fill}", attributes) + f">{escape(text)}</text>")

    def written(self) -> str:
        """The document."""
        size = f'width="{_number(self.width)}" height="{_number(self.height)}"'
        box = f'viewBox="0 0 {_number(self.width)} {_number(self.height)}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box} role="img">'
        title = f"<title>{escape(self._title)}</title>"
        parts = [head, title, f"<style>{_rules()}</style>", *self._parts, "</svg>", ""]
        return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', *parts])

    def inside(self) -> str:
        """The element as a page holds it whose style sheet has rules for the classes."""
        box = f'viewBox="0 0 {_number(self.width)} {_number(self.height)}"'
        head = f'<svg class="plot" {box} role="img" aria-label={quoteattr(self._title)}>'
        return "\n".join([head, *self._parts, "</svg>"])

    def _add(self, name: str, style: str, **attributes: float | str) -> None:
        self._parts.append(_opened(name, style, attributes) + "/>")


def _opened(name: str, style: str, attributes: dict[str, float | str]) -> str:
    written = [
        f"{key.replace('_', '-')}={quoteattr(value if isinstance(value, str) else _number(value))}"
        for key, value in attributes.items()
    ]
    return " ".join([f"<{name}", f'class="{style}"', *written])


def _points(points: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _rules() -> str:
    """The rules of the classes, the dark ones where the reader prefers them."""
    shared = f"text{{{_FONT}}}polyline,circle{{stroke-linejoin:round;stroke-linecap:round}}"
    light, dark = (
        "".join(
            f".f-{name}{{fill:{pair[place]}}}.s-{name}{{fill:none;stroke:{pair[place]}}}"
            for name, pair in COLOURS.items()
        )
        for place in (0, 1)
    )
    return f"{shared}{light}@media (prefers-color-scheme:dark){{{dark}}}"
