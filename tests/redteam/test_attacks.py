"""The corpus itself: real where nothing holds a bot, stopped where a level promises it.

Here all of it runs at `kernel`, and at the other levels what differs there. With
JOUTE_REDTEAM=all, everything runs everywhere, as with `joute redteam`.
"""

import os
import subprocess
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
from helpers import cannot_run, need, wait_until

from joute.files import cache_folder
from joute.host.sandbox import Level, granted
from joute.redteam.attacks.reading import guess_seed
from joute.redteam.corpus import corpus
from joute.redteam.runner import run

pytestmark = pytest.mark.full

ALL = os.environ.get("JOUTE_REDTEAM") == "all"

REAL = """
read_other_bot read_referee_memory write_own_folder tcp_listen memory_shared stop_others
trace_others think_in_child partner_locks program_daemon loader_link rights_by_number memory_rules
descriptors_hidden requests_all wake_by_timer
"""
"""One of each kind of attacks that only a jail stops."""

OTHERWISE = """
read_other_bot write_temporary kill_others closed_channel outlive_referee
"""
"""Attacks for which bubblewrap between the referee and the bot makes a difference."""

EASILY_MISTAKEN = "burn_in_child program_burning guess_seed think_in_thread"
"""Attacks that are honest about their time or charged for it, and slow on a busy machine."""

SYSTEMS_OWN = {
    *("mount", "change_root", "namespaces", "trace_others", "hurry_itself", "netlink"),
    *("mount_anew", "read_by_handle", "widen_limits", "undumpable", "signals_all"),
}
"""Attacks that some systems refuse without Joute, or to some users."""

TIMED = {
    *("think_in_child", "program_thinking", "memory_shared", "memory_file", "memory_kinds"),
    *("memory_sockets", "memory_pipes", "fork_by_number"),
}
"""Attacks for which a busy machine may leave no time."""


def verdicts(level, names=""):
    chosen = [attack for attack in corpus() if ALL or not names or attack.name in names.split()]
    return judged(chosen, level)


def judged(attacks, level):
    if granted().level < level:
        cannot_run(f"this machine does not grant the level {level}: see joute doctor")
    return list(run(attacks, [level], cache_folder(), workers=1))


def told(verdict):
    return verdict.attack, verdict.stopped_by, verdict.proofs


PARTS = 5
"""Parts of the corpus, each short enough for a test on a machine ten times too busy."""


@pytest.mark.parametrize("part", range(PARTS))
def test_nothing_succeeds_at_the_level_kernel(part):
    attacks = corpus()[part::PARTS]
    found = judged(attacks, Level.KERNEL)
    assert len(found) == len(attacks)
    assert [told(verdict) for verdict in found if verdict.succeeded is not False] == []
    assert all(verdict.stopped_by for verdict in found)


def test_nothing_succeeds_at_the_level_full():
    found = verdicts(Level.FULL, OTHERWISE)
    assert [told(verdict) for verdict in found if verdict.succeeded is not False] == []
    assert any("bubblewrap" in verdict.stopped_by for verdict in found)


def test_attacks_are_real_where_only_limits_hold_a_bot():
    found = verdicts(Level.LIMITS, REAL)
    for verdict in found:
        stopped_by_chance = verdict.attack in SYSTEMS_OWN | TIMED and not verdict.succeeded
        assert verdict.succeeded is not verdict.promised or stopped_by_chance, told(verdict)


def test_a_busy_machine_raises_no_false_alarm():
    with busy(4 * (os.cpu_count() or 1)):
        found = verdicts(Level.KERNEL, EASILY_MISTAKEN)
    assert [told(verdict) for verdict in found if verdict.succeeded is not False] == []


@contextmanager
def busy(programs):
    """A machine on which so many others want to compute, all of them kindly."""
    words = [need("nice"), "-n", "10", need("sh"), "-c", "while :; do :; done"]
    with ExitStack() as stack:
        for _ in range(programs):
            process = stack.enter_context(subprocess.Popen(words))
            stack.callback(process.kill)
        yield


def test_attacks_leave_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    killing = [attack for attack in corpus() if attack.name in ("kill_referee", "outlive_referee")]
    found = list(run(killing, [Level.LIMITS], cache_folder()))
    assert [verdict.succeeded for verdict in found] == [True, True], found
    assert list(tmp_path.iterdir()) == []
    wait_until(lambda: str(tmp_path).encode() not in b"".join(environments()))


def environments():
    for folder in Path("/proc").glob("[0-9]*"):
        if folder.name != str(os.getpid()):
            with suppress(OSError):
                yield (folder / "environ").read_bytes()


@pytest.mark.game("virus")
def test_a_seed_is_guessed_as_it_is_made():
    from joute.contest.schedule.schedule import set_seed
    from joute.core.registry import make
    from joute.play.seats import start_message

    seed = set_seed("5", ("red", "blue"), 0)
    message = start_message(make("virus", size=5), 1, ["red", "blue"], seed, 1.0)
    assert guess_seed.contest_seed("5", ["red", "blue"]) == seed
    assert guess_seed.bot_seed(seed, 1) == message["seed"]
