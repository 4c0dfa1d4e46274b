"""A program of somebody else: it runs anywhere, its types hold, and the import is light."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import joute

CLIENT = Path(__file__).parent / "client.py"
LIGHT = """
import sys
before = set(sys.modules)
import joute
dir(joute)
print(*sorted({name.partition(".")[0] for name in set(sys.modules) - before}))
"""


def run(*command, folder):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.full
@pytest.mark.game("virus")
def test_a_client_runs_in_an_empty_folder_without_a_warning(tmp_path):
    done = run(sys.executable, "-W", "error", CLIENT, folder=tmp_path)
    assert (done.stdout, done.stderr) == ("fine\n", "") and done.returncode == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.full
def test_the_types_of_a_client_hold_for_mypy(tmp_path):
    shutil.copy(CLIENT, tmp_path / "client.py")
    done = run(sys.executable, "-m", "mypy", "--strict", "client.py", folder=tmp_path)
    assert done.returncode == 0, done.stdout


@pytest.mark.full
@pytest.mark.skipif(shutil.which("pyright") is None, reason="pyright is not installed")
def test_the_types_of_a_client_hold_for_pyright(tmp_path):
    shutil.copy(CLIENT, tmp_path / "client.py")
    done = run("pyright", "--pythonpath", sys.executable, "client.py", folder=tmp_path)
    assert done.returncode == 0, done.stdout


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
