"""`python -m joute`: the command line."""

import sys

from joute.cli import run

if __name__ == "__main__":
    sys.exit(run())
