"""Players who give up while others are asked, or between two turns."""

import pytest
from play.playing import first_legal, lines_of, pennies, plies, poker, virus

from joute.core.interface import play, points, start
from joute.play.game import GameSpec
from joute.play.record import FIRST_CHAIN, chained, read_record
from joute.play.referee import play_game
from joute.play.timeline import Timeline
from joute.play.verify import recorded_game, replay, verify_record


class Leaving:
    """People who play the first legal action; at one's turn number `at`, from 0, others leave."""

    def __init__(self, at: int, *players: int) -> None:
        self.at = at
        self.players = players
        self.told = []
        self.asked = 0

    def attach(self, give_up):
        self.give_up = give_up

    def ask(self, game, state, player):
        if self.asked == self.at:
            self.told = [self.give_up(each) for each in self.players]
        self.asked += 1
        return first_legal(game, state, player)

    def play(self, spec: GameSpec):
        return play_game(spec, self.ask, leaving=self.attach)


@pytest.mark.game("virus")
def test_of_two_the_game_is_decided_before_the_other_answers():
    leaving = Leaving(2, 1)
    result = leaving.play(virus("human", "builtin:random", size=5))
    assert leaving.told == [True]
    assert leaving.asked == 3
    assert result.returns == [1.0, -1.0]
    assert result.ending == "resignation"
    assert result.asked[0] == 2
    last = plies(result)[-1]
    assert (last["player"], last["resigned"], "action" in last) == (1, True, False)
    assert lines_of(result.record)[-1]["forfeits"] == [1]
    assert verify_record(result.record).ok


@pytest.mark.game("virus")
def test_no_record_says_that_a_legal_move_cost_the_game():
    record = read_record(play_game(virus("builtin:random", "builtin:random", size=5)).record)
    *plies_, last = record.plies[:3]
    game = recorded_game(record)
    state = start(game).tolist()
    for ply in record.plies[:3]:
        play(game, state, ply["action"])
    loser = last["player"]
    end = {
        **record.end,
        "ending": "resignation",
        "forfeits": [loser],
        "returns": [-1.0 if player == loser else 1.0 for player in range(2)],
        "points": [int(points(game, state, player)) for player in range(2)],
        "plies": 3,
    }
    content, chain = b"", FIRST_CHAIN
    for line in (record.header, *plies_, {**last, "cost": "game"}, end):
        written, chain = chained(line, chain)
        content += written
    verdict = verify_record(content)
    assert not verdict.ok and verdict.line == 4


def test_among_many_nobody_is_asked_twice_and_the_game_goes_on():
    leaving = Leaving(0, 2, 2)
    result = leaving.play(poker("human", "human", "human"))
    assert leaving.told == [False, False]
    assert leaving.asked == 2
    lines = [line for line in plies(result) if line["by"] != "chance"]
    assert [(line["player"], line["by"], "resigned" in line) for line in lines] == [
        (2, "bot", True),
        (0, "bot", False),
        (1, "bot", False),
        (2, "referee", False),
    ]
    assert result.returns[2] == -2
    assert verify_record(result.record).ok
    assert len(replay(read_record(result.record))) == len(plies(result))


def test_whoever_is_asked_may_leave_like_the_others():
    leaving = Leaving(1, 1)
    result = leaving.play(poker("human", "human", "human"))
    by = [(line["player"], line["by"]) for line in plies(result) if line["by"] != "chance"]
    assert by == [(0, "bot"), (1, "bot"), (1, "referee"), (2, "bot")]
    assert verify_record(result.record).ok


@pytest.mark.game("virus")
@pytest.mark.parametrize("watched", [0, 4])
def test_one_may_leave_between_two_turns(watched):
    given = []

    def watch(line):
        if len(given) == watched:
            given.append(give_up[0](0))
        given.append(None)

    give_up = []
    spec = virus("builtin:random", "builtin:random", size=5)
    result = play_game(spec, watch=watch, leaving=give_up.append)
    assert given[watched]
    assert plies(result)[-1]["resigned"]
    assert verify_record(result.record).ok


def test_after_the_last_action_nobody_leaves_any_more():
    told = []
    give_up = []

    def watch(line):
        if line["ply"] == 5:
            told.append(give_up[0](0))

    spec = pennies("builtin:random", "builtin:random")
    result = play_game(spec, watch=watch, leaving=give_up.append)
    assert told == [False]
    assert result.ending == "finished"


def test_who_leaves_gives_no_choice_away_that_waits_for_the_others():
    leaving = Leaving(1, 1)
    spec = pennies("human", "human")
    result = leaving.play(spec)
    record = read_record(result.record)
    timeline = Timeline(recorded_game(record))
    steps = [timeline.hear(line) for line in record.plies]
    assert steps[0] is None
    assert [event["line"].get("resigned") for event in steps[1].told[1]] == [True]
    assert verify_record(result.record).ok
