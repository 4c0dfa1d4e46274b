"""Games and positions from Python: played, looked at, kept, compared; and what is refused."""

import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from helpers import english_words

import joute
from joute.core.errors import GameError
from joute.core.registry import VARIABLE
from joute.i18n.words import speaking

KUHN = Path(__file__).parents[1] / "games" / "kuhn.py"
GAMES = ("love-letter", "paradise", "tron", "vampires", "virus")
EACH = [pytest.param(name, marks=pytest.mark.game(name)) for name in GAMES]


def walked(name, plies=12, seed=7, **parameters):
    """A position in the middle of a game."""
    position = joute.game(name, **parameters).start(seed=seed)
    for ply in range(plies):
        after = position.play(position.legal[ply % len(position.legal)])
        if after.over:
            break
        position = after
    return position


@pytest.mark.parametrize("name", EACH)
def test_a_text_plays_the_action_that_it_stands_for(name):
    position = walked(name)
    for action, text in list(zip(position.legal, position.texts, strict=True))[:20]:
        assert position.text(action) == text
        assert position.play(text) == position.play(action)
        assert position.play(text).actions == position.play(action).actions


@pytest.mark.parametrize("name", EACH)
def test_playing_leaves_the_position_as_it_was(name):
    position = walked(name)
    state, legal, actions = position.state.tolist(), position.legal, position.actions
    for action in legal:
        position.play(action)
    position.state[:] = 0
    assert (position.state.tolist(), position.legal, position.actions) == (state, legal, actions)


@pytest.mark.parametrize("name", EACH)
def test_compiled_and_interpreted_steps_are_the_same(name):
    slow, fast = joute.game(name).start(seed=3), joute.game(name).start(seed=3)
    for _ in range(70):  # after which the rules are compiled
        fast.play(fast.legal[0])
    for ply in range(30):
        if slow.over:
            break
        choice = slow.legal[ply * 7 % len(slow.legal)]
        slow.game._plies = 0
        slow, fast = slow.play(choice), fast.play(choice)
        assert slow == fast and slow.legal == fast.legal and slow.actions == fast.actions


@pytest.mark.parametrize("name", EACH)
def test_a_game_is_played_to_its_end_and_has_returns_of_0_before(name):
    position = joute.game(name).start(seed=1)
    assert position.returns == (0.0,) * position.game.players
    ply = 0
    while not position.over:
        ply += 1
        position = position.play(position.legal[ply * 5 % len(position.legal)])
    assert len(position.returns) == position.game.players
    assert position.legal == [] and position.texts == [] and position.player == -2
    with pytest.raises(GameError, match="the game is over"):
        position.play(0)


@pytest.mark.parametrize("name", EACH)
def test_what_a_player_sees_is_the_same_after_hidden_things_are_drawn_anew(name):
    position = walked(name, plies=9)
    for player in range(position.game.players):
        for seed in range(5):
            drawn = position.determinized(player, seed=seed)
            assert drawn.observe(player) == position.observe(player)
            assert np.array_equal(drawn.features(player), position.features(player))
            assert drawn == position.determinized(player, seed=seed)


@pytest.mark.game("love-letter")
def test_hidden_cards_are_drawn_anew():
    position = walked("love-letter", plies=0)
    drawn = {position.determinized(0, seed=seed).state.tobytes() for seed in range(20)}
    assert len(drawn) > 1


@pytest.mark.parametrize("name", EACH)
def test_bots_play_on_where_hidden_things_were_drawn_anew_and_nothing_tells_the_true_ones(name):
    bot = joute.bot(lambda seen, clock: seen["legal"][-1])
    for seed in range(30):
        position = walked(name, plies=seed % 10, seed=seed)
        imagined = position.determinized(position.player, seed)
        assert imagined.actions == [] and np.array_equal(imagined.origin, imagined.state)
        for _ in range(20):
            imagined = imagined if imagined.over else imagined.play(bot.think(imagined).action)


@pytest.mark.parametrize("name", EACH)
def test_features_are_numbers_of_the_shape_that_the_game_says(name):
    position = walked(name)
    for player in range(position.game.players):
        found = position.features(player)
        assert found.shape == position.game.features_shape and found.dtype == np.float32


@pytest.mark.parametrize("name", EACH)
def test_positions_are_equal_by_their_states_and_survive_pickling(name):
    position = walked(name)
    again = pickle.loads(pickle.dumps(position))
    assert again == position and hash(again) == hash(position)
    assert again.actions == position.actions and again.game == position.game
    assert again.play(again.legal[0]) == position.play(position.legal[0])
    assert position != position.play(position.legal[0])
    assert position.game.at(position.state) == position
    assert position != "something else" and position.game != "something else"


@pytest.mark.game("virus")
def test_the_state_that_actions_go_on_from_cannot_be_written_to():
    first = joute.game("virus").start(seed=1)
    again = pickle.loads(pickle.dumps(first))
    for position in (first, first.play(first.legal[0]), first.game.at(first.state), again):
        with pytest.raises(ValueError, match="read-only"):
            position.origin[:] = 0


