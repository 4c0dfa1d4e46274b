"""The interface of the Tron workshop: a function receives a `Game` and answers (dx, dy).

Each turn it gets a `Game` of its own, built from the referee's observation, so that what it writes
into it is lost. The workshop's function is called `Play`; any name will do where the interface is
forced and the file defines no other public function.
"""

import copy
import operator
import sys

from joute.host.child.errors import CannotLoad, IllegalAnswer, shown
from joute.host.child.loading import own_functions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Dict

ORDER = 50
WANTED = "def Play(Game)"

MOVES = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""(dx, dy) of each direction of Tron, y upwards."""

WALL = "#"
# Of a floor's characters, as bytes: a wall of the room is 1, a trail 2; all else is free.
_NUMBERS = bytes(
    1 if byte == ord(WALL) else 2 if byte in b"012345678*" else 0 for byte in range(256)
)


class Game:
    """The workshop's own class.

    `Grille` is int8[width, height], indexed [x, y] from the bottom left: 0 free, 1 a wall of the
    room, 2 a trail. The player's cell is 0: its wall is made when it is left.
    """

    def __init__(
        self,
        Grille: "Any",  # noqa: N803 - the workshop's words
        PlayerX: int,  # noqa: N803
        PlayerY: int,  # noqa: N803
        Score: int = 0,  # noqa: N803
    ) -> None:
        self.PlayerX = PlayerX
        self.PlayerY = PlayerY
        self.Score = Score
        self.Grille = Grille

    def copy(self) -> "Game":
        """A copy that shares nothing."""
        return copy.deepcopy(self)


def found(module: "ModuleType", forced: bool) -> bool:
    """Whether a bot has the interface: the workshop lets everybody name the function."""
    shows = callable(getattr(module, "Play", None))
    return shows or (forced and len(own_functions(module)) == 1)


class Adapter:
    """A bot that is a function of the workshop's."""

    def __init__(self, module: "ModuleType", start: "Dict[str, Any]") -> None:
        reason = refusal(start["parameters"])
        if reason:
            raise CannotLoad(reason)
        self._numpy = _numpy()
        self._player = int(start["player"])
        name = "Play" if hasattr(module, "Play") else own_functions(module)[0]
        self._name = name
        self._function = getattr(module, name)

    def play(self, message: "Dict[str, Any]") -> "Dict[str, Any]":
        """The answer to a `play` message. Raises IllegalAnswer, and what the bot raises."""
        answer = self._function(self._game(message["observation"]))
        return {"action": _direction(answer, self._name)}

    def end(self, message: "Dict[str, Any]") -> None:
        """A function is not told of the end."""

    def _game(self, observation: "Dict[str, Any]") -> Game:
        rows = observation["floors"][0]
        x, y, _ = observation["heads"][self._player]
        edges = rows[0] + rows[-1] + "".join(row[0] + row[-1] for row in rows)
        if edges.strip(WALL):
            # The workshop's functions look one cell around without asking where the grid ends.
            side = WALL * (len(rows[0]) + 2)
            rows = [side, *(WALL + row + WALL for row in rows), side]
            x, y = x + 1, y + 1
        cells = "".join(rows).encode("latin-1", "replace").translate(_NUMBERS)
        numpy = self._numpy
        flat = numpy.frombuffer(cells, dtype=numpy.int8).reshape(len(rows), len(rows[0]))
        grid = numpy.array(numpy.flip(flat, 0).transpose(), order="C")
        grid[x, y] = 0
        return Game(grid, x, y, observation["points"][self._player])


def refusal(parameters: "Dict[str, Any]") -> str:
    """The reason why the workshop's `Game` cannot hold such a game; "" if it can."""
    if "map" not in parameters:
        return "a function of the Tron workshop plays Tron, and this game is none"
    sizes = [line.split() for line in parameters["map"].splitlines() if line.startswith("size ")]
    floors = int(sizes[0][3]) if sizes and len(sizes[0]) > 3 else 1
    if floors > 1:
        return f"a function of the Tron workshop knows one floor; this map has {floors}"
    return ""


def _numpy() -> "Any":
    """NumPy, which nothing else of Joute needs in the bot's interpreter."""
    try:
        import numpy
    except ImportError:
        raise CannotLoad(
            f"a Grille is a NumPy array, and {sys.executable} has no NumPy: install "
            "it there, or name another interpreter"
        ) from None
    return numpy


def _direction(answer: object, name: str) -> int:
    """The answer as the referee reads it."""
    pair = answer.tolist() if hasattr(answer, "tolist") else answer  # a NumPy array
    move = None
    if isinstance(pair, (list, tuple)) and len(pair) == 2:
        move = (_index(pair[0]), _index(pair[1]))
    if move not in MOVES:
        raise IllegalAnswer(
            f"{name} answered {shown(answer)}: expected (dx, dy), one of (-1, 0) left, (0, 1) up, "
            "(1, 0) right, (0, -1) down"
        )
    return MOVES.index(move)


def _index(value: object) -> int:
    """`value` as a whole number; 2, which is no step, for anything else."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        return 2
    return operator.index(value)
