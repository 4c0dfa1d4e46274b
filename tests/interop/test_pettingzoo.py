import numpy as np
import pytest
from interop.kinds import AT_ONCE, CONNECT_FOUR, KINDS, PENNIES
from pettingzoo.test import (
    api_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    seed_test,
)

import joute
from joute.interop.pettingzoo import aec_env, parallel_env


def played(env, seed):
    """The rewards of the agents in a game of random actions, and the observations on the way."""
    rng = np.random.default_rng(seed)
    env.reset(seed=seed)
    got, seen = dict.fromkeys(env.agents, 0.0), []
    for agent in env.agent_iter():
        observation, reward, ended, _, info = env.last()
        got[agent] += reward
        seen.append(observation)
        env.step(None if ended else int(rng.choice(np.flatnonzero(info["action_mask"]))))
    return got, seen


@pytest.mark.parametrize("kind", KINDS)
def test_an_environment_passes_the_checkers_of_pettingzoo(kind, capsys):
    made = aec_env(kind.name, **kind.values)
    api_test(made, num_cycles=60)
    seed_test(lambda: aec_env(kind.name, **kind.values), 20)
    render_test(lambda render_mode=None: aec_env(kind.name, render_mode=render_mode, **kind.values))


@pytest.mark.parametrize("kind", AT_ONCE)
def test_a_parallel_environment_passes_the_checkers_of_pettingzoo(kind, capsys):
    parallel_api_test(parallel_env(kind.name, **kind.values), num_cycles=60)
    parallel_seed_test(lambda: parallel_env(kind.name, **kind.values), 20)


@pytest.mark.parametrize("kind", KINDS)
def test_the_agents_get_what_the_game_gives(kind):
    env = aec_env(kind.name, **kind.values)
    for seed in range(3):
        got, _ = played(env, seed)
        assert tuple(got.values()) == env.position.returns


@pytest.mark.parametrize("kind", AT_ONCE)
def test_both_kinds_of_environments_play_the_same_games(kind):
    turns, rounds = aec_env(kind.name, **kind.values), parallel_env(kind.name, **kind.values)
    turns.reset(seed=3)
    seen, infos = rounds.reset(seed=3)
    got = dict.fromkeys(rounds.agents, 0.0)
    while rounds.agents:
        for agent in rounds.agents:
            assert np.array_equal(turns.observe(agent), seen[agent])
        masks = {agent: infos[agent]["action_mask"] for agent in rounds.agents}
        actions = {
            agent: int(np.flatnonzero(mask)[-1]) if mask.any() else 0
            for agent, mask in masks.items()
        }
        for agent, mask in masks.items():
            if mask.any() and turns.agent_selection == agent and not turns.terminations[agent]:
                assert np.array_equal(turns.infos[agent]["action_mask"], mask)
                turns.step(actions[agent])
        seen, rewards, ended, cut, infos = rounds.step(actions)
        got = {agent: got[agent] + reward for agent, reward in rewards.items()}
        assert not any(cut.values())
        assert ended == turns.terminations
    assert tuple(got.values()) == turns.position.returns


def test_an_agent_does_not_see_what_the_other_chose_in_the_round():
    env = aec_env(PENNIES)
    seen = []
    for choice in (0, 1):
        env.reset(seed=1)
        env.step(choice)
        seen.append(env.observe("player_1"))
    assert np.array_equal(*seen)


def test_an_illegal_action_ends_the_game_with_the_lowest_return():
    env = aec_env(CONNECT_FOUR)
    env.reset()
    for _ in range(6):
        env.step(0)
    assert env.infos["player_0"]["action_mask"].tolist() == [0, 1, 1, 1, 1, 1, 1]
    env.step(0)
    assert all(env.terminations.values())
    assert env.rewards == {"player_0": -1.0, "player_1": 1.0}


def test_an_illegal_choice_of_a_round_ends_the_game_with_the_lowest_return():
    env = parallel_env(PENNIES)
    env.reset()
    _, rewards, ended, _, _ = env.step({"player_0": 0, "player_1": 7})
    assert rewards == {"player_0": 1.0, "player_1": -1.0}
    assert all(ended.values())
    assert env.agents == []


def test_masks_are_right_whatever_was_written_into_earlier_ones():
    for env in (aec_env(CONNECT_FOUR), parallel_env(PENNIES)):
        found = []
        for _ in range(2):
            _, infos = env.reset(seed=1) or (None, env.infos)
            masks = [info["action_mask"] for info in infos.values()]
            found.append([mask.tolist() for mask in masks])
            for mask in masks:
                mask[:] = 1
        assert found[0] == found[1]


def test_a_number_that_is_not_whole_is_no_action():
    alone, together = aec_env(CONNECT_FOUR), parallel_env(PENNIES)
    for env, action in ((alone, 1.5), (together, {"player_0": 0.0, "player_1": 1})):
        env.reset()
        with pytest.raises(TypeError, match="float"):
            env.step(action)


def test_the_board_is_printed_or_returned(capsys):
    shown = aec_env(CONNECT_FOUR, render_mode="human")
    shown.reset()
    shown.step(3)
    assert capsys.readouterr().out == f"{shown.position}\n"
    told = aec_env(CONNECT_FOUR, render_mode="ansi")
    told.reset()
    assert told.render() == str(told.position)


def test_what_cannot_be_is_said():
    with pytest.raises(joute.GameError, match="do not choose at once: use aec_env"):
        parallel_env(CONNECT_FOUR)
    with pytest.raises(joute.GameError, match="render mode video: expected one of human, ansi"):
        aec_env(CONNECT_FOUR, render_mode="video")


@pytest.mark.game("tron")
def test_a_game_of_one_player_has_no_environment_of_several():
    with pytest.raises(joute.GameError, match="tron has one player: expected two or more"):
        aec_env("tron", players=1)
