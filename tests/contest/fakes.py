"""Stand-ins for the referee that play nothing, and contests for them.

Module-level functions, so that worker processes find them by name.
"""

import os
import signal
import subprocess
import sys
from pathlib import Path

from helpers import wait_until

from joute.contest.config.config import resolve
from joute.contest.config.contest import Contest
from joute.contest.errors import Interrupted
from joute.contest.run.runner import run_contest
from joute.host.protocol import InfrastructureError
from joute.play.game import GameResult, GameSpec, SeatFault, identity
from joute.play.record import FIRST_CHAIN, chained

BOTS = ["builtin:random", "builtin:greedy", "builtin:greedy?", "builtin:random?"]


def contest_in(folder: Path, *lines: str, bots: int = 4, **overrides) -> Contest:
    """A contest of a folder of its own; `lines` are of [contest]."""
    path = folder / "test.toml"
    text = f"bots = {BOTS[:bots]}\n[contest]\n" + "\n".join(lines) + "\n"
    path.write_text(text)
    return resolve(path, {"contest.seed": "fixed", "contest.workers": 2, **overrides})


def tron_in(folder: Path, bots: list[str], contest: str, game: str, **overrides) -> Contest:
    """A contest of Tron in a folder of its own; the texts are the lines of its tables."""
    path = folder / "test.toml"
    path.write_text(f'bots = {bots}\n[contest]\n{contest}\n[game]\nname = "tron"\n{game}\n')
    return resolve(path, {"contest.seed": "fixed", "contest.workers": 2, **overrides})


def start_coordinator(folder: Path, play: str | None) -> subprocess.Popen:
    """A process of its own that runs the contest of a folder with one of the plays below.

    None is the real referee. It exits with 0, or 3 if it was interrupted.
    """
    run = f"from contest import fakes; fakes.coordinate({str(folder)!r}, {play!r})"
    path = os.pathsep.join(entry for entry in sys.path if entry)
    return subprocess.Popen([sys.executable, "-c", run], env={**os.environ, "PYTHONPATH": path})


def coordinate(folder: str, play: str | None) -> None:
    """The process that `start_coordinator` starts."""
    contest = resolve(Path(folder) / "test.toml", {"contest.seed": "fixed", "contest.workers": 2})
    try:
        run_contest(contest, play=play and globals()[play])
    except Interrupted:
        sys.exit(3)


def quick(spec: GameSpec) -> GameResult:
    """A result that depends on the game's identity and nothing else."""
    name = identity(spec)
    first = float(int(name[:8], 16) % 3 - 1)
    seats = len(spec.bots)
    return GameResult(
        identity=name,
        ending="finished",
        returns=[first, -first, *[float(int(name[8], 16))] * seats][:seats],
        points=[50, 46] if seats == 2 else [int(name[9:11], 16)] * seats,
        plies=96,
        faults=[],
        cpu_ms=[4.0, 8.0, *[4.0] * seats][:seats],
        asked=[4] * seats,
        record=record_of(name),
        chain=name,
    )


def record_of(name: str) -> bytes:
    """A record of one line, with the game's identity."""
    return chained({"identity": name, "action": int(name, 16)}, FIRST_CHAIN)[0]


def first_wins(spec: GameSpec) -> GameResult:
    """The bot whose name comes first in the alphabet wins."""
    names = [seat.name for seat in spec.bots]
    returns = [1.0 if name == min(names) else -1.0 for name in names]
    return _replaced(quick(spec), returns=returns)


def with_faults(spec: GameSpec) -> GameResult:
    """Seat 0 is illegal at ply 3 and loses its turn, seat 1 crashes at ply 5 and loses the game."""
    faults = [
        SeatFault(0, 3, "illegal", "answered [10, 10]", "turn"),
        SeatFault(1, 5, "crash", "Traceback:\n  line 1\nKeyError: 'grid'", "game"),
    ]
    return _replaced(quick(spec), faults=faults, returns=[1.0, -1.0], ending="forfeit")


def greedy_offends(spec: GameSpec) -> GameResult:
    """`greedy` is illegal at ply 3 of every game, and loses its turn; the others are faultless."""
    faults = [
        SeatFault(seat, 3, "illegal", "answered [10, 10]", "turn")
        for seat, bot in enumerate(spec.bots)
        if bot.name == "greedy"
    ]
    return _replaced(quick(spec), faults=faults)


def dies_once(spec: GameSpec) -> GameResult:
    """Kills its worker in the first game that any worker plays."""
    try:
        (Path(spec.bots[0].base) / "died").touch(exist_ok=False)
    except FileExistsError:
        return quick(spec)
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("still alive")


def dies_for_random(spec: GameSpec) -> GameResult:
    """Kills its worker whenever `random` plays `greedy`, random in the first seat."""
    if [seat.name for seat in spec.bots] == ["random", "greedy"]:
        os.kill(os.getpid(), signal.SIGKILL)
    return quick(spec)


def dies_always(spec: GameSpec) -> GameResult:
    """Kills its worker."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("still alive")


def fails_twice(spec: GameSpec) -> GameResult:
    """Every game fails twice, for reasons of ours, before it can be played."""
    marks = Path(spec.bots[0].base) / "marks"
    marks.mkdir(exist_ok=True)
    for time in ("first", "second"):
        mark = marks / f"{identity(spec)}.{time}"
        if not mark.exists():
            mark.touch()
            raise RuntimeError(f"the {time} time")
    return quick(spec)


def fails_for_random(spec: GameSpec) -> GameResult:
    """Fails whenever `random` plays `greedy`, random in the first seat."""
    if [seat.name for seat in spec.bots] == ["random", "greedy"]:
        raise RuntimeError("no such luck")
    return quick(spec)


def busy_now_and_then(spec: GameSpec) -> GameResult:
    """On a machine that is too busy in every other game, by its identity: the first seat's fault.

    Of these every other fails, so that there is no result.
    """
    result = quick(spec)
    chance = int(result.identity[:2], 16)
    if chance % 4 == 0 and not spec.last_try:
        raise InfrastructureError("no answer after 9.00 s", (0,))
    return _replaced(result, busy=chance % 2 == 0, waited_for=[0] if chance % 2 == 0 else [])


def another_game(spec: GameSpec) -> GameResult:
    """The result of a game that nobody asked for, as when a bot's file changes."""
    return _replaced(quick(spec), identity="f" * 32)


def waits_for_leave(spec: GameSpec) -> GameResult:
    """Says in which process it plays, waits until the file `go` is there, and says that it was."""
    folder = Path(spec.bots[0].base)
    (folder / f"playing.{os.getpid()}").touch()
    wait_until((folder / "go").exists, what="the file `go`")
    (folder / f"gone.{os.getpid()}").touch()
    return quick(spec)


def waits_after_a_few(spec: GameSpec) -> GameResult:
    """Plays a few games, then as `waits_for_leave`."""
    folder = Path(spec.bots[0].base)
    if len(list(folder.glob("quick.*"))) >= 2:
        return waits_for_leave(spec)
    (folder / f"quick.{identity(spec)}").touch()
    return quick(spec)


def _replaced(result: GameResult, **changes) -> GameResult:
    fields = {name: getattr(result, name) for name in result.__struct_fields__}
    return GameResult(**{**fields, **changes})