def test_a_position_of_a_game_of_a_path_is_unpickled_in_another_process(tmp_path):
    file = tmp_path / "another_kuhn.py"
    file.write_text(KUHN.read_text().replace('name="kuhn"', 'name="another-kuhn"'))
    kept = tmp_path / "position"
    kept.write_bytes(pickle.dumps(joute.game(file).start(seed=1)))
    program = f"import pickle; print(pickle.load(open({str(kept)!r}, 'rb')).game.name)"
    environment = {name: value for name, value in os.environ.items() if name != VARIABLE}

    def run():
        command = [sys.executable, "-c", program]
        return subprocess.run(command, capture_output=True, text=True, env=environment)

    assert run().stdout == "another-kuhn\n"
    file.unlink()
    assert f"GameError: there is no game at {file}" in run().stderr


@pytest.mark.game("virus")
def test_games_are_equal_by_their_parameters():
    assert joute.game("virus", size=6) == joute.game("virus", size=6)
    assert hash(joute.game("virus", size=6)) == hash(joute.game("virus", size=6))
    assert joute.game("virus", size=6) != joute.game("virus", size=8)
    assert repr(joute.game("virus", size=6)) == ("joute.game('virus', size=6, voluntary_pass=True)")


@pytest.mark.parametrize("name", EACH)
def test_the_same_seed_gives_the_same_chance(name):
    first, second = (joute.game(name).start(seed=11) for _ in range(2))
    for _ in range(25):
        if first.over:
            break
        assert first == second and first.actions == second.actions
        first, second = first.play(first.legal[-1]), second.play(second.legal[-1])


@pytest.mark.parametrize("name", EACH)
def test_a_game_from_a_records_seed_has_the_records_chance(name):
    record = joute.match(name, "builtin:random", "builtin:random", games=2, seed=5).records[0]
    position = record.game.start(record.seed)
    recorded = record.positions[-1].actions
    while not position.over:
        position = position.play(recorded[len(position.actions)])
    assert position.actions == recorded and position == record.positions[-1]


@pytest.mark.game("tron")
def test_a_map_is_named_or_given_as_a_path_or_a_text(tmp_path, monkeypatch):
    named = joute.game("tron", map="torus")
    text = named.parameters["map"]
    (tmp_path / "mine.tron").write_text(text)
    monkeypatch.chdir(tmp_path)
    assert joute.game("tron", map=text) == named
    assert joute.game("tron", map="mine.tron") == named
    assert joute.Game(joute.Batch("tron", 2, map="torus").rules) == named
    assert joute.match("tron", *["builtin:random"] * 2, map="torus").records[0].game == named
    with pytest.raises(GameError, match="torus"):
        joute.game("tron", map="toris")


@pytest.mark.game("virus")
def test_numbers_of_numpy_are_actions():
    position = walked("virus")
    action = position.legal[0]
    for number in (np.int64(action), np.uint8(action), np.array([action])):
        assert position.play(number) == position.play(action)


@pytest.mark.full
@pytest.mark.game("vampires")
def test_a_whole_turn_is_played_at_once():
    position = joute.game("vampires").start(seed=1)
    thought = joute.bot("builtin:greedy").think(position)
    turn = joute.bot("builtin:champion?seconds=0.05").think(position)
    assert isinstance(turn.action, list) and len(turn.action) > 1
    after = position.play(turn.action)
    assert after.player != position.player and after == position.play(turn.text)
    assert position.play(thought.action) == position.play(thought.text)


@pytest.mark.game("virus")
@pytest.mark.parametrize(
    "action", ["z99", "", "j10 j10", 10_000, -1, 50, 1.5, None, True, [], [0, 0]]
)
def test_what_is_no_legal_action_is_refused(action):
    position = walked("virus", plies=70)  # compiled by now
    for each in (position, joute.game("virus").start(seed=1)):
        with pytest.raises(joute.ActionError) as raised:
            each.play(action)
        assert isinstance(raised.value, joute.GameError) and isinstance(raised.value, joute.Error)


@pytest.mark.game("virus")
@pytest.mark.parametrize(
    "make",
    [
        lambda: joute.game("virrus"),
        lambda: joute.game("./nowhere.py"),
        lambda: joute.game("virus", size=1),
        lambda: joute.game("virus", siz=6),
        lambda: joute.game("virus").start().observe(2),
        lambda: joute.game("virus").start().features(-1),
        lambda: joute.game("virus").start().determinized(7),
        lambda: joute.game("virus").at([1, 2, 3]),
        lambda: joute.game("virus").position(["a1", "zz"]),
        lambda: joute.Batch("virus", 0),
    ],
)
def test_errors_are_children_of_one_and_are_told_in_the_language(make):
    with pytest.raises(joute.GameError) as raised:
        make()
    assert isinstance(raised.value, joute.Error)
    with speaking("fr"):
        assert not english_words(str(raised.value)), str(raised.value)


@pytest.mark.game("virus")
def test_a_position_follows_from_actions_and_texts():
    game = joute.game("virus", size=6)
    first = game.start(seed=7)
    second = first.play(first.legal[0])
    position = game.position([first.legal[0], second.texts[-1]], seed=7)
    assert position == second.play(second.legal[-1])


def test_the_games_that_are_installed_are_listed():
    assert joute.games() == sorted(joute.games())
    assert all(joute.game(name).name == name for name in joute.games())
