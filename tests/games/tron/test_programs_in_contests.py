"""A contest of programs of the 2010 protocol on two-bike maps, some of which misbehave."""

import sys
from pathlib import Path

import pytest
from contest.kept_records import records_of

from joute.contest.config.config import resolve
from joute.contest.config.default_names import default_name
from joute.contest.report.standings import standings
from joute.contest.run.runner import run_contest
from joute.play.record import read_record
from joute.play.verify import verify_record

BOTS = Path(__file__).parents[2] / "bots"

EXPECTED = {
    "well": set(),
    "loud": set(),
    "wall": set(),
    "late": {"timeout"},
    "silent": {"timeout"},
    "crash": {"crash"},
    "rubbish": {"protocol"},
}

# `rubbish` costs each turn, as long as the bike lives; the others cost the game at once.
FILE = """
[contest]
games = 2
seed = 2010
[game]
name = "tron"
map = "duel"
[limits]
move_seconds = 0.25
start_seconds = 20
memory_mb = 256
[faults]
timeout = "game"
crash = "game"
protocol = "turn"
"""
BOT = '[[bots]]\nname = "{0}"\nbot = "tron2010:{1} {2} {0}"\n'


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    folder = tmp_path_factory.mktemp("programs")
    bots = [BOT.format(way, sys.executable, BOTS / "tron2010.py") for way in EXPECTED]
    (folder / "programs.toml").write_text(FILE + "".join(bots), "utf-8")
    contest = resolve(folder / "programs.toml")
    return contest, run_contest(contest, workers=2)


def test_such_bots_are_called_after_their_files():
    assert default_name("tron2010:./tronc --deep") == "tronc"
    assert default_name("workshop:bots/mine.py") == "mine"


def test_every_game_is_played_and_every_fault_costs_what_the_contest_says(played):
    contest, summary = played
    count = len(EXPECTED)
    assert (summary.played, summary.failed) == (count * (count - 1), 0)
    seen = {way: set() for way in EXPECTED}
    details = []
    for content in records_of(contest):
        assert verify_record(content).ok
        record = read_record(content)
        names = [bot["name"] for bot in record.header["bots"]]
        for line in record.plies:
            if "fault" in line:
                seen[names[line["player"]]].add(line["fault"])
                details.append((names, line))
                assert line["cost"] == ("turn" if line["fault"] == "protocol" else "game")
                assert ("action" in line) is (line["cost"] == "turn")
    assert seen == EXPECTED, details


def test_the_programs_that_play_well_lead(played):
    contest, _ = played
    table = [standing.name for standing in standings(contest)]
    assert set(table[:2]) == {"well", "loud"}
