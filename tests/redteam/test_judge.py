"""Success is judged by what was seen; what stopped an attack, by the errors that it met."""

import json

import msgspec
import pytest

from joute.host.sandbox import Level
from joute.redteam.judge import failed_start, proofs, stopped_by
from joute.redteam.messages import Exchange, HostingOutcome, HostingReport

QUIET = Exchange(
    role="alone",
    action="0",
    fault=None,
    detail="",
    text="",
    cpu_ms=5.0,
    true_ms=10.0,
    wall_ms=8.0,
    held_ms=1.0,
)


def exchange(**changes):
    return msgspec.structs.replace(QUIET, **changes)


def outcome(*messages, end="done", survivors=0, **seen):
    return HostingOutcome(
        report=HostingReport(exchanges=list(messages), **seen), end=end, survivors=survivors
    )


def kinds(found):
    return [proof.kind for proof in proofs(found, ["secret-1"], "word-1")]


def refused(**steps):
    return exchange(text=json.dumps({"done": {}, "refused": steps}) + "printed")


def test_a_quiet_bot_has_succeeded_in_nothing():
    assert kinds(outcome(QUIET, QUIET)) == []


@pytest.mark.parametrize(
    ("found", "kind"),
    [
        (outcome(end="killed"), "killed"),
        (outcome(end="hung"), "hung"),
        (outcome(error="Traceback\nValueError: no"), "failed"),
        (outcome(exchange(text="... secret-1 ...")), "secret"),
        (outcome(exchange(detail="raised secret-1")), "secret"),
        (outcome(exchange(role="receiver", text="word-1")), "word"),
        (outcome(held=["a socket"]), "held"),
        (outcome(changed=["root folder"]), "changed"),
        (outcome(survivors=1), "survivors"),
        (outcome(processes=33), "processes"),
        (outcome(threads=33), "processes"),
        (outcome(memory_mb=97.0), "memory"),
        (outcome(host_mb=129.0), "host_memory"),
        (outcome(exchange(action="forged")), "forged"),
        (outcome(exchange(fault="infrastructure")), "blamed"),
        (outcome(exchange(held_ms=501.0)), "slot"),
        (outcome(exchange(true_ms=200.0)), "unpaid"),
        (outcome(exchange(wall_ms=2200.0)), "slept"),
        (outcome(exchange(wall_ms=2600.0, crowd=9.0)), "slept"),
        (outcome(exchange(idle_ms=80.0), QUIET), "opponent"),
        (outcome(exchange(idle_ms=80.0)), "opponent"),
        (outcome(exchange(idle_ms=80.0), exchange(role="end", action=None)), "opponent"),
        (outcome(said_mb=1.6), "record"),
    ],
)
def test_each_kind_of_success_is_seen(found, kind):
    assert kinds(found) == [kind]


def test_the_one_that_knows_the_word_may_say_it():
    assert kinds(outcome(exchange(role="sender", text="word-1"))) == []


def test_time_that_is_charged_afterwards_is_no_success():
    assert kinds(outcome(exchange(idle_ms=80.0), exchange(cpu_ms=90.0))) == []


def test_what_a_turn_leaves_unpaid_may_be_charged_to_the_next():
    assert kinds(outcome(exchange(true_ms=250.0), exchange(cpu_ms=230.0, true_ms=5.0))) == []
    assert kinds(outcome(exchange(true_ms=250.0), exchange(role="end", action=None))) == ["unpaid"]


@pytest.mark.parametrize(
    ("used", "took", "crowd"),
    [(205.0, 1846.0, 10.5), (60.0, 1700.0, 5.0), (290.0, 6800.0, 11.0)],
)
def test_an_honest_answer_of_a_crowded_machine_is_no_success(used, took, crowd):
    turn = exchange(cpu_ms=used - 5, true_ms=used, wall_ms=took, crowd=crowd)
    assert kinds(outcome(turn, turn)) == []


