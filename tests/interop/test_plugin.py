"""A game of a package that is installed beside Joute, and the checkers of other libraries."""

import subprocess

import pytest
from cli.apart import environment
from games.outside import install

CHECKED = """
import gymnasium, numpy, pyspiel
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, render_test, seed_test

import joute
from joute.interop import data, openspiel, pettingzoo

assert "my-nim" in joute.games()
api_test(pettingzoo.aec_env("my-nim"), num_cycles=50)
seed_test(lambda: pettingzoo.aec_env("my-nim"), 20)
render_test(lambda render_mode=None: pettingzoo.aec_env("my-nim", render_mode=render_mode))
env = gymnasium.make("joute.interop.gymnasium:joute/MyNim-v0", opponent="builtin:greedy")
check_env(env.unwrapped)
envs = gymnasium.make_vec("joute/MyNim-v0", num_envs=3)
seen, info = envs.reset(seed=1)
for _ in range(20):
    seen, *_, info = envs.step(info["action_mask"].argmax(axis=1))
    assert envs.observation_space.contains(seen)
pyspiel.random_sim_test(openspiel.load("my-nim"), num_sims=3, serialize=True, verbose=False)
match = joute.match("my-nim", "builtin:uct?simulations=20", "builtin:random", seed=1)
assert len(data.positions(match.records)) == sum(len(record) for record in match.records)
print("checked")
"""


@pytest.mark.full
def test_a_plug_in_passes_the_checkers_without_a_warning(tmp_path):
    python = install(tmp_path)
    line = [python, "-W", "error", "-c", CHECKED]
    done = subprocess.run(line, cwd=tmp_path, env=environment(), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("checked\n") and not done.stderr
