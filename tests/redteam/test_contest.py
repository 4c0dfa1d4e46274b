"""A contest with hostile bots in it ends, with everybody else's results as without them."""

import json
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from contest.kept_records import records_of
from helpers import cannot_run, wait_until
from lateness import Lateness

from joute.contest.config.config import resolve
from joute.contest.report.standings import standings
from joute.contest.run.runner import run_contest
from joute.files import cache_folder
from joute.host import BotError, content_hash, parse_bot
from joute.host.sandbox import Level, granted
from joute.play.record import read_record
from joute.play.verify import verify_record
from joute.redteam.corpus import corpus
from joute.redteam.submissions import SUBMISSIONS
from joute.redteam.targets import Targets

pytestmark = pytest.mark.game("tron")

TURNS = 2
"""The turns in which a bot is hostile; what it leaves does the rest."""

OTHERS = ["builtin:wall", "builtin:fill", "builtin:random"]

# The secret that its own host tells the corpus, a bot of a contest finds out or has brought along.
BOT = """
import os
import attack

AIM = {aim!r}


class Bot(getattr(attack, "Bot", object)):
    turns = 0

    def play(self, observation, clock):
        self.turns += 1
        if self.turns <= {turns}:
            play = attack.play if hasattr(attack, "play") else super().play
            aim = dict(AIM, referee=os.getppid(), partner=os.getppid())
            play(dict(observation, aim=aim, ply=self.turns - 1), clock)
        return observation["legal"][0]
"""
SERVED = """

def serve(play):
    import json
    import sys

    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] != "end":
            asked = message["type"] == "play"
            action = play(message["observation"], None) if asked else 0
            answer = dict(type="action", action=action) if asked else dict(type="ready")
            print(json.dumps(answer), flush=True)


serve(Bot().play)
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
    text = FILE.format(bots=", ".join(map(json.dumps, bots)))
    (folder / "contest.toml").write_text(text)
    return resolve(folder / "contest.toml")


def hostile(targets, attack):
    """An attack as a contest's bot: as its file or folder, or its words."""
    folder = targets.folder / "bots" / attack.name
    folder.mkdir()
    own = {"own_folder": str(folder), "address": id(targets), "descriptor": 0}
    aim = {**targets.aim(), **own, "word": targets.token, "hint": targets.token[0]}
    if attack.staging == "submission":
        return SUBMISSIONS[attack.name](folder, aim)
    (folder / "attack.py").write_text(attack.program(), encoding="utf-8")
    program = attack.staging in ("program", "programs")
    text = BOT.format(aim=aim, turns=TURNS) + (SERVED if program else "")
    (folder / "bot.py").write_text(text, encoding="utf-8")
    return f"program:{sys.executable} -B {folder / 'bot.py'}" if program else str(folder)


def accepted(bots):
    """Those that a contest takes: a submission may be refused as it is handed in."""
    for bot in bots:
        with suppress(BotError):
            content_hash(parse_bot(bot))
            yield bot


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


def flags(contest):
    """The milliseconds for which the slot of each bot was held whose time ran out."""
    plies = [ply for content in records_of(contest) for ply in read_record(content).plies]
    return [ply["held_ms"] for ply in plies if ply.get("fault") == "timeout"]


@pytest.mark.full
def test_everyone_elses_results_are_those_of_a_contest_without_the_whole_corpus(tmp_path):
    if granted().level < Level.KERNEL:
        cannot_run("this machine does not grant the level kernel: see joute doctor")
    (tmp_path / "calm").mkdir()
    calm = write(tmp_path / "calm", OTHERS)
    run_contest(calm, workers=1)
    with Targets(cache_folder()) as targets:
        bots = list(accepted([hostile(targets, attack) for attack in corpus()]))
        assert len(bots) > len(corpus()) - len(SUBMISSIONS)
        targets.seal()
        contest = write(tmp_path, [*bots, *OTHERS])
        with Lateness() as lateness:
            summary = run_contest(contest, workers=2)
        assert (summary.played, summary.failed) == (len(bots) + len(OTHERS), 0)
        assert targets.traces() == []
        wait_until(lambda: not running_in(targets.folder))
        names = {bot.partition(":")[2] for bot in OTHERS}
        assert of(standings(contest), names) == of(standings(calm), names)
    assert all(verify_record(record).ok for record in records_of(contest))
    # That each attack by itself holds no slot for longer is in its verdict; see `test_attacks`.
    assert flags(contest)
    assert max(flags(contest)) < lateness.allows(500)
