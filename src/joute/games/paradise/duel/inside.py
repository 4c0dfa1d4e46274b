"""An agent in this process, where it can print, stop in a debugger and be interrupted.

It has no clock and no limits. What it imports from its own folder stays apart from what the other
agent and other games import, so that they are as separate as in processes of their own; while it
runs it works in its folder, as there.
"""

from __future__ import annotations

import sys
import time
from bdb import BdbQuit
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager
from dataclasses import replace
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any

from joute.host.adapters import adapters
from joute.host.child.errors import CannotLoad, IllegalAnswer, describe
from joute.host.child.interfaces import interface_of, known
from joute.host.child.loading import load
from joute.host.names import BotSpec
from joute.host.protocol import Answer, Fault
from joute.i18n.words import say
from joute.play.seats import answer

LIBRARIES = "site-packages"


class InsideSeat:
    """A Python bot's seat for one game."""

    isolation = "inline"
    observes = True

    def __init__(self, spec: BotSpec, path: Path) -> None:
        self._path = path
        self._forced = spec.interface or ""
        self._home = path.parent if path.suffix == ".py" else path
        self._search = sys.path.copy()
        self._modules: dict[str, ModuleType] = {}  # its own, by name
        self._player = 0
        self._adapter: Any = None

    def start(self, message: dict[str, Any]) -> Answer:
        self._player = message["player"]

        def begin() -> dict[str, Any]:
            module = load(str(self._path))
            interface = interface_of(module, known(adapters()), self._forced)
            self._adapter = interface.Adapter(module, message)
            return {}

        return self._attempt(begin, Fault.START_UP)

    def ask(self, state: list[int], message: dict[str, Any]) -> Answer:
        answered = self._attempt(lambda: self._adapter.play(message), Fault.CRASH)
        self._tell(answered.message)
        return answered

    def end(self, message: dict[str, Any]) -> None:
        def finish() -> dict[str, Any]:
            self._adapter.end(message)
            return {}

        self._attempt(finish, Fault.CRASH)

    def close(self) -> None:
        pass

    def _tell(self, text: str) -> None:
        """Say what went wrong as it comes: in the contest it was the agent's own to print."""
        if text:
            told = say("duel.told", number=self._player + 1, text=text)
            print(told, file=sys.stderr, flush=True)

    def _attempt(self, step: Callable[[], dict[str, Any]], fault: Fault) -> Answer:
        """What the agent's code answers, or the fault that it is."""
        wall, cpu = time.perf_counter(), time.process_time()
        try:
            with self._at_home():
                reply = step()
        except BdbQuit:
            raise KeyboardInterrupt from None
        except CannotLoad as error:
            return _failure(fault, str(error))
        except IllegalAnswer as error:
            return _failure(Fault.ILLEGAL, str(error))
        except (Exception, SystemExit) as error:
            detail = describe(error.with_traceback(_theirs(error)))
            if fault is not Fault.START_UP:
                self._tell(detail)
            return _failure(fault, detail)
        return answer(
            reply.get("action"),
            message=reply.get("message", ""),
            cpu_ms=1000 * (time.process_time() - cpu),
            wall_ms=1000 * (time.perf_counter() - wall),
        )

    @contextmanager
    def _at_home(self) -> Iterator[None]:
        """In its folder, with its own modules and nobody else's."""
        search, known = sys.path.copy(), set(sys.modules)
        sys.path[:] = self._search
        sys.modules.update(self._modules)
        try:
            with chdir(self._home if self._home.is_dir() else self._home.parent):
                yield
        finally:
            self._search = sys.path.copy()
            sys.path[:] = search
            self._modules = {
                name: module
                for name, module in sys.modules.items()
                if name not in known and self._owns(name, module)
            }
            for name in self._modules:
                del sys.modules[name]

    def _owns(self, name: str, module: ModuleType) -> bool:
        folders = list(getattr(module, "__path__", ()))
        place = getattr(module, "__file__", None) or (folders[0] if folders else "")
        ours = name.partition(".")[0] == "joute" or LIBRARIES in place
        return not ours and Path(place).is_relative_to(self._home)


def _failure(fault: Fault, detail: str) -> Answer:
    return replace(answer(), fault=fault, detail=detail)


def _theirs(error: BaseException) -> TracebackType | None:
    """The traceback without this file's frames, which come first."""
    frame = error.__traceback__
    while frame is not None and frame.tb_frame.f_code.co_filename == __file__:
        frame = frame.tb_next
    return frame
