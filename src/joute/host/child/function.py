"""The native interface of one function: `play(observation, clock)` answers an action."""

from .native import Clock, reply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Dict


ORDER = 40
WANTED = "play(observation, clock)"
LOOKED_FOR = "function play(observation, clock)"


def found(module: "ModuleType", forced: bool) -> bool:
    """Whether a bot has the interface."""
    return callable(getattr(module, "play", None))


class Adapter:
    """A bot that is a function."""

    def __init__(self, module: "ModuleType", start: "Dict[str, Any]") -> None:
        self._play = module.play
        self._seconds = float(start["move_seconds"])

    def play(self, message: "Dict[str, Any]") -> "Dict[str, Any]":
        """The answer to a `play` message. Raises IllegalAnswer, and what the bot raises."""
        return reply(self._play(message["observation"], Clock(self._seconds, message)))

    def end(self, message: "Dict[str, Any]") -> None:
        """A function is not told of the end."""
