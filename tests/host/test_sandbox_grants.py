"""Levels are granted by what is there and what a canary could not do; nothing else is claimed."""

import json
import subprocess
import sys
import textwrap

import pytest
from host.hosting import EASY
from host.jailing import need_level

from joute.host import BotLimits, Granted, Level, command_for, granted, parse_bot
from joute.host.child import landlock
from joute.host.sandbox import IsolationError, Missing, applied, grants, paths, policy, system_calls
from joute.host.sandbox import canaries as canaries_module

FIRST = "def play(observation, clock):\n    return 0\n"


def reasons(found):
    return [(each.level, each.reason) for each in found.missing]


@pytest.fixture
def canaries(monkeypatch):
    """The levels whose canary was run; none of them finds anything."""
    granted()  # found out in earnest, if it was not yet
    tried = []
    monkeypatch.setattr(canaries_module, "sent", lambda level: tried.append(level) or ())
    return tried


def test_levels_are_ordered_from_nothing_to_everything():
    assert Level.NONE < Level.LIMITS < Level.KERNEL < Level.FULL
    assert max(Level) is Level.FULL
    assert Level.KERNEL >= Level.KERNEL >= "limits"
    assert not Level.FULL <= Level.KERNEL


def test_with_everything_there_every_canary_is_sent(canaries, monkeypatch):
    need_level(Level.FULL)
    assert grants.probe() == Granted(Level.FULL, ())
    assert canaries == [Level.LIMITS, Level.KERNEL, Level.FULL]


@pytest.mark.parametrize(
    ("where", "name", "value", "reason"),
    [
        (landlock, "version", lambda: 0, "landlock"),
        (system_calls, "machine", lambda: "", "seccomp"),
        (grants.sys, "platform", "darwin", "system"),
    ],
)
def test_without_a_mechanism_the_jail_is_not_granted(
    where, name, value, reason, canaries, monkeypatch
):
    monkeypatch.setattr(where, name, value)
    found = grants.probe()
    assert found.level is Level.LIMITS
    assert reasons(found) == [(Level.KERNEL, reason), (Level.FULL, reason)]
    assert canaries == [Level.LIMITS]


def test_the_jail_is_granted_where_joute_is_installed_among_what_every_bot_reads(monkeypatch):
    need_level(Level.KERNEL)
    above = str(paths._PACKAGE.parent)
    monkeypatch.setattr(paths, "SYSTEM", (*paths.SYSTEM, above))
    assert not isinstance(canaries_module.sent(Level.KERNEL), Missing)


def test_without_bubblewrap_there_is_the_jail_alone(canaries, monkeypatch):
    need_level(Level.KERNEL)
    monkeypatch.setattr(grants, "bubblewrap", lambda: None)
    found = grants.probe()
    assert (found.level, reasons(found)) == (Level.KERNEL, [(Level.FULL, "bubblewrap")])


def test_where_there_are_no_limits_either_nothing_is_granted(canaries, monkeypatch):
    monkeypatch.setattr(grants.os, "name", "nt")
    found = grants.probe()
    assert found.level is Level.NONE
    assert {reason for _, reason in reasons(found)} == {"system"}
    assert canaries == []
    monkeypatch.setattr(grants, "granted", lambda: found)
    assert applied(Level.LIMITS) is Level.NONE


def test_a_canary_that_can_do_something_forbidden_takes_the_level_away(monkeypatch):
    done = subprocess.CompletedProcess([], 0, b'["read_file", "connect_tcp"]', b"")
    said = {Level.LIMITS: subprocess.CompletedProcess([], 0, b"[]", b"")}
    monkeypatch.setattr(canaries_module, "_said", lambda level, _: said.get(level, done))
    monkeypatch.setattr(grants, "_obstacle", lambda level: None)
    found = grants.probe()
    assert found.level is Level.LIMITS
    assert found.missing[0] == Missing(Level.KERNEL, "canary", "read_file, connect_tcp")
    assert found.missing[1].level is Level.FULL


def test_what_is_open_without_mounts_is_told_and_takes_no_level_away(tmp_path, monkeypatch):
    done = subprocess.CompletedProcess([], 0, b'["see_names", "leave_times"]', b"")
    empty = subprocess.CompletedProcess([], 0, b"[]", b"")
    monkeypatch.setattr(
        canaries_module, "_said", lambda level, _: done if level is Level.KERNEL else empty
    )
    monkeypatch.setattr(grants, "_obstacle", lambda level: None)
    found = grants.probe()
    assert found == Granted(Level.FULL, (), ("leave_times", "see_names"))
    monkeypatch.setenv("JOUTE_CACHE", str(tmp_path))
    assert grants._found.__wrapped__() == grants._found.__wrapped__() == found


def test_a_canary_that_cannot_start_takes_the_level_away_with_its_words(monkeypatch):
    silent = subprocess.CompletedProcess([], 126, b"", b"the sandbox cannot be set: why\n")
    monkeypatch.setattr(canaries_module, "_said", lambda level, targets: silent)
    assert canaries_module.sent(Level.KERNEL) == Missing(
        Level.KERNEL, "start", "the sandbox cannot be set: why"
    )

    def absent(level, targets):
        raise FileNotFoundError(2, "No such file", "python")

    monkeypatch.setattr(canaries_module, "_said", absent)
    assert canaries_module.sent(Level.KERNEL).reason == "start"


