"""Names that are made of others, and texts of several lines in one."""

import pytest

from joute.text import LONGEST_SLUG, free_name, in_one_line, last_line, slug

CALLED = 'Traceback (most recent call last):\n  File "bot.py", line 2, in ia\n    raise error\n'

UNREAD = (
    'Traceback (most recent call last):\n  File "bot.py", line 7\n    def ia(\n          ^\n'
    "SyntaxError: '(' was never closed"
)


def test_a_name_is_numbered_from_two_if_it_is_taken():
    taken = {"ann", "ann 2"}
    assert free_name("bob", taken.__contains__) == "bob"
    assert free_name("ann", taken.__contains__) == "ann 3"
    assert free_name("ann", taken.__contains__, "-") == "ann-2"


def test_a_slug_has_small_letters_digits_and_hyphens_alone():
    assert slug("  Été 2026: Finale!") == "ete-2026-finale"
    assert slug("a" * 50) == "a" * LONGEST_SLUG
    assert slug("\N{SNOWMAN}") == ""


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
    assert in_one_line(detail) == line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", ""),
        ("loading\n\nno model \n \n", "no model"),
        (f"{CALLED}KeyError: 'a'\nI go on\n", "I go on"),
        (
            '  File "bot.py", line 7\n    x\nIndentationError: no\n',
            "bot.py:7: IndentationError: no",
        ),
    ],
)
def test_the_last_line_of_what_a_program_printed_has_the_place_of_an_error_of_syntax(text, line):
    assert last_line(text) == line
