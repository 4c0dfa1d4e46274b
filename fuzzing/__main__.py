"""`python -m fuzzing [TARGET...] [--minutes M] [--seed S]`: runs targets, each in its own process.

Without --minutes it goes on until Ctrl-C. Each bug is printed with its traceback and its case is
kept in tests/fuzz/corpus. Exit codes: 0 no bug, 1 a bug, 2 a wrong command line.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fuzzing import corpus
from fuzzing.hunt import Found
from fuzzing.target import MODULES, load
from fuzzing.trial import Bug, tried

SILENT_SECONDS = 300.0
"""After so long without a new case a process hangs: of one that waits, no CPU tells."""
_LOOK_SECONDS = 0.5
_FOREVER_MINUTES = 60 * 24 * 365


@dataclass
class Run:
    """One target's process, and what it has told."""

    target: str
    process: subprocess.Popen[bytes]
    case: Path
    bugs: list[Found] = field(default_factory=list)
    done: dict[str, Any] = field(default_factory=dict)


def main() -> int:
    """Runs what the command line asks for; the exit code."""
    asked = _arguments()
    if asked.case is not None:
        return _one_case(asked.targets[0], asked.case)
    seed = secrets.randbelow(1 << 32) if asked.seed is None else asked.seed
    print(f"{', '.join(asked.targets)}; --seed {seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="joute-fuzz-") as scratch:
        runs = [_started(name, asked, seed, Path(scratch)) for name in asked.targets]
        hearing = [threading.Thread(target=_hear, args=(run, asked.corpus)) for run in runs]
        for thread in hearing:
            thread.start()
        try:
            _watch(runs)
        except KeyboardInterrupt:
            for run in runs:
                run.process.send_signal(signal.SIGINT)
        for thread in hearing:
            thread.join()
        for run in runs:
            _ended(run, asked.corpus)
    return _summary(runs)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(MODULES)}")
    parser.add_argument("--minutes", type=float, default=_FOREVER_MINUTES, help="for all of them")
    parser.add_argument("--seed", type=int, help="makes the same cases in the same order")
    parser.add_argument("--case", type=Path, help="tries this case on the target, nothing else")
    parser.add_argument("--corpus", type=Path, default=corpus.FOLDER, help="where cases are kept")
    asked = parser.parse_args()
    for name in asked.targets:
        if name not in MODULES and "." not in name:
            parser.error(f"there is no target {name!r} (there are: {', '.join(MODULES)})")
    if asked.case is not None and len(asked.targets) != 1:
        parser.error("--case is for one target")
    asked.targets = asked.targets or list(MODULES)
    return asked


def _one_case(name: str, file: Path) -> int:
    """Says how one case ends."""
    ended = tried(load(name), file.read_bytes())
    if ended.bug is not None:
        print(ended.bug.words, end="")
        return 1
    print(f"refused: {ended.refusal}" if ended.refusal else "accepted")
    return 0


def _started(name: str, asked: argparse.Namespace, seed: int, scratch: Path) -> Run:
    case = scratch / f"{name}.case"
    case.write_bytes(b"")
    folder = scratch / name
    folder.mkdir()
    words = [name, str(asked.minutes * 60), str(seed), str(asked.corpus), str(case)]
    process = subprocess.Popen(
        [sys.executable, "-m", "fuzzing.worker", *words],
        stdout=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "TMPDIR": str(folder), "PYTHONHASHSEED": "0"},
        start_new_session=True,  # Ctrl-C is passed on, once
    )
    return Run(name, process, case)


def _hear(run: Run, folder: Path) -> None:
    """Reads what a process tells until it ends, and keeps its bugs."""
    for line in run.process.stdout or ():
        told = json.loads(line)
        if "cases" in told:
            run.done = told
        else:
            bug = Bug(told["signature"], told["words"])
            _keep(run, Found(base64.b64decode(told["case"]), bug, told["fresh"]), folder)
    run.process.wait()


def _watch(runs: list[Run]) -> None:
    """Waits for all processes, and ends those that hang."""
    while any(run.process.poll() is None for run in runs):
        time.sleep(_LOOK_SECONDS)
        for run in runs:
            silent = time.time() - run.case.stat().st_mtime > SILENT_SECONDS
            if silent and run.process.poll() is None:
                run.process.kill()


def _ended(run: Run, folder: Path) -> None:
    """Keeps the case that ended a process by a signal; another end is a mistake of the fuzzer."""
    code = run.process.returncode
    if not run.done:
        how = f"its process ended with {signal.Signals(-code).name if code < 0 else code}"
        _keep(run, Found(run.case.read_bytes(), Bug(how, how), fresh=code < 0), folder)


def _keep(run: Run, found: Found, folder: Path) -> None:
    """Stores the case of a bug and says how to see it again."""
    run.bugs.append(found)
    print(f"\n{run.target}: {found.bug.signature}\n{found.bug.words}", flush=True)
    if not found.fresh:
        print("(no case to be kept: a seed, one of the corpus, or no case's doing)", flush=True)
        return
    path = corpus.keep(folder, run.target.rpartition(".")[2], found)
    if path is None:
        print(f"(its case of {len(found.case)} bytes is too large to be kept)", flush=True)
        return
    shown = os.path.relpath(path)
    lost = base64.b64encode(found.case).decode()
    print(f"again: scripts/fuzz {run.target} --case {shown}")
    print(f"if that file is lost: base64 -d > {shown} <<< {lost}", flush=True)


def _summary(runs: list[Run]) -> int:
    """Prints a line for each target; the exit code."""
    print(f"\n{'target':<10}{'cases':>9}{'a CPU second':>14}{'endings':>9}{'bugs':>6}")
    for run in runs:
        cases, cpu = run.done.get("cases", 0), run.done.get("cpu", 0.0)
        pace = f"{cases / cpu:.0f}" if cpu else "-"
        endings = run.done.get("endings", 0)
        print(f"{run.target:<10}{cases:>9}{pace:>14}{endings:>9}{len(run.bugs):>6}")
    return 1 if any(run.bugs for run in runs) else 0


if __name__ == "__main__":
    sys.exit(main())
