"""Runs attacks at levels of isolation, one after the other, each in a room of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from queue import Queue
from typing import IO, Any, cast

import msgspec

from joute.host.sandbox import Level, granted
from joute.machine import Closing
from joute.redteam.corpus import ATTACKS, Attack
from joute.redteam.judge import Proof, Verdict, failed_start, proofs, stopped_by
from joute.redteam.messages import Order, Outcome, Report
from joute.redteam.room import Room, secret
from joute.redteam.sights import pages
from joute.redteam.submissions import SUBMISSIONS

LEVELS = (Level.LIMITS, Level.KERNEL, Level.FULL)
"""What attacks can be run at."""

_INHERITED = (
    "PATH",
    "HOME",
    "LANG",
    "XDG_CACHE_HOME",
    "JOUTE_CACHE",
    "JOUTE_ISOLATION",
    "TMPDIR",
    "PYTHONPATH",
)


class Stage(Closing):
    """The process in which attacks are hosted; started again where it has died."""

    def __init__(self) -> None:
        self.secrets = [secret(), secret()]
        """On its command line and in its environment."""
        self._start()

    def _start(self) -> None:
        kept = {name: os.environ[name] for name in _INHERITED if name in os.environ}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "joute.redteam.stage", self.secrets[0]],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**kept, "JOUTE_SECRET": self.secrets[1]},
            start_new_session=True,
        )
        self._orders = cast("IO[bytes]", self._process.stdin)
        self._outcomes = cast("IO[bytes]", self._process.stdout)

    def carry_out(self, order: Order) -> Outcome:
        """What came of an order."""
        line = b""
        with suppress(BrokenPipeError):
            self._orders.write(msgspec.json.encode(order) + b"\n")
            self._orders.flush()
            line = self._outcomes.readline()
        if line:
            return msgspec.json.decode(line, type=Outcome)
        self.close()
        self._start()
        return Outcome(report=Report(), end="killed", survivors=0)

    def close(self) -> None:
        """Ends it."""
        with suppress(BrokenPipeError):
            self._orders.close()
        self._outcomes.close()
        self._process.wait()


def run(
    attacks: Iterable[Attack], levels: Iterable[Level], cache: Path, workers: int = 1
) -> Iterator[Verdict]:
    """The verdicts, attack by attack and level by level, as they come.

    Args:
        attacks: of the corpus.
        levels: of LEVELS; those that are not granted here are not tried.
        cache: the folder of compiled kernels.
        workers: how many attacks go on at a time.
    """
    allowed = granted().level
    tasks = [(attack, level) for attack in attacks for level in levels]
    stages: Queue[Stage] = Queue()
    with ExitStack() as stack, ThreadPoolExecutor(workers) as pool:
        for _ in range(workers):
            stages.put(stack.enter_context(Stage()))

        def judged(task: tuple[Attack, Level]) -> Verdict:
            attack, level = task
            if level > allowed:
                return _untried(attack, level)
            stage = stages.get()
            try:
                return _run(attack, level, stage, cache)
            finally:
                stages.put(stage)

        try:
            yield from pool.map(judged, tasks)
        finally:
            pool.shutdown(cancel_futures=True)


def _untried(attack: Attack, level: Level) -> Verdict:
    return _verdict(attack, level, None, "level", [])


def _verdict(
    attack: Attack, level: Level, succeeded: bool | None, stopped: str, found: list[Proof]
) -> Verdict:
    return Verdict(
        attack=attack.name,
        level=level,
        succeeded=succeeded,
        stopped_by=stopped,
        promised=level >= attack.since,
        proofs=found,
    )


def _run(attack: Attack, level: Level, stage: Stage, cache: Path) -> Verdict:
    """One attack at one level."""
    with Room(cache) as room:
        aim = room.aim()
        bot = _placed(attack, room, aim)
        room.seal()
        kept, word = secret(), secret()
        order = Order(
            bot=bot,
            base=str(room.own),
            level=level,
            staging=attack.staging,
            plies=attack.plies,
            aim=aim,
            secret=kept,
            word=word,
            hidden=[aim["other_folder"], aim["neighbour"]],
            guarded=room.guarded(),
        )
        outcome = stage.carry_out(order)
        if failed := failed_start(outcome, attack.staging):
            return _verdict(attack, level, None, "start", [Proof("start", failed)])
        found = proofs(outcome, [*room.secrets, *stage.secrets, kept], word) + room.traces()
        found += room.close()
    stopped = "" if found else stopped_by(outcome, level, attack.staging)
    return _verdict(attack, level, bool(found), stopped, found)


def _placed(attack: Attack, room: Room, aim: dict[str, Any]) -> str:
    """Puts an attack into its room; the bot's name, as people write it."""
    if attack.staging == "submission":
        return SUBMISSIONS[attack.name](room.own, aim)
    source = ATTACKS / f"{attack.name}.py"
    helper = ATTACKS.parent / "attempt.py"
    if attack.staging == "beside":
        return str(shutil.copy(source, room.own.parent))
    if attack.staging in ("program", "programs"):
        # One file, for which folders a program may search is its own affair.
        lines = source.read_text(encoding="utf-8").splitlines()
        text = "\n".join(line for line in lines if not line.startswith("from attempt import"))
        whole = f"{helper.read_text(encoding='utf-8')}\n{text}\n"
        (room.own / "bot.py").write_text(whole, encoding="utf-8")
        return f"program:{sys.executable} -B bot.py"
    if attack.staging == "partners":
        pages(room.own)
    shutil.copy(source, room.own / "bot.py")
    shutil.copy(helper, room.own)
    return str(room.own)
