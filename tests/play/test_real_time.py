"""Rounds of Tron that come by themselves, on a clock of the test's own."""

import pytest

from joute.core.interface import play, start
from joute.core.maps import find_map
from joute.core.registry import make
from joute.play.steering import COUNTDOWN, DOWN, LEFT, RIGHT, UP, RoundClock, Steering

pytestmark = pytest.mark.game("tron")

SPEED = 4.0


class Clock:
    """Time passes only while it is waited for."""

    def __init__(self) -> None:
        self.now = 0.0
        self.told = []

    def __call__(self) -> float:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def game():
    return make("tron", map=find_map("tron", "duel"))


def paced(game, people=(0,), bots=()):
    clock = Clock()
    pace = RoundClock(SPEED, people, bots, clock)
    pace.attach(clock.wait, lambda: clock.told.append(pace.left))
    return pace, clock


def test_the_first_round_comes_after_a_countdown_the_others_at_their_time(game):
    pace, clock = paced(game)
    state = start(game).tolist()
    times = []
    for _ in range(3):
        turn = pace.choose(game, state, 0)
        times.append(clock.now)
        play(game, state, turn)
        play(game, state, DOWN if turn != DOWN else UP)
    assert times == [COUNTDOWN, COUNTDOWN + 1 / SPEED, COUNTDOWN + 2 / SPEED]
    assert clock.told == [3, 3, 2, 1, 0]


def test_a_round_that_was_late_hurries_nobody(game):
    pace, clock = paced(game)
    state = start(game).tolist()
    first = pace.choose(game, state, 0)
    clock.now += 10.0
    play(game, state, first)
    play(game, state, DOWN)
    pace.choose(game, state, 0)
    late = clock.now
    play(game, state, first)
    play(game, state, DOWN)
    pace.choose(game, state, 0)
    assert clock.now == late + 1 / SPEED


def test_turns_are_kept_for_the_coming_rounds(game):
    steering = Steering([0])
    state = start(game).tolist()
    for turn in (UP, UP, LEFT, DOWN):
        steering.steer(0, turn)
    found = []
    for _ in range(3):
        found.append(steering.direction(game, state, 0))
        play(game, state, found[-1])
        play(game, state, DOWN)
    assert found == [UP, LEFT, LEFT]  # DOWN came when two were waiting already


def test_nobody_turns_back_into_its_trail(game):
    steering = Steering([0])
    state = start(game).tolist()
    play(game, state, RIGHT)
    play(game, state, DOWN)
    steering.steer(0, LEFT)
    assert steering.direction(game, state, 0) == RIGHT


def test_rounds_without_people_take_their_time_too(game):
    pace, clock = paced(game, people=(0,))
    state = start(game).tolist()
    turn = pace.choose(game, state, 0)
    play(game, state, turn)
    play(game, state, DOWN)
    pace.follow(game, state)  # a person is still driving: nothing is waited for
    assert clock.now == COUNTDOWN
    nobody, idle = paced(game, people=())
    nobody.follow(game, state)
    assert idle.now == COUNTDOWN
