"""Goes on with a contest from the folder of its results, in a process of its own.

python -m joute.web.contests.resume FOLDER [--lang LANGUAGE]

It ends as `joute contest run` does: with 0 once all is played, 3 when it was stopped before, and 1
if games could not be played or the contest could not be gone on with.
"""

from __future__ import annotations

import sys
from pathlib import Path

from joute.contest.errors import ContestError, Interrupted
from joute.contest.folder import opened_store
from joute.contest.run.runner import run_contest
from joute.i18n.recognised import worded
from joute.i18n.words import LANGUAGES, speak, split_language
from joute.store.store import StoreError
from joute.web.contests.catalogue import configured

DONE, FAILED, STOPPED = 0, 1, 3


def main(words: list[str]) -> int:
    """Plays what remains; the code to end with."""
    asked, words = split_language(words)
    speak(asked or LANGUAGES[0])
    folder = Path(words[0])
    try:
        with opened_store(folder) as store:
            contest = configured(folder, store)
        found = run_contest(contest)
    except Interrupted:
        return STOPPED
    except (ContestError, StoreError, OSError, ValueError, RuntimeError) as error:
        print(f"joute: {worded(error)}", file=sys.stderr)
        return FAILED
    print(f"{found.already + found.played} + {found.left}")
    return FAILED if found.failed else DONE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
