"""Tron in real time, on a clock and a keyboard of the test's own."""

from contextlib import nullcontext

import pytest

from joute.cli.playing.asking import Left
from joute.cli.playing.live import LOOK_SECONDS, OVER_SECONDS, RealTimeGame
from joute.cli.playing.page import Palette
from joute.cli.playing.session import make_spec
from joute.core.maps import find_map
from joute.play.record import read_record
from joute.play.steering import COUNTDOWN
from joute.play.verify import verify_record
from joute.text import plain

pytestmark = pytest.mark.game("tron")

SPEED = 4.0
STEP = 1 / SPEED
GO = float(COUNTDOWN)  # when the first round is played


STAIRS = """tron 1
name stairs
size 9 4 2
floor 0
#########
#1  u   #
#      2#
#########
floor 1
#########
#   d   #
#       #
#########
end
"""


class Clock:
    """Time passes only while keys are waited for; `at` says what is pressed when."""

    def __init__(self, at: dict[float, str]) -> None:
        self.now = 0.0
        self._left = [(time, key) for time in sorted(at) for key in at[time].split()]

    def __call__(self) -> float:
        return self.now

    def keys(self, seconds: float) -> list[str]:
        due = self._left[0][0] if self._left else float("inf")
        if due > self.now + seconds:
            self.now += seconds
            return []
        self.now = max(self.now, due)
        pressed = [key for time, key in self._left if time <= self.now]
        self._left = [each for each in self._left if each[0] > self.now]
        return [{"space": " "}.get(key, key) for key in pressed]


class Shown:
    """A display that keeps what it was to show, and when."""

    palette = Palette(0)

    def __init__(self, clock: Clock) -> None:
        self.views: list[tuple[float, object]] = []
        self._clock = clock

    def open(self):
        return nullcontext()

    def show(self, view) -> None:
        self.views.append((self._clock.now, view))

    def said(self) -> list[str]:
        return list(dict.fromkeys(view.said for _, view in self.views))


class Drive:
    """A game in real time that was played."""

    def __init__(self, at, *seats, map_name="duel", map_text="") -> None:
        self.clock = Clock(at)
        self.display = Shown(self.clock)
        parameters = {"map": map_text or find_map("tron", map_name)}
        spec = make_spec("tron", parameters, seats or ("human", "human"), 1.0, "1")
        live = RealTimeGame(spec, self.display, "", SPEED, self.clock.keys, self.clock)
        self.result = live.run()
        self.board = "\n".join(plain(line) for line in live.last_page())

    def taken(self, player) -> list[str]:
        plies = read_record(self.result.record).plies
        return [line["text"] for line in plies if line["player"] == player]


def at_round(number: float) -> float:
    """Just before a round (from 0) is played."""
    return GO + STEP * number - STEP / 2


def test_bikes_count_down_and_drive_straight_on_until_they_crash():
    drive = Drive({})
    assert drive.display.said()[:3] == ["getting ready…", "", "3…"]
    assert set(drive.taken(0)) == {"right"}
    assert set(drive.taken(1)) == {"left"}
    rounds = len(drive.taken(0))
    assert drive.clock.now == pytest.approx(GO + STEP * (rounds - 1) + OVER_SECONDS)
    assert verify_record(drive.result.record).ok


def test_each_round_is_shown_when_it_was_played():
    drive = Drive({})
    boards = {}
    for time, view in drive.display.views:
        boards.setdefault("\n".join(plain(line) for line in view.board), time)
    times = list(boards.values())
    assert times[1:4] == pytest.approx([GO, GO + STEP, GO + 2 * STEP])


def test_keys_steer_each_its_own_bike():
    drive = Drive({at_round(1): "up i", at_round(3): "right j"})
    assert drive.taken(0)[:5] == ["right", "up", "up", "right", "right"]
    assert drive.taken(1)[:5] == ["left", "up", "up", "left", "left"]


