import subprocess
import sys
from pathlib import Path
from typing import ClassVar

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import SyncVectorEnv
from interop.kinds import CONNECT_FOUR, HERE, KINDS, OTHELLO, PENNIES, Kind, cases

import joute
from joute.core.registry import names
from joute.interop.gymnasium import BatchEnv, SeatEnv, register

ODD = str(HERE / "odd_one_out.py")
ALONE = cases(Kind("tron", {"players": 1}), tier="full")
CERTAIN = cases(Kind(CONNECT_FOUR), Kind(PENNIES))
CERTAIN += cases(Kind(OTHELLO), Kind("tron"), tier="full")
"""Games without chance, in which deterministic players play the same game again."""


class Last:
    """A bot that takes the last legal action."""

    def think(self, position):
        return position.legal[-1]


class Account:
    """A bot that keeps account of what it is told: its actions depend on all of it."""

    games: ClassVar[list] = []

    def start(self, info):
        self.games.append(info["seed"])
        self.told = len(info["events"])

    def event(self, event):
        self.told += 1

    def play(self, observation, clock):
        self.told += 1
        return observation["legal"][self.told % len(observation["legal"])]


def legal(mask):
    return int(np.flatnonzero(mask)[0]) if mask.any() else 0


def returned(env, choose=legal):
    """The sum of the rewards of a game, and how long it is."""
    _, info = env.reset(seed=3)
    got, steps, over = 0.0, 0, False
    while not over:
        _, reward, over, _, info = env.step(choose(info["action_mask"]))
        got, steps = got + reward, steps + 1
    return got, steps


@pytest.mark.parametrize("kind", KINDS + ALONE)
def test_an_environment_passes_the_checker_of_gymnasium(kind, capsys):
    env = gymnasium.make(register(kind.name), **kind.values)
    check_env(env.unwrapped)
    env.close()


@pytest.mark.parametrize("kind", KINDS + ALONE)
def test_many_environments_obey_the_interface_of_vectors(kind):
    envs = gymnasium.make_vec(register(kind.name), num_envs=3, **kind.values)
    rng = np.random.default_rng(1)
    seen, info = envs.reset(seed=2)
    ends = 0
    for _ in range(60):
        assert envs.observation_space.contains(seen)
        actions = [rng.choice(np.flatnonzero(m)) if m.any() else 0 for m in info["action_mask"]]
        seen, rewards, ended, cut, info = envs.step(np.array(actions))
        assert rewards.shape == ended.shape == (3,)
        assert not rewards[~ended].any()
        assert not cut.any()
        ends += ended.sum()
    assert envs.action_space.contains(np.array(actions))
    envs.close()


@pytest.mark.parametrize("kind", CERTAIN)
def test_an_environment_of_many_plays_the_games_of_a_single_one(kind):
    values = {**kind.values, "opponent": Last()}
    single = SeatEnv(kind.name, seat=1, **values)
    many = BatchEnv(kind.name, 2, seat=1, **values)
    seen, info = single.reset(seed=1)
    all_seen, all_info = many.reset(seed=1)
    games, ended, reward = 0, False, 0.0
    for number in range(400):
        assert np.array_equal(all_seen[1], seen)
        assert np.array_equal(all_info["action_mask"][1], info["action_mask"])
        if games == 3:
            break
        if ended:
            seen, info = single.reset()
            action, reward, ended = 0, 0.0, False
        else:
            known = np.flatnonzero(info["action_mask"])
            action = int(known[number % len(known)])
            seen, reward, ended, _, info = single.step(action)
        all_seen, rewards, all_ended, _, all_info = many.step(np.array([action, action]))
        assert rewards.tolist() == [reward, reward]
        assert all_ended.tolist() == [ended, ended]
        games += ended
    assert games == 3


