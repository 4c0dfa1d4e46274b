"""The command line, as for the tests of the command line."""

from cli.conftest import run

__all__ = ["run"]
