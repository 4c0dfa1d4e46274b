"""Scripts of the application as text for pages that stand alone.

A page opened from a disk may load no module, so all modules that it needs lie in it: an import map
gives each a name, and holds its text as a `data:` address.
"""

from __future__ import annotations

import base64
import posixpath
import re
from collections.abc import Mapping

from joute.web.assets import board, files

ROOT = "joute/"  # begins the modules' names in an import map
PREFIX = f"{ROOT}js/"  # those of the application's own
BOARDS = "js/boards/index.js"  # loads the board that it is told to, when it is wanted
_FROM = re.compile(r'(\bfrom\s*|\bimport\s*\(?\s*)"(\.\.?/[^"]+)"')


def imports(entry: str, replaced: Mapping[str, str]) -> dict[str, str]:
    """The import map of a module and all it imports: names to addresses.

    `entry` is a path below `js`; `replaced` has the texts of modules that differ from the file of
    their path.
    """
    known = files()
    found: dict[str, str] = {}
    waiting = [f"js/{entry}"]
    while waiting:
        path = waiting.pop()
        if ROOT + path in found:
            continue
        text = replaced.get(path) or known[path].read_text(encoding="utf-8")
        wanted: list[str] = []
        named = _FROM.sub(lambda match: _named(match, path, wanted), text)  # noqa: B023
        encoded = base64.b64encode(named.encode()).decode()
        found[ROOT + path] = f"data:text/javascript;base64,{encoded}"
        waiting += wanted
    return dict(sorted(found.items()))


def one_drawing(game: str) -> dict[str, str]:
    """In place of the module that loads any board, one that has this game's."""
    text = f'import * as drawing from "../../{board(game)}";\n'
    return {BOARDS: f"{text}export const load = async () => drawing;\n"}


def _named(match: re.Match[str], path: str, wanted: list[str]) -> str:
    """An import by the name in the map instead of the relative path."""
    target = posixpath.normpath(posixpath.join(posixpath.dirname(path), match[2]))
    wanted.append(target)
    return f'{match[1]}"{ROOT}{target}"'
