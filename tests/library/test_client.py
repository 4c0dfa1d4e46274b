"""A program of somebody else: it runs anywhere, its types hold, and the import is light."""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from helpers import some

import joute

ROOT = Path(__file__).parents[2]
CLIENT = Path(__file__).parent / "client.py"
LIGHT = """
import sys
before = set(sys.modules)
import joute
dir(joute)
print(*sorted({name.partition(".")[0] for name in set(sys.modules) - before}))
"""


WHERE = """
import importlib.metadata, joute
print(joute.__file__)
print(importlib.metadata.distribution("joute").locate_file(""))
"""


def run(*command, folder, **environment):
    return subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """The Python of a fresh environment: Joute from its wheel, and the packages that it needs.

    Those are taken from this environment, whose own Joute is not seen: its folder is on the path,
    but what that folder adds to the path is not.
    """
    folder = tmp_path_factory.mktemp("client")
    made = run(sys.executable, "-m", "venv", "--without-pip", folder / "env", folder=folder)
    assert made.returncode == 0, made.stderr
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    site = folder / "env" / "lib" / version / "site-packages"
    (site / "others.pth").write_text(sysconfig.get_path("purelib") + "\n")
    build = "-m", "hatchling", "build", "-t", "wheel", "-d", folder / "dist"
    built = run(sys.executable, *build, folder=ROOT)
    assert built.returncode == 0, built.stderr
    [wheel] = (folder / "dist").glob("*.whl")
    assert run(sys.executable, "-m", "zipfile", "-e", wheel, site, folder=folder).returncode == 0
    return folder / "env" / "bin" / "python"


@pytest.fixture
def copied(tmp_path):
    """The program, alone in a folder."""
    return Path(shutil.copy(CLIENT, tmp_path / "client.py"))


def test_the_environment_of_a_client_has_joute_from_its_wheel(python, tmp_path):
    site = Path(python).parents[1]
    for place in run(python, "-c", WHERE, folder=tmp_path).stdout.split():
        assert Path(place).is_relative_to(site)


@pytest.mark.full
@pytest.mark.game("virus")
def test_a_client_runs_in_an_empty_folder_without_a_warning(python, tmp_path):
    done = run(python, "-W", "error", CLIENT, folder=tmp_path)
    assert (done.stdout, done.stderr) == ("fine\n", "") and done.returncode == 0
    assert list(tmp_path.iterdir()) == []


@pytest.fixture(scope="module")
def mypy(python, tmp_path_factory):
    """The words after `python -m` that check types; what they find of Joute is kept."""
    kept = tmp_path_factory.mktemp("types")
    return "mypy", "--strict", "--cache-dir", kept, "--python-executable", python


@pytest.mark.full
def test_the_types_of_a_client_hold_for_mypy(mypy, copied):
    done = run(sys.executable, "-m", *mypy, copied.name, folder=copied.parent)
    assert done.returncode == 0, done.stdout


@pytest.mark.full
def test_the_types_of_a_client_hold_for_pyright(python, copied):
    # Pyright and its Node are in wheels; with no folder of its own it can have fetched nothing.
    home = {"HOME": str(copied.parent / "home"), "XDG_CACHE_HOME": str(copied.parent / "cache")}
    check = "-m", "pyright", "--pythonpath", python, copied.name
    done = run(sys.executable, *check, folder=copied.parent, **home)
    assert done.returncode == 0, done.stdout + done.stderr
    assert [path.name for path in copied.parent.iterdir()] == ["client.py"]


MISTAKES = """
import joute

player: str = joute.game("virus").start().player
joute.search.uct(joute.game("virus").start(), simulation=3)
print(joute.nothing)
print(joute.search.nothing)
"""


@pytest.mark.full
@pytest.mark.parametrize("checker", some(["mypy", "pyright"], 2))
def test_a_client_with_a_mistake_is_told_by_its_types(python, mypy, copied, checker):
    copied.write_text(MISTAKES)
    check = {"mypy": mypy, "pyright": ("pyright", "--pythonpath", python)}[checker]
    done = run(sys.executable, "-m", *check, copied.name, folder=copied.parent)
    said = done.stdout + done.stderr
    assert done.returncode == 1 and '"int"' in said and '"simulation"' in said, said
    assert said.count('"nothing"') == 2, said


def test_a_client_ignores_nothing():
    text = CLIENT.read_text("utf-8")
    assert "ignore" not in text.partition('"""\n\n')[2] and "cast" not in text


def test_importing_joute_imports_nothing_else(tmp_path):
    # Of the standard library, types and typing alone bring more; an editable install is a finder.
    loaded = run(sys.executable, "-I", "-c", LIGHT, folder=tmp_path).stdout.split()
    assert "joute" in loaded
    assert set(loaded) <= {"joute", *sys.stdlib_module_names}
    assert not {"asyncio", "importlib.metadata", "sqlite3", "subprocess"} & set(loaded)


def test_every_public_name_is_there_and_no_other():
    for name in dir(joute):
        assert hasattr(joute, name), name
    with pytest.raises(AttributeError, match="nothing"):
        _ = joute.nothing


@pytest.mark.parametrize("name", ["contest", "games"])
def test_a_function_that_is_a_package_too_is_both(name, tmp_path):
    program = f"import joute.{name}, joute; print(callable(joute.{name}), joute.{name}.__name__)"
    done = run(sys.executable, "-c", program, folder=tmp_path)
    assert done.stdout == f"True joute.{name}\n", done.stderr
