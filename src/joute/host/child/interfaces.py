"""The interfaces that a bot may have: Joute's own two, and those of other contests.

Joute's own are a function `play(observation, clock)`, which answers an action, and a class `Bot`
with `play`, and perhaps `start(info)` and `end(returns)`: one object plays one game, and `info` is
the referee's first message (`game`, `parameters`, `player`, `names`, `seed`, `move_seconds`,
`events`).

An interface has these names:

- `Adapter(module, start)`, which serves a bot over one game, with `play(message)` and
  `end(message)`;
- `found(module, forced)`: whether a bot's module has the interface; `forced` if it is named;
- `ORDER`: a bot that has several interfaces is served by the one of the lowest number;
- `WANTED`: what a bot defines, as Python has it, such as "class Bot";
- perhaps `refusal(parameters)`: why a game cannot be played so, "" if it can.

A bot of another contest's interface may have a dictionary called `joute`, into which it puts the
metrics and marks of a turn, as its answer has no place for them.

Those of other contests are modules of a single file, written for Python 3.8, that import its
standard library, `joute.host.child.errors` and `joute.host.child.loading`, and nothing else.
"""

import importlib.util
import math
import operator
import sys
import time
from types import CoroutineType, SimpleNamespace

from . import errors, loading
from .channel import MESSAGE_CHARACTERS
from .errors import IllegalAnswer, bounded, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Dict


_ANNOTATIONS = ("metrics", "marks")
# More than the referee keeps, so that it is the referee who says what is too much.
_MOST, _DEEPEST, _LONGEST, _LARGEST = 200, 4, 200, 1 << 62


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
        found = {"action": _action(answer["action"], answer), "message": text}
        for name in _ANNOTATIONS:
            if answer.get(name) is not None:
                found[name] = _readable(answer[name])
        return found
    return {"action": _action(answer, answer)}


def left_beside(module: "ModuleType") -> "Dict[str, Any]":
    """The metrics and marks in the dictionary `joute` of a bot, which is empty then."""
    given = getattr(module, "joute", None)
    if type(given) is not dict:
        return {}
    found = {name: _readable(given[name]) for name in _ANNOTATIONS if given.get(name) is not None}
    given.clear()
    return found


def _readable(value: object) -> object:
    """Figures and marks as JSON has them, whatever the bot gave: no turn is lost for them."""
    try:
        return _plain(value)
    except Exception:
        return shown(value)


def _plain(value: object, depth: int = 0) -> object:
    """Figures and marks as JSON has them; of anything else a text, which the referee refuses."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")[:_LONGEST]
    if depth < _DEEPEST:
        if hasattr(value, "tolist"):  # an array or a number of NumPy's
            return _plain(value.tolist(), depth + 1)
        if isinstance(value, dict):
            pairs = list(value.items())[:_MOST]
            return {str(key)[:_LONGEST]: _plain(each, depth + 1) for key, each in pairs}
        if isinstance(value, (list, tuple)):
            return [_plain(each, depth + 1) for each in value[:_MOST]]
    if isinstance(value, int) and abs(value) < _LARGEST:
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    return shown(value, _LONGEST)


def _action(action: object, answer: object) -> object:
    if isinstance(action, str):
        return action.encode("utf-8", "replace").decode("utf-8")
    if isinstance(action, (list, tuple)):
        return [_action(each, answer) for each in action]
    if isinstance(action, bool) or not hasattr(action, "__index__"):
        if isinstance(action, CoroutineType):
            action.close()  # else Python warns, in a line of ours, that nobody awaited it
        raise IllegalAnswer(
            f"play answered {shown(answer)}: expected a whole number, a text, a list of them, or a "
            "dictionary with 'action' and perhaps 'message'"
        )
    number = operator.index(action)
    if not -(1 << 31) < number < 1 << 31:
        raise IllegalAnswer("play answered a number too large: " + shown(answer))
    return number


class _FunctionAdapter:
    def __init__(self, module: "ModuleType", start: "Dict[str, Any]") -> None:
        self._play = module.play
        self._seconds = float(start["move_seconds"])

    def play(self, message: "Dict[str, Any]") -> "Dict[str, Any]":
        """Answers a `play` message. Raises IllegalAnswer, and what the bot raises."""
        return reply(self._play(message["observation"], Clock(self._seconds, message)))

    def end(self, message: "Dict[str, Any]") -> None:
        """Does nothing: a function is not told of the end."""


class _ClassAdapter(_FunctionAdapter):
    def __init__(self, module: "ModuleType", start: "Dict[str, Any]") -> None:
        self._bot = module.Bot()
        self._seconds = float(start["move_seconds"])
        if hasattr(self._bot, "start"):
            self._bot.start({k: v for k, v in start.items() if k not in ("type", "protocol")})

    def _play(self, observation: "Any", clock: Clock) -> object:
        return self._bot.play(observation, clock)

    def end(self, message: "Dict[str, Any]") -> None:
        """Tells the bot the returns."""
        if hasattr(self._bot, "end"):
            self._bot.end(message["returns"])


OWN = {
    "class": SimpleNamespace(
        Adapter=_ClassAdapter,
        found=lambda module, forced: callable(getattr(module, "Bot", None)),
        ORDER=30,
        WANTED="class Bot",
    ),
    "function": SimpleNamespace(
        Adapter=_FunctionAdapter,
        found=lambda module, forced: callable(getattr(module, "play", None)),
        ORDER=40,
        WANTED="def play(observation, clock)",
    ),
}
"""Joute's own interfaces, by name."""

