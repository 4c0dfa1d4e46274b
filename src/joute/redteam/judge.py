"""Verdicts on attacks: whether one has succeeded, and else what stopped it.

They rest on what was seen from outside. What an attack says of itself counts for one thing only:
with which error the system refused it.
"""

from __future__ import annotations

import errno
import json
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec

from joute.host.limits import wall_seconds
from joute.host.protocol import Fault
from joute.host.sandbox import Level
from joute.play.record import SAID_BYTES
from joute.redteam.messages import MEMORY_MB, MOVE_SECONDS, PROCESSES, Exchange, HostingOutcome

HELD_MS = 500
"""The time for which a slot may be taken after the referee's verdict."""

_UNPAID_MS = 100  # of CPU: more than the clock's ticks can hide
_IDLE_MS = 30
_CLEARING_MS = 100  # of CPU, at most, to end all processes of a bot
_SLACK_MS = 500  # on the wall, by which the referee's own looks may be late
_CROWDED = 2.0  # times what a fair share of the cores leaves a thread to wait
_TICK_MS = 10
_ALLOWANCE = 1.5
"""Times the limit of memory, which holds for each process, or of output."""
_HOST_MB = 128
_FORGED = "forged"
_SYSTEM = "system"

# Landlock answers EACCES, and EPERM to what it keeps within the jail: signals, abstract sockets.
_REFUSALS = {"EPERM": "seccomp", "ENOSYS": "seccomp", "EACCES": "landlock", "EXDEV": "landlock"}
_LIMITS = {
    "ENOMEM": "memory limit",
    "EAGAIN": "process limit",
    "EFBIG": "file limit",
    "ENOSPC": "scratch limit",
    "EDQUOT": "scratch limit",
    "RLIMIT": "rlimit",
}
_ABSENCES = ("ENOENT", "ESRCH", "EROFS", "ENETUNREACH", "ECONNREFUSED", "ENXIO", "ENODEV")
"""Errors of files, processes and networks that do not exist in the jail, or are read-only."""


class AttackProof(NamedTuple):
    """Evidence that an attack has reached its aim."""

    kind: str
    """The command line has a sentence for each."""
    what: str = ""
    """The file, the milliseconds or the like."""


class AttackVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """The result of an attack at one level."""

    attack: str
    level: str
    succeeded: bool | None
    """None where it was not tried: the level is not granted, or the attack did not start."""
    stopped_by: str
    """The mechanisms in order of time; "" if none did; `level` or `start` if it was not tried."""
    promised: bool
    """Whether the level promises to stop it."""
    proofs: list[AttackProof]
    """The evidence of its success."""


def proofs(outcome: HostingOutcome, secrets: Iterable[str], word: str) -> list[AttackProof]:
    """The evidence, in a host's report, that an attack has reached its aim.

    Args:
        outcome: of hosting it.
        secrets: what it must not have read.
        word: what its partner must not have heard.
    """
    report = outcome.report
    found = [] if outcome.end == "done" else [AttackProof(outcome.end)]
    if report.error:
        found.append(AttackProof("failed", report.error.splitlines()[-1]))
    if _heard(report.exchanges, secrets):
        found.append(AttackProof("secret"))
    if any(word in each.text for each in report.exchanges if each.role == "receiver"):
        found.append(AttackProof("word"))
    found += [AttackProof("held", what) for what in report.held]
    found += [AttackProof("changed", what) for what in report.changed]
    return [*found, *_excess(outcome), *_misled(report.exchanges)]


def failed_start(outcome: HostingOutcome, staging: str) -> str:
    """The reason an attack could not even be tried; "" if it was.

    One that lies in what is handed in is tried by being loaded.
    """
    if staging == "submission":
        return ""
    failed = [each for each in outcome.report.exchanges if each.fault == Fault.START_UP]
    words = [f"{each.detail} {each.text}".strip().splitlines()[-1] for each in failed]
    return outcome.report.refused or "".join(words[:1])


