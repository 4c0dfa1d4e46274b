"""The two native interfaces: a function `play`, a class `Bot`."""

import types

import pytest
from host.hosting import END, QUICK, play_message, start_message

from joute.host import Fault
from joute.host.child.errors import IllegalAnswer
from joute.host.child.interfaces import OWN


def reply(answer):
    module = types.SimpleNamespace(play=lambda observation, clock: answer)
    return OWN["function"].Adapter(module, start_message()).play(play_message())


class Index:
    def __index__(self):
        return 7


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (36, {"action": 36}),
        ("g4", {"action": "g4"}),
        (Index(), {"action": 7}),
        ({"action": 36}, {"action": 36, "message": ""}),
        ({"action": "g4", "message": "the corner"}, {"action": "g4", "message": "the corner"}),
        ({"action": 1, "message": 2.5}, {"action": 1, "message": "2.5"}),
        ({"action": 1, "message": "\udc80"}, {"action": 1, "message": "\\udc80"}),
    ],
)
def test_an_answer_is_a_number_a_text_or_both_with_a_message(answer, expected):
    assert reply(answer) == expected


@pytest.mark.parametrize("answer", [None, True, 1.0, [3, 6.0], {"message": "no action"}, 1 << 40])
def test_any_other_answer_is_illegal_and_shown(answer):
    with pytest.raises(IllegalAnswer, match="play answered") as raised:
        reply(answer)
    assert repr(answer) in str(raised.value)


@pytest.mark.parametrize("answer", [[3, 6], ([1, 2, 3, 4, 5], (2, 2, 1, 3, 3))])
def test_a_whole_turn_is_a_list(answer):
    assert reply({"action": answer})["action"] == [
        list(each) if isinstance(each, tuple) else each for each in answer
    ]


def test_a_long_message_keeps_its_beginning_and_its_end():
    message = reply({"action": 1, "message": "a" * 5000 + "z" * 5000})["message"]
    assert len(message) <= 4096
    assert message.startswith("a" * 1000)
    assert message.endswith("z" * 3000)
    assert "bytes more" in message


def test_a_function_gets_the_observation_as_it_is_and_a_clock(hosts):
    bot = hosts.source(
        """
        def play(observation, clock):
            print(sorted(observation), clock.seconds, 0 < clock.left() <= clock.seconds)
            return observation["legal"][-1]
        """,
        QUICK,
    )
    answer = bot.ask(play_message())
    assert answer.action == 100
    assert answer.output == (
        "['grid', 'legal', 'passes', 'scores', 'size', 'to_move', 'voluntary_pass'] 0.25 True\n"
    )


def test_an_object_hears_the_start_the_turns_and_the_end():
    heard = []

    class Bot:
        def start(self, info):
            heard.append(info)

        def play(self, observation, clock):
            heard.append(observation["size"])
            return 1

        def end(self, returns):
            heard.append(returns)

    bot = OWN["class"].Adapter(types.SimpleNamespace(Bot=Bot), start_message(1))
    assert bot.play(play_message()) == {"action": 1}
    bot.end(END)
    info, size, returns = heard
    assert info["player"] == 1
    assert info["names"] == ["ada", "blaise"]
    assert "type" not in info
    assert (size, returns) == (10, [1.0, -1.0])


def test_an_object_needs_only_play(hosts):
    bot = hosts.source("class Bot:\n    def play(self, observation, clock):\n        return 1\n")
    assert bot.ask(play_message()).action == 1
    bot.end(END)


def test_an_object_that_fails_to_start_is_a_failed_start(hosts):
    text = "class Bot:\n    def start(self, info):\n        1 / 0\n"
    (hosts.folder / "bad.py").write_text(text, encoding="utf-8")
    answer = hosts.bot("bad.py", base=hosts.folder).start(start_message())
    assert answer.fault is Fault.START_UP
    assert answer.detail.endswith("ZeroDivisionError: division by zero")


def test_a_long_traceback_is_bounded(hosts):
    text = """
        def play(observation, clock):
            raise ValueError("x" * 10_000)
        """
    answer = hosts.source(text).ask(play_message())
    assert answer.fault is Fault.CRASH
    assert len(answer.detail) <= 4096
    assert "bytes more" in answer.detail


@pytest.mark.parametrize("depth", [1, 40])
def test_the_last_line_of_a_traceback_begins_with_the_type_however_long_the_message(hosts, depth):
    steps = "".join(f"def f{n}():\n    f{n + 1}()\n" for n in range(depth))
    text = f"{steps}def f{depth}():\n    raise ValueError('no cell: ' + 'é' * 5000)\n"
    answer = hosts.source(f"{text}def play(observation, clock):\n    f0()\n").ask(play_message())
    assert answer.fault is Fault.CRASH
    assert len(answer.detail.encode()) <= 4096
    assert answer.detail.splitlines()[-1].startswith("ValueError: no cell: é")


def test_endless_recursion_is_a_crash(hosts):
    text = "def play(observation, clock):\n    return play(observation, clock)\n"
    answer = hosts.source(text).ask(play_message())
    assert answer.fault is Fault.CRASH
    assert "RecursionError" in answer.detail
    assert answer.alive


def test_an_exception_that_cannot_be_shown_is_a_crash(hosts):
    text = """
        class Odd(Exception):
            def __str__(self):
                raise self

        def play(observation, clock):
            raise Odd
        """
    answer = hosts.source(text).ask(play_message())
    assert answer.fault is Fault.CRASH
    assert "Odd" in answer.detail
    assert answer.alive
