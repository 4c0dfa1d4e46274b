"""The Paradise contest's interface; the recorded games prove its states and its answers."""

import shutil
import types

import numpy as np
import pytest
from games.mistakes import in_french
from games.paradise.duels import GAME, QUIRKS, duel_play, duel_start, duel_state
from helpers import english_words
from host.hosting import BOTS, EASY, start_message

from joute.core.interface import describe
from joute.games.paradise import csgames
from joute.games.paradise import state as paradise_state
from joute.games.paradise.csgames import AIMED, CARDS, MINION, UNTARGETED, contest_state
from joute.host import Fault
from joute.host.child.errors import CannotLoad

END = 0
WOLF, FIREBALL, HOUNDS, RAPTOR, MOLE = 7, 9, 13, 8, 0
PACKAGE = BOTS / "paradise_package"


def adapter(answer, player=0, **functions):
    def play(state):
        return answer(state) if callable(answer) else answer

    module = types.SimpleNamespace(play=play, **functions)
    return csgames.Adapter(module, duel_start(player))


def told(answer, state, game=GAME):
    """The reply to an answer, its action as text."""
    reply = adapter(answer).play(duel_play(state, game))
    return describe(game, state, reply["action"]), reply.get("message", "")


def test_the_cards_are_those_of_the_rules():
    kinds = {
        paradise_state.MINION: MINION,
        paradise_state.SHOT: UNTARGETED,
        paradise_state.HOUNDS: UNTARGETED,
        paradise_state.AIMED: AIMED,
    }
    book = [(card.cost, card.attack, card.health, kinds[card.kind]) for card in paradise_state.BOOK]
    assert list(CARDS) == book


def test_the_state_has_the_contests_keys_in_its_order():
    state = contest_state(duel_play(duel_state([FIREBALL, WOLF], [WOLF], [RAPTOR]))["observation"])
    assert list(state) == [
        "player_hand", "player_target", "opponent_target", "player_health", "hero_health",
        "opponent_health", "player_mana", "opponent_mana", "n_opponent_hand",
    ]  # fmt: skip
    spell, minion = state["player_hand"]
    assert spell == {"cost": 4, "id": 9, "zone_position": 1, "type": "spell"}
    assert list(minion) == [
        "atk", "buffs", "cant_attack", "cost", "damaged", "health", "id", "max_health",
        "powered_up", "poisonous", "turns_in_play", "zone_position", "type",
    ]  # fmt: skip
    assert state["player_target"][0] == {
        "damaged": False, "dead": False, "health": 30, "id": "HERO_05", "zone_position": 0,
        "type": "hero",
    }  # fmt: skip


def test_each_call_gets_a_state_of_its_own():
    states = []

    def spoil(state):
        states.append(repr(state))
        state["player_hand"].clear()
        state["player_target"][0]["health"] = 0
        return 4, None

    bot, message = adapter(spoil), duel_play(duel_state([WOLF]))
    bot.play(message)
    bot.play(message)
    assert states[0] == states[1]


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ((0, None), "power"),
        ([0, [None]], "power"),
        ((False, None), "power"),
        ((1, 0), "play wolf"),
        ((1, (0,)), "play wolf"),
        ((1, [0, None]), "play wolf"),
        ((True, 0), "play wolf"),
        ((1.0, 0), "play wolf"),
        ((np.int64(1), (np.int64(0),)), "play wolf"),
        ((1, -4), "play wolf"),
        ((1, 2), "play hounds"),
        ((2, (0, 0)), "play wolf"),
        ((2, (1, 0)), "fireball hero"),
        ((2, (1, 2)), "fireball 2"),
        ((2, (-3, -1)), "fireball 2"),
        ((2, (1, 1, 7)), "fireball 1"),
        ((2, (2, 0)), "play hounds"),
        ((2, (True, False)), "fireball hero"),
        ((3, (1, 0)), "attack 1 hero"),
        ((3, (-1, -1)), "attack 1 2"),
        ((3, (np.int32(1), np.int32(1))), "attack 1 1"),
        ((4, None), "end"),
        ((5, (1, 1)), "end"),
        (("x", None), "end"),
        ((None, None), "end"),
    ],
)
def test_an_answer_of_the_contest_is_an_action(answer, text):
    state = duel_state([WOLF, FIREBALL, HOUNDS, RAPTOR], [MOLE], [RAPTOR, WOLF])
    assert told(answer, state) == (text, "")


@pytest.mark.parametrize(
    "answer",
    [
        (1, 9), (1, -9), (1, None), (1, True), (1, np.int64(0)), (1, "0"), (1, (0.0,)), (1, ()),
        (1, 1), (2, 1), (2, (1,)), (2, (1, 3)), (2, (1, -4)), (2, (2, 9)), (2, (1, None)),
        (2, {0: 1}), (3, 1), (3, (0, 0)), (3, (-2, 0)), (3, (2, 0)), (3, (1, 9)), (3, (1.0, 0)),
        (3, None),
    ],
)  # fmt: skip
def test_what_cannot_be_played_ends_the_turn_and_is_said(answer):
    text, message = told(answer, duel_state([WOLF, FIREBALL, HOUNDS], [MOLE], [RAPTOR, WOLF]))
    assert text == "end"
    assert message.startswith("the turn ends: (")


@pytest.mark.parametrize("answer", [None, 0, 4, (), (0,), (1, 2, 3), "abc", np.zeros((2, 2)), {1}])
def test_what_is_no_pair_ends_the_turn_and_is_said(answer):
    text, message = told(answer, duel_state([WOLF]))
    assert text == "end"
    assert message.startswith("the turn ends: ")
    assert "not (action, arguments)" in message


