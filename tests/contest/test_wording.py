"""Reasons of faults in one line."""

import pytest

from joute.contest.report.wording import first_line

CALLED = 'Traceback (most recent call last):\n  File "bot.py", line 2, in ia\n    raise error\n'

UNREAD = (
    'Traceback (most recent call last):\n  File "bot.py", line 7\n    def ia(\n          ^\n'
    "SyntaxError: '(' was never closed"
)


@pytest.mark.parametrize(
    ("detail", "line"),
    [
        ("", ""),
        ("its process ended with status 3", "its process ended with status 3"),
        ("two lines\nof another program", "of another program"),
        (f"{CALLED}KeyError: 'grille'\n", "KeyError: 'grille'"),
        (f"{CALLED}ValueError: bad board:\n  row 1\n  row 2", "ValueError: bad board: row 1 row 2"),
        (f"{CALLED}KeyError: 'a'\n\nDuring it:\n\n{CALLED}RuntimeError: no", "RuntimeError: no"),
        (CALLED, "raise error"),
        (f"{CALLED}[... 900 bytes more ...]\nxxx')\nbot.Lost: no\nx", "bot.Lost: no x"),
        (f"{CALLED}KeyError\n", "KeyError"),
        (UNREAD, "bot.py:7: SyntaxError: '(' was never closed"),
    ],
)
def test_of_a_traceback_the_whole_error_is_told_and_of_other_texts_the_last_line(detail, line):
    assert first_line(detail) == line