@pytest.mark.parametrize("opponent", ["builtin:random?", Account, joute.bot(Account), Last()])
@pytest.mark.parametrize("name", [CONNECT_FOUR, ODD])
@pytest.mark.parametrize("seat", [1, None])
def test_each_of_many_environments_meets_the_opponent_of_a_single_one(name, opponent, seat):
    many = BatchEnv(name, 2, opponent=opponent, seat=seat)
    singles = [SeatEnv(name, opponent=opponent, seat=seat) for _ in range(2)]
    all_seen, all_info = many.reset(seed=5)
    now = [(*single.reset(seed=5 + number), 0.0, False) for number, single in enumerate(singles)]
    rng, ends = np.random.default_rng(1), 0
    for _ in range(60):
        actions = np.zeros(2, int)
        for number, (seen, info, _, _) in enumerate(now):
            assert np.array_equal(all_seen[number], seen)
            assert np.array_equal(all_info["action_mask"][number], info["action_mask"])
            if info["action_mask"].any():
                actions[number] = rng.choice(np.flatnonzero(info["action_mask"]))
        all_seen, rewards, ended, _, all_info = many.step(actions)
        for number, single in enumerate(singles):
            if now[number][3]:
                now[number] = *single.reset(), 0.0, False
            else:
                seen, reward, over, _, info = single.step(actions[number])
                now[number] = seen, info, reward, over
        assert rewards.tolist() == [each[2] for each in now]
        assert ended.tolist() == [each[3] for each in now]
        ends += ended.sum()
    assert ends > 4
    many.close()


def test_a_bot_in_many_environments_is_begun_once_a_game():
    Account.games.clear()
    many = BatchEnv(CONNECT_FOUR, 3, opponent=Account)
    _, info = many.reset(seed=1)
    games = 3
    for _ in range(40):
        _, _, ended, _, info = many.step(np.array([legal(mask) for mask in info["action_mask"]]))
        games += ended.sum()
    assert games - 3 <= len(Account.games) <= games
    assert len(set(Account.games)) == len(Account.games)


def test_each_seat_has_a_bot_of_its_own_though_one_was_given():
    given = joute.bot(Account, name="one")
    env = SeatEnv(ODD, opponent=given)
    Account.games.clear()
    returned(env)
    assert len(Account.games) == env.game.players - 1
    assert not given._sittings
    env.close()


def test_the_same_seed_gives_the_same_games():
    kept = []
    for _ in range(2):
        envs = gymnasium.make_vec(register(CONNECT_FOUR), num_envs=4)
        seen, info = envs.reset(seed=9)
        for _ in range(20):
            seen, *_, info = envs.step(np.array([legal(mask) for mask in info["action_mask"]]))
        kept.append(seen)
    assert np.array_equal(*kept)


def test_gymnasium_makes_vectors_of_single_environments_too():
    made = register(CONNECT_FOUR)
    envs = gymnasium.make_vec(made, num_envs=2, vectorization_mode="sync")
    assert isinstance(envs, SyncVectorEnv)
    seen, _ = envs.reset(seed=1)
    assert envs.observation_space.contains(seen)
    envs.close()


def test_a_game_is_registered_by_its_path_too():
    assert register(Path(CONNECT_FOUR)) == register(CONNECT_FOUR)
    with pytest.raises(joute.GameError, match="expected the name or the path of a game, got None"):
        register(None)


def test_each_game_of_joute_is_registered_by_its_name():
    assert all(
        f"joute/{name.title().replace('-', '')}-v0" in gymnasium.registry for name in names()
    )


