"""Usual mistakes of bots end in a sentence that says what to do, in English and in French."""

import pytest
from helpers import english_words

from joute.i18n.words import speaking
from joute.play.hints import hints

LATE = "no answer after 22.41 s of 21.00 s on the wall ({} s of 10.00 s of CPU)"
CRASH = """Traceback (most recent call last):
  File "bot.py", line 2, in play
    return helper.f()
  File "helper.py", line 1, in f
    def f(): return 1/0
ZeroDivisionError: division by zero"""
BREAKPOINT = """Traceback (most recent call last):
  File "bot.py", line 2, in play
  File "bdb.py", line 156, in dispatch_return
    if self.quitting: raise BdbQuit
bdb.BdbQuit"""
CODE = "{"  # a message of the protocol stands in both languages
CODES = ("memory_mb", "program:")  # so do words of contest files and of the command line
KEYS = ("size", "grid", "legal")

MISTAKES = [
    ("timeout", LATE.format("0.07"), "does it flush its output after each line"),
    ("start-up", LATE.format("0.07"), "does it flush its output after each line"),
    ("start-up", LATE.format("0.07"), "the first message, start, with the line"),
    ("memory", "MemoryError", "is limited, to 1024 MiB"),
    ("crash", "its process was killed; it printed last: 'what():  std::bad_alloc'", "memory_mb"),
    ("crash", "java.lang.OutOfMemoryError: Java heap space", "memory_mb"),
    ("start-up", "no bot in bot.py, nor any function or class: it needs def play(",
     "program:python3"),
    ("crash", CRASH, "in helper.py, line 1"),
    ("crash", "KeyError: 'grids'", "no key 'grids': use 'grid'"),
    ("crash", "KeyError: 'heads'", "no key 'heads': its keys are size, grid, legal"),
    ("start-up", "ModuleNotFoundError: No module named 'torch.nn'", "no module torch is installed"),
    ("start-up", "ModuleNotFoundError: No module named 'joute'", "a bot cannot import Joute"),
    ("crash", "TypeError: play() takes 1 positional argument but 2 were given",
     "called as play(observation, clock)"),
    ("crash", "TypeError: Bot.play() missing 1 required positional argument: 'clock'",
     "called as play(observation, clock)"),
    pytest.param("crash", "TypeError: ia() takes 1 positional argument but 2 were given",
     "the interface hx2 calls the function of a bot that is written so: def ia(game, side)",
     marks=pytest.mark.game("virus")),
    pytest.param("crash", "TypeError: Play() missing 1 required positional argument: 'Room'",
     "written so: def Play(Game)", marks=pytest.mark.game("tron")),
    ("illegal", "play answered None: expected a whole number", "end in a return with an action"),
    ("crash", "RecursionError: maximum recursion depth exceeded", "calls itself too deeply"),
    ("crash", "UnicodeDecodeError: 'ascii' codec", "name the encoding"),
    ("crash", BREAKPOINT, "a bot has no terminal"),
    ("crash", "EOFError: EOF when reading a line", "a bot has no terminal"),
    ("crash", "socket.gaierror: [Errno -3] Temporary failure", "a bot has no network"),
    ("sandbox", "PermissionError: [Errno 1] Operation not permitted", "starts no processes"),
    ("crash", "FileNotFoundError: [Errno 2] No such file or directory: 'w.npz'", "into a folder"),
    ("crash", "Error: Cannot find module './x'\nRequire stack:\n- bot.js", "into a folder"),
    ("crash", "Error: Cannot find module '/x/bot.js'", "look at the names"),
    ("crash", "java.lang.ClassNotFoundException: Bot", "a [build] table"),
    ("crash", "bot.sh: 2: ./helper: not found", "into a folder"),
    ("protocol", "no message of the protocol: JSON is malformed", "to the standard error"),
    ("protocol", "no message of the protocol: JSON is malformed", '{"type":"action","action":4}'),
    ("protocol", "it answered before it had read the message", "to the standard error"),
    ("start-up", "no message of the protocol: JSON is malformed", '{"type":"ready"}'),
    ("illegal", "play answered <coroutine object play>: expected", "return, not yield"),
    ("illegal", "play answered <generator object play>: expected", "return, not yield"),
    ("illegal", "'12' is not an action: expected a cell", "not as a text: 4"),
    ("start-up", "none of bot.py, main.py, agent.py, __init__.py in mine.zip",
     "a bot in another language needs a joute.toml"),
    ("start-up", "cannot run bot: Exec format error", "made for another system"),
    ("crash", "SystemExit: 0", "return one instead"),
    ("crash", "AttributeError: 'Bot' object has no attribute 'play'",
     "called as play(observation, clock)"),
]  # fmt: skip


@pytest.mark.parametrize(("fault", "detail", "said"), MISTAKES)
def test_a_usual_mistake_is_told_with_what_to_do(fault, detail, said):
    [hint] = hints(fault, detail, keys=lambda: KEYS)
    assert said in str(hint)
    with speaking("fr"):
        assert said not in str(hint) or said.startswith((CODE, *CODES))
        assert not english_words(str(hint))


def test_a_byte_order_mark_is_named_where_a_line_begins_with_it():
    line = r"""no message of the protocol: JSON is malformed, in '\ufeff{"type": "ready"}'"""
    assert "without one" in " ".join(map(str, hints("start-up", line)))


def test_no_place_in_a_package_of_the_library_is_told_as_that_of_the_mistake():
    detail = """Traceback (most recent call last):
  File "bot.py", line 3, in play
    urllib.request.urlopen("http://example.com")
  File "urllib/request.py", line 1351, in do_open
    raise URLError(err)
urllib.error.URLError: <urlopen error [Errno -3] Temporary failure in name resolution>"""
    [hint] = hints("crash", detail)
    assert "a bot has no network" in str(hint)


def test_a_program_of_another_protocol_is_told_of_no_message_of_this_one():
    [hint] = hints("protocol", "answered 'up': expected 1 (north), 2 (east), 3 (south) or 4 (west)")
    assert "{" not in str(hint)


def test_what_a_program_printed_is_looked_at_too():
    [hint] = hints("crash", "its process ended with status 1", "bind: Permission denied")
    assert "reads only its own files" in str(hint)


def test_a_program_in_python_that_misses_a_module_is_told_where_to_install_it():
    printed = "Traceback ...\nModuleNotFoundError: No module named 'scipy.optimize'\n"
    [hint] = hints("start-up", "its process ended with status 1", printed)
    assert "has no module scipy:" in str(hint)
    assert hints("crash", "ValueError: no", f"{printed}it goes on\n") == []
    [hint] = hints("start-up", "its process ended", "ModuleNotFoundError: No module named 'joute'")
    assert "import_joute" in str(hint)


@pytest.mark.parametrize(
    ("fault", "detail"),
    [
        ("timeout", LATE.format("9.97")),
        ("timeout", "took 11.00 s of 10.00 s (CPU; 11.20 s on the wall)"),
        ("crash", "KeyError: 'grid'"),
        ("crash", "KeyError: 3"),
        ("crash", "ValueError: no idea"),
        ("crash", "TypeError: helper() takes 1 positional argument but 2 were given"),
        ("illegal", "answered 0, which is not legal here: there is a stone on a1. The only"),
    ],
)
def test_of_other_mistakes_nothing_is_guessed(fault, detail):
    assert hints(fault, detail, keys=lambda: KEYS) == []
