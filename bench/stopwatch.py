"""A newcomer's waits, from an installed wheel on: `scripts/stopwatch [--json] [GAME...]`.

Each row is measured twice, cold, with an empty cache of compiled code, and warm, with what the
first time left. Reading and typing are counted in the pages of the tutorials, see `tutorial`.
"""

import argparse
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import NamedTuple

from bench.rows import Row, print_table, to_json
from bench.tutorial import TutorialStep, person_seconds, until
from joute import bots
from joute.core.interface import CHANCE, mover, play, start
from joute.core.maps import with_map
from joute.core.registry import cards, make
from joute.play.chance import Streams, derive

ROOT = Path(__file__).parents[1]
TUTORIALS = ROOT / "docs/en/tutorials"
MAPS = {"tron": "duel", "vampires": "village"}
BOARD, ANSWER, CHAMPION, RANKING, BEATEN = 3.0, 1.0, 5.0, 180.0, 600.0  # aims, seconds
PATIENCE = 600.0  # seconds after which a measurement has failed
SCREEN, ASKED = b"\x1b[?1049h", b"\x1b[?2004h"  # the other screen begins; a line is asked for
AGAINST_GREEDY = "joute match virus bot.py builtin:greedy"
MEANWHILE = b"plays for it meanwhile"


class FirstAnswer(NamedTuple):
    """The seconds of a game at the terminal."""

    board: float  # from the command to the first board
    answer: float  # from there to the bot's first answer
    stood_in: bool  # whether another bot gave it


def first_seed(game: str) -> str:
    """A seed with which the first seat begins."""
    rules = made(game)
    for number in count():
        state, streams = start(rules).tolist(), Streams(derive(str(number), "play"))
        while (player := int(mover(rules, state))) == CHANCE:
            play(rules, state, streams.outcome(rules, state))
        if player == 0:
            return str(number)
    raise AssertionError


def made(game: str) -> object:
    """A game, on its usual map if it needs one."""
    return make(game, **(with_map(game, {"map": MAPS[game]}) if game in MAPS else {}))


def weak(game: str) -> str:
    """The bot `greedy`, or `random` where a game has none."""
    return "builtin:greedy" if bots.suits("greedy", made(game)) else "builtin:random"


def first_answer(joute: Path, game: str, bot: str, cache: Path) -> FirstAnswer:
    """Plays a game at a terminal of its own until the person is asked, then leaves it."""
    words = [str(joute), "play", game, bot, "human", "--seed", first_seed(game)]
    words += ["--map", MAPS[game]] if game in MAPS else []
    begun = time.monotonic()
    process, terminal = pty.fork()
    if process == 0:
        os.execve(joute, words, environment(cache) | {"TERM": "xterm"})
    try:
        board, seen = _until(terminal, SCREEN, b"")
        asked, seen = _until(terminal, ASKED, seen)
        os.write(terminal, b"quit\r")
        _, seen = _until(terminal, b"\x1b[?1049l", seen)
    finally:
        os.kill(process, signal.SIGTERM)
        os.waitpid(process, 0)
        os.close(terminal)
    return FirstAnswer(board - begun, asked - board, MEANWHILE in seen)


def _until(terminal: int, mark: bytes, seen: bytes) -> tuple[float, bytes]:
    """The time at which the mark appears, and everything up to now. Raises TimeoutError."""
    end = time.monotonic() + PATIENCE
    while mark not in seen:
        if not select.select([terminal], [], [], max(end - time.monotonic(), 0))[0]:
            raise TimeoutError(f"no {mark!r} in {seen!r}")
        seen += os.read(terminal, 1 << 16)
    return time.monotonic(), seen


def environment(cache: Path) -> dict[str, str]:
    """The environment of a newcomer's commands."""
    kept = {key: os.environ[key] for key in ("PATH", "LANG") if key in os.environ}
    return {**kept, "JOUTE_CACHE": str(cache), "HOME": str(cache), "JOUTE_LANG": "en"}


