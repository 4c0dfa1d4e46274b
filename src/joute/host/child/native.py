"""What the two native interfaces share: the clock a bot sees, the answers it may give."""

import operator
import time

from .channel import MESSAGE_CHARACTERS
from .errors import IllegalAnswer, bounded, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict


class Clock:
    """The time of one turn, in seconds of CPU.

    `seconds` is what every turn may take, `left()` what is left of it now; beyond that the turn
    draws on `bank`. `last` is what the turn before was charged.
    """

    __slots__ = ("_began", "_left", "bank", "last", "seconds")

    def __init__(self, seconds: float, message: "Dict[str, Any]") -> None:
        told = message.get("clock", {})
        self.seconds = seconds
        self.bank = told.get("bank_ms", 0.0) / 1000
        self.last = told.get("last_ms", 0.0) / 1000
        self._left = float(told.get("left_ms", 1000 * seconds)) / 1000
        self._began = time.process_time()

    def left(self) -> float:
        """The CPU seconds left of this turn without the bank; negative when they are over."""
        return self._left - (time.process_time() - self._began)


def reply(answer: object) -> "Dict[str, Any]":
    """The answer as the referee reads it. Raises IllegalAnswer if it is no action."""
    if isinstance(answer, dict) and "action" in answer:
        message = answer.get("message") or ""
        text = bounded(str(message), MESSAGE_CHARACTERS)
        return {"action": _action(answer["action"], answer), "message": text}
    return {"action": _action(answer, answer)}


def _action(action: object, answer: object) -> object:
    if isinstance(action, str):
        return action.encode("utf-8", "replace").decode("utf-8")
    if isinstance(action, (list, tuple)):
        return [_action(each, answer) for each in action]
    if isinstance(action, bool) or not hasattr(action, "__index__"):
        raise IllegalAnswer(
            f"play answered {shown(answer)}: expected a whole number, a text, a list of them, or a "
            "dictionary with 'action' and perhaps 'message'"
        )
    number = operator.index(action)
    if not -(1 << 31) < number < 1 << 31:
        raise IllegalAnswer("play answered a number too large: " + shown(answer))
    return number
