"""The example of a contest of Paradise, by the rules of the original."""

import json
import shutil
from pathlib import Path

import pytest

from joute.cli.main import main
from joute.contest.config.config import resolve
from joute.host.limits import Limits
from joute.host.names import parse_bot
from joute.play.game import GameSpec, SeatSpec, usual_costs
from joute.play.referee import play_game

EXAMPLE = Path(__file__).parents[3] / "examples" / "paradise"
CONTEST = EXAMPLE / "contest.toml"
FOLDERS = sorted(path.name for path in (EXAMPLE / "bots").iterdir())
OF_THE_CONTEST = set(FOLDERS) - {"arbre", "lineaire"}  # these are for packages.toml


def test_its_rules_are_those_of_the_statement():
    contest = resolve(CONTEST)
    assert (contest.first_to, contest.max_games, contest.ranking) == (51, 101, "paradise")
    assert contest.game == "paradise"
    assert all(cost == "turn" for fault, cost in contest.costs.items() if fault == "crash")


def test_its_submissions_are_packages_with_an_agent():
    names = {Path(bot.bot).name for bot in resolve(CONTEST).bots if bot.bot.startswith("bots/")}
    assert names == OF_THE_CONTEST
    assert len(names) >= 3
    for name in names:
        folder = EXAMPLE / "bots" / name
        assert (folder / "__init__.py").is_file()
        assert parse_bot(str(folder)).kind == "python"
        assert len((folder / "agent.py").read_text(encoding="utf-8").splitlines()) <= 60
    loops = [name for name in names if "communicate" in _agent(name)]
    assert loops == ["boucle"]


def _agent(name):
    return (EXAMPLE / "bots" / name / "agent.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", FOLDERS)
def test_a_submission_plays_without_a_fault(name):
    spec = GameSpec(
        game="paradise",
        bots=(
            SeatSpec(name=name, bot=f"bots/{name}", base=str(EXAMPLE)),
            SeatSpec(name="greedy", bot="builtin:greedy"),
        ),
        seed="5" * 32,
        limits=Limits(start_seconds=60.0),
        costs=usual_costs("paradise"),
    )
    result = play_game(spec)
    assert (result.ending, result.faults) == ("finished", [])
    ended = b"the turn ends" in result.record
    assert ended == (name == "etourdi")


def test_a_shorter_one_is_played_and_ranked(tmp_path, capsys):
    shutil.copytree(EXAMPLE / "bots", tmp_path / "bots")
    text = CONTEST.read_text(encoding="utf-8")
    seeded = '[contest]\nseed = "the same deals each time"'
    shorter = {
        "first_to = 51": "first_to = 2",
        "max_games = 101": "max_games = 3",
        "[contest]": seeded,
    }
    for long, short in shorter.items():
        assert long in text
        text = text.replace(long, short)
    without = text.partition('[[bots]]\nbot = "builtin')[0]
    (tmp_path / "contest.toml").write_text(without, encoding="utf-8")
    assert main(["contest", "run", str(tmp_path / "contest.toml"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["summary"]["failed"] == 0
    lines = found["standings"]
    assert {line["name"] for line in lines} == OF_THE_CONTEST
    assert [line["faults"] for line in lines] == [[]] * len(lines)
    games = sum(line["games"] for line in lines) // 2
    assert 2 * 6 <= games <= 3 * 6