def test_one_person_has_all_keys():
    drive = Drive({at_round(1): "w", at_round(2): "right"}, "human", "builtin:random")
    assert drive.taken(0)[:3] == ["right", "up", "right"]


def test_two_quick_keys_are_two_turns_and_more_are_dropped():
    drive = Drive({at_round(1): "up left down"})
    assert drive.taken(0)[:4] == ["right", "up", "left", "left"]


def test_a_bike_does_not_turn_back_into_its_own_trail():
    drive = Drive({at_round(1): "left", at_round(2): "up", at_round(3): "down"})
    assert drive.taken(0)[:4] == ["right", "right", "up", "up"]


def test_a_key_of_the_countdown_is_the_first_direction():
    assert Drive({0.5: "down"}).taken(0)[0] == "down"


def test_a_bike_can_be_driven_into_a_wall():
    drive = Drive({at_round(1): "up"})
    assert drive.result.returns == [-1.0, 1.0]
    assert drive.taken(0)[-1] == "up"
    assert "x1" in drive.board


def test_a_pause_stops_the_clock():
    drive = Drive({at_round(2): "space", at_round(2) + 100: "p"})
    rounds = len(drive.taken(0))
    expected = GO + STEP * (rounds - 1) + 100 + OVER_SECONDS
    assert drive.clock.now == pytest.approx(expected, abs=LOOK_SECONDS)
    assert "pause; space: go on, r: rules, q: quit" in drive.display.said()


@pytest.mark.parametrize("asking", ["?", "H", "space r"])
def test_the_rules_are_shown_while_the_clock_stands_still(asking):
    keys = asking.split()
    at = {at_round(2) + place: key for place, key in enumerate(keys)}
    pages = {at_round(2) + 10 + place: "x" for place in range(20)}
    on = {at_round(2) + 100: "space"}
    drive = Drive({**at, **pages, **on}, "human", "builtin:random")
    shown = "\n".join("\n".join(view.message) for _, view in drive.display.views)
    assert "trail" in shown
    expected = GO + STEP * (len(drive.taken(0)) - 1) + OVER_SECONDS
    assert drive.clock.now > expected + 90
    assert "Enter: go on reading" in drive.display.said()


def test_the_rules_can_be_left_for_good():
    with pytest.raises(Left):
        Drive({at_round(2): "?", at_round(2) + 1: "q"})


@pytest.mark.parametrize("at", [{0.5: "q"}, {at_round(2): "q"}, {4.0: "space", 9.0: "q"}])
def test_q_leaves_at_any_time(at):
    with pytest.raises(Left):
        Drive(at)


def test_the_end_of_the_input_leaves():
    with pytest.raises(Left):
        Drive({at_round(1): "eof"})


def test_stairs_are_taken_by_a_key_and_the_way_goes_on():
    drive = Drive({at_round(3): "+", at_round(5): "-"}, map_text=STAIRS)
    assert drive.taken(0)[:5] == ["right", "right", "right", "upstairs", "right"]


def test_what_bots_do_among_themselves_takes_its_time_too():
    drive = Drive({0.5: "left"}, "human", "builtin:random", "builtin:random", map_name="square")
    rounds = max(len(drive.taken(player)) for player in (1, 2))
    assert rounds > len(drive.taken(0))
    assert drive.clock.now >= GO + STEP * (rounds - 2) + OVER_SECONDS


def test_a_resized_terminal_is_drawn_anew(monkeypatch):
    from joute.cli.playing import live

    sizes = iter([(80, 24), (80, 24), (100, 30)])
    last = [(100, 30)]
    monkeypatch.setattr(live, "size", lambda: next(sizes, last[0]))
    drive = Drive({})
    start = [time for time, _ in drive.display.views if time < 1.0]
    assert len(start) > 2


def test_the_end_stays_on_the_screen_until_it_was_seen():
    slow, quick = Drive({}), Drive({GO + 3.0: "up", GO + 3.5: "space"})
    assert slow.display.said()[-1] == "over; space: go on"
    assert quick.clock.now == pytest.approx(GO + 3.5)
