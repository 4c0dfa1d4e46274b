"""A contest of bots that misbehave in every way: each pays what the contest says, and no more."""

import json
from pathlib import Path

import pytest
from contest.kept_records import records_of
from lateness import Lateness

from joute.contest.config.config import resolve
from joute.contest.report.standings import standings
from joute.contest.run.runner import run_contest
from joute.play.record import read_record
from joute.play.verify import verify_record

pytestmark = pytest.mark.game("virus")

BOTS = Path(__file__).parents[1] / "bots"

# The fault of each in a game, and whether it costs the game at once. A bot that has to be killed
# is started again, twice at most: then it has lost the game.
EXPECTED = {
    "silent.py": ("timeout", "restarts"),
    "sleeping.py": ("timeout", "restarts"),
    "slow.py": ("timeout", "restarts"),
    "crash_import.py": ("start-up", "at once"),
    "crash_move7.py": ("crash", "turn"),
    "illegal.py": ("illegal", "turn"),
    "leaving.py": ("crash", "restarts"),
    "quitting.py": ("crash", "turn"),
    "memory.py": ("memory", "restarts"),
    "forking.py": ("sandbox", "at once"),  # it may start no process
    "huge.py": ("output-limit", "restarts"),
    "broken.py": ("protocol", "restarts"),
    "talkative.py": (None, "nothing"),
    "cheat.py": (None, "nothing"),
}

FILE = """
bots = [{bots}]
[contest]
games = 2
seed = 5
[game]
size = 5
[limits]
move_seconds = 0.25
start_seconds = 20
memory_mb = 256
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    folder = tmp_path_factory.mktemp("misbehaving")
    bots = [str(BOTS / name) for name in EXPECTED] + ["builtin:greedy"]
    text = FILE.format(bots=", ".join(json.dumps(bot) for bot in bots))
    (folder / "bad.toml").write_text(text)
    contest = resolve(folder / "bad.toml")
    with Lateness() as lateness:
        summary = run_contest(contest, workers=2)
    return contest, summary, lateness


def test_every_game_is_played_whatever_its_bots_do(played):
    contest, summary, _ = played
    count = len(contest.bots)
    assert (summary.played, summary.failed) == (count * (count - 1), 0)
    assert all(verify_record(record).ok for record in records_of(contest))


def test_the_reason_of_every_fault_is_in_the_standings(played):
    contest, _, _ = played
    table = {standing.name: standing for standing in standings(contest)}
    for name, (fault, _) in EXPECTED.items():
        faults = table[Path(name).stem].faults
        if fault is None:
            assert not faults, name
        else:
            assert fault in {entry.fault for entry in faults}, name
            assert all(entry.first for entry in faults), name
    assert not table["greedy"].faults


def test_a_fault_costs_what_the_contest_says_and_nothing_more(played):
    contest, _, _ = played
    for content in records_of(contest):
        record = read_record(content)
        names = [bot["name"] + ".py" for bot in record.header["bots"]]
        for ply in record.plies:
            if "fault" in ply:
                name = names[ply["player"]]
                allowed = {"turn": ["turn"], "at once": ["game"]}
                costs = allowed.get(EXPECTED[name][1], ["turn", "game"])
                assert ply["cost"] in costs, (name, ply)
        lost = {names[seat] for seat in record.end["forfeits"]}
        assert all(EXPECTED[name][1] in ("at once", "restarts") for name in lost)


def test_after_every_flag_fall_the_slot_is_free_again_within_half_a_second(played):
    contest, _, lateness = played
    plies = [ply for content in records_of(contest) for ply in read_record(content).plies]
    held = [ply["held_ms"] for ply in plies if ply.get("fault") == "timeout"]
    assert len(held) > 2 * len(contest.bots)
    assert max(held) < lateness.allows(500)
