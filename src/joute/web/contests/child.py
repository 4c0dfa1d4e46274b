"""The programs that the server runs for contests in processes of their own.

    python -m joute.web.contests.child resume FOLDER [--lang LANGUAGE]
    python -m joute.web.contests.child trial CONTEST-FILE BOT NAME HOUSE-BOT SEAT SEED
    python -m joute.web.contests.child ladder CONTEST-FILE [--lang LANGUAGE]

`resume` plays the rest of a contest from the folder of its results. As `joute contest run`, it ends
with 0 once all is played, with 3 when it was stopped before, and with 1 where games could not be
played or the contest could not be resumed; so does `ladder`, which plays a round robin of the bots
of a file, a set for each group. `trial` plays a test game of a registered bot against a built-in
one, and prints the game's record.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from math import comb
from pathlib import Path

import msgspec

from joute.contest.config.config import resolve_data, rules
from joute.contest.config.contest import Contest
from joute.contest.config.reading import read_file
from joute.contest.run.tasks import game_terms
from joute.core.interface import properties
from joute.core.registry import make
from joute.i18n.recognised import worded
from joute.i18n.words import LANGUAGES, speak, split_language
from joute.play.game import GameSpec, SeatSpec
from joute.play.referee import play_game

DONE, FAILED, STOPPED = 0, 1, 3
BUILTIN = "builtin:"


def main(words: list[str]) -> int:
    """Runs a command line; returns the exit code."""
    command, *words = words
    if command in ("resume", "ladder"):
        asked, words = split_language(words)
        speak(asked or LANGUAGES[0])
        return (resume if command == "resume" else ladder)(Path(words[0]))
    contest, bot, name, house, seat, seed = words
    result = play_game(trial(Path(contest), bot, name, house, int(seat), seed))
    sys.stdout.buffer.write(result.record)
    return DONE


def resume(folder: Path) -> int:
    """Plays what remains; returns the exit code."""
    from joute.contest.folder import configured, opened_store

    def kept() -> Contest:
        with opened_store(folder) as store:
            return configured(folder, store)

    return _run(kept)


GROUPS = 6  # of each bot in a ladder, about, where more than two meet
HOUSES = 2  # in a ladder of a contest without house bots


def ladder(file: Path) -> int:
    """Plays what remains of a ladder; returns the exit code."""
    os.nice(10)  # whoever plays and hands in comes first
    return _run(lambda: ladder_contest(file.resolve()), redraw=True)  # it is for bots that change


def ladder_contest(file: Path) -> Contest:
    """The contest of a ladder by the file of another (absolute). Raises ConfigError."""
    from joute.bots.ladder import levels, playing

    data = read_file(file)[1]
    told = rules(file)
    players = told.players
    bots = data.get("bots", [])
    if all(not str(bot["bot"]).startswith(BUILTIN) for bot in bots):
        games = [make(told.game, **each.parameters) for each in told.maps]
        known = levels(games[0])
        for game in games:
            known = playing(known, game)
        chosen = dict.fromkeys(known[(len(known) - 1) * at // HOUSES] for at in range(HOUSES))
        bots += [{"bot": f"{BUILTIN}{each}"} for each in chosen]
    data["bots"] = bots
    data["contest"] = {
        "name": told.name,
        "folder": str(file.parent / "contest.results"),
        "games": max(players, 2),
        "workers": 1,
    }
    if players > 2 and comb(len(bots), players) > GROUPS * len(bots):
        data["contest"]["groups"] = GROUPS * len(bots)
    return resolve_data(data, where=str(file), base=file.parent)


def _run(contest: Callable[[], Contest], redraw: bool = False) -> int:
    from joute.contest.errors import ContestError, Interrupted
    from joute.contest.run.runner import run_contest
    from joute.store.store import StoreError

    try:
        found = run_contest(contest(), redraw=redraw)
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
    others = SeatSpec(name=house, bot=f"{BUILTIN}{house}")
    seats = tuple(own if each == seat % players else others for each in range(players))
    return msgspec.structs.replace(terms, bots=seats, seed=seed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
