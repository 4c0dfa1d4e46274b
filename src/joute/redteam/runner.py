"""Runs attacks at levels of isolation, one after the other, each with targets of its own."""

from __future__ import annotations

import os
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
from joute.machine import OWN_PYTHON, Closing
from joute.redteam.corpus import Attack
from joute.redteam.judge import AttackProof, AttackVerdict, failed_start, proofs, stopped_by
from joute.redteam.messages import HostingOrder, HostingOutcome, HostingReport
from joute.redteam.submissions import SUBMISSIONS
from joute.redteam.targets import Targets, secret, write_pages

LEVELS = (Level.LIMITS, Level.KERNEL, Level.FULL)
"""The levels at which attacks can run."""

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


class HostingProcess(Closing):
    """The process in which attacks are hosted; started again where it has died."""

    def __init__(self) -> None:
        self.secrets = [secret(), secret()]
        """One on its command line, one in its environment."""
        self._start()

    def _start(self) -> None:
        kept = {name: os.environ[name] for name in _INHERITED if name in os.environ}
        self._process = subprocess.Popen(
            [*OWN_PYTHON, "-m", "joute.redteam.hosting", self.secrets[0]],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**kept, "JOUTE_SECRET": self.secrets[1]},
            start_new_session=True,
        )
        self._orders = cast("IO[bytes]", self._process.stdin)
        self._outcomes = cast("IO[bytes]", self._process.stdout)

    def carry_out(self, order: HostingOrder) -> HostingOutcome:
        """Has an order carried out."""
        line = b""
        with suppress(BrokenPipeError):
            self._orders.write(msgspec.json.encode(order) + b"\n")
            self._orders.flush()
            line = self._outcomes.readline()
        if line:
            return msgspec.json.decode(line, type=HostingOutcome)
        self.close()
        self._start()
        return HostingOutcome(report=HostingReport(), end="killed", survivors=0)

    def close(self) -> None:
        """Ends it."""
        with suppress(BrokenPipeError):
            self._orders.close()
        self._outcomes.close()
        self._process.wait()


def run(
    attacks: Iterable[Attack], levels: Iterable[Level], cache: Path, workers: int = 1
) -> Iterator[AttackVerdict]:
    """The verdicts, attack by attack and level by level, as they come.

    Args:
        attacks: of the corpus.
        levels: of LEVELS; those that are not granted here are not tried.
        cache: the folder of compiled kernels.
        workers: how many attacks go on at a time.
    """
    allowed = granted().level
    tasks = [(attack, level) for attack in attacks for level in levels]
    hosts: Queue[HostingProcess] = Queue()
    with ExitStack() as stack, ThreadPoolExecutor(workers) as pool:
        for _ in range(workers):
            hosts.put(stack.enter_context(HostingProcess()))

        def judged(task: tuple[Attack, Level]) -> AttackVerdict:
            attack, level = task
            if level > allowed:
                return _verdict(attack, level, None, "level", [])
            host = hosts.get()
            try:
                return _run(attack, level, host, cache)
            finally:
                hosts.put(host)

        try:
            yield from pool.map(judged, tasks)
        finally:
            pool.shutdown(cancel_futures=True)


def _verdict(
    attack: Attack, level: Level, succeeded: bool | None, stopped: str, found: list[AttackProof]
) -> AttackVerdict:
    return AttackVerdict(
        attack=attack.name,
        level=level,
        succeeded=succeeded,
        stopped_by=stopped,
        promised=level >= attack.since,
        proofs=found,
    )


def _run(attack: Attack, level: Level, host: HostingProcess, cache: Path) -> AttackVerdict:
    """One attack at one level."""
    with Targets(cache) as targets:
        aim = targets.aim()
        bot = _placed(attack, targets, aim)
        targets.seal()
        kept, word = secret(), secret()
        order = HostingOrder(
            bot=bot,
            base=str(targets.own),
            level=level,
            staging=attack.staging,
            plies=attack.plies,
            aim=aim,
            secret=kept,
            word=word,
            hidden=[aim["other_folder"], aim["neighbour"]],
            guarded=targets.guarded(),
        )
        outcome = host.carry_out(order)
        if failed := failed_start(outcome, attack.staging):
            return _verdict(attack, level, None, "start", [AttackProof("start", failed)])
        found = proofs(outcome, [*targets.secrets, *host.secrets, kept], word) + targets.traces()
        found += targets.close()
    stopped = "" if found else stopped_by(outcome, level, attack.staging)
    return _verdict(attack, level, bool(found), stopped, found)


def _placed(attack: Attack, targets: Targets, aim: dict[str, Any]) -> str:
    """Puts an attack into its folder; the bot's name, as people write it."""
    if attack.staging == "submission":
        return SUBMISSIONS[attack.name](targets.own, aim)
    alone = attack.staging == "beside"
    file = targets.own.parent / f"{attack.name}.py" if alone else targets.own / "bot.py"
    file.write_text(attack.program(), encoding="utf-8")
    if attack.staging == "partners":
        write_pages(targets.own)
    if attack.staging in ("program", "programs"):
        return f"program:{sys.executable} -B bot.py"
    return str(file if alone else targets.own)
