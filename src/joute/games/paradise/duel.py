"""Duels of agents written for the original contest, with its rules and in its order."""

from __future__ import annotations

import ast
import sys
import time
from bdb import BdbQuit
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir, contextmanager
from dataclasses import replace
from pathlib import Path
from pprint import pformat
from types import ModuleType, TracebackType
from typing import Any, NamedTuple

from joute.contest.config.default_names import default_name
from joute.core.interface import observe
from joute.core.registry import make
from joute.games.paradise.csgames import Rejected, action_of, contest_state
from joute.games.paradise.state import END
from joute.host.adapters import adapters
from joute.host.child.errors import CannotLoad, IllegalAnswer, describe
from joute.host.child.interfaces import interface_of, known
from joute.host.child.loading import ENTRIES, PACKAGE, load
from joute.host.content import content_hash
from joute.host.limits import Limits
from joute.host.names import BotSpec, parse_bot, prefixes
from joute.host.protocol import Answer, Fault
from joute.host.sandbox.paths import own
from joute.host.working import working_folder
from joute.i18n.words import say
from joute.play.chance import derive
from joute.play.game import GameResult, GameSpec, SeatSpec, usual_costs
from joute.play.record import actions_of
from joute.play.referee import play_game
from joute.play.seats import Human, Seat, answer, check_bot, open_seat

HUMAN = "human"
ENTRY = "agent.py"  # of a submission
COLUMNS = 240  # of a state that is printed: a card is a line
SHOWN = 40  # characters of what was typed
PARAMETERS = {"quirks": True}
START_SECONDS = 60.0  # what agents learned with takes long to import
LIBRARIES = "site-packages"


def bot_of(module: str) -> str:
    """The bot that a module's name stands for: `agent.agent1`, a path, or a bot as elsewhere.

    Files, folders and zips are taken to be in the contest's interface. A name that stands for
    nothing is left as it is.
    """
    prefix, colon, _ = module.partition(":")
    if module == HUMAN or (colon and prefix in prefixes()):
        return module
    path = next(filter(_runs, _places(module)), None)
    if path is None:
        return module
    if path.name == ENTRY and (path.parent / PACKAGE).is_file():
        path = path.parent  # imported as a package, it can import its own files
    return f"paradise:{path}"


def _places(module: str) -> list[Path]:
    """The places where a module of this name may be, the likeliest first."""
    names = [module]
    if all(part.isidentifier() for part in module.split(".")):
        names.append(module.replace(".", "/"))
    return [Path(name + ending) for name in names for ending in ("", ".py", ".zip")]


def _runs(path: Path) -> bool:
    if path.is_dir():
        return any((path / entry).is_file() for entry in ENTRIES)
    return path.is_file()


class Console:
    """Asks a person as the contest's own agent for people did: a dictionary, then an action."""

    def __init__(self) -> None:
        self._greeted = False

    def ask(self, game: Any, state: Any, player: int) -> int:
        """The action that is typed. Raises KeyboardInterrupt at the end of the input."""
        observation = observe(game, state, player)
        print(pformat(contest_state(observation), width=COLUMNS, sort_dicts=False))
        if not self._greeted:
            print(say("duel.actions"))
            self._greeted = True
        while True:
            try:
                typed = input(say("duel.ask", number=player + 1)).strip()
            except EOFError:
                print()
                raise KeyboardInterrupt from None
            try:
                return action_of(observation, understood(typed))
            except SyntaxError:
                print(say("duel.unclear", typed=typed[:SHOWN]))
            except Rejected:
                print(say("duel.rejected", typed=typed[:SHOWN]))


def understood(typed: str) -> Any:
    """The answer that a line of text is: `3, (1, 0)`, `(0, None)`, `4`. Raises SyntaxError."""
    try:
        answer = ast.literal_eval(typed)
    except (ValueError, TypeError, MemoryError, RecursionError):
        raise SyntaxError(typed) from None
    return (answer, None) if isinstance(answer, int) else answer


class Agents(NamedTuple):
    """Two agents, and how they play."""

    seats: tuple[SeatSpec, ...]
    move_seconds: float
    debug: bool  # in this process, without a clock
    console: Console

    @property
    def names(self) -> tuple[str, ...]:
        """The agents' names, agent 1's first."""
        return tuple(seat.name for seat in self.seats)