def test_a_slot_is_free_later_on_a_crowded_machine():
    assert kinds(outcome(exchange(fault="timeout", action=None, held_ms=1480.0, crowd=7.0))) == []
    assert kinds(outcome(exchange(fault="timeout", action=None, held_ms=2480.0, crowd=7.0))) == [
        "slot"
    ]


def test_time_used_before_a_fault_is_no_success():
    assert (
        kinds(outcome(exchange(fault="timeout", action=None, true_ms=900.0, wall_ms=9000.0))) == []
    )


@pytest.mark.parametrize(
    ("level", "step", "error", "name"),
    [
        (Level.KERNEL, "open", "EACCES", "landlock"),
        (Level.KERNEL, "mount", "EPERM", "seccomp"),
        (Level.KERNEL, "scope_kill", "EPERM", "landlock"),
        (Level.KERNEL, "open", "ENOENT", "mounts"),
        (Level.KERNEL, "open", "EIO", "system (EIO)"),
        (Level.FULL, "open", "ENOENT", "bubblewrap"),
        (Level.FULL, "kill", "ESRCH", "bubblewrap"),
        (Level.LIMITS, "mount", "EPERM", "system (EPERM)"),
        (Level.LIMITS, "memory", "ENOMEM", "memory limit"),
        (Level.KERNEL, "fork", "EAGAIN", "process limit"),
        (Level.KERNEL, "write", "EFBIG", "file limit"),
        (Level.KERNEL, "write", "ENOSPC", "scratch limit"),
        (Level.KERNEL, "limit", "RLIMIT", "rlimit"),
        (Level.KERNEL, "odd", "TypeError", "system (TypeError)"),
    ],
)
def test_the_mechanism_is_told_by_the_error(level, step, error, name):
    assert stopped_by(outcome(refused(**{step: error})), level, "game") == name


def test_mechanisms_are_named_once_each_and_the_systems_own_refusals_only_alone():
    found = outcome(refused(a="EIO", b="EACCES", c="EPERM", d="EACCES"))
    assert stopped_by(found, Level.KERNEL, "game") == "landlock, seccomp"


def test_an_error_of_a_traceback_counts_like_a_refused_step():
    found = outcome(exchange(fault="crash", detail="PermissionError: [Errno 13] Permission denied"))
    assert stopped_by(found, Level.KERNEL, "game") == "landlock, referee (crash)"


@pytest.mark.parametrize(
    ("found", "staging", "name"),
    [
        (outcome(exchange(fault="timeout")), "game", "referee (timeout)"),
        (outcome(exchange(fault="start-up")), "submission", "loader"),
        (outcome(refused="a pipe is no bot"), "submission", "loader"),
        (outcome(QUIET), "submission", "loader"),
        (outcome(QUIET), "game", "referee"),
        (outcome(processes=2), "game", "clean-up"),
        (outcome(processes=2, halted=True), "game", "stopping"),
        (outcome(exchange(cpu_ms=150.0, true_ms=160.0), processes=1), "game", "clock, clean-up"),
        (outcome(exchange(text="ooo... 900 bytes more")), "game", "output limit"),
        (outcome(exchange(text="ooo... 900 characters more")), "game", "output limit"),
        (outcome(exchange(detail="900 characters before ...ooo")), "game", "output limit"),
        (outcome(exchange(idle_ms=80.0)), "game", "clock"),
        (outcome(exchange(text='{"done": {}, "refused": 7}}')), "game", "referee"),
        (outcome(exchange(text='{"done": {broken}}')), "game", "referee"),
    ],
)
def test_without_a_refusal_it_was_the_referee_or_the_loader(found, staging, name):
    assert stopped_by(found, Level.KERNEL, staging) == name


def test_an_attack_that_does_not_start_has_tried_nothing():
    found = outcome(exchange(fault="start-up", detail="status 1", text="Traceback\nNo module x\n"))
    assert failed_start(found, "game") == "No module x"
    assert failed_start(outcome(refused="no such bot"), "program") == "no such bot"
    assert failed_start(found, "submission") == ""
    assert failed_start(outcome(QUIET), "game") == ""
