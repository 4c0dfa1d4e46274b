"""Bots from Python: named, at a path, functions, objects and classes; and what is refused."""

import copy
import pickle
from pathlib import Path

import pytest
from helpers import english_words, held, wait_until

import joute
from joute.i18n.words import speaking
from joute.library.bots import LocalSeat

pytestmark = pytest.mark.game("virus")

FILE = Path(__file__).parent / "mine.py"


def first(seed=7, **parameters):
    return joute.game("virus", size=6, **parameters).start(seed=seed)


def last(observation, clock):
    assert clock.left() > 0
    return observation["legal"][-1]


class Counting:
    """Counts what it is told."""

    def __init__(self):
        self.turns = 0
        self.info = None

    def start(self, info):
        self.info = info

    def play(self, observation, clock):
        self.turns += 1
        return {"action": observation["legal"][0], "message": f"{self.info['game']} {self.turns}"}


class Thinking:
    """Thinks of positions."""

    def think(self, position):
        found = joute.search.flat(position, simulations=5)
        return joute.Thought(found.action, found.text, value=found.value, message="flat")


def test_flat_monte_carlo_tells_how_many_games_it_has_played():
    position = first()
    found = joute.search.flat(position, simulations=5)
    assert found.nodes == sum(found.visits.values()) == 5 * len(position.legal)


@pytest.mark.parametrize("source", [last, lambda seen, clock: seen["legal"][-1], FILE, str(FILE)])
def test_a_function_and_a_file_answer_the_same(source):
    position = first()
    with joute.bot(source) as bot:
        thought = bot.think(position)
    assert thought.action == position.legal[-1] and thought.text == position.texts[-1]
    assert thought.value is None and thought.visits is None and thought.line == ()


def test_a_class_makes_an_object_for_each_game_and_an_object_is_kept():
    position = first()
    bot = joute.bot(Counting)
    messages = []
    for _ in range(3):
        thought = bot.think(position)
        messages.append(thought.message)
        position = position.play(thought.action)
        position = position.play(position.legal[0])
    assert messages == ["virus 1", "virus 2", "virus 3"]
    assert bot.think(first(seed=8)).message == "virus 1"
    kept = joute.bot(Thinking())
    thought = kept.think(position)
    assert thought.message == "flat" and isinstance(thought.value, float)


def test_a_bot_of_a_file_keeps_its_process_from_position_to_position(tmp_path):
    position, messages = first(), []
    with joute.bot(FILE) as bot:
        for _ in range(3):
            thought = bot.think(position)
            messages.append(thought.message)
            position = position.play(thought.action)
            position = position.play(position.legal[0])
        assert messages == ["turn 1", "turn 2", "turn 3"]
        assert bot.think(first(seed=8)).message == "turn 1", "another game, another process"


def test_a_bot_that_plays_both_sides_keeps_a_process_for_each():
    position, messages = first(), []
    with joute.bot(FILE) as bot:
        for _ in range(6):
            messages.append(bot.think(position).message)
            position = position.play(position.legal[0])
    assert messages == ["turn 1", "turn 1", "turn 2", "turn 2", "turn 3", "turn 3"]


