"""The command line and its terminals, as for the tests of the command line."""

from cli.conftest import failing_bot, faulty_record, record, run, terminal

__all__ = ["failing_bot", "faulty_record", "record", "run", "terminal"]
