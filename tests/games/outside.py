"""Games of every kind from outside: of files, and of a package that is installed."""

import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import NamedTuple

from cli.apart import command, environment

EXAMPLES = Path(__file__).parents[2] / "examples" / "games"
HERE = Path(__file__).parent


def told_in(folder, *arguments):
    """A command line run in a folder, and what it printed."""
    done = subprocess.run(
        command(*arguments), cwd=folder, env=environment(), capture_output=True, text=True
    )
    return done.returncode, done.stdout + done.stderr


def install(folder):
    """The Python of a fresh environment that sees this one's packages, and has one game more."""
    code, told = told_in(folder, "new", "my-nim", "--kind", "game")
    assert code == 0, told
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "env"], check=True)
    where = sysconfig.get_path("purelib")
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    site = folder / "env" / "lib" / version / "site-packages"
    (site / "others.pth").write_text(f"import site; site.addsitedir({where!r})\n")
    wheel = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder / "dist"]
    subprocess.run(wheel, cwd=folder / "my-nim", check=True, capture_output=True)
    [built] = (folder / "dist").glob("*.whl")
    subprocess.run([sys.executable, "-m", "zipfile", "-e", built, site], check=True)
    return folder / "env" / "bin" / "python"


class Outside(NamedTuple):
    """A game from outside, as words of command lines name it, and those that can search it."""

    name: str
    word: str
    seats: int
    searches: str
    python: str = sys.executable

    def told(self, folder, *words, typed="", language="en"):
        """The output of a command line, which must end well."""
        line = [self.python, "-m", "joute", "--lang", language, *map(str, words)]
        known = environment(JOUTE_GAMES="" if self.word == self.name else self.word)
        done = subprocess.run(
            line, cwd=folder, env=known, input=typed, capture_output=True, text=True
        )
        assert done.returncode == 0, (line, done.stdout + done.stderr)
        return done.stdout


KINDS = (
    Outside("connect-four", str(EXAMPLES / "connect_four.py"), 2, "uct alphabeta ismcts"),
    Outside("othello", str(EXAMPLES / "othello.py"), 2, "uct alphabeta ismcts"),
    Outside("poker", str(HERE / "poker.py"), 3, "ismcts"),
    Outside("odd-one-out", str(HERE / "odd_one_out.py"), 3, "ismcts"),
    Outside("my-nim", "my-nim", 2, "uct alphabeta ismcts"),
)


def needing(folder, name, offered=""):
    """The path of a game that cannot be made without its parameter `rounds`.

    `offered` are the values of its parameters that its card offers, as Python.
    """
    rules = (HERE / "odd_one_out.py").read_text("utf-8")
    rules = rules.replace('"""Odd one out."""', "rounds: int").replace("odd-one-out", name)
    card = f"CARD = Card(name={name!r}, rules=__name__ + ':OddOneOut', parameters={{{offered}}})"
    made = folder / name
    made.mkdir()
    (made / "__init__.py").write_text(f"{rules}\nfrom joute.core.card import Card\n{card}\n")
    return str(made)
