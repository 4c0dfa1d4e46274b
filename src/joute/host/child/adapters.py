"""The interfaces that a bot may have: Joute's own two, and those of other contests.

An interface is a module with these names:

- `Adapter(module, start)`, which serves a bot over one game, with `play(message)` and
  `end(message)`;
- `found(module, forced)`: whether a bot's module has the interface; `forced` if it is named;
- `ORDER`: a bot that has several interfaces is served by the one of the lowest number;
- `WANTED` and `LOOKED_FOR`: what a bot lacks, after "no", if the interface is named and if not;
- perhaps `refusal(parameters)`: why a game cannot be played so, "" if it can.

Those of other contests are single files, written for Python 3.8, that import its standard library,
`joute.host.child.errors` and `joute.host.child.loading`, and nothing else.
"""

import importlib.util
import sys

from . import errors, function, instance, loading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Dict

OWN = {"class": instance, "function": function}
"""Joute's own interfaces, by name."""

# Nothing called `joute` is ever there for a bot to import, so the names hold only meanwhile.
_LENT = {"joute.host.child.errors": errors, "joute.host.child.loading": loading}

_loaded = {}  # type: Dict[str, ModuleType]


def load(files: "Dict[str, str]") -> "Dict[str, ModuleType]":
    """All interfaces by name: Joute's own, and those in these files, each read once."""
    for name, file in files.items():
        if file not in _loaded:
            _loaded[file] = _from_file(name, file)
    return known({name: _loaded[file] for name, file in files.items()})


def known(others: "Dict[str, ModuleType]") -> "Dict[str, ModuleType]":
    """All interfaces by name, with these others; no traceback shows their lines from here on."""
    errors.leave_out(str(each.__file__) for each in others.values())
    return {**OWN, **others}


def interface_of(
    module: "ModuleType", interfaces: "Dict[str, ModuleType]", forced: str = ""
) -> "ModuleType":
    """The bot's interface: the one called `forced`, or the first that the bot's module has.

    Raises CannotLoad if the module has not what the interface needs.
    """
    if forced:
        candidates = [interfaces[forced]]
        looked_for = candidates[0].WANTED
    else:
        candidates = sorted(interfaces.values(), key=lambda each: each.ORDER)
        *others, last = [each.LOOKED_FOR for each in candidates]
        looked_for = f"{', '.join(others)} or {last}"
    for each in candidates:
        if each.found(module, bool(forced)):
            return each
    names = [n for n, value in vars(module).items() if callable(value) and n[:1] != "_"]
    where = getattr(module, "__file__", "the bot")
    raise errors.CannotLoad(
        f"no {looked_for} in {where}; it has {', '.join(names[:10]) or 'nothing'}"
    )


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
