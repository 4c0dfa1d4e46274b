"""Makes the tables of commands that answers to the Tab key are taken from: `scripts/completions`.

Those of the commands that a game brings lie in the game's folder.
"""

import json
from pathlib import Path

from joute.bots import BOTS
from joute.cli.commands import build
from joute.cli.completion import described
from joute.cli.suggestions import TABLE
from joute.cli.suggestions import __file__ as place
from joute.core.registry import cards
from joute.files import put


def tables():
    """The content of each table, by its file."""
    commands = dict(described(build())["commands"])
    found = {}
    for card in cards():
        own = {name: commands.pop(name) for name in card.commands}
        if own:
            found[card.folder / TABLE] = own
    whole = {"bots": sorted(BOTS), "commands": commands}
    return {Path(place).parent / TABLE: whole, **found}


def written(table):
    """A table as its file has it."""
    return json.dumps(table, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for path, table in tables().items():
        put(path, written(table))
