"""Isolation: how much of it there is, what a bot may do, and who enforces it.

The referee's process decides here and makes a policy; the bot's process applies it to itself before
it reads any code of the bot (`joute.host.child.jail`), by limits of resources, Landlock, a filter
of system calls and namespaces. No level is taken for granted: a canary attempts what it forbids.
"""

from joute.host.sandbox.grants import (
    REASONS,
    Granted,
    IsolationError,
    Level,
    Missing,
    applied,
    granted,
)

__all__ = ["REASONS", "Granted", "IsolationError", "Level", "Missing", "applied", "granted"]
