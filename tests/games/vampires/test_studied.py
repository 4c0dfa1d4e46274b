"""Turns of whole orders, and programs that connect, in a study of recorded games."""

import json
import sys
from pathlib import Path

import pytest
from games.vampires.players import MAP
from play.playing import SEED, seats

from joute.cli.main import main
from joute.core.interface import pending
from joute.games.vampires.adapters import program
from joute.host.names import BotError, parse_bot
from joute.play.debugging import DebugSeat
from joute.play.game import GameSpec
from joute.play.profiling import seat_turns
from joute.play.record import read_record
from joute.play.referee import play_game

STUDENT = Path(__file__).parents[2] / "bots" / "vampires_student.py"


@pytest.fixture(scope="module")
def record():
    """A game of a bot that takes its orders apart into small choices."""
    bots = seats("builtin:random", "builtin:random")
    terms = {"map": MAP, "plies": 20}
    return play_game(GameSpec(game="vampires", parameters=terms, bots=bots, seed=SEED)).record


def test_other_bots_than_those_of_a_record_are_asked_whole_turns_only(record):
    found = read_record(record)

    def halves(name):
        turns = seat_turns(found, "ply {ply}", name)
        return [pending(each.game, turn.state) > 0 for each in turns for turn in each.turns]

    assert any(halves("a"))
    assert halves(None) and not any(halves(None))


def test_a_profile_of_a_program_that_connects_goes_by_the_clock_on_the_wall(
    record, tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr(program, "PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(program.Launched, "cpu_seconds", lambda _: 0.0)
    (tmp_path / "game.jsonl").write_bytes(record)
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "student.py").write_text(STUDENT.read_text("utf-8"), encoding="utf-8")
    order = '[build]\ncommand = "true"\nbot = "tcp:python3 student.py"\n'
    (tmp_path / "bot" / "joute.toml").write_text(order)
    asked = [str(tmp_path / "bot"), str(tmp_path / "game.jsonl"), "--positions", "6", "--json"]
    assert main(["profile", *asked]) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found["answers"]) == 6 and found["functions"] is None
    assert [each["fault"] for each in found["answers"]] == [""] * 6
    assert all(each["ms"] > 0.0 for each in found["answers"])


def test_a_program_that_connects_is_refused_to_the_debugger_with_what_to_start():
    bot = parse_bot(f"tcp:{sys.executable} {STUDENT}")
    with pytest.raises(BotError, match=r"start its server \(joute vampires serve\)"):
        DebugSeat(bot)
