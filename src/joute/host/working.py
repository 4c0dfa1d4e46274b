"""The folder in which a Python bot works: where the names of files in its source start from.

It is the bot's own. Some contests start their bots in the folder above, where a bot reads its files
as `open("agent/weights.json")`; the source of such a bot tells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from joute.host.names import BotSpec
from joute.host.sandbox.paths import companions, source_text

_NAMED = r"""["'](?:\./)?NAME/|(?:join|Path)\(\s*["']NAME["']|["']NAME["']\s*[+/]"""


def working_folder(bot: BotSpec) -> Path | None:
    """The folder in which a bot works, if it has one: the one above its own if its source says so.

    Whether the source names a file by way of the bot's own folder is what counts: a text that
    begins with `FOLDER/`, or `FOLDER` itself where paths are put together.
    """
    own = bot.folder
    if bot.kind != "python" or bot.path is None or own is None or bot.path.suffix == ".zip":
        return own
    if not own.name or (own / own.name).is_dir():
        return own
    named = re.compile(_NAMED.replace("NAME", re.escape(own.name)))
    return own.parent if any(map(named.search, _sources(bot.path))) else own


def _sources(path: Path) -> Iterator[str]:
    """The texts of the Python files of a bot."""
    files = [path, *companions(path)] if path.is_file() else path.rglob("*.py")
    return map(source_text, files)
