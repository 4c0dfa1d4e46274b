"""The referee: an ordinary game, and who is told what, and when."""

import json

import msgspec
import pytest
from play.playing import (
    actions,
    first_legal,
    pennies,
    plies,
    poker,
    virus,
)

from joute import bots
from joute.core.errors import ActionError, GameError
from joute.core.reading import read_text
from joute.host.protocol import InfrastructureError
from joute.play.referee import play_game
from joute.play.verify import verify_record

pytestmark = pytest.mark.game("virus")


def test_a_game_is_played_to_its_end_and_recorded():
    result = play_game(virus("builtin:greedy", "builtin:random"))
    assert result.ending == "finished"
    assert sum(result.points) == 16
    assert result.returns in ([1, -1], [-1, 1], [0, 0])
    assert result.faults == []
    assert sum(result.asked) == sum(ply["by"] == "bot" for ply in plies(result))
    assert len(actions(result)) == result.plies
    assert verify_record(result.record).ok


def test_the_same_specification_gives_the_same_game():
    spec = virus("builtin:greedy", "builtin:random", size=6, opening=(2, 4))
    first, second = play_game(spec), play_game(spec)
    assert actions(first) == actions(second)
    assert first.identity == second.identity


def test_another_seed_gives_another_game():
    games = {tuple(actions(play_game(virus(seed=f"{seed:032x}")))) for seed in range(5)}
    assert len(games) == 5


def test_a_person_may_answer_with_text_or_a_number():
    texts = iter(["a1", "pass"])

    def ask(game, state, player):
        return next(texts, "pass") if player == 0 else first_legal(game, state, player)

    result = play_game(virus("human", "human", size=3), ask)
    first = next(ply for ply in plies(result) if ply.get("player") == 0)
    assert (first["fault"], first["text"]) == ("illegal", "pass")  # its own corner
    assert verify_record(result.record).ok


def test_an_opening_is_drawn_and_not_asked():
    result = play_game(virus(size=6, opening=(3, 3)))
    made = [ply["by"] for ply in plies(result)]
    assert made[:4] == ["chance", "opening", "opening", "opening"]
    assert set(made[4:]) == {"bot"}


def test_as_many_bots_as_seats_are_needed():
    with pytest.raises(ValueError, match="virus has 2 seats, got 3 bots"):
        play_game(virus(*["builtin:random"] * 3))
    with pytest.raises(ValueError, match="poker has 3 seats, got 2 bots"):
        play_game(poker("builtin:random", "builtin:random"))


def test_what_cannot_be_set_up_is_refused():
    with pytest.raises(GameError, match="did you mean 'virus'"):
        play_game(msgspec.structs.replace(virus(), game="virsu"))
    with pytest.raises(ValueError, match="zero-sum games for two"):
        play_game(poker("builtin:alphabeta", "builtin:random", "builtin:random"))
    with pytest.raises(ValueError, match="hidden information"):
        play_game(poker("builtin:greedy", "builtin:random", "builtin:random"))
    with pytest.raises(ValueError, match="built-ins run inline"):
        play_game(poker("hosted:builtin:random", "builtin:random", "builtin:random"))
    with pytest.raises(ValueError, match="'human' can sit only"):
        play_game(virus("human", "builtin:random"))


def test_a_failure_of_a_built_in_bot_is_ours(monkeypatch):
    class Failing:
        def play(self, state):
            raise OSError("no room")

    monkeypatch.setattr(bots, "make", lambda *_: Failing())
    with pytest.raises(InfrastructureError, match=r"builtin:random failed: OSError\('no room'\)"):
        play_game(virus())


@pytest.mark.parametrize("bot", ["greedy", "random"])
def test_a_built_in_bot_plays_the_same_inline_and_hosted(bot):
    inline = play_game(virus(f"builtin:{bot}", "builtin:random", size=5))
    hosted = play_game(virus(f"hosted:builtin:{bot}", "hosted:builtin:random", size=5))
    assert actions(inline) == actions(hosted)
    assert inline.returns == hosted.returns
    said = [[ply.get("message") for ply in plies(each)] for each in (inline, hosted)]
    assert said[0] == said[1]


