"""Scripts and styles of the application as text for pages that stand alone.

A page opened from a disk may load no module, so all modules that it needs lie in it: an import map
gives each a name, and holds its text as a `data:` address.
"""

from __future__ import annotations

import base64
import posixpath
import re
from collections.abc import Mapping
from pathlib import Path

STATIC = Path(__file__).parent.parent / "static"
PREFIX = "joute/"  # of the modules' names in an import map
BOARDS = "boards/index.js"  # loads drawings by their game's name, when they are wanted
_FROM = re.compile(r'(\bfrom\s*|\bimport\s*\(?\s*)"(\.\.?/[^"]+)"')


def style() -> str:
    """The stylesheet."""
    parts = sorted((STATIC / "css.d").glob("*.css"))
    return "\n".join(part.read_text(encoding="utf-8") for part in parts)


def imports(entry: str, replaced: Mapping[str, str]) -> dict[str, str]:
    """The import map of a module and all it imports: names to addresses.

    `entry` is a path below `static/js`; `replaced` has the texts of modules that differ from the
    file of their path.
    """
    found: dict[str, str] = {}
    waiting = [entry]
    while waiting:
        path = waiting.pop()
        if PREFIX + path in found:
            continue
        text = replaced.get(path) or (STATIC / "js" / path).read_text(encoding="utf-8")
        wanted: list[str] = []
        named = _FROM.sub(lambda match: _named(match, path, wanted), text)  # noqa: B023
        encoded = base64.b64encode(named.encode()).decode()
        found[PREFIX + path] = f"data:text/javascript;base64,{encoded}"
        waiting += wanted
    return dict(sorted(found.items()))


def one_drawing(game: str) -> dict[str, str]:
    """In place of the module of all drawings, one that knows this game's only."""
    known = (STATIC / "js" / BOARDS).read_text(encoding="utf-8")
    match = re.search(rf'"?{re.escape(game)}"?: \(\) => import\("(\./[^"]+)"\)', known)
    path = match[1] if match else "./plain.js"
    text = f'import * as drawing from "{path}";\nexport const load = async () => drawing;\n'
    return {BOARDS: text}


def _named(match: re.Match[str], path: str, wanted: list[str]) -> str:
    """An import by the name in the map instead of the relative path."""
    target = posixpath.normpath(posixpath.join(posixpath.dirname(path), match[2]))
    wanted.append(target)
    return f'{match[1]}"{PREFIX}{target}"'
