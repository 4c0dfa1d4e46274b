"""The same attacks as an ordinary user, where the tests run as root."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from helpers import need

import joute

NOBODY = 65534
KINDS = "read_other_bot fork_bomb kill_others memory_own line_endless"
LIMITS_STOP = {"memory_own", "line_endless"}


@pytest.fixture
def command():
    """The words that run a command line as nobody, with a home of its own."""
    if os.geteuid() != 0:
        pytest.skip("only root can become another user")
    # Not below pytest's own folder, which is root's alone.
    home = Path(tempfile.mkdtemp())
    os.chown(home, NOBODY, NOBODY)
    ids = [f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    source = Path(joute.__file__).parents[1]
    search = os.pathsep.join([str(source), *filter(None, [os.environ.get("PYTHONPATH")])])
    variables = {"PATH": os.defpath, "HOME": str(home), "TMPDIR": str(home), "PYTHONPATH": search}
    words = [need("setpriv"), *ids, need("env"), "-i", *(f"{k}={v}" for k, v in variables.items())]
    try:
        if subprocess.run([*words, sys.executable, "-c", "import joute"], cwd="/").returncode != 0:
            pytest.skip(f"{sys.executable} and this checkout are root's alone")
        yield [*words, sys.executable, "-m", "joute.cli.main"]
    finally:
        shutil.rmtree(home)


@pytest.mark.full
def test_the_table_holds_for_an_ordinary_user_too(command):
    asked = [word for name in KINDS.split() for word in ("--attack", name)]
    done = subprocess.run([*command, "redteam", "--json", *asked], cwd="/", capture_output=True)
    assert done.returncode == 0, done.stderr
    for verdict in json.loads(done.stdout):
        if verdict["level"] == "limits":
            assert verdict["succeeded"] is not (verdict["attack"] in LIMITS_STOP), verdict
        else:
            assert verdict["succeeded"] is not True, verdict
