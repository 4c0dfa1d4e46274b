"""The programs that the server runs for contests in processes of their own.

    python -m joute.web.contests.child resume FOLDER [--lang LANGUAGE]
    python -m joute.web.contests.child trial CONTEST-FILE BOT NAME HOUSE-BOT SEAT SEED

`resume` plays the rest of a contest from the folder of its results. As `joute contest run`, it ends
with 0 once all is played, with 3 when it was stopped before, and with 1 where games could not be
played or the contest could not be resumed. `trial` plays a test game of a registered bot against a
built-in one, and prints the game's record.
"""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from joute.contest.config.config import rules
from joute.contest.run.tasks import game_terms
from joute.core.interface import properties
from joute.core.registry import make
from joute.i18n.recognised import worded
from joute.i18n.words import LANGUAGES, speak, split_language
from joute.play.game import GameSpec, SeatSpec
from joute.play.referee import play_game

DONE, FAILED, STOPPED = 0, 1, 3


def main(words: list[str]) -> int:
    """Runs a command line; returns the exit code."""
    command, *words = words
    if command == "resume":
        asked, words = split_language(words)
        speak(asked or LANGUAGES[0])
        return resume(Path(words[0]))
    contest, bot, name, house, seat, seed = words
    result = play_game(trial(Path(contest), bot, name, house, int(seat), seed))
    sys.stdout.buffer.write(result.record)
    return DONE


def resume(folder: Path) -> int:
    """Plays what remains; returns the exit code."""
    from joute.contest.errors import ContestError, Interrupted
    from joute.contest.folder import opened_store
    from joute.contest.run.runner import run_contest
    from joute.store.store import StoreError
    from joute.web.contests.catalogue import configured

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


def trial(contest: Path, bot: str, name: str, house: str, seat: int, seed: str) -> GameSpec:
    """The test game by the contest's rules: the bot at a seat, the built-in one at all others."""
    terms = game_terms(rules(contest))
    players = properties(make(terms.game, **terms.parameters)).players
    own = SeatSpec(name=name, bot=bot)
    others = SeatSpec(name=house, bot=f"builtin:{house}")
    seats = tuple(own if each == seat % players else others for each in range(players))
    return msgspec.structs.replace(terms, bots=seats, seed=seed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
