"""The command line, its terminals and files of bots, as for the tests of these."""

from cli.conftest import failing_bot, faulty_record, record, run, terminal
from play.conftest import file, program

__all__ = ["failing_bot", "faulty_record", "file", "program", "record", "run", "terminal"]
