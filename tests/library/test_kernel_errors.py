"""A kernel that cannot be compiled is told with its line, wherever it is first compiled."""

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


@pytest.mark.parametrize("mistake", ["legal is forgotten", "start gives a list"])
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
