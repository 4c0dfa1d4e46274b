"""Exit codes, and the errors of the command line itself: their text is in the user's language."""

from __future__ import annotations

DONE = 0
FAILED = 1
USAGE = 2
INTERRUPTED = 3


class CommandError(Exception):
    """A command that cannot be carried out to its end."""

    code = FAILED


class UsageFault(CommandError):
    """It makes no sense as it was typed."""

    code = USAGE


class CheckFault(CommandError):
    """A check came out wrong, and nothing is left to show but the reason."""


class Stopped(CommandError):
    """It was stopped on request; its text says how to go on."""

    code = INTERRUPTED