def test_a_bot_that_plays_both_sides_draws_anew_at_every_turn():
    position, bot, places = first(), joute.bot("builtin:random"), set()
    for _ in range(16):
        action = bot.think(position).action
        places.add(10 * position.legal.index(action) // len(position.legal))
        position = position.play(position.legal[0])
    assert len(places) > 4


def test_each_game_of_a_bot_has_its_own_draws_and_begin_brings_them_again():
    bot = joute.bot("builtin:random")

    def played():
        position = first()
        for _ in range(4):
            position = position.play(bot.think(position).action)
        return tuple(position.actions)

    runs = []
    for _ in range(2):
        bot.begin(seed=1)
        runs.append([played() for _ in range(10)])
    assert len(set(runs[0])) == 10
    assert runs[0] == runs[1]


@pytest.mark.parametrize("source", [FILE, "builtin:random", last])
@pytest.mark.parametrize("again", [copy.deepcopy, lambda bot: pickle.loads(pickle.dumps(bot))])
def test_a_bot_that_was_pickled_or_copied_goes_on_with_its_game(source, again):
    def played(bot, position, turns):
        for _ in range(turns):
            position = position.play(bot.think(position).action)
            position = position.play(position.legal[0])
        return position

    with joute.bot(source) as bot:
        begun = played(bot, first(), 1)
        with again(bot) as other:
            assert played(other, begun, 3) == played(bot, begun, 3)


def test_a_closed_bot_leaves_no_process_behind():
    before = held()
    bot = joute.bot(FILE)
    bot.think(first())
    assert not held() <= before
    bot.close()
    bot.close()
    wait_until(lambda: held() <= before, what="the bot's process to end")


def test_the_same_question_again_has_the_same_answer_after_begin():
    position, bot = first(), joute.bot("builtin:uct?simulations=200")
    bot.begin(seed=3)
    found = bot.think(position)
    bot.begin(seed=3)
    assert bot.think(position) == found


@pytest.mark.parametrize("name", ["uct", "ismcts"])
def test_a_tree_search_tells_what_it_looked_at_and_what_it_expects(name):
    position = first()
    thought = joute.bot(f"builtin:{name}?simulations=300").think(position)
    assert set(thought.visits) == set(position.legal)
    assert sum(thought.visits.values()) == 300
    assert thought.visits[thought.action] == max(thought.visits.values())
    assert -1 <= thought.value <= 1 and thought.line[0] == thought.action


@pytest.mark.parametrize("name", ["alphabeta", "flat"])
def test_other_searches_tell_a_value_and_a_line_but_no_visits(name):
    position = first()
    thought = joute.bot(f"builtin:{name}?seconds=0.02").think(position)
    assert -1 <= thought.value <= 1 and thought.line[0] == thought.action
    assert thought.visits is None


@pytest.mark.game("love-letter")
def test_a_bot_is_told_nothing_that_its_player_may_not_know():
    position, seen = joute.game("love-letter").start(seed=3), []

    class Peeking:
        def think(self, imagined):
            seen.append((imagined.observe(imagined.player), imagined.state.tolist()))
            return imagined.legal[0]

    bot = joute.bot(Peeking())
    for _ in range(20):
        bot.begin()
        bot.think(position)
    assert all(observation == position.observe(position.player) for observation, _ in seen)
    assert len({tuple(state) for _, state in seen}) > 1


@pytest.mark.parametrize(
    "make",
    [
        lambda: joute.bot("builtin:nobody"),
        lambda: joute.bot("nowhere.py"),
        lambda: joute.bot(3),
        lambda: joute.bot(object()),
        lambda: joute.bot("builtin:uct?simulatoins=3").think(first()),
        lambda: joute.bot("human").think(first()),
        lambda: joute.bot(lambda seen, clock: 10_000).think(first()),
        lambda: joute.bot(lambda seen, clock: None).think(first()),
        lambda: joute.bot("builtin:uct").think(joute.game("love-letter").start(seed=1)),
    ],
)
@pytest.mark.game("love-letter")
def test_what_is_no_bot_or_cannot_play_is_refused(make):
    with pytest.raises(joute.BotError) as raised:
        make()
    assert isinstance(raised.value, joute.Error)
    with speaking("fr"):
        words = english_words(str(raised.value))
    assert not words, str(raised.value)


def test_what_is_no_seed_begins_no_game():
    with pytest.raises(joute.GameError, match="seed: expected a whole number or a text"):
        joute.bot("builtin:random").begin(1.5)


def test_nobody_thinks_where_the_game_is_over():
    position = first()
    while not position.over:
        position = position.play(position.legal[0])
    with pytest.raises(joute.GameError, match="the game is over"):
        joute.bot("builtin:random").think(position)


def test_what_an_object_of_this_process_raises_is_not_caught():
    def broken(observation, clock):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        joute.bot(broken).think(first())


def test_a_bot_says_what_it_was_made_from():
    assert repr(joute.bot("builtin:greedy")) == "joute.bot('builtin:greedy')"
    assert joute.bot("builtin:uct?simulations=9").name == "uct?simulations=9"
    assert joute.bot(FILE).name == "mine" and joute.bot(last).name == "last"
    assert joute.bot(Counting, name="mine").name == "mine"
    bot = joute.bot("builtin:greedy")
    assert joute.bot(bot) is bot


def test_a_bot_goes_on_from_a_state_whose_past_nobody_knows():
    game = joute.game("virus", size=6)
    position = first()
    for _ in range(5):
        position = position.play(position.legal[0])
    begun = game.at(position.state)
    assert begun == position and begun.actions == []
    with joute.bot(FILE) as bot:
        assert bot.think(begun).message == "turn 1"
        after = begun.play(begun.legal[-1])
        after = after.play(after.legal[0])
        assert bot.think(after).message == "turn 2"
        other = game.at(after.state)
        assert bot.think(other).message == "turn 1", "what led there is not known"


@pytest.mark.parametrize("name", ["virus", pytest.param("tron", marks=pytest.mark.game("tron"))])
@pytest.mark.parametrize("player", [0, 1])
def test_a_bot_hears_once_of_every_action_and_of_hidden_ones_when_all_are_in(
    name, player, monkeypatch
):
    heard = []

    def start(seat, message):
        heard.extend(event["action"] for event in message["events"])
        return started(seat, message)

    def ask(seat, state, message):
        heard.extend(event["action"] for event in message["events"])
        return asked(seat, state, message)

    started, asked = LocalSeat.start, LocalSeat.ask
    monkeypatch.setattr(LocalSeat, "start", start)
    monkeypatch.setattr(LocalSeat, "ask", ask)
    position = joute.game(name).start(seed=7)
    bot = joute.bot(lambda seen, clock: seen["legal"][0])
    for _ in range(12):
        if position.player == player:
            bot.think(position)
            hidden = player if name == "tron" else 0
            assert heard == position.actions[: len(position.actions) - hidden]
        position = position.play(position.legal[0])


def test_a_bot_that_keeps_count_hears_of_all_that_was_played():
    heard = []

    class Listening:
        def start(self, info):
            heard.append([event["action"] for event in info["events"]])

        def play(self, observation, clock):
            return observation["legal"][0]

    position = first()
    position = position.play(position.legal[-1])
    position = position.play(position.legal[0])
    joute.bot(Listening).think(position)
    assert heard == [position.actions]
