"""`scripts/release`: each check stops it, and a release is tagged at the end."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from helpers import need

ROOT = Path(__file__).parents[1]
BUILD = """#!/bin/sh
mkdir -p "${1:-dist}"
echo wheel > "${1:-dist}/joute.whl"
"""
GIT = {
    "GIT_AUTHOR_NAME": "ann",
    "GIT_AUTHOR_EMAIL": "ann@example.org",
    "GIT_COMMITTER_NAME": "ann",
    "GIT_COMMITTER_EMAIL": "ann@example.org",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
}


def outside(*words, folder):
    """Runs a program in a folder, with an author for git."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    return subprocess.run(
        words, cwd=folder, env={**kept, **GIT}, capture_output=True, text=True, check=False
    )


@pytest.fixture
def clone(tmp_path):
    """A small repository that is ready for its release 1.2.3."""
    files = {
        "src/joute/__init__.py": '__version__ = "1.2.3"\n',
        "CHANGELOG.md": "# Changelog\n\n## Unreleased\n\n## 1.2.3 - 2026-01-02\n\n- A game.\n",
        ".ci/run": "#!/bin/sh\n",
        "scripts/build": BUILD,
        ".gitignore": "/dist/\n",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
    shutil.copy(ROOT / "scripts" / "release", tmp_path / "scripts")
    outside(need("git"), "init", "-q", folder=tmp_path)
    commit(tmp_path)
    return tmp_path


def commit(clone):
    """Commits all that has changed."""
    outside("git", "add", "-A", folder=clone)
    assert outside("git", "commit", "-qm", "Change", folder=clone).returncode == 0


def release(clone):
    """The outcome of the checklist."""
    return outside(need("bash"), "scripts/release", folder=clone)


def test_a_release_is_built_and_tagged(clone):
    done = release(clone)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("ok      ") == 9 and "joute.whl" in done.stdout
    assert outside("git", "tag", folder=clone).stdout == "v1.2.3\n"
    again = release(clone)
    assert again.returncode == 1 and again.stderr == "failed  no tag v1.2.3 yet\n"


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("src/joute/__init__.py", '__version__ = "next"\n', "has a version such as 1.2.3: next"),
        ("CHANGELOG.md", "## Unreleased\n", 'has a section "## 1.2.3 - DATE"'),
        ("CHANGELOG.md", "## Unreleased\n\n- A bot.\n\n## 1.2.3 - 2026-01-02\n", "Unreleased"),
        (".ci/run", "#!/bin/sh\nexit 1\n", "checks and all tests pass"),
        (".ci/run", "#!/bin/sh\necho >left\n", "the tests changed no file"),
        ("scripts/build", BUILD.replace("wheel >", "$$ >"), "two builds are the same"),
    ],
)
def test_each_check_stops_it(clone, name, text, reason):
    (clone / name).write_text(text)
    commit(clone)
    done = release(clone)
    assert done.returncode == 1
    assert reason in done.stderr.splitlines()[-1]
    assert outside("git", "tag", folder=clone).stdout == ""


def test_a_change_that_is_not_committed_stops_it(clone):
    (clone / "new.py").touch()
    done = release(clone)
    assert (done.returncode, done.stderr) == (1, "failed  every change is committed\n")
