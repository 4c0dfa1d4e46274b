"""The command line, terminals, browsers and files of bots, as for the tests of these."""

from cli.conftest import failing_bot, faulty_record, record, run, terminal
from play.conftest import file, program
from web.conftest import chromium, look, readers, site

__all__ = ["chromium", "failing_bot", "faulty_record", "file", "look", "program", "readers"]
__all__ += ["record", "run", "site", "terminal"]
