"""The HX2 contest's interface: `ia(game, side)` answers [row, column], or False to pass.

Each call gets a copy of `game` of its own, built from the referee's observation and events, so
that what a bot writes into it is lost, except its own `misc`, which lasts as long as the process.
"""

import marshal
import operator

from joute.host.child.errors import CannotLoad, IllegalAnswer, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Dict, List

ORDER = 10
WANTED = "def ia(game, side)"

SIDES = ("player_1", "player_2")
PASS = "pass"
# Bytes of a row of the grid, as the referee writes it, to the contest's numbers.
_NUMBERS = bytes.maketrans(b".01", bytes([0, 1, 2]))


def _refuses(*_: object) -> None:
    """Stands for the opponent's function, which a bot must not call."""
    raise RuntimeError("the opponent's ia cannot be called")


def found(module: "ModuleType", forced: bool) -> bool:
    """Whether a bot has the interface."""
    return callable(getattr(module, "ia", None))


def refusal(parameters: "Dict[str, Any]") -> str:
    """The reason why a game with these parameters is none for the contest's bots, or ""."""
    if "voluntary_pass" in parameters:
        return ""
    return "a bot of the HX2 contest plays Virus, and this game is none"


class Adapter:
    """A bot with the HX2 contest's interface."""

    def __init__(self, module: "ModuleType", start: "Dict[str, Any]") -> None:
        refused = refusal(start["parameters"])
        if refused:
            raise CannotLoad(refused)
        self._ia = module.ia
        self._player = int(start["player"])
        self._names = [str(name) for name in start["names"]]
        self._misc = {}  # type: Any
        self._starts = True
        self._history = []  # type: List[Any]
        self._know(start.get("events", ()))

    def play(self, message: "Dict[str, Any]") -> "Dict[str, Any]":
        """The answer to a `play` message. Raises IllegalAnswer, and what the bot raises."""
        self._know(message["events"])
        observation = message["observation"]
        game = self._game(observation)
        side = SIDES[self._player]
        own = game[side]
        try:
            answer = self._ia(game, side)
        finally:
            # A bot may write into misc or bind it anew; both last.
            self._misc = own.get("misc", self._misc)
        return {"action": _action(answer, len(observation["grid"]))}

    def end(self, message: "Dict[str, Any]") -> None:
        """The contest's bots are not told of the end."""

    def _know(self, events: "List[Dict[str, Any]]") -> None:
        """Adds events to the history, in the contest's own form."""
        for event in events:
            player = event["player"]
            if player < 0:
                self._starts = event["action"] == 0
            elif event["text"] == PASS:
                # The page says False; the contest's program stored the text.
                self._history.append([SIDES[player], "False"])
            else:
                row, column = _cell(event["text"])
                self._history.append([SIDES[player], [row, column, event["turned"]]])

    def _game(self, observation: "Dict[str, Any]") -> "Dict[str, Any]":
        """The contest's dictionary, with its keys in the order of the contest's page."""
        scores = observation["scores"]
        functions = [_refuses, _refuses]
        functions[self._player] = self._ia
        notes = [{}, {}]  # type: List[Any]
        notes[self._player] = self._misc
        return {
            "player_1": {
                "start": self._starts,
                "name": self._names[0],
                "misc": notes[0],
                "score": scores[0],
                "ia": functions[0],
            },
            "player_2": {
                "name": self._names[1],
                "misc": notes[1],
                "score": scores[1],
                "ia": functions[1],
            },
            "grid": [list(row.encode().translate(_NUMBERS)) for row in observation["grid"]],
            "references": {"player_1": 1, "player_2": 2, "neutral": 0},
            # Several times faster than copying nested lists one by one; the bytes are ours.
            "history": marshal.loads(marshal.dumps(self._history)),  # noqa: S302
        }


def _cell(text: str) -> "tuple[int, int]":
    """Row and column of a cell as the referee writes it: "a1" is (0, 0)."""
    return int(text[1:]) - 1, ord(text[0]) - ord("a")


def _action(answer: object, size: int) -> str:
    """The answer as the referee reads it."""
    if answer is False:
        return PASS
    if isinstance(answer, (list, tuple)) and len(answer) >= 2:
        row, column = _index(answer[0]), _index(answer[1])
        if 0 <= row < size and 0 <= column < size:
            return chr(ord("a") + column) + str(row + 1)
    raise IllegalAnswer(
        f"ia answered {shown(answer)}: expected [row, column] from 0 to {size - 1}, or False"
    )


def _index(value: object) -> int:
    """`value` as a whole number; -1, which is in no grid, for anything else."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        return -1
    return operator.index(value)
