"""Flat Monte Carlo on a graphics card, executed by Numba's simulator of one."""

import json
import subprocess
import sys

import numpy as np
import pytest
from games.tron.maps import superset
from games.tron.test_montecarlo_forms import agree

from joute.bots import BuiltinError, Seating, make
from joute.core.interface import start
from joute.core.registry import make as make_game
from joute.games.tron.players import montecarlo_cuda
from joute.games.tron.players.montecarlo_numpy import simulate_all
from joute.games.tron.players.montecarlo_python import workshop_game

CORRIDORS = "#######\n#  1  #\n##### #\n#######"
PROGRAM = f"""
import json
import numpy as np
from joute.bots import Seating, make
from joute.core.interface import start
from joute.core.registry import make as make_game
from joute.games.tron.players.montecarlo_cuda import simulate_on_card
from joute.games.tron.players.montecarlo_python import workshop_game
from games.tron.maps import superset

room = make_game("tron", players=1)
root = workshop_game(room, start(room).tolist())
samples = [
    simulate_on_card(root, 300, np.random.default_rng(seed)).tolist() for seed in (1, 1, 2)
]
corridors = make_game("tron", map=superset("fork", {CORRIDORS!r}), players=1)
bot = make("montecarlo-cuda", {{"simulations": "4"}}, Seating(corridors, 0, 1, 10.0))
action, message = bot.play(start(corridors))[:2]
print(json.dumps([samples, int(action), message, int(root.Grille.sum())]))
"""


def test_the_card_plays_the_workshops_random_games(monkeypatch):
    monkeypatch.setenv("NUMBA_ENABLE_CUDASIM", "1")
    monkeypatch.setenv("PYTHONPATH", ":".join(sys.path))
    # A process of its own: Numba reads the variable when it is imported.
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (one, same, other), action, message, unchanged = json.loads(done.stdout)
    room = make_game("tron", players=1)
    root = workshop_game(room, start(room).tolist())
    assert one == same != other
    assert agree(np.array(one + other), simulate_all(root, 3000, np.random.RandomState(3)))
    assert (action, message) == (2, "means of 4 games: right 3.00, left 2.00")
    assert unchanged == root.Grille.sum()


@pytest.mark.parametrize(
    ("trouble", "said"),
    [(OSError("no  driver\nat all"), "no driver at all"), (ValueError(), "ValueError")],
)
def test_without_a_card_the_bot_is_refused_with_the_reason(monkeypatch, trouble, said):
    def fails(*_):
        raise trouble

    monkeypatch.setattr(montecarlo_cuda, "simulate_on_card", fails)
    montecarlo_cuda._get_ready.cache_clear()
    with pytest.raises(BuiltinError) as error:
        make("montecarlo-cuda", {}, Seating(make_game("tron", players=1), 0, 1, 10.0))
    assert str(error.value).endswith(
        f"needs a graphics card of NVIDIA’s and the extra joute[cuda]: {said}"
    )
    arena = Seating(make_game("tron", map=superset("two", "1  2"), players=2), 0, 1, 10.0)
    with pytest.raises(BuiltinError, match="alone"):
        make("montecarlo-cuda", {}, arena)
