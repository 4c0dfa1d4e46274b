import sys

import pytest

from joute.cli.output import Progress
from joute.i18n.figures import duration


class Clock:
    """Time that passes when told."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock():
    return Clock()


def test_what_is_short_shows_nothing(capsys, clock):
    with Progress(clock) as progress:
        progress.update(0, 10)
        clock.now += 1.9
        progress.update(5, 10)
        clock.now += 5
        progress.update(10, 10)
    assert capsys.readouterr() == ("", "")


def test_without_a_terminal_there_is_a_line_every_ten_seconds(capsys, clock):
    with Progress(clock) as progress:
        for second in range(25):
            progress.update(second, 100)
            clock.now += 1
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 3
    assert err.splitlines()[0].startswith("2 of 100, 1/s, 1 min 38 s left")


def test_what_was_there_before_does_not_count_in_the_rate(clock):
    progress = Progress(clock)
    progress.update(50, 100)
    clock.now += 10
    assert progress.line(60, 100) == "60 of 100, 1/s, 40 s left"


def test_before_anything_is_done_the_time_left_is_unknown(clock):
    progress = Progress(clock)
    progress.update(0, 10)
    clock.now += 10
    assert progress.line(0, 10) == "0 of 10, 0/s, ? left"


def test_on_a_terminal_a_bar_comes_and_goes(capsys, clock, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    with Progress(clock) as progress:
        progress.update(0, 10)
        clock.now += 3
        progress.update(5, 10)
        clock.now += 1
        progress.update(6, 10)
    out, err = capsys.readouterr()
    assert out == ""
    assert "of 10" in err


def test_a_bar_that_is_shown_says_in_the_end_that_all_is_done(clock, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with Progress(clock) as progress:
        progress.update(0, 30)
        clock.now += 3
        progress.update(24, 30)
        progress.update(30, 30)
        (task,) = progress._bar.tasks
    assert task.finished and task.fields["said"].startswith("30 of 30")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (None, ""),
        (0.2, "0 s"),
        (42, "42 s"),
        (185, "3 min 05 s"),
        (7805, "2 h 10 min"),
        (59.6, "1 min 00 s"),
    ],
)
def test_lengths_of_time_have_their_two_largest_units(seconds, text):
    assert text == duration(seconds)