# Nothing called `joute` is ever there for a bot to import, so the names hold only meanwhile.
_LENT = {"joute.host.child.errors": errors, "joute.host.child.loading": loading}

_NEEDED = ("Adapter", "found", "ORDER", "WANTED")

_loaded = {}  # type: Dict[str, ModuleType]
_broken = {}  # type: Dict[str, str]


def load(files: "Dict[str, str]") -> "Dict[str, Any]":
    """All interfaces by name: Joute's own, and those in these files, each read once.

    One that cannot be loaded is left out: a bot that does not name it need not suffer from it.
    """
    for name, file in files.items():
        if file not in _loaded:
            try:
                _loaded[file] = checked(_from_file(name, file))
            except Exception as error:
                _broken[name] = type(error).__name__ + ": " + str(error)
    return known({name: _loaded[file] for name, file in files.items() if file in _loaded})


def checked(module: "ModuleType") -> "ModuleType":
    """A module with all names of an interface. Raises CannotLoad if it lacks one."""
    for name in _NEEDED:
        if not hasattr(module, name):
            raise errors.CannotLoad("no " + name + " in " + str(module.__file__))
    return module


def known(others: "Dict[str, ModuleType]") -> "Dict[str, Any]":
    """All interfaces by name, with these others; no traceback shows their lines from here on."""
    errors.leave_out(str(each.__file__) for each in others.values())
    return {**OWN, **others}


def interface_of(module: "ModuleType", interfaces: "Dict[str, Any]", forced: str = "") -> "Any":
    """The bot's interface: the one called `forced`, or the first that the bot's module has.

    Raises CannotLoad if the module has not what the interface needs.
    """
    if forced and forced not in interfaces:
        reason = _broken.get(forced, "")
        raise errors.CannotLoad(f"the interface {forced!r} cannot be loaded: {reason}")
    if forced:
        candidates = [interfaces[forced]]
    else:
        candidates = sorted(interfaces.values(), key=lambda each: each.ORDER)
    for each in candidates:
        if each.found(module, bool(forced)):
            return each
    names = [n for n, value in vars(module).items() if callable(value) and n[:1] != "_"]
    where = getattr(module, "__file__", "the bot")
    wanted = " | ".join(each.WANTED for each in candidates)
    if not names:
        raise errors.CannotLoad(f"no bot in {where}, nor any function or class: it needs {wanted}")
    has = ", ".join(names[:10])
    raise errors.CannotLoad(f"no bot in {where}: it needs {wanted}, and has {has}")


def _from_file(name: str, file: str) -> "ModuleType":
    spec = importlib.util.spec_from_file_location(f"{__package__}.adapter_{name}", file)
    if spec is None or spec.loader is None:
        raise errors.CannotLoad("not a Python file: " + file)
    module = importlib.util.module_from_spec(spec)
    sys.modules.update(_LENT)
    try:
        spec.loader.exec_module(module)
    finally:
        for lent in _LENT:
            del sys.modules[lent]
    return module