@pytest.mark.game("virus")
def test_a_name_with_its_module_needs_no_import():
    program = """
import gymnasium
env = gymnasium.make("joute.interop.gymnasium:joute/Virus-v0", size=4)
print(env.reset(seed=1)[0].shape, env.spec.id)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("(4, 4, 4) joute/Virus-v0\n", "")


def test_the_mask_is_what_is_legal_and_nothing_at_the_end():
    env = SeatEnv(CONNECT_FOUR, opponent=Last())
    _, info = env.reset(seed=1)
    while not env.position.over:
        assert np.flatnonzero(info["action_mask"]).tolist() == env.position.legal
        *_, info = env.step(legal(info["action_mask"]))
    assert not info["action_mask"].any()


def test_the_opponent_is_any_bot(tmp_path):
    file = tmp_path / "bot.py"
    file.write_text("def play(observation, clock):\n    return 6\n")
    kept = set()
    for opponent in ("builtin:uct?simulations=40", str(file), lambda seen, clock: 6, Last()):
        env = SeatEnv(CONNECT_FOUR, opponent=opponent)
        kept.add(returned(env))
        env.close()
    assert (1.0, 4) in kept  # four in the first column; the others stack theirs in the last


def test_a_seat_is_taken_or_drawn():
    second = SeatEnv(CONNECT_FOUR, opponent=Last(), seat=1)
    second.reset(seed=1)
    assert second.position.actions == [6]
    drawn = SeatEnv(CONNECT_FOUR, opponent=Last(), seat=None)
    seats = set()
    for seed in range(20):
        drawn.reset(seed=seed)
        seats.add(drawn.seat)
    assert seats == {0, 1}
    with pytest.raises(joute.GameError, match="no player 2: expected 0 to 1"):
        SeatEnv(CONNECT_FOUR, seat=2)
    with pytest.raises(joute.GameError, match="seconds: expected a number of seconds above 0"):
        SeatEnv(CONNECT_FOUR, seconds=-1)
    for make in (SeatEnv, lambda name, seat: BatchEnv(name, 1, seat=seat)):
        with pytest.raises(joute.GameError, match="seat: expected a whole number, got 'a'"):
            make(CONNECT_FOUR, seat="a")


def test_an_illegal_action_ends_the_game_with_the_lowest_return():
    env = SeatEnv(CONNECT_FOUR, opponent=lambda seen, clock: 0)
    many = BatchEnv(CONNECT_FOUR, 1, opponent=lambda seen, clock: 0)
    env.reset()
    many.reset()
    for column in (0, 0, 0, 0):
        *answer, info = env.step(column)
        _, rewards, ended, _, _ = many.step(np.array([column]))
    assert answer[1:] == [-1.0, True, False]
    assert (rewards.tolist(), ended.tolist()) == ([-1.0], [True])
    assert not info["action_mask"].any()


def test_no_game_goes_on_after_an_illegal_action():
    env = SeatEnv(CONNECT_FOUR)
    env.reset(seed=1)
    assert env.step(9)[1:4] == (-1.0, True, False)
    with pytest.raises(joute.GameError, match="the game is over"):
        env.step(3)
    env.reset(seed=1)
    assert not env.step(3)[2]


def test_an_illegal_action_of_an_opponents_own_is_an_error_and_no_fault_of_the_seat():
    class Wrong:
        def think(self, position):
            return position.play(9)

    env = SeatEnv(CONNECT_FOUR, opponent=Wrong())
    env.reset(seed=1)
    with pytest.raises(joute.ActionError):
        env.step(3)


@pytest.mark.parametrize("opponent", ["builtin:random", Last()])
def test_a_seat_is_drawn_for_each_of_many_games(opponent):
    begun, _ = BatchEnv(CONNECT_FOUR, 1, opponent=opponent).reset(seed=1)
    many = BatchEnv(CONNECT_FOUR, 20, opponent=opponent, seat=None)
    seen, _ = many.reset(seed=1)
    first = [np.array_equal(each, begun[0]) for each in seen]
    assert 0 < sum(first) < 20  # where it is second, the other has played
    many.step(np.full(20, -1))
    seen, *_ = many.step(np.full(20, -1))
    assert 0 < sum(np.array_equal(each, begun[0]) for each in seen) < 20
    assert [np.array_equal(each, begun[0]) for each in seen] != first


def test_the_rewards_are_those_of_the_seat_that_was_drawn():
    many = BatchEnv(CONNECT_FOUR, 20, seat=None)
    _, info = many.reset(seed=1)
    total, ends = 0.0, 0
    while ends < 200:
        _, rewards, ended, _, info = many.step(np.argmax(info["action_mask"], axis=1))
        total, ends = total + rewards.sum(), ends + ended.sum()
    assert total > ends / 4  # four in the first column, whichever the seat


@pytest.mark.parametrize("opponent", ["builtin:random", Last()])
def test_of_many_games_an_illegal_action_ends_its_own_which_is_seen_to_its_end(opponent):
    many = BatchEnv(CONNECT_FOUR, 4, opponent=opponent)
    many.reset(seed=1)
    before, *_ = many.step(np.array([3, 3, 3, 3]))
    after, rewards, ended, _, info = many.step(np.array([-1, 7, 1 << 40, 3]))
    assert rewards.tolist() == [-1.0, -1.0, -1.0, 0.0]
    assert ended.tolist() == [True, True, True, False]
    assert info["action_mask"].any(axis=1).tolist() == [False, False, False, True]
    assert np.array_equal(after[:3], before[:3])
    begun, rewards, ended, _, info = many.step(np.array([-1, 7, 3, 3]))
    assert not rewards.any() and not ended.any() and info["action_mask"].any(axis=1).all()
    fresh, _ = BatchEnv(CONNECT_FOUR, 1, opponent=opponent).reset(seed=1)
    assert all(np.array_equal(each, fresh[0]) for each in begun[:3])


@pytest.mark.parametrize("opponent", ["builtin:random", Last()])
@pytest.mark.parametrize("actions", [[0], [0, 0, 0], [[0], [0]], [0.0, 1.0], [True, False], "01"])
def test_actions_of_another_shape_or_type_are_refused(opponent, actions):
    many = BatchEnv(CONNECT_FOUR, 2, opponent=opponent)
    many.reset(seed=1)
    with pytest.raises(joute.GameError, match=r"actions of shape .*: expected 2 integers"):
        many.step(actions)


@pytest.mark.game("love-letter")
@pytest.mark.parametrize("opponent", ["builtin:random", "builtin:random?"])
def test_a_game_that_ends_before_the_seats_first_turn_ends_with_the_first_step(opponent):
    many = BatchEnv("love-letter", 50, opponent=opponent, seat=1)
    _, info = many.reset(seed=1)
    ended = np.zeros(50, bool)
    found = 0
    for _ in range(20):
        early = ~ended & ~info["action_mask"].any(axis=1)
        found += early.sum()
        _, rewards, ended, _, info = many.step(np.argmax(info["action_mask"], axis=1))
        assert ended[early].all()
        assert abs(rewards[early]).all()
        assert not info["action_mask"][ended].any()
    assert found > 10
    single = SeatEnv("love-letter", opponent=opponent, seat=1)
    early = [seed for seed in range(50) if not single.reset(seed=seed)[1]["action_mask"].any()]
    single.reset(seed=early[0])
    *_, reward, ended, _, _ = single.step(0)
    assert (reward, ended) == (single.position.returns[1], True)


def test_a_number_that_is_not_whole_is_no_action():
    env = SeatEnv(CONNECT_FOUR, opponent=Last())
    env.reset()
    with pytest.raises(TypeError, match="float"):
        env.step(1.5)
    env.step(np.array(3))
    assert env.position.actions[0] == 3


@pytest.mark.game("tron")
def test_tron_alone_needs_no_opponent():
    env = gymnasium.make("joute/Tron-v0", players=1)
    got, steps = returned(env)
    assert got == steps == env.unwrapped.position.returns[0]


def test_the_board_is_printed_or_returned(capsys):
    shown = SeatEnv(CONNECT_FOUR, opponent=Last(), render_mode="human")
    shown.reset()
    shown.step(3)
    assert capsys.readouterr().out == f"{shown.position}\n"
    told = SeatEnv(CONNECT_FOUR, render_mode="ansi")
    told.reset()
    assert told.render() == str(told.position)
