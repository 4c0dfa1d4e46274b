"""A bot whose standard streams are a person's: the channel beside them, and the debugger."""

import bdb
import pdb  # noqa: T100 - it is what is asked for
import sys

from . import channel, errors


class TerminalChannel(channel.Channel):
    """Messages on two descriptors of their own; standard input and output stay the bot's."""

    def __init__(self, descriptors: str) -> None:
        """`descriptors`: to read from and to write to, as "5,6"."""
        self._reader, self._writer = map(int, descriptors.split(","))
        self._rest = b""


def go_on(error: Exception) -> None:
    """Does nothing about a bot's exception."""


def post_mortem(error: Exception) -> None:
    """Opens the debugger where a bot's exception was raised, unless it comes from the debugger."""
    if isinstance(error, (bdb.BdbQuit, errors.CannotLoad, errors.IllegalAnswer)):
        return
    sys.stderr.write(errors.describe(error) + "\n")
    pdb.post_mortem(error.__traceback__)
