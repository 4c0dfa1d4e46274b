"""Fresh environments that hold nothing but Joute's wheel and what it needs."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from building import ROOT
from helpers import need

PYTHONS = range(11, 15)  # the minor versions that Joute supports
FACTS = (
    "import json, sys; print(json.dumps([sys.version_info[1], sys.executable, sys.base_prefix]))"
)


def facts(python):
    """The minor version, the path and the prefix of an interpreter; None of one that fails."""
    try:
        done = subprocess.run([python, "-I", "-c", FACTS], capture_output=True, text=True)
    except OSError:
        return None
    return json.loads(done.stdout) if done.returncode == 0 else None


def another():
    """Facts of the newest Python on this machine that Joute supports and the tests do not run on.

    Without one, or without uv to install for it, the running test is skipped.
    """
    found = {}
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    for minor in PYTHONS:
        paths = [shutil.which(f"python3.{minor}"), *pyenv.glob(f"3.{minor}.*/bin/python3")]
        for path in filter(None, paths):
            if (known := facts(path)) is not None:
                found[known[0]] = known
    found = {minor: known for minor, known in found.items() if minor != sys.version_info[1]}
    if not found or shutil.which("uv") is None:
        pytest.skip("no other Python from 3.11 to 3.14, or no uv to install for it")
    return found[max(found)]


def with_packages_of_this(folder, built):
    """An environment of this Python with the wheel alone; other packages are those of the tests.

    It needs no index of packages.
    """
    python = folder / "bin" / "python"
    if uv := shutil.which("uv"):  # else there is pip, as in scripts/setup
        subprocess.run([uv, "venv", "-q", "--python", sys.executable, folder], check=True)
        command = [uv, "pip", "install", "-q", "--python", python, "--link-mode", "copy"]
    else:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        command = [python, "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
    subprocess.run([*command, "--no-index", "--no-deps", built], check=True)
    site = folder / "lib" / f"python3.{sys.version_info[1]}" / "site-packages"
    # A path in such a file is searched last, and the editable Joute beside it is not followed.
    (site / "packages.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder


def with_packages_of_its_own(folder, built, python):
    """An environment of another Python, with the wheel and the packages that it asks for."""
    uv = need("uv")
    subprocess.run([uv, "venv", "-q", "--python", python, folder], check=True)
    known = ["--constraint", ROOT / "requirements.lock"]
    target = ["--python", folder / "bin" / "python", "--link-mode", "copy"]
    subprocess.run([uv, "pip", "install", "-q", *target, *known, built], check=True)
    return folder
