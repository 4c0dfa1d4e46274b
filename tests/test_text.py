"""Names that are made of others, and texts of several lines in one."""

import pytest

from joute.text import LONGEST_SLUG, free_name, in_one_line, last_line, last_words, slug

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


NODE = """/bots/crash.js:2
o.board.x;
  ^

TypeError: Cannot read properties of undefined (reading 'x')
    at Object.<anonymous> (/bots/crash.js:1:21)
    at node:internal/main/run_main_module:28:49

Node.js v20.20.2
"""
NODE_WITH_PROPERTIES = """  throw err;
  ^

Error: Cannot find module './nothere'
Require stack:
- /bots/b.js
    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15) {
  code: 'MODULE_NOT_FOUND',
  requireStack: [ '/bots/b.js' ]
}

Node.js v20.20.2
"""
NODE_TEXT = """throw "no move"
^
no move
(Use `node --trace-uncaught ...` to show where the exception was thrown)

Node.js v20.20.2
"""
RUST = """thread 'main' panicked at bot.rs:2:244:
index out of bounds: the len is 0 but the index is 5
"""
NOTE = "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n"
BACKTRACE = """stack backtrace:
   0: __rustc::rust_begin_unwind
             at /rustc/library/std/src/panicking.rs:689:5
   1: bot::main
note: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.
"""
PANIC = (
    "thread 'main' panicked at bot.rs:2:244: index out of bounds: the len is 0 but the index is 5"
)
JAVA = """Exception in thread "main" java.lang.RuntimeException: outer
\tat Bot.f(Bot.java:1)
Caused by: java.lang.ArrayIndexOutOfBoundsException: Index 5 out of bounds for length 2
\tat Bot.f(Bot.java:1)
\t... 2 more
"""
GO = """panic: runtime error: index out of range [5] with length 3

goroutine 1 [running]:
main.main()
\t/bots/bot.go:5 +0x1d
exit status 2
"""
CPP = """terminate called after throwing an instance of 'std::bad_alloc'
  what():  std::bad_alloc
"""


@pytest.mark.parametrize(
    ("printed", "words"),
    [
        (NODE, "TypeError: Cannot read properties of undefined (reading 'x')"),
        (NODE_WITH_PROPERTIES, "Error: Cannot find module './nothere'"),
        (NODE_TEXT, "no move"),
        (RUST + NOTE, PANIC),
        (RUST + BACKTRACE, PANIC),
        (JAVA, JAVA.splitlines()[2]),
        (GO, "panic: runtime error: index out of range [5] with length 3"),
        (CPP, "what():  std::bad_alloc"),
        (f"{NODE}and on it went\n", "and on it went"),
        (f"{CALLED}KeyError: 'a'\n", "KeyError: 'a'"),
        ("    at the end\n", "at the end"),
        ("turn 3: thinking\n  depth 4\n", "depth 4"),
        ("", ""),
    ],
)  # fmt: skip
def test_the_last_words_of_a_program_are_its_error_and_not_what_its_runtime_writes_below(
    printed, words
):
    assert last_words(printed) == words
