"""The CPU seconds that each champion takes to compile where nothing is.

That is what its first choices take in a process with an empty cache, less what they take in
another with the cache that the first has filled. Today's sources and those of the commit BEFORE are
compiled one after the other. JOUTE_BENCH_BEFORE names another commit to compare with.
"""

import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import joute
from bench.rows import Row
from joute.core.registry import cards

GAMES = tuple(each.name for each in cards() if each.champion)
BEFORE = "658bf59a"  # the last commit where every helper had machine code of its own
AIM = 2.0  # times less than before
BOT = "builtin:champion"
SOURCES = Path(joute.__file__).parents[1]


def rows(*games: str) -> Iterator[Row]:
    """A row for each champion; without that commit at hand, nothing to compare with."""
    commit = os.environ.get("JOUTE_BENCH_BEFORE", BEFORE)
    with tempfile.TemporaryDirectory() as folder:
        before = sources_of(commit, Path(folder))
        for game in games or GAMES:
            seconds = cold_seconds(game, SOURCES)
            known = None if before is None else cold_seconds(game, before)
            yield row(game, seconds, known, commit)


def row(game: str, seconds: float, known: float | None, commit: str) -> Row:
    """The row of a champion that takes so many seconds, and before, if that is known."""
    name, unit = f"cold champion, {game}", "s of CPU"
    if known is None:
        return Row(name, seconds, unit, f"{commit} is not in this copy of the repository")
    ratio = known / seconds
    against = f"{known:.1f} s at {commit}"
    return Row(name, seconds, unit, against, ratio, f"{AIM:g} times less", ratio >= AIM)


def sources_of(commit: str, folder: Path) -> Path | None:
    """The sources of a commit, unpacked into a folder; None where there is no such commit."""
    command = ["git", "-C", str(SOURCES), "archive", "--format=zip", commit, "."]
    try:
        done = subprocess.run(command, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    with zipfile.ZipFile(BytesIO(done.stdout)) as archive:
        archive.extractall(folder)
    return folder


def cold_seconds(game: str, sources: Path, bot: str = BOT) -> float:
    """CPU seconds that these sources compile until a bot has chosen."""
    with tempfile.TemporaryDirectory() as cache:
        cold, warm = (_seconds(game, sources, bot, cache) for _ in range(2))
    return cold - warm


def _seconds(game: str, sources: Path, bot: str, cache: str) -> float:
    """CPU seconds of a process of these sources that has a bot choose, with this cache."""
    environment = {**os.environ, "JOUTE_CACHE": cache, "PYTHONPATH": str(sources)}
    command = [sys.executable, "-m", "joute.play.preparing", game, "{}", bot, "0"]
    before = os.times()
    subprocess.run(command, env=environment, check=True)
    after = os.times()
    return after.children_user - before.children_user
