"""A replay as one file: it opens from a disk in any browser, and asks nothing of anybody.

Style, scripts, words and the game lie in it; its policy forbids the browser everything else.
"""

from __future__ import annotations

import base64
import gzip
import json
from functools import cache

import jinja2
import msgspec

from joute.i18n.words import language
from joute.web.assets import style
from joute.web.positions import Readable
from joute.web.replaying.bundle import PREFIX, imports, one_drawing
from joute.web.replaying.recorded import Recorded, sent, title
from joute.web.script_words import words_sent
from joute.web.templating import environment

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


def game_page(recorded: Recorded, file: str, known: Readable = None) -> str:
    """The page of a game, in the language spoken now; `file` is its record in commands.

    `known` are the bots whose messages its reader may read.
    """
    game = sent(recorded, file, known)
    return (
        exported()
        .get_template("one-replay.html")
        .render(
            title=title(recorded.names),
            kind=game["kind"],
            verified=game["verified"],
            data=packed(game),
            policy=POLICY.format(more=""),
            stylesheet="",
            alone=True,
            begin=scripts(ENTRY, one_drawing(str(game["facts"]["game"]))),
        )
    )


def scripts(entry: str, replaced: dict[str, str]) -> str:
    """The words and the modules of a page, and what begins."""
    words = safe_json(words_sent(language()))
    modules = safe_json({"imports": imports(entry, replaced)})
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
