"""An interruption ends a command wherever it comes, and nobody reads a traceback."""

import subprocess
import sys

from cli.apart import environment
from helpers import PATIENCE

CALLBACK = """
import signal, sys, threading, weakref
from joute import cli
from joute.cli import main

class Value: pass

def command():
    value = Value()
    watched = weakref.ref(value, lambda _: callback())
    del value
    print("after", flush=True)
    threading.Event().wait(600)
    return 0

def callback():
    {}

main.main = command
sys.exit(cli.run())
"""

CLASS = """
import sys
from joute import cli
from joute.cli import main

class Attribute:
    def __set_name__(self, owner, name):
        raise {}

def command():
    class Owner:
        attribute = Attribute()

main.main = command
sys.exit(cli.run())
"""


def run(raised, script=CALLBACK):
    return subprocess.run(
        [sys.executable, "-c", script.format(raised)],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


def test_an_interruption_within_a_callback_of_the_interpreter_ends_the_command():
    done = run("signal.raise_signal(signal.SIGINT)")
    assert (done.returncode, done.stderr) == (3, "")


def test_an_error_in_a_callback_of_the_interpreter_is_told():
    done = run("threading.Event.wait = lambda *_: None; raise ValueError('of a callback')")
    assert done.returncode == 0
    assert "ValueError: of a callback" in done.stderr


def test_an_interruption_within_code_compiled_from_text_ends_the_command_with_its_code():
    done = run("exec('raise KeyboardInterrupt')")
    assert (done.returncode, done.stderr) == (3, "")


def test_an_interruption_while_a_class_is_made_ends_the_command():
    done = run("KeyboardInterrupt", CLASS)
    assert (done.returncode, done.stderr) == (3, "")


def test_an_error_while_a_class_is_made_is_told():
    done = run("ValueError('of a class')", CLASS)
    assert done.returncode == 1
    assert "ValueError: of a class" in done.stderr
