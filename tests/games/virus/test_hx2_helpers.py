"""The functions that the template of the HX2 interface lets bots copy, against the rules."""

import copy
import random
import runpy
from pathlib import Path

import pytest
from games.virus.oracle import PASS, Oracle

ROOT = Path(__file__).parents[3]
SIDES = ("player_1", "player_2")

pytestmark = pytest.mark.game("virus")


@pytest.fixture(name="template", params=["en", "fr"])
def _template(request, tmp_path):
    """The functions of the template in a language."""
    file = ROOT / f"src/joute/games/virus/templates/hx2.{request.param}.py.txt"
    bot = tmp_path / "bot.py"
    bot.write_text(file.read_text("utf-8"), "utf-8")
    return runpy.run_path(str(bot))


def contest_game(oracle):
    """The contest's dictionary for a position."""
    number = {None: 0, 0: 1, 1: 2}
    scores = oracle.scores()
    return {
        **{side: {"misc": {}, "score": score} for side, score in zip(SIDES, scores, strict=True)},
        "grid": [[number[stone] for stone in row] for row in oracle.grid],
        "references": {"player_1": 1, "player_2": 2, "neutral": 0},
        "history": [],
    }


@pytest.mark.parametrize("seed", range(3))
def test_moves_and_what_they_do_are_those_of_the_rules_in_whole_games(template, seed):
    chance = random.Random(seed)
    oracle = Oracle(6, True, seed % 2)
    while not oracle.over:
        game, side = contest_game(oracle), SIDES[oracle.to_move]
        before = copy.deepcopy(game)
        valid = [
            (row, column)
            for row in range(6)
            for column in range(6)
            if template["valid_move"](game, side, [row, column])
        ]
        places = [action for action in oracle.legal() if action != PASS]
        assert valid == places
        drawn = template["random_move"](game, side)
        assert (tuple(drawn) in places) if places else drawn is False
        first = template["ia"](game, side)
        assert first == (list(places[0]) if places else False)
        action = chance.choice(places) if places else PASS
        oracle.play(action)
        if action != PASS:
            after = template["turn"](game, side, list(action))
            assert after == contest_game(oracle)
        assert game == before


def test_a_pass_is_valid_and_the_grid_is_printed_row_by_row(template, capsys):
    game = contest_game(Oracle(3, True, 0))
    assert template["valid_move"](game, "player_1", False)
    template["print_game"](game)
    assert capsys.readouterr().out == "1 0 2\n0 0 0\n2 0 1\n"
