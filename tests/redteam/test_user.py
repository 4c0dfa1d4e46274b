"""The same attacks as an ordinary user, where the tests run as root: and what the doctor says."""

import json
import os
import subprocess
import sys

import pytest
from redteam.users import as_nobody

from joute.host.sandbox import Level

ALL = os.environ.get("JOUTE_REDTEAM") == "all"

KINDS = """
read_other_bot write_home fork_bomb thread_bomb disk_fill kill_others namespaces daemon_in_disguise
program_fork_bomb program_reading program_processes program_descriptors rights_by_number timers_all
memory_own memory_protected line_endless
"""
"""Attacks whose result may depend on the user: rights of files, processes, namespaces."""

LIMITS_MAY_STOP = {
    *("see_processes", "program_processes", "partner_page_cache"),
    *("fork_bomb", "program_fork_bomb", "thread_bomb"),
}
"""Attacks whose result depends on the load of the machine and on the user's rights.

A bomb starts hundreds of processes: on a busy machine it runs out of time before it has them.
"""

LIMITS_STOP = {"memory_own", "memory_protected", "line_endless"}

TIME = """
program_uncollected program_orphaned program_sibling continue_itself burn_when_done idle_class
"""
"""Attacks that use time uncharged, or while a bot is stopped."""


JOUTE = [sys.executable, "-m", "joute"]


@pytest.fixture
def ordinary():
    """The words that run a command line as an ordinary user."""
    if os.geteuid() != 0:
        pytest.skip("these tests run as an ordinary user already")
    with as_nobody() as words:
        yield [*words, *JOUTE]


def printed(command, *words):
    """The list that a command prints as JSON."""
    done = subprocess.run([*command, *words, "--json"], cwd="/", capture_output=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


def agrees(command, kinds):
    """Runs attacks; their verdicts are what the same user's doctor has promised."""
    names = [] if ALL else [word for name in kinds for word in ("--attack", name)]
    table = printed(command, "redteam", *names)
    holds = {each["key"]: each["ok"] for each in printed(command, "doctor")}
    for verdict in table:
        level = Level(verdict["level"])
        if not holds[f"isolation_{level}"]:
            assert (verdict["succeeded"], verdict["stopped_by"]) == (None, "level")
        elif level >= Level.KERNEL:
            assert verdict["succeeded"] is False, verdict
        elif not ALL and verdict["attack"] not in LIMITS_MAY_STOP:
            assert verdict["succeeded"] is not (verdict["attack"] in LIMITS_STOP), verdict


@pytest.mark.full
def test_the_table_holds_for_an_ordinary_user_and_agrees_with_what_the_doctor_says(ordinary):
    agrees(ordinary, KINDS.split())


@pytest.mark.full
def test_the_clock_holds_for_an_ordinary_user(ordinary):
    levels = ["--level", "kernel", "--level", "full"]
    names = [word for name in TIME.split() for word in ("--attack", name)]
    table = printed(ordinary, "redteam", *levels, *names)
    assert {verdict["attack"] for verdict in table} == set(TIME.split())
    assert [verdict for verdict in table if verdict["succeeded"] and verdict["level"]] == []


@pytest.mark.full
def test_the_table_agrees_with_a_doctor_that_misses_a_level(monkeypatch):
    monkeypatch.setenv("JOUTE_ISOLATION", "kernel")
    agrees(JOUTE, ["read_other_bot"])
