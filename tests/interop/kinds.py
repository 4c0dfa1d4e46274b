"""Games of every kind that other libraries are offered: Joute's own, and some from outside."""

from pathlib import Path
from typing import Any, NamedTuple

import pytest

from joute.core.registry import names

OUTSIDE = Path(__file__).parents[2] / "examples" / "games"
HERE = Path(__file__).parents[1] / "games"
CONNECT_FOUR = str(OUTSIDE / "connect_four.py")
OTHELLO = str(OUTSIDE / "othello.py")
PENNIES = str(HERE / "pennies.py")
KUHN = str(HERE / "kuhn.py")


class Kind(NamedTuple):
    """A game with parameters."""

    name: str
    values: dict[str, Any] = {}  # noqa: RUF012

    def __str__(self) -> str:
        values = ",".join(f"{key}={value}" for key, value in self.values.items())
        return "-".join(filter(None, (Path(self.name).stem, values)))


def cases(*kinds: Kind, tier: str = "") -> list[Any]:
    """Kinds as the parameters of a usual test, or of one of another tier."""
    marks = [getattr(pytest.mark, tier)] if tier else []
    return [pytest.param(kind, id=str(kind), marks=marks) for kind in kinds]


QUICK = cases(Kind(CONNECT_FOUR), Kind(PENNIES), Kind(KUHN), Kind(str(HERE / "odd_one_out.py")))
OWN = cases(*map(Kind, names()), Kind("love-letter", {"players": 4}), tier="full")
SEVERAL = [Kind("tron", {"players": seats}) for seats in (3, 4)]
SEVERAL += [Kind("tron", {"map": "eight", "players": seats}) for seats in (5, 6)]
MORE = cases(*SEVERAL, Kind("virus", {"size": 5}), Kind(OTHELLO), tier="thorough")
MORE += cases(*(Kind("love-letter", {"players": seats}) for seats in (3, 5, 6)), tier="thorough")
MORE += cases(Kind(str(HERE / "poker.py")), tier="thorough")
KINDS = QUICK + OWN + MORE
"""Two and more seats; chance, hidden cards, simultaneous choices, turns of several actions."""

AT_ONCE = cases(Kind(PENNIES), Kind(str(HERE / "odd_one_out.py")))
AT_ONCE += cases(Kind("tron"), SEVERAL[2], tier="full")
AT_ONCE += cases(SEVERAL[0], SEVERAL[1], SEVERAL[3], tier="thorough")
"""Those whose players choose at once."""
