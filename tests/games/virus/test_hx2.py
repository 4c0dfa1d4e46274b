"""The HX2 contest's interface, exactly as its page and its program have it."""

import types

import pytest
from games.mistakes import in_french
from host.hosting import EASY, play_message, start_message

from joute.games.virus import hx2
from joute.host import Fault
from joute.host.child.errors import CannotLoad, IllegalAnswer

SPY = """
def ia(game, side):
    print(side, {**game, side: {**game[side], "ia": game[side]["ia"] is ia}})
    return False
"""

EVENTS = [
    {"player": 0, "action": 1, "text": "b1", "turned": []},
    {"player": 1, "action": 10, "text": "a2", "turned": [[0, 0], [0, 1]]},
    {"player": 0, "action": 100, "text": "pass", "turned": []},
]


def adapter(ia, player=0, **changes):
    module = types.SimpleNamespace(ia=ia)
    return hx2.Adapter(module, start_message(player, **changes))


def seen(player=0, events=None, message=None):
    """The dictionary that a bot is given."""
    games = []
    spy = adapter(lambda game, side: games.append((game, side)), player, events=events or [])
    with pytest.raises(IllegalAnswer):
        spy.play(message or play_message())
    return games[0]


def test_the_dictionary_is_the_contests_own():
    game, side = seen(
        1,
        [{"player": -1, "action": 0, "text": "player 0 starts"}],
        play_message(EVENTS, grid=["0.1", "...", "1.0"], scores=[4, 5]),
    )
    assert side == "player_2"
    first, second = game["player_1"].pop("ia"), game["player_2"].pop("ia")
    assert game == {
        "player_1": {"start": True, "name": "ada", "misc": {}, "score": 4},
        "player_2": {"name": "blaise", "misc": {}, "score": 5},
        "grid": [[1, 0, 2], [0, 0, 0], [2, 0, 1]],
        "references": {"player_1": 1, "player_2": 2, "neutral": 0},
        "history": [
            ["player_1", [0, 1, []]],
            ["player_2", [1, 0, [[0, 0], [0, 1]]]],
            ["player_1", "False"],
        ],
    }
    assert callable(second)
    with pytest.raises(RuntimeError, match="opponent's ia"):
        first(game, "player_1")


def test_the_keys_are_in_the_order_of_the_contests_page():
    game, _ = seen()
    assert list(game) == ["player_1", "player_2", "grid", "references", "history"]
    assert list(game["player_1"]) == ["start", "name", "misc", "score", "ia"]
    assert list(game["player_2"]) == ["name", "misc", "score", "ia"]
    assert list(game["references"]) == ["player_1", "player_2", "neutral"]


@pytest.mark.parametrize("starter", [0, 1])
def test_start_says_whether_player_1_starts(starter):
    game, _ = seen(1, [{"player": -1, "action": starter, "text": f"player {starter} starts"}])
    assert game["player_1"]["start"] is (starter == 0)
    assert "start" not in game["player_2"]


def test_the_bots_own_function_is_its_own():
    games = []

    def ia(game, side):
        games.append(game)
        return False

    adapter(ia, 1).play(play_message())
    assert games[0]["player_2"]["ia"] is ia


def test_a_real_bot_sees_the_same_dictionary_in_its_process(hosts):
    bot = hosts.source(SPY)
    output = bot.ask(play_message(EVENTS, grid=["0.1", "...", "1.0"])).output
    assert output.startswith(
        "player_1 {'player_1': {'start': True, 'name': 'ada', 'misc': {}, 'score': 2, 'ia': True}, "
        "'player_2': {'name': 'blaise', 'misc': {}, 'score': 2, 'ia': <function "
    )
    assert output.endswith(
        "'grid': [[1, 0, 2], [0, 0, 0], [2, 0, 1]], "
        "'references': {'player_1': 1, 'player_2': 2, 'neutral': 0}, "
        "'history': [['player_1', [0, 1, []]], ['player_2', [1, 0, [[0, 0], [0, 1]]]], "
        "['player_1', 'False']]}\n"
    )


ANNOTATED = """
joute = {"metrics": {"stale": 1}}
turns = 0

def ia(game, side):
    global turns
    turns += 1
    if turns > 2:
        return False
    joute["metrics"] = {"turn": turns, "odd": "much"}
    joute["marks"] = [{"cell": (3, 4), "tone": "good"}]
    if turns == 2:
        raise ValueError
    return False
"""


def test_what_a_bot_puts_into_its_dictionary_called_joute_is_kept_with_that_turn(hosts):
    bot = hosts.source(ANNOTATED)
    found = bot.ask(play_message())
    assert (found.action, found.fault) == ("pass", None)
    assert found.annotations.metrics == {"turn": 1}
    assert found.annotations.marks == [{"cell": [3, 4], "tone": "good"}]
    assert found.note == "the metric odd is left out: much is not a finite number"
    assert bot.ask(play_message()).fault is Fault.CRASH
    assert bot.ask(play_message()).annotations.empty  # what the turn before left is not this one's


def test_another_thing_called_joute_is_none_of_ours(hosts):
    bot = hosts.source("joute = ['metrics']\ndef ia(game, side):\n    return False\n")
    found = bot.ask(play_message())
    assert (found.action, found.fault, found.note) == ("pass", None, "")