class Duel(NamedTuple):
    """A game that is over."""

    number: int
    result: GameResult
    turns: int  # both agents' counted

    @property
    def winner(self) -> int | None:
        """The seat that won; None where both lost."""
        returns = self.result.returns
        return None if returns[0] == returns[1] else int(returns[1] > returns[0])


def agents(modules: Sequence[str], move_seconds: float, debug: bool) -> Agents:
    """The agents of these modules, all found. Raises BotError or BuiltinError if one is none."""
    rules = make("paradise", **PARAMETERS)
    seats = []
    for module in modules:
        bot = bot_of(module)
        spec = parse_bot(bot)
        check_bot(spec, rules)
        content_hash(spec)  # reads every file, so that none is found missing later
        seats.append(SeatSpec(name=default_name(bot), bot=bot))
    return Agents(tuple(seats), move_seconds, debug, Console())


def play_duel(pair: Agents, number: int, seed: str) -> Duel:
    """Plays game `number`; its chance comes from the seed and the number."""
    spec = GameSpec(
        game="paradise",
        parameters=PARAMETERS,
        bots=pair.seats,
        seed=derive(seed, "paradise", number),
        limits=Limits(move_seconds=pair.move_seconds, start_seconds=START_SECONDS),
        costs=usual_costs("paradise"),
    )
    turns = 1

    def count(line: dict[str, Any]) -> None:
        nonlocal turns
        turns += line["by"] != "chance" and actions_of(line)[-1:] == [END]

    opener = _open_inside if pair.debug else _open_apart
    result = play_game(spec, pair.console.ask, watch=count, opener=opener)
    return Duel(number, result, turns)


def _open_apart(seat: SeatSpec, spec: GameSpec, game: Any, human: Human | None) -> Seat:
    """A seat in a process of its own; an agent of one file may read what lies beside it.

    In the contest it could; the other agent's file stays closed.
    """
    bot = parse_bot(seat.bot, Path(seat.base))
    if bot.kind != "python" or bot.path is None or bot.path.suffix != ".py":
        return open_seat(seat, spec, game, human)
    others = [parse_bot(each.bot, Path(each.base)).path for each in spec.bots if each != seat]
    beside = own(bot.path.parent, map(str, filter(None, others)))
    return open_seat(seat, spec, game, human, beside)


def _open_inside(seat: SeatSpec, spec: GameSpec, game: Any, human: Human | None) -> Seat:
    """A seat in this process where that can be."""
    bot = parse_bot(seat.bot, Path(seat.base))
    if bot.kind == "python" and bot.path is not None:
        return InsideSeat(bot, bot.path)
    return open_seat(seat, spec, game, human)


class InsideSeat:
    """A Python bot's seat in this process: there it can print, stop in a debugger, be interrupted.

    It has no clock and no limits. What it imports from its own folder stays apart from what the
    other agent and other games import, so that they are as separate as in processes of their own;
    while it runs it works in the same folder as there.
    """

    isolation = "inline"
    observes = True

    def __init__(self, spec: BotSpec, path: Path) -> None:
        self._path = path
        self._forced = spec.interface or ""
        self._home = path.parent if path.suffix == ".py" else path
        self._work = working_folder(spec) or self._home
        self._search = sys.path.copy()
        self._finders = sys.meta_path.copy()
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
        """Prints what went wrong as it comes: in the contest the agent did so itself."""
        if text:
            told = say("duel.told", number=self._player + 1, text=text)
            print(told, file=sys.stderr, flush=True)

    def _attempt(self, step: Callable[[], dict[str, Any]], fault: Fault) -> Answer:
        """The answer of the agent's code, or the fault that it is."""
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
        """Runs where it works, with its own modules and no others."""
        search, finders, known = sys.path.copy(), sys.meta_path.copy(), set(sys.modules)
        sys.path[:] = self._search
        sys.meta_path[:] = self._finders
        sys.modules.update(self._modules)
        try:
            with chdir(self._work):
                yield
        finally:
            self._search = sys.path.copy()
            self._finders = sys.meta_path.copy()
            sys.path[:] = search
            sys.meta_path[:] = finders
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
