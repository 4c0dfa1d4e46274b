"""The command line run in this process, and records to show it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from cli.apart import Outcome
from cli.screen import Terminal

from joute.cli.main import main
from joute.i18n import words
from joute.play.game import GameSpec, SeatSpec
from joute.play.referee import play_game

FAILING = """
def play(observation, clock):
    print("I was here")
    raise RuntimeError("no idea")
"""


@pytest.fixture
def run(capsys, monkeypatch) -> Callable[..., Outcome]:
    """Runs a command line here, in English."""
    for name in ("JOUTE_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)

    def run_here(*arguments: object) -> Outcome:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        words.speak("en")
        return Outcome(code, *capsys.readouterr())

    return run_here


@pytest.fixture(scope="session")
def failing_bot(tmp_path_factory) -> Path:
    """A bot that fails whenever it is asked, and prints before."""
    path = tmp_path_factory.mktemp("bots") / "failing.py"
    path.write_text(FAILING, encoding="utf-8")
    return path


@pytest.fixture
def unloadable_bot(tmp_path) -> Path:
    """A bot whose file does not even compile."""
    path = tmp_path / "broken.py"
    path.write_text("def play(observation, clock)\n", encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def record(tmp_path_factory) -> Path:
    """The record of a whole game on a small board."""
    return _record(tmp_path_factory, "builtin:random")


@pytest.fixture(scope="session")
def faulty_record(tmp_path_factory, failing_bot) -> Path:
    """The record of a game in which player 1 fails at every turn."""
    return _record(tmp_path_factory, str(failing_bot))


def _record(tmp_path_factory, second: str) -> Path:
    spec = GameSpec(
        game="virus",
        parameters={"size": 5, "voluntary_pass": True},
        bots=(
            SeatSpec(name="ann", bot="builtin:random"),
            SeatSpec(name="bob", bot=second),
        ),
        seed="0" * 31 + "1",
    )
    path = tmp_path_factory.mktemp("records") / "game.jsonl"
    path.write_bytes(play_game(spec).record)
    return path


@pytest.fixture
def terminal():
    """Opens terminals with a command on each; none is left."""
    opened = []

    def open_terminal(*arguments: object, **options) -> Terminal:
        opened.append(Terminal(*arguments, **options))
        return opened[-1]

    yield open_terminal
    for each in opened:
        each.close()