def stopped_by(outcome: HostingOutcome, level: Level, staging: str) -> str:
    """The mechanisms that stopped an attack, joined by commas; "nothing" if none is to be seen."""
    report = outcome.report
    names = ["loader"] if report.refused else []
    for exchange in report.exchanges:
        names += [_mechanism(step, error, level) for step, error in _refusals(exchange)]
        if exchange.fault is not None:
            name = "loader" if staging == "submission" else f"referee ({exchange.fault})"
            names.append(name)
    charged = report.processes > 0 and any(each.cpu_ms > _UNPAID_MS for each in report.exchanges)
    if charged or any(each.idle_ms > _IDLE_MS for each in report.exchanges):
        names.append("clock")
    if report.halted:
        names.append("stopping")
    elif report.processes > 0:
        names.append("clean-up")
    cut = re.compile("(bytes|characters) more$|^[0-9]+ characters before ")
    if any(cut.search(each.text) or cut.search(each.detail) for each in report.exchanges):
        names.append("output limit")
    # Names left by now are of things that the referee does with every bot; what the system refuses,
    # or what is not there because it was stopped before, says something only where it is all.
    usual = "loader" if staging == "submission" else "referee"
    known = [name for name in names if not name.startswith(_SYSTEM)]
    return ", ".join(dict.fromkeys(known or names or [usual]))


def _heard(exchanges: Iterable[Exchange], secrets: Iterable[str]) -> bool:
    texts = [f"{each.text} {each.detail} {each.action}" for each in exchanges]
    return any(secret in text for secret in secrets for text in texts)


def _excess(outcome: HostingOutcome) -> list[AttackProof]:
    """Evidence that an attack took more than its limits."""
    report = outcome.report
    found = []
    if outcome.survivors:
        found.append(AttackProof("survivors", str(outcome.survivors)))
    if report.processes > PROCESSES or report.threads > PROCESSES:
        found.append(AttackProof("processes", str(max(report.processes, report.threads))))
    if report.memory_mb > _ALLOWANCE * MEMORY_MB:
        found.append(AttackProof("memory", f"{report.memory_mb:.0f}"))
    if report.said_mb > _ALLOWANCE * SAID_BYTES / 2**20:
        found.append(AttackProof("record", f"{report.said_mb:.1f}"))
    if report.host_mb > _HOST_MB:
        found.append(AttackProof("host_memory", f"{report.host_mb:.0f}"))
    return found


def _misled(exchanges: list[Exchange]) -> list[AttackProof]:
    """Evidence that the referee was misled about time or answers."""
    found = []
    for each, following in zip(exchanges, [*exchanges[1:], None], strict=False):
        if each.action == _FORGED:
            found.append(AttackProof("forged"))
        if each.fault == Fault.INFRASTRUCTURE:
            found.append(AttackProof("blamed"))
        if each.held_ms > HELD_MS + _CROWDED * each.crowd * _CLEARING_MS:
            found.append(AttackProof("slot", f"{each.held_ms:.0f}"))
        # Time charged beyond its next turn pays for this one, and for the time between them.
        paid = 0.0
        if following is not None and following.role != "end":
            paid = max(following.cpu_ms - following.true_ms, 0.0)
        answered = each.fault is None and each.action is not None
        if answered and each.true_ms - each.cpu_ms - paid > _UNPAID_MS:
            found.append(AttackProof("unpaid", f"{each.true_ms:.0f}"))
        elif answered and _slept(each):
            found.append(AttackProof("slept", f"{each.wall_ms:.0f}"))
        if each.idle_ms > _IDLE_MS and paid + _TICK_MS < each.idle_ms / 2:
            found.append(AttackProof("opponent", f"{each.idle_ms:.0f}"))
    return found


def _slept(exchange: Exchange) -> bool:
    """Whether an answer came too late for a bot that wanted to run, on a machine so crowded."""
    late_ms = exchange.wall_ms - 1000 * wall_seconds(MOVE_SECONDS)
    return late_ms > _SLACK_MS + _CROWDED * exchange.crowd * exchange.true_ms


def _refusals(exchange: Exchange) -> list[tuple[str, str]]:
    """The steps that were refused, with their errors, as the attack says or its traceback does."""
    raised = re.findall(r"\[Errno (\d+)\]", exchange.detail)
    names = [("raised", errno.errorcode.get(int(number), number)) for number in raised]
    found = re.search(r'\{"done": .*\}\}', exchange.text)
    try:
        said: Any = json.loads(found.group()) if found else {}
        return names + [(str(step), str(error)) for step, error in said["refused"].items()]
    except (ValueError, KeyError, TypeError, AttributeError):
        return names


def _mechanism(step: str, error: str, level: Level) -> str:
    """The mechanism that answers a step of an attack with such an error."""
    if error in _LIMITS:
        return _LIMITS[error]
    if level < Level.KERNEL:
        return f"{_SYSTEM} ({error})"
    if error in _ABSENCES:
        return "bubblewrap" if level is Level.FULL else "mounts"
    if error == "EPERM" and step.startswith("scope"):
        return "landlock"
    return _REFUSALS.get(error, f"{_SYSTEM} ({error})")
