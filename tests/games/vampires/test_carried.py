"""A player carried to the tournament: the program that `joute carry` writes, on our server."""

import subprocess
import sys

import pytest
from games.vampires.players import MAP, SECONDS, serving

from joute.games.vampires.adapters.connection import RealClock
from joute.games.vampires.carried import run as program
from joute.games.vampires.server.settings import ServerSettings

TINY = ServerSettings(map=MAP, port=0, plies=10, pause_seconds=0.0, name_seconds=SECONDS)


def test_what_is_written_plays_a_game_as_either_side_and_ends(run, tmp_path):
    folder = tmp_path / "mine"
    made = run("carry", "vampires", "builtin:nearest", folder)
    assert (made.code, made.err) == (0, "")
    assert f"{folder}/program.py 127.0.0.1 5555" in made.out
    with serving(TINY, clock=RealClock()) as server:
        where = [str(part) for part in server.address]
        programs = [
            subprocess.Popen([sys.executable, folder / "program.py", "--own-option", *where])
            for _ in range(2)
        ]
        assert [program.wait(SECONDS) for program in programs] == [0, 0]
    [result] = server.results
    assert (result.ending, result.faults) == ("finished", [])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "the last two arguments are the server’s address and port"),
        (["5555"], "got: 5555"),
        (["127.0.0.1", "five"], "got: 127.0.0.1 five"),
        (["127.0.0.1", "99999"], "got: 127.0.0.1 99999"),
        (["127.0.0.1", "1"], "cannot connect to 127.0.0.1:1: "),
        (["..", "5555"], "cannot connect to ..:5555: Name or service not known"),
    ],
)
def test_a_program_without_a_server_ends_with_a_sentence(arguments, said):
    with pytest.raises(SystemExit) as left:
        program("builtin:nearest", arguments)
    assert said in str(left.value.code)
