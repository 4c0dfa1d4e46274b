"""The wheel, the sdist and the site of documents, built once for all tests of a run."""

import os
import subprocess
import sys
from pathlib import Path

from helpers import made_once, need

ROOT = Path(__file__).parents[1]


def build(folder, **variables):
    """Builds into a folder by `scripts/build`; the wheel and the sdist."""
    for program in ("git", "tar", "bash"):
        need(program)
    done = subprocess.run(
        ["bash", ROOT / "scripts" / "build", folder],
        env={**os.environ, "JOUTE_PYTHON": sys.executable, **variables},
        cwd=folder.parent,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    wheel, sdist = packages(folder)
    assert set(done.stdout.splitlines()) == {str(wheel), str(sdist)}
    return wheel, sdist


def packages(folder):
    """The wheel and the sdist in a folder."""
    [wheel], [sdist] = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, sdist


def built(factory):
    """The wheel and the sdist of the files that git tracks."""
    return packages(made_once(factory, "built", build))


def site(factory):
    """The site of documents, built by its command, which is run from elsewhere."""
    return made_once(factory, "site", _build_site)


def _build_site(folder):
    command = [sys.executable, str(ROOT / "docs" / "site" / "build.py"), str(folder)]
    subprocess.run(command, check=True, capture_output=True, text=True, cwd=Path(ROOT.anchor))
