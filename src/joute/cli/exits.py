"""Exit codes, and the errors that the command line raises for its user's mistakes."""

from __future__ import annotations

DONE = 0
FAILED = 1
USAGE = 2
INTERRUPTED = 3


class UsageFault(Exception):  # noqa: N818 - a fault of the user's command, not of the program
    """A command that cannot be carried out as typed; its text is in the user's language."""


class CheckFault(Exception):  # noqa: N818 - see above
    """A check that came out wrong where nothing is left to print but the reason."""


class Stopped(Exception):  # noqa: N818 - see above
    """A command that was stopped on request; its text says how to go on."""
