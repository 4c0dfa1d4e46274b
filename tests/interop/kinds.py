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


def cases(*kinds: Kind, full: bool = False) -> list[Any]:
    """Kinds as the parameters of a test."""
    marks = [pytest.mark.full] if full else []
    return [pytest.param(kind, id=str(kind), marks=marks) for kind in kinds]


QUICK = cases(Kind(CONNECT_FOUR), Kind(PENNIES), Kind(KUHN), Kind(str(HERE / "odd_one_out.py")))
SEVERAL = [Kind("love-letter", {"players": seats}) for seats in (3, 4, 5, 6)]
SEVERAL += [Kind("tron", {"players": seats}) for seats in (3, 4)]
SEVERAL += [Kind("tron", {"map": "eight", "players": seats}) for seats in (5, 6)]
OWN = cases(*map(Kind, names()), *SEVERAL, Kind("virus", {"size": 5}), full=True)
OWN += cases(Kind(OTHELLO), Kind(str(HERE / "poker.py")), full=True)
KINDS = QUICK + OWN
"""Two and more seats; chance, hidden cards, simultaneous choices, turns of several actions."""

AT_ONCE = cases(Kind(PENNIES), Kind(str(HERE / "odd_one_out.py")))
AT_ONCE += cases(Kind("tron"), *SEVERAL[-4:], full=True)
"""Those whose players choose at once."""
