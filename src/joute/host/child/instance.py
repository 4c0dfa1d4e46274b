"""The native interface of a class: `Bot` with `play`, and perhaps `start(info)`, `end(returns)`.

One object plays one game; `start` gets the referee's first message (`game`, `parameters`,
`player`, `names`, `seed`, `move_seconds`, `events`).
"""

from .native import Clock, reply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Dict


ORDER = 30
WANTED = "Bot"
LOOKED_FOR = "class Bot"


def found(module: "ModuleType", forced: bool) -> bool:
    """Whether a bot has the interface."""
    return callable(getattr(module, "Bot", None))


class Adapter:
    """A bot that is an object."""

    def __init__(self, module: "ModuleType", start: "Dict[str, Any]") -> None:
        self._bot = module.Bot()
        self._seconds = float(start["move_seconds"])
        if hasattr(self._bot, "start"):
            self._bot.start({k: v for k, v in start.items() if k not in ("type", "protocol")})

    def play(self, message: "Dict[str, Any]") -> "Dict[str, Any]":
        """The answer to a `play` message. Raises IllegalAnswer, and what the bot raises."""
        return reply(self._bot.play(message["observation"], Clock(self._seconds, message)))

    def end(self, message: "Dict[str, Any]") -> None:
        """Tells the bot the returns."""
        if hasattr(self._bot, "end"):
            self._bot.end(message["returns"])
