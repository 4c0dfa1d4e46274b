"""The example of a tournament of programs that connect."""

from pathlib import Path

import pytest

from joute.contest.config.config import resolve
from joute.contest.config.default_names import default_name
from joute.host.limits import Limits
from joute.play.game import GameSpec, SeatSpec
from joute.play.referee import play_game

CONTEST = Path(__file__).parents[3] / "examples" / "vampires" / "contest.toml"


def test_the_tournament_has_return_matches_of_our_bots_and_of_files_as_programs():
    contest = resolve(CONTEST)
    assert all(bot.bot.startswith("tcp:") for bot in contest.bots)
    assert sum("joute vampires client" in bot.bot for bot in contest.bots) >= 3
    assert sum("bots/" in bot.bot for bot in contest.bots) >= 2
    assert contest.max_games == contest.players * len(contest.maps)
    assert (contest.costs["timeout"], contest.costs["illegal"]) == ("turn", "game")


def test_its_files_play_a_whole_game_without_a_fault():
    contest = resolve(CONTEST)
    files = [bot for bot in contest.bots if "bots/" in bot.bot]
    spec = GameSpec(
        game="vampires",
        parameters=contest.maps[0].parameters,
        bots=tuple(SeatSpec(name=bot.name, bot=bot.bot, base=contest.base) for bot in files),
        seed="0" * 32,
        limits=Limits(move_seconds=10.0, start_seconds=60.0),
        costs=contest.costs,
    )
    result = play_game(spec)
    assert (result.ending, result.faults) == ("finished", [])


@pytest.mark.parametrize(
    ("game", "costs"), [("vampires", ("game", "game", "turn")), ("virus", ("turn", "turn", "turn"))]
)
def test_what_faults_cost_is_the_game_s_own_rule_unless_the_contest_says_more(
    game, costs, tmp_path
):
    text = f'bots = ["builtin:random", "builtin:random"]\n[game]\nname = "{game}"\n'
    (tmp_path / "contest.toml").write_text(text, "utf-8")
    found = resolve(tmp_path / "contest.toml").costs
    assert (found["illegal"], found["crash"], found["timeout"]) == costs


def test_a_program_is_called_after_its_source():
    assert default_name("tcp:python3 bots/chasseur.py") == "chasseur"
    assert default_name("tcp:java -jar deep/mine.jar {ip} {port}") == "mine"
    assert default_name("tcp:./bot 5555") == "bot"