def test_each_call_gets_a_copy_and_what_is_written_into_it_is_lost(hosts):
    cheat, honest = hosts.started("cheat.py"), hosts.source(SPY)
    events = EVENTS[:]
    for _ in range(2):
        assert cheat.ask(play_message(events)).action == "b1"
        assert honest.ask(play_message(events)).action == "pass"
        events = []
    games = []

    def ia(game, side):
        games.append(repr({**game, side: 0, "player_2": 0}))
        game["grid"][0][0] = 9
        game["history"][1][1][2][0][0] = 9
        game["history"].append(9)
        game["references"]["neutral"] = 9
        game["player_2"]["misc"]["advice"] = "lose"
        game["player_2"]["score"] = 0
        return False

    bot = adapter(ia)
    bot.play(play_message(EVENTS))
    bot.play(play_message())
    assert games[0] == games[1]


def test_misc_lasts_whether_written_into_or_bound_anew():
    seen_notes = []

    def ia(game, side):
        notes = game[side]["misc"]
        seen_notes.append(dict(notes))
        if len(seen_notes) == 2:
            game[side]["misc"] = {"anew": 1}
        elif len(seen_notes) == 3:
            notes["more"] = 2
            raise ValueError("after a note")
        elif len(seen_notes) == 4:
            del game[side]["misc"]
        else:
            notes["first"] = 0
        return False

    bot = adapter(ia, 1)
    for _ in range(5):
        try:
            bot.play(play_message())
        except ValueError:
            continue
    assert seen_notes == [
        {},
        {"first": 0},
        {"anew": 1},
        {"anew": 1, "more": 2},
        {"anew": 1, "more": 2},
    ]


def test_after_a_restart_the_history_is_whole():
    game, _ = seen(0, [{"player": -1, "action": 1, "text": "player 1 starts"}, *EVENTS])
    assert len(game["history"]) == 3
    assert game["player_1"]["start"] is False


class Index:
    """A whole number of another library, such as NumPy's."""

    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        (False, "pass"),
        ([0, 1], "b1"),
        ((9, 0), "a10"),
        ([2, 3, "why not"], "d3"),
        ([Index(2), Index(3)], "d3"),
    ],
)
def test_an_answer_in_the_contests_form_is_an_action(answer, action):
    assert adapter(lambda game, side: answer).play(play_message()) == {"action": action}


@pytest.mark.parametrize(
    "answer",
    [
        None, True, 0, 0.0, "False", [], [3], [-1, 1], [1, -1], [10, 0], [0, 10], [1.0, 2],
        [True, 0], ["1", "2"], [None, None], {0: 1, 1: 2}, "12", [[1, 2], [3, 4]],
    ],
)  # fmt: skip
def test_any_other_answer_is_illegal_and_shown(answer):
    with pytest.raises(IllegalAnswer) as raised:
        adapter(lambda game, side: answer).play(play_message())
    assert str(raised.value).startswith(f"ia answered {answer!r}: expected [row, column] from 0 to")


def test_what_is_shown_of_an_answer_is_bounded(hosts):
    answer = hosts.source("def ia(game, side):\n    return ['x' * 10**6] * 10**5\n").ask(
        play_message()
    )
    assert answer.fault is Fault.ILLEGAL
    assert len(answer.detail) < 3000


def test_an_answer_that_cannot_even_be_shown_is_illegal():
    class Odd:
        def __repr__(self):
            raise RuntimeError

    with pytest.raises(IllegalAnswer, match="Odd"):
        adapter(lambda game, side: Odd()).play(play_message())


def test_other_board_sizes_are_served():
    bot = adapter(lambda game, side: [2, 2])
    assert bot.play(play_message(grid=["0.1", "...", "1.0"])) == {"action": "c3"}
    bot = adapter(lambda game, side: [3, 3])
    with pytest.raises(IllegalAnswer, match="from 0 to 2"):
        bot.play(play_message(grid=["0.1", "...", "1.0"]))


def test_the_contests_example_bot_runs_as_it_is(hosts):
    text = """
        def ia (game, side):
            for i in range(len(game["grid"])):
                for j in range(len(game["grid"][i])):
                    if game["grid"][i][j] != game["references"]["neutral"]:
                        continue
                    for k in [-1, 0, 1]:
                        if (i + k) >= len(game["grid"]) or (i + k) < 0:
                            continue
                        for l in [-1, 0, 1]:
                            if (j + l) >= len(game["grid"][i + k]) or (j + l) < 0:
                                continue
                            if game["grid"][i + k][j + l] == game["references"][side]:
                                return [i, j]
            return False
        """
    bot = hosts.source(text, EASY)
    assert bot.ask(play_message()).action == "b1"


def test_its_interface_comes_before_joutes_own_and_says_what_is_missing(hosts):
    own = "def play(o, c):\n    return 2\n"
    hosts.write("both.py", "def ia(game, side):\n    return [4, 5]\n" + own)
    assert hosts.started("both.py", base=hosts.folder).ask(play_message()).action == "f5"
    hosts.write("native.py", own)
    answer = hosts.bot("hx2:native.py", base=hosts.folder).start(start_message())
    assert answer.fault is Fault.START_UP
    assert answer.detail == (
        f"no bot in {hosts.folder / 'native.py'}: it needs def ia(game, side), and has play"
    )


def test_an_answer_that_is_none_is_told_in_the_readers_language():
    with pytest.raises(IllegalAnswer) as caught:
        hx2._action("a1", 10)
    assert "ia a répondu 'a1'\u202f: attendu\u202f: [ligne, colonne] de 0 à 9" in in_french(
        str(caught.value)
    )


def test_another_game_is_refused_in_both_languages():
    with pytest.raises(CannotLoad, match="plays Virus, and this game is none") as caught:
        adapter(lambda game, side: False, parameters={"map": "arena"})
    assert in_french(str(caught.value)).startswith("un bot du concours HX2 joue à Virus")