def test_only_quirks_let_action_1_shoot_ones_own_hero():
    state = duel_state([FIREBALL])
    assert told((1, 0), state, QUIRKS) == ("fireball me", "")
    assert told((1, 0), state) == ("end", "the turn ends: (1, 0) cannot be played now")


@pytest.mark.parametrize(("player", "victory"), [(0, True), (1, False)])
def test_start_is_called_and_end_gets_a_list_of_one_bool(player, victory):
    heard = []
    bot = adapter((4, None), player, start=lambda: heard.append("start"), end=heard.append)
    bot.end({"returns": [1.0, -1.0]})
    assert heard == ["start", [victory]]


def test_another_game_is_refused():
    module = types.SimpleNamespace(play=lambda state: (4, None))
    with pytest.raises(CannotLoad, match="this game is none"):
        csgames.Adapter(module, start_message())


# In a process.


def ask(bot, *states):
    return [bot.ask(duel_play(state)) for state in states]


@pytest.mark.parametrize("form", ["folder", "zip", "zip with folder"])
def test_a_submission_is_a_package(hosts, tmp_path, form):
    name = "paradise_package"
    folder = tmp_path / name
    shutil.copytree(PACKAGE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    if form == "zip":
        name = "mine.zip"
        shutil.make_archive(str(tmp_path / "mine"), "zip", folder)
    elif form == "zip with folder":
        name = "mine.zip"
        shutil.make_archive(str(tmp_path / "mine"), "zip", tmp_path, "paradise_package")
    bot = hosts.bot(name, EASY, base=tmp_path)
    assert bot.start(duel_start()).detail == ""
    answers = ask(bot, duel_state([FIREBALL, WOLF, RAPTOR]), duel_state([], [WOLF]), duel_state())
    assert [answer.action for answer in answers] == [4, 102, END]
    bot.end({"type": "end", "returns": [1.0, -1.0], "events": []})


def test_a_loop_runs_and_an_exception_in_it_is_a_fault_of_one_turn(hosts):
    bot = hosts.bot("paradise_loop.py")
    assert bot.start(duel_start()).fault is None
    answers = ask(bot, *[duel_state()] * 5)
    assert [answer.action for answer in answers] == [1, END, None, 1, END]
    assert answers[2].fault is Fault.CRASH
    assert answers[2].detail.endswith("ValueError: the third time")
    assert "adapters/csgames.py" not in answers[2].detail
    assert [answer.output for answer in answers] == ["1\n", "2\n", "3\n", "1\n", "2\n"]


def test_the_contests_agent_for_people_is_given_the_standard_input(hosts):
    text = """
        def play(state, stdin):
            return (4, None) if stdin.read() == "" else (0, None)

        def communicate(pipe, stdin, *args):
            while pipe.poll():
                packet = pipe.recv()
                pipe.send(play(packet["args"], stdin) if packet["action"] == "play" else None)
                if packet["action"] == "play":
                    return
        """
    hosts.write("mine.py", text)
    bot = hosts.bot("mine.py", base=hosts.folder)
    assert bot.start(duel_start()).fault is None
    returned, again = ask(bot, *[duel_state()] * 3)[1:]
    assert returned.detail.endswith("RuntimeError: communicate(pipe) returned")
    assert again.action == END


def test_an_exception_is_a_fault_and_the_bot_goes_on(hosts):
    text = """
        asked = []

        def play(state):
            asked.append(state)
            return state["player_mane"] if len(asked) == 1 else (0, None)
        """
    hosts.write("mine.py", text)
    bot = hosts.bot("paradise:mine.py", base=hosts.folder)
    assert bot.start(duel_start()).fault is None
    first, second = ask(bot, *[duel_state()] * 2)
    assert (first.fault, second.action) == (Fault.CRASH, 1)
    assert first.detail.endswith("KeyError: 'player_mane'")


def test_its_metrics_stand_in_a_dictionary_called_joute(hosts):
    text = """
        joute = {}

        def play(state):
            joute["metrics"] = {"cards": len(state["player_hand"])}
            return 4, None
        """
    hosts.write("mine.py", text)
    bot = hosts.bot("paradise:mine.py", base=hosts.folder)
    bot.start(duel_start())
    [found] = ask(bot, duel_state([WOLF, RAPTOR]))
    assert (found.action, found.annotations.metrics) == (END, {"cards": 2})


def test_a_function_of_ours_is_not_taken_for_the_contests(hosts):
    text = """
        def start():
            return None

        def end(value):
            return None

        def play(observation, clock):
            return observation["legal"][-1]
        """
    hosts.write("mine.py", text)
    bot = hosts.bot("mine.py", base=hosts.folder)
    assert bot.start(duel_start()).fault is None
    assert bot.ask(duel_play(duel_state())).action == 1


def test_a_file_without_the_functions_cannot_be_forced(hosts):
    hosts.write("mine.py", "def play(observation, clock):\n    return 0\n")
    answer = hosts.bot("paradise:mine.py", base=hosts.folder).start(duel_start())
    assert answer.fault is Fault.START_UP
    assert answer.detail.endswith(", def end(victory) | def communicate(pipe), and has play")


def test_why_it_cannot_play_a_game_is_told_in_the_readers_language():
    assert not english_words(in_french(csgames.refusal({})))
