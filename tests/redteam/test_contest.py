"""A contest with hostile bots in it ends, with everybody else's results as without them."""

import shutil
from pathlib import Path

import pytest
from contest.kept_records import records_of
from helpers import cannot_run, wait_until

from joute.contest.config import resolve
from joute.contest.runner import run_contest
from joute.contest.standings import standings
from joute.games.compiled import cache_folder
from joute.host.sandbox import Level, granted
from joute.play.verify import verify_record
from joute.redteam import attempt
from joute.redteam.corpus import ATTACKS
from joute.redteam.room import Room

HOSTILE = """
read_other_bot write_own_folder write_temporary damage_other_bot tcp_listen fork_bomb thread_bomb
memory_own memory_named disk_fill kill_referee stop_others daemon_in_disguise think_in_child
line_endless answer_twice flood_of_output deaf_to_signals
"""

OTHERS = ["builtin:wall", "builtin:fill", "builtin:random"]

# What the corpus is told by its own host, a bot of a contest finds out or has brought along.
BOT = """
import os
import attack

AIM = {aim!r}


def play(observation, clock):
    aim = dict(AIM, referee=os.getppid(), own_folder={folder!r})
    attack.play(dict(observation, aim=aim, ply=0), clock)
    return observation["legal"][0]
"""

FILE = """
bots = [{bots}]
[contest]
format = "score"
games = 1
seed = 5
[game]
name = "tron"
players = 1
maps = ["workshop"]
[limits]
move_seconds = 0.3
start_seconds = 20
memory_mb = 64
[faults]
max_restarts = 0
"""


def write(folder, bots):
    text = FILE.format(bots=", ".join(f'"{bot}"' for bot in bots))
    (folder / "contest.toml").write_text(text)
    return resolve(folder / "contest.toml")


def hostile(room, name):
    folder = room.folder / "bots" / name
    folder.mkdir()
    shutil.copy(ATTACKS / f"{name}.py", folder / "attack.py")
    shutil.copy(attempt.__file__, folder)
    text = BOT.format(aim=room.aim(), folder=str(folder))
    (folder / "bot.py").write_text(text, encoding="utf-8")
    return str(folder)


def of(table, names):
    return {line.name: (line.mean, line.best, line.faults) for line in table if line.name in names}


def running_in(folder):
    """The processes that work in a folder, or whose command names it."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes()
            inside = (process / "cwd").readlink().is_relative_to(folder)
        except OSError:
            continue
        if inside or str(folder).encode() in command:
            found.append(process.name)
    return found


@pytest.mark.full
def test_everyone_elses_results_are_those_of_a_contest_without_them(tmp_path):
    if granted().level < Level.KERNEL:
        cannot_run("this machine does not grant the level kernel: see joute doctor")
    (tmp_path / "calm").mkdir()
    calm = write(tmp_path / "calm", OTHERS)
    run_contest(calm, workers=1)
    with Room(cache_folder()) as room:
        bots = [hostile(room, name) for name in HOSTILE.split()]
        room.seal()
        contest = write(tmp_path, [*bots, *OTHERS])
        summary = run_contest(contest, workers=2)
        assert (summary.played, summary.failed) == (len(bots) + len(OTHERS), 0)
        assert room.traces() == []
        wait_until(lambda: not running_in(room.folder))
        names = {bot.partition(":")[2] for bot in OTHERS}
        assert of(standings(contest), names) == of(standings(calm), names)
    assert all(verify_record(record).ok for record in records_of(contest))
