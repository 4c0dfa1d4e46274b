"""The demands of a contest on the files of bots: what is found in them, and where."""

import sys
import zipfile
from pathlib import Path

import pytest
from contest import fakes

from joute.contest.config import sources
from joute.contest.config.config import resolve, rules
from joute.contest.config.sources import UnreadableError, imports_of
from joute.contest.config.submission import SubmissionRules, breaches
from joute.contest.errors import Breach, ConfigError, SubmissionError
from joute.contest.run.runner import run_contest
from joute.host.names import parse_bot

PLAY = "def play(observation, clock):\n    return observation['legal'][0]\n"
ASKED = SubmissionRules(required=("README*",), forbidden_imports=("networkx", "scipy.sparse"))


def lay(folder: Path, files: dict[str, str]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return folder


def zipped(path: Path, files: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def found(bot, asked=ASKED, base=None):
    return breaches(asked, parse_bot(str(bot), base))


# Imports.


@pytest.mark.parametrize(
    ("code", "imported"),
    [
        ("import networkx", ["networkx"]),
        ("import os, networkx.algorithms as n", ["os", "networkx.algorithms"]),
        ("from scipy import sparse, stats", ["scipy.sparse", "scipy.stats"]),
        ("from . import networkx\nfrom .scipy import sparse", []),
        ("def f():\n    try:\n        import networkx\n    except ImportError: pass", ["networkx"]),
        ("import importlib\nimportlib.import_module('networkx')", ["importlib", "networkx"]),
        ("__import__('networkx')", ["networkx"]),
        ("__import__(name)", []),
        ("networkx = 'import networkx'  # import networkx", []),
        ("# -*- coding: latin-1 -*-\nimport networkx", ["networkx"]),
        ("'\\d'; import networkx", ["networkx"]),
    ],
)
def test_an_import_is_found_however_it_is_written_plainly(code, imported):
    assert [each.name for each in imports_of(code.encode())] == imported


@pytest.mark.parametrize(
    ("code", "line"),
    [
        (b"import os\nprint 'two'\n", 2),
        (b"x = '\0'", None),
        (b"\xff\xfe", None),
        (b"(" * 100_000, None),
        (b"-" * 500_000 + b"1", None),
    ],
)
def test_what_is_not_python_is_told(code, line):
    with pytest.raises(UnreadableError) as error:
        imports_of(code)
    assert line is None or error.value.line == line
    assert str(error.value)


# Folders, zips, files, programs.


def test_a_folder_is_looked_at_with_all_that_is_below_it(tmp_path):
    files = {
        "bot.py": PLAY,
        "deep/er/search.py": "import os\nimport networkx\n",
        "deep/tables.py": "from scipy import sparse\nimport scipy.stats\n",
        ".hidden/old.py": "import networkx",
        "__pycache__/bot.py": "import networkx",
    }
    assert found(lay(tmp_path, files)) == [
        Breach("missing", "README*", None, ""),
        Breach("import", "deep/er/search.py", 2, "networkx"),
        Breach("import", "deep/tables.py", 1, "scipy.sparse"),
    ]
    lay(tmp_path, {"docs/readme.txt": ""})
    assert found(tmp_path)[0].kind == "missing"
    lay(tmp_path, {"readme.md": ""})
    assert {each.kind for each in found(tmp_path)} == {"import"}


@pytest.mark.parametrize("top", ["", "team/"])
def test_a_zip_is_looked_at_below_its_one_folder(tmp_path, top):
    files = {
        f"{top}bot.py": PLAY + "import networkx\n",
        f"{top}README": "",
        f"{top}deep/x.py": "def (:\n",
        f"__MACOSX/{top}bot.py": "import networkx",
    }
    assert [
        (each.kind, each.file, each.line) for each in found(zipped(tmp_path / "b.zip", files))
    ] == [
        ("import", "bot.py", 3),
        ("unreadable", "deep/x.py", 1),
    ]


def test_a_file_is_looked_at_with_what_it_imports_from_its_folder(tmp_path):
    files = {
        "mine.py": PLAY + "import helper, package.deep, sys\n",
        "helper.py": "import helper2\n",
        "helper2.py": "import helper, networkx\n",
        "package/__init__.py": "",
        "package/other.py": "import networkx\n",
        "broken.py": "def (:\n",
        "stranger.py": "import networkx\n",
        "README.md": "",
    }
    lay(tmp_path, files)
    assert {(each.file, each.line) for each in found(tmp_path / "mine.py")} == {
        ("helper2.py", 1),
        ("package/other.py", 1),
    }


@pytest.mark.game("vampires")
def test_of_a_program_its_first_file_is_looked_at(tmp_path):
    lay(tmp_path, {"bots/tcp.py": "import networkx\n", "bots/README": "", "main.jar": ""})
    assert found(f"tcp:{sys.executable} bots/tcp.py", base=tmp_path) == [
        Breach("import", "tcp.py", 1, "networkx")
    ]
    program = f"program:{sys.executable} main.jar"
    assert [each.kind for each in found(program, base=tmp_path)] == ["missing"]
    assert found(f"program:{sys.executable} -V", base=tmp_path) == []


def test_nothing_is_asked_of_our_own_bots_nor_without_a_rule(tmp_path):
    assert found("builtin:greedy") == []
    bot = lay(tmp_path, {"bot.py": "def (:"})
    assert found(bot, SubmissionRules()) == []
    assert found(bot, SubmissionRules(required=("bot.py",))) == []


def test_what_cannot_be_read_is_a_breach_with_its_reason(tmp_path, monkeypatch):
    bad = tmp_path / "bad.zip"
    bad.write_bytes(b"PK nothing")
    assert [(each.kind, str(each.what)) for each in found(bad)] == [
        ("unreadable", "is not a zip file")
    ]
    packed = zipped(tmp_path / "packed.zip", {"bot.py": PLAY, "README": ""})
    packed.write_bytes(packed.read_bytes().replace(b"def play", b"def plax"))
    assert "Bad CRC" in str(found(packed)[0].what)
    monkeypatch.setattr(sources, "LARGEST_FILE", 20)
    large = lay(tmp_path / "large", {"bot.py": PLAY, "README": ""})
    assert [(each.file, each.kind) for each in found(large)] == [("bot.py", "unreadable")]
    assert found(large / "bot.py")[0].kind == "unreadable"
    monkeypatch.setattr(sources, "MOST_FILES", 1)
    many = lay(tmp_path / "many", {"bot.py": "", "two.py": ""})
    assert "has more than 1 files in Python" in str(found(many)[0].what)


def test_a_name_that_would_play_with_the_terminal_is_shown_escaped(tmp_path):
    bot = zipped(
        tmp_path / "b.zip", {"bot.py": PLAY, "README": "", "\x1b[2J.py": "import networkx"}
    )
    assert [each.file for each in found(bot)] == ["'\\x1b[2J.py'"]


# In a contest.


def contest_file(folder: Path, submission: str, bots='["mine", "builtin:greedy"]') -> Path:
    lay(folder, {"mine/bot.py": "import networkx\n" + PLAY})
    path = folder / "cup.toml"
    path.write_text(f"bots = {bots}\n[contest]\ngames = 2\n[submission]\n{submission}\n")
    return path


@pytest.mark.game("virus")
def test_a_contest_is_not_played_with_files_that_break_its_rules(tmp_path):
    path = contest_file(tmp_path, 'required = ["README*"]\nforbidden_imports = ["networkx"]')
    contest = resolve(path)
    with pytest.raises(SubmissionError) as error:
        run_contest(contest, play=fakes.dies_always)
    assert list(error.value.breaches) == ["mine"]
    assert str(error.value).splitlines() == [
        "nothing is played: these files break the contest’s rules",
        "  mine: there is no file README*",
        "  mine: bot.py, line 1: imports networkx, which the contest forbids",
    ]
    assert not Path(contest.folder).exists()


@pytest.mark.game("virus")
def test_a_contest_s_rules_can_be_read_without_its_bots(tmp_path):
    path = contest_file(tmp_path, 'required = ["README*"]', bots='["nobody.py"]')
    contest = rules(path)
    assert contest.submission.required == ("README*",)
    assert contest.bots == ()
    with pytest.raises(ConfigError, match="at least two bots"):
        resolve(path)


@pytest.mark.game("virus")
@pytest.mark.parametrize(
    ("line", "key", "said"),
    [
        ('required = "README"', "required", "expected a list of names of files"),
        ('required = ["../x"]', "required", "expected a list of names of files"),
        ('required = [""]', "required", "expected a list of names of files"),
        ("forbidden_imports = [3]", "forbidden_imports", "expected a list of modules"),
        ('forbidden_imports = ["net workx"]', "forbidden_imports", "expected a list of modules"),
        ('forbiden_imports = ["a"]', "forbiden_imports", "did you mean 'forbidden_imports'?"),
    ],
)
def test_a_wrong_rule_is_refused(tmp_path, line, key, said):
    with pytest.raises(ConfigError) as error:
        rules(contest_file(tmp_path, line))
    assert error.value.key == f"submission.{key}"
    assert said in str(error.value)
