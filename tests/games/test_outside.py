"""Games from outside: of a file or folder, and of a package that is installed beside Joute."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from cli.apart import command, environment

from joute.cli.main import main
from joute.core import registry
from joute.core.errors import GameError
from joute.i18n.words import speaking
from joute.play.chance import derive
from joute.play.game import GameSpec, SeatSpec
from joute.play.referee import play_game

EXAMPLES = Path(__file__).parents[2] / "examples" / "games"
FOUR = EXAMPLES / "connect_four.py"


@pytest.fixture
def four(tmp_path):
    """A copy of Connect Four in a folder of its own."""
    folder = tmp_path / "games"
    folder.mkdir()
    return Path(folder / "four.py").write_bytes(FOUR.read_bytes()) and folder / "four.py"


CONTEST = """
bots = ["builtin:random", "builtin:greedy"]
[contest]
games = 2
[game]
name = "games/four.py"
"""


def told_in(folder, *arguments):
    """A command line run in a folder, and what it printed."""
    done = subprocess.run(
        command(*arguments), cwd=folder, env=environment(), capture_output=True, text=True
    )
    return done.returncode, done.stdout + done.stderr


def played(tmp_path):
    (tmp_path / "c.toml").write_text(CONTEST)
    code, told = told_in(tmp_path, "contest", "run", "c.toml")
    assert code == 0, told
    return tmp_path / "c.results"


def test_a_contest_of_a_file_is_played_shown_and_proved_from_anywhere(tmp_path, four):
    results = played(tmp_path)
    for words in (("contest", "standings", tmp_path / "c.toml"), ("verify", results)):
        code, told = told_in("/", *words)
        assert code == 0, told


def test_contests_of_two_files_are_run_one_after_the_other_in_one_process(tmp_path, four):
    (tmp_path / "games" / "other.py").write_bytes((EXAMPLES / "othello.py").read_bytes())
    for file in ("four", "other"):
        (tmp_path / f"{file}.toml").write_text(CONTEST.replace("four", file))
        assert main(["contest", "run", str(tmp_path / f"{file}.toml")]) == 0
        assert main(["verify", str(tmp_path / f"{file}.results")]) == 0


def test_a_contest_is_not_proved_by_other_rules(tmp_path, four):
    results = played(tmp_path)
    four.write_text(four.read_text().replace("COLUMNS, ROWS = 7, 6", "COLUMNS, ROWS = 7, 5"))
    code, told = told_in(tmp_path, "verify", results)
    assert code == 1
    assert "connect-four" in told


def test_a_record_is_proved_where_its_rules_are_given(tmp_path, four):
    seats = tuple(SeatSpec(name=name, bot="builtin:random") for name in ("ann", "bob"))
    spec = GameSpec(game=registry.named(str(four)), bots=seats, seed=derive("outside", 1))
    record = tmp_path / "game.jsonl"
    record.write_bytes(play_game(spec).record)
    os.environ[registry.VARIABLE] = ""
    code, told = told_in("/", "verify", record)
    assert code == 1
    assert "give them with --game PATH" in told
    code, told = told_in("/", "verify", record, "--game", four)
    assert code == 0, told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1 / 0\n", "ZeroDivisionError"),
        ("x = 1\n", "expected one game"),
        (FOUR.read_text().replace('"connect-four"', '"virus"'), "as an installed game is called"),
    ],
)
def test_a_file_that_is_no_game_is_refused_with_a_sentence(tmp_path, text, told):
    path = tmp_path / "hex.py"
    path.write_text(text)
    with pytest.raises(GameError, match=told):
        registry.named(str(path))


def test_two_files_may_not_bring_games_of_one_name(tmp_path, four):
    other = tmp_path / "other" / "four.py"
    other.parent.mkdir()
    other.write_bytes(four.read_bytes())
    name = registry.named(str(four))
    assert registry.named(str(four)) == registry.named(str(other)) == name  # of a copy
    changed = tmp_path / "changed.py"
    changed.write_text(four.read_text() + "\n# changed\n")
    with pytest.raises(GameError, match=f"{changed} calls its game .*, as {four} does"):
        registry.named(str(changed))
    assert registry.source(name).path == str(four)
    assert str(changed) not in os.environ[registry.VARIABLE]
    with speaking("fr"), pytest.raises(GameError, match="renommez"):
        registry.card(str(changed))
    four.unlink()
    assert registry.named(str(changed)) == name  # a file that was moved


def test_a_file_that_is_not_there_is_refused_with_a_sentence(tmp_path):
    with pytest.raises(GameError, match="there is no game at"):
        registry.named(str(tmp_path / "hex.py"))


def test_rules_are_told_by_their_hash_and_joute_s_own_are_not(four):
    name = registry.named(str(four))
    assert registry.source(name).path == str(four)
    assert registry.source("virus") is None
    other = four.with_name("other.py")
    other.write_text(four.read_text().replace("connect-four", "connect-5") + "\n# changed\n")
    assert registry.source(registry.named(str(other))).hash != registry.source(name).hash


def test_an_installed_game_that_cannot_be_imported_is_told_and_left_out(monkeypatch, tmp_path):
    (tmp_path / "broken_game.py").write_text("import nothing_of_this_name\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(registry._installed(), "broken", "broken_game")
    assert "broken" not in registry.names()
    assert "nothing_of_this_name" in registry.failed()["broken"]
    with pytest.raises(GameError, match="nothing_of_this_name"):
        registry.make("broken")


@pytest.mark.full
def test_a_new_game_is_played_from_its_folder_and_once_it_is_installed(tmp_path):
    """A fresh environment that sees this one's packages, and has one package more."""
    code, told = told_in(tmp_path, "new", "my-nim", "--kind", "game")
    assert code == 0, told
    bots = ("builtin:uct", "builtin:alphabeta", "--move-seconds", "0.2")
    code, told = told_in(tmp_path, "match", "./my-nim/my_nim", *bots)
    assert code == 0, told
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "env"], check=True)
    python = tmp_path / "env" / "bin" / "python"
    where = sysconfig.get_path("purelib")
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    site = tmp_path / "env" / "lib" / version / "site-packages"
    (site / "others.pth").write_text(f"import site; site.addsitedir({where!r})\n")
    wheel = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path / "dist"]
    subprocess.run(wheel, cwd=tmp_path / "my-nim", check=True, capture_output=True)
    [built] = (tmp_path / "dist").glob("*.whl")
    subprocess.run([sys.executable, "-m", "zipfile", "-e", built, site], check=True)
    joute = [python, "-m", "joute", "--lang", "en"]
    known = environment() | {"PATH": os.environ["PATH"]}
    listed = subprocess.run(
        [*joute, "games"], env=known, capture_output=True, text=True, check=True
    )
    assert "my-nim" in listed.stdout
    played = [*joute, "match", "my-nim", *bots]
    subprocess.run(played, env=known, cwd=tmp_path, check=True, capture_output=True)
    tests = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", tmp_path / "my-nim"]
    subprocess.run(tests, env=known, cwd=tmp_path / "my-nim", check=True, capture_output=True)