def followed(steps: Sequence[TutorialStep], joute: Path, folder: Path, cache: Path) -> float:
    """The seconds that the machine takes for the steps of a tutorial, in an empty folder.

    Games with people are left out. Raises RuntimeError for a command that ends otherwise than told.
    """
    spent = 0.0
    for step in steps:
        if step.file:
            (folder / step.file).write_text(step.content, encoding="utf-8")
        if found := re.fullmatch(r"cd (\S+)", step.command):
            folder = folder / found[1]
        elif step.command.startswith("joute ") and " human" not in step.command:
            words = [str(joute), *step.command.split()[1:]]
            begun = time.monotonic()
            done = subprocess.run(words, cwd=folder, env=environment(cache), capture_output=True)
            spent += time.monotonic() - begun
            if done.returncode != step.code:
                raise RuntimeError(f"{step.command}: {done.stdout!r} {done.stderr!r}")
    return spent


def installed(folder: Path) -> Path:
    """The command of a wheel of these files in a fresh environment."""
    subprocess.run([ROOT / "scripts/build", folder], check=True, stdout=subprocess.DEVNULL)
    [wheel] = folder.glob("*.whl")
    place = folder / "environment"
    if uv := shutil.which("uv"):
        subprocess.run([uv, "venv", "-q", "--python", sys.executable, place], check=True)
        python = ["--compile-bytecode", "--python", place / "bin/python"]
        install = [uv, "pip", "install", "-q", *python]
    else:
        subprocess.run([sys.executable, "-m", "venv", place], check=True)
        install = [place / "bin/python", "-m", "pip", "install", "-q"]
    subprocess.run([*install, wheel], check=True)
    return place / "bin/joute"


def row(name: str, seconds: float, aim: float, against: str = "") -> Row:
    """A row of the table; how many times less than its aim a time is stands as its ratio."""
    return Row(name, seconds, "s", against, aim / seconds, f"{aim:g} s", seconds <= aim)


def game_rows(joute: Path, game: str, cache: Path, kind: str) -> Iterator[Row]:
    """The rows of a game: its first board, the first answers of a weak bot and the champion."""
    bot = weak(game)
    found = first_answer(joute, game, bot, cache)
    yield row(f"{kind}: first board, {game}", found.board, BOARD)
    yield row(f"{kind}: {bot}’s answer, {game}", found.answer, ANSWER)
    found = first_answer(joute, game, "builtin:champion", cache)
    by = "another plays meanwhile" if found.stood_in else "by itself"
    yield row(f"{kind}: champion’s answer, {game}", found.answer, CHAMPION, by)


def tutorial_rows(joute: Path, folder: Path, cache: Path, kind: str) -> Iterator[Row]:
    """The rows of the tutorials: the machine's time and the person's together."""
    for name, page, command, which, aim in (
        ("first ranking", "first-contest.md", "joute contest run", 1, RANKING),
        (
            "a bot beats greedy",
            "first-bot.md",
            AGAINST_GREEDY,
            2,
            BEATEN,
        ),
    ):
        steps = until(TUTORIALS / page, command, which)
        place = Path(tempfile.mkdtemp(dir=folder))
        machine, person = followed(steps, joute, place, cache), person_seconds(steps)
        against = f"{machine:.0f} s of the machine, {person:.0f} s of reading and typing"
        yield row(f"{kind}: {name}", machine + person, aim, against)


def rows(games: Sequence[str]) -> Iterator[Row]:
    """All rows, cold and then warm."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        joute = installed(folder)
        for game in games:
            cache = Path(tempfile.mkdtemp(dir=folder))
            yield from game_rows(joute, game, cache, "cold")
            command = [joute, "warm", game]
            subprocess.run(command, env=environment(cache), check=True, capture_output=True)
            yield from game_rows(joute, game, cache, "warm")
        cache = Path(tempfile.mkdtemp(dir=folder))
        for kind in ("cold", "warm"):
            yield from tutorial_rows(joute, folder, cache, kind)


def main() -> None:
    """Measures what the command line names: these games, or all."""
    known = [card.name for card in cards() if card.champion]
    parser = argparse.ArgumentParser(prog="scripts/stopwatch", description=__doc__)
    parser.add_argument("games", nargs="*", help="only these games")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    arguments = parser.parse_args()
    for game in arguments.games:
        if game not in known:
            parser.error(f"no game {game!r} (there are: {', '.join(known)})")
    found = list(rows(arguments.games or known))
    if arguments.json:
        print(to_json(found))
    else:
        print_table(found)


if __name__ == "__main__":
    main()
