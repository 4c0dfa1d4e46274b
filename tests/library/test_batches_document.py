"""The examples of docs/en/batches.md run as they are shown, and the policy learns."""

import re
from pathlib import Path

import pytest

SHEET = (Path(__file__).parents[2] / "docs" / "en" / "batches.md").read_text("utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", SHEET, re.DOTALL)

pytestmark = pytest.mark.game("virus")


def test_random_games_are_played_to_their_end(capsys):
    exec(compile(EXAMPLES[0], "batches.md", "exec"), {})
    share = float(capsys.readouterr().out.removeprefix("player 0 wins "))
    assert 0.4 < share < 0.6


def test_the_policy_of_the_learner_s_loop_learns_to_win(capsys):
    exec(compile("\n".join(EXAMPLES), "batches.md", "exec"), {})
    assert float(capsys.readouterr().out.split()[-1]) > 0.75
