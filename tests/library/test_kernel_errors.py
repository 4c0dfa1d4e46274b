"""A kernel that cannot be compiled is told with its line, wherever it is first compiled."""

import re
import subprocess
import sys

import pytest
from cli.apart import command, environment
from helpers import PATIENCE, english_words, some
from library.planted import MISTAKES

PLANTED = MISTAKES["an array is made in play"]
COMMANDS = {
    "match": "match ./little.py builtin:ismcts?simulations=5 builtin:random",
    "play": "play ./little.py builtin:ismcts?simulations=5 builtin:random --plain",
    "contest": "contest run cup.toml",
    "compare": "compare ./little.py builtin:flat?simulations=5 builtin:random --games 2",
    "strength": "strength ./little.py",
}
PROGRAMS = {
    "batch": "joute.Batch('./little.py', 4).random_actions()",
    "batch's steps": "joute.Batch('./little.py', 4).step([1] * 4)",
    "playouts": "joute.Batch('./little.py', 4).playouts(1)",
    "search": "joute.search.ismcts(joute.game('./little.py').start(seed=1), simulations=5)",
    "match": "joute.match('./little.py', 'builtin:ismcts?simulations=5', 'builtin:random')",
    "bot": "joute.bot('builtin:ismcts').think(joute.game('./little.py').start(seed=1))",
}
IMPORTS = "import joute\nfrom joute.errors import Error\n"
CUP = """
bots = ["builtin:random", "builtin:ismcts?simulations=5"]
[contest]
games = 2
[game]
name = "little.py"
"""


@pytest.fixture
def folder(tmp_path):
    """A folder with a game whose `play` allocates, a bot and a contest."""
    (tmp_path / "little.py").write_text(PLANTED.text(), "utf-8")
    (tmp_path / "mine.py").write_text("def play(observation, clock):\n    return 1\n", "utf-8")
    (tmp_path / "cup.toml").write_text(CUP, "utf-8")
    return tmp_path


def run(line, folder, **variables):
    """The exit code of a command line, and what it prints."""
    done = subprocess.run(
        line,
        cwd=folder,
        env=environment(**variables),
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        stdin=subprocess.DEVNULL,
    )
    return done.returncode, done.stdout + done.stderr


def check(said, folder):
    """Fails unless the line is told, and Numba's pages are not."""
    assert f"{folder}/little.py, line {PLANTED.line() + 1}" in said
    assert "room = np.zeros(3)" in said
    assert "kernels allocate nothing" in said
    assert "nopython" not in said
    assert "numba" not in said.lower()


@pytest.mark.full
@pytest.mark.parametrize("name", some(COMMANDS, 3))
def test_a_command_tells_the_line_of_a_kernel_that_allocates(name, folder):
    code, said = run(command(*COMMANDS[name].split()), folder)
    assert code != 0
    check(said, folder)
    assert "Traceback" not in said
    assert len(said.splitlines()) < 20


@pytest.mark.full
@pytest.mark.parametrize("name", some(PROGRAMS, 3))
def test_a_program_gets_an_error_with_the_line_of_the_kernel(name, folder):
    program = f"try:\n    {PROGRAMS[name]}\nexcept Error as error:\n    print(error)"
    code, said = run([sys.executable, "-c", f"{IMPORTS}{program}"], folder)
    assert code == 0, said
    check(said, folder)
    assert len(said.splitlines()) == 1


BARE = {
    "play lacks a parameter": ("play cannot be compiled", "def play(state, action)"),
    "play is compiled by its author": ("play cannot be compiled", "import numba"),
    "the game holds a list": ("mover cannot be compiled", "def mover(game, state)"),
}


@pytest.mark.full
@pytest.mark.parametrize("mistake", BARE)
def test_rules_that_no_maker_has_looked_at_are_told_with_their_line(mistake, folder):
    text = MISTAKES[mistake].text()
    (folder / "little.py").write_text(text, "utf-8")
    program = """
    sys.path.insert(0, ".")
    import little
    joute.Batch(little.Little(), 4).step([1] * 4)"""
    program = f"import sys\ntry:\n    {program}\nexcept Error as error:\n    print(error)"
    code, said = run([sys.executable, "-c", f"{IMPORTS}{program}"], folder)
    assert code == 0, said
    told, near = BARE[mistake]
    assert told in said
    line = int(re.search(r"little\.py, line (\d+)", said)[1])
    at = text[: text.index(near)].count("\n") + 1
    assert line in (at - 1, at, at + 1)


@pytest.mark.parametrize(
    "mistake", ["legal is forgotten", "start gives a list", "play lacks a parameter"]
)
def test_a_game_that_lacks_something_is_refused_before_it_is_compiled(mistake, folder):
    (folder / "little.py").write_text(MISTAKES[mistake].text(), "utf-8")
    code, said = run(command(*COMMANDS["match"].split()), folder)
    assert (code, len(said.splitlines())) == (2, 1)
    assert "joute game check" in said


@pytest.mark.full
def test_it_is_told_in_french(folder):
    code, said = run(command(*COMMANDS["match"].split()), folder, JOUTE_LANG="fr")
    assert code != 0
    assert f"{folder}/little.py, ligne" in said
    assert not english_words(said)