@pytest.mark.full
def test_alpha_beta_plays_the_same_inline_and_hosted():
    name = "builtin:alphabeta?nodes=300&evaluation=fitted"
    inline = play_game(virus(name, "builtin:random", size=6))
    hosted = play_game(virus(f"hosted:{name}", "hosted:builtin:random", size=6))
    assert actions(inline) == actions(hosted)


def heard(result, seat):
    """The events of each message that a scripted program got, from what it sent back."""
    messages = [
        message
        for ply in plies(result)
        if ply.get("player") == seat
        for message in json.loads(ply["message"])
        if message["type"] == "play"
    ]
    unique = {json.dumps(message): message for message in messages}
    return [message["events"] for message in unique.values()]


def test_simultaneous_choices_are_told_when_all_are_in(program):
    result = play_game(pennies(program(0, 1, 0), program(1, 0, 0)))
    assert result.ending == "finished"
    assert actions(result) == [0, 1, 1, 0, 0, 0]
    for seat in (0, 1):
        told = heard(result, seat)
        assert [[(each["player"], each["action"]) for each in events] for events in told] == [
            [],
            [(0, 0), (1, 1)],
            [(0, 1), (1, 0)],
        ]
    assert result.points == [1, 2]
    assert verify_record(result.record).ok


def test_a_bot_is_told_of_its_own_card_only(program):
    result = play_game(poker(*[program("bet")] * 3))
    cards = actions(result)[:3]
    for seat in range(3):
        events = heard(result, seat)[0]
        assert [event["action"] for event in events[:3]] == [
            cards[other] if other == seat else 5 for other in range(3)
        ]
        assert len(events) == 3 + seat


def test_each_event_is_told_once_and_in_order(program):
    result = play_game(virus(program("legal"), "builtin:random", size=4))
    told = [event for events in heard(result, 0) for event in events]
    expected = actions(result)
    assert [event["action"] for event in told] == expected[: len(told)]


TALKING = """
import sys

print("loading", file=sys.stderr)


class Bot:
    def start(self, info):
        print("player", info["player"])

    def play(self, observation, clock):
        print("thinking")
        return observation["legal"][0]
"""


def test_what_a_bot_prints_while_it_starts_is_recorded_with_its_first_ply(tmp_path):
    (tmp_path / "talking.py").write_text(TALKING, encoding="utf-8")
    result = play_game(virus(str(tmp_path / "talking.py"), "builtin:random", size=4))
    printed = [ply["output"] for ply in plies(result) if ply.get("player") == 0]
    assert printed[0] == "loading\nplayer 0\nthinking\n"
    assert set(printed[1:]) == {"thinking\n"}
    assert verify_record(result.record).ok


# Several actions of one turn.


def whole_turn(*answers):
    """A person who gives these answers, then plays the first that is legal."""
    left = iter(answers)

    def ask(game, state, player):
        return next(left, None) or first_legal(game, state, player)

    return ask


def test_a_list_of_actions_is_legal_as_long_as_the_turn_is_the_players():
    spec = virus("human", "builtin:random", size=4)
    one = play_game(spec, whole_turn([1]))
    two = play_game(spec, whole_turn([1, 2]))
    assert one.faults == []
    told = "answered [1, 2], which is not legal here: the turn is over after one action, and the"
    assert two.faults[0].detail.startswith(told)
    assert verify_record(one.record).ok


@pytest.mark.parametrize("answer", [[True], [1.5], [[1]], 1.5])
def test_what_is_no_action_is_illegal(answer):
    result = play_game(virus("human", "builtin:random", size=4), whole_turn(answer))
    assert "expected a number, a text, or a list of numbers" in result.faults[0].detail


def test_a_text_on_which_the_rules_fail_is_illegal_and_annuls_no_game(monkeypatch):
    def failing(game, state, text):
        raise ValueError("not thought of")

    monkeypatch.setattr("joute.core.reading.parse", failing)
    with pytest.raises(ActionError, match="not thought of"):
        read_text(None, [], "9" * 5000)
    monkeypatch.setattr("joute.core.reading.expand", failing)
    result = play_game(virus("human", "builtin:random", size=4), whole_turn("zz"))
    assert "not thought of" in result.faults[0].detail
