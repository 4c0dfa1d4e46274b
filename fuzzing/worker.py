"""The process that fuzzes one target: `python -m fuzzing.worker TARGET SECONDS SEED FOLDER CASE`.

It writes each case to the file CASE before trying it, so that the process which watches has the
case that ended this one. On standard output it tells, a line of JSON each, what it finds and at
last what it did.
"""

from __future__ import annotations

import base64
import json
import logging
import os
import resource
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis.errors import HypothesisWarning

from fuzzing import corpus
from fuzzing.hunt import Hunt
from fuzzing.target import load


def main() -> None:
    """Fuzzes, as the command line says."""
    name, seconds, seed, folder, case_file = sys.argv[1:]
    tell = _own_output()
    warnings.simplefilter("ignore", HypothesisWarning)
    logging.disable(logging.WARNING)
    target = load(name)
    hunt = Hunt(
        target, int(seed), corpus.kept(Path(folder), target.name), Path(case_file).write_bytes
    )
    try:
        for found in hunt.run(float(seconds)):
            tell(
                {
                    "signature": found.bug.signature,
                    "words": found.bug.words,
                    "case": base64.b64encode(found.case).decode(),
                    "fresh": found.fresh,
                }
            )
    except KeyboardInterrupt:
        pass
    used = resource.getrusage(resource.RUSAGE_SELF)
    cpu = round(used.ru_utime + used.ru_stime, 1)
    tell({"cases": hunt.cases, "endings": len(hunt.refusals), "cpu": cpu})


def _own_output() -> Callable[[dict[str, Any]], None]:
    """Tells a line on what was the standard output; what targets print goes nowhere."""
    own = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)

    def tell(line: dict[str, Any]) -> None:
        print(json.dumps(line), file=own, flush=True)

    return tell


if __name__ == "__main__":
    main()