REFUSING = """
    import errno, sys
    from joute.host.child import system
    from joute.host.sandbox import grants, packet_filter, system_calls
    from joute.host.sandbox.call_numbers import NUMBERS
    numbers = NUMBERS[system_calls.machine()]
    no = packet_filter.refused(errno.EPERM)
    decisions = {numbers[name]: no for name in sys.argv[1].split()}
    no_mounts = packet_filter.Condition(0, (0,), 0x20000)
    decisions[numbers["clone"]] = packet_filter.Conditional(((no_mounts,),), no)
    architecture = system_calls.AUDIT[system_calls.machine()]
    system.control(system.SET_NO_NEW_PRIVILEGES, 1)
    system.load_filter(packet_filter.compiled(architecture, decisions, packet_filter.ALLOWED))
    found = grants.probe()
    print(found.level, *[f"{m.reason}:{m.detail}" for m in found.missing], sep="\\n")
    print("open:" + ",".join(found.open))
"""


def probed_without(*calls):
    """The isolation where the kernel refuses these calls: the level, then what is missing."""
    words = [sys.executable, "-c", textwrap.dedent(REFUSING), " ".join(calls)]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()


def test_where_neither_namespaces_nor_another_user_can_be_had_the_jail_is_not_granted():
    need_level(Level.KERNEL)
    level, kernel, *_ = probed_without("unshare", "setresuid")
    assert (level, kernel) == ("limits", "canary:start_threads")


def test_where_no_mounts_can_be_had_what_bots_then_see_is_told():
    need_level(Level.KERNEL)
    found = probed_without("mount", "pivot_root")
    assert found[0] == "kernel"
    programs = "programs_see_processes"
    assert found[-1] == f"open:leave_times,{programs},see_memory,see_names,see_processes"


def test_where_landlock_is_refused_the_jail_is_not_granted():
    need_level(Level.KERNEL)
    level, kernel, *_ = probed_without("landlock_create_ruleset")
    assert (level, kernel.split(":")[0]) == ("limits", "landlock")


def test_what_was_found_is_kept_until_the_machine_or_the_program_changes(tmp_path, monkeypatch):
    monkeypatch.setenv("JOUTE_CACHE", str(tmp_path / "cache"))
    found = Granted(Level.LIMITS, (Missing(Level.KERNEL, "canary", "x"),))
    probes = []
    monkeypatch.setattr(grants, "probe", lambda: probes.append(1) or found)
    for _ in range(2):
        assert grants._found.__wrapped__() == found
    assert len(probes) == 1
    file = tmp_path / "cache" / "isolation.json"
    assert json.loads(file.read_text())["level"] == "limits"
    file.write_text("no JSON")
    assert grants._found.__wrapped__() == found
    monkeypatch.setattr(grants.sys, "executable", "/another/python")
    assert grants._found.__wrapped__() == found
    assert len(probes) == 3


def test_what_cannot_be_kept_is_found_again(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("JOUTE_CACHE", str(tmp_path / "file"))
    monkeypatch.setattr(grants, "probe", lambda: Granted(Level.LIMITS, ()))
    assert grants._found.__wrapped__().level is Level.LIMITS


def test_the_variable_lowers_what_is_granted_and_never_raises_it(monkeypatch):
    monkeypatch.setattr(grants, "_found", lambda: Granted(Level.KERNEL, ()))
    monkeypatch.setenv(grants.VARIABLE, "limits")
    assert granted().level is Level.LIMITS
    assert reasons(granted()) == [(Level.KERNEL, "lowered"), (Level.FULL, "lowered")]
    monkeypatch.setenv(grants.VARIABLE, "full")
    assert granted().level is Level.KERNEL
    monkeypatch.setenv(grants.VARIABLE, "strict")
    with pytest.raises(IsolationError, match="'strict': expected one of none, limits, kernel"):
        granted()


def test_a_bot_runs_at_the_level_that_it_may_have_and_the_machine_grants(tmp_path, monkeypatch):
    (tmp_path / "bot.py").write_text(FIRST)
    spec = parse_bot("bot.py", tmp_path)
    monkeypatch.setattr(grants, "_found", lambda: Granted(Level.KERNEL, ()))
    assert BotLimits().isolation is Level.KERNEL
    need_level(Level.KERNEL)
    for most, level in zip(Level, ["none", "limits", "kernel", "kernel"], strict=True):
        assert command_for(spec, BotLimits(isolation=most)).level == level
    monkeypatch.setenv(grants.VARIABLE, "limits")
    assert command_for(spec, EASY).level is Level.LIMITS


def test_without_bubblewrap_nothing_can_be_wrapped(monkeypatch):
    monkeypatch.setattr(policy, "bubblewrap", lambda: None)
    with pytest.raises(OSError, match="bubblewrap"):
        policy.wrapped(["true"], [], [], None)
