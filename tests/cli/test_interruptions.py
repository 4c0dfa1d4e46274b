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
    {callback}

main.main = command
sys.exit(cli.run())
"""


def run(callback):
    return subprocess.run(
        [sys.executable, "-c", CALLBACK.format(callback=callback)],
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
