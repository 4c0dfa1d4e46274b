"""A replay or a position as one file: it opens from a disk in any browser, and asks nobody.

Style, scripts, words and the game lie in it; its policy forbids the browser everything else.

A page opened from a disk may load no module, so all modules that it needs lie in it: an import map
gives each a name, and holds its text as a `data:` address.
"""

from __future__ import annotations

import base64
import gzip
import json
import posixpath
import re
from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import Any

import jinja2
import msgspec

from joute.core.interface import mover, properties
from joute.i18n.words import language
from joute.play.timeline import Step
from joute.web.assets import board, files, style
from joute.web.games import about
from joute.web.positions import Readable, facts, position
from joute.web.replays.recorded import Recorded, sent, title
from joute.web.rulebooks import drawings
from joute.web.templating import environment, words_sent

ENTRY = "replay.js"
POLICY = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
    "script-src 'unsafe-inline' data:{more}"
)
BESIDE = " 'self' file:"  # what a page may load that has its games in files beside it


@cache
def exported() -> jinja2.Environment:
    """The templates of pages that stand alone."""
    return environment(style=style)


def position_page(game: Any, state: Sequence[int]) -> str:
    """The page of a position, as whoever may see everything sees it."""
    known = properties(game)
    names = [str(seat) for seat in range(known.players)]
    step = Step(0, 0, int(mover(game, state)), tuple(state), ([],) * known.players, [])
    shown = facts(game, names, ["bot"] * known.players)
    return _alone(
        "one-position.html",
        "position.js",
        known.name,
        {"facts": shown, "position": position(game, step, names)},
        title=about(known.name),
    )


def game_page(recorded: Recorded, file: str, known: Readable = None, own: bool = False) -> str:
    """The page of a game, in the language spoken now; `file` is its record in commands.

    `known` are the bots whose messages its reader may read; `own` is whether that reader has the
    rules where they are here.
    """
    game = sent(recorded, file, known, own)
    name = game["facts"]["game"]
    return _alone(
        "one-replay.html",
        ENTRY,
        name,
        game,
        rules_of=name,
        positions=packed(drawings(name)),
        title=title(recorded.names),
        kind=game["kind"],
        verified=game["verified"],
    )


def _alone(template: str, entry: str, game: str, data: object, **values: Any) -> str:
    """A page with one game's board and data, whose scripts `entry` begins."""
    return (
        exported()
        .get_template(template)
        .render(
            data=packed(data),
            policy=POLICY.format(more=""),
            stylesheet="",
            alone=True,
            style=partial(style, only=game),
            begin=scripts(entry, game),
            **values,
        )
    )


def scripts(entry: str, game: str) -> str:
    """The words and the modules of a page of one game, and what begins."""
    words = safe_json(words_sent(language(), game))
    modules = safe_json({"imports": imports(entry, one_drawing(game))})
    return (
        f'<script type="application/json" id="words">{words}</script>\n'
        f'<script type="importmap">{modules}</script>\n'
        f'<script type="module">import "{PREFIX}{entry}";</script>'
    )


def packed(data: object) -> str:
    """Plain data as `packed.js` reads it."""
    return base64.b64encode(gzip.compress(msgspec.json.encode(data), mtime=0)).decode()


def safe_json(data: object) -> str:
    """Plain data as JSON that ends no script."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


ROOT = "joute/"  # begins the modules' names in an import map
PREFIX = f"{ROOT}js/"  # those of the application's own
BOARDS = "js/boards/index.js"  # loads the board that it is told to, when it is wanted
_COMMENTS = re.compile(r"(?m)^ *//.*\n")  # lines of nothing else
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
        bare = _COMMENTS.sub("", text)
        named = _FROM.sub(lambda match: _named(match, path, wanted), bare)  # noqa: B023
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
