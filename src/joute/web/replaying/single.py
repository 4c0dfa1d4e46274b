"""A replay as one file: it opens from a disk in any browser, and asks nothing of anybody.

Style, scripts, words and the game lie in it; its policy forbids the browser everything else.
"""

from __future__ import annotations

import base64
import gzip
import json
from html import escape
from pathlib import Path

import msgspec

from joute.i18n.words import language, say
from joute.web.assets import style
from joute.web.positions import Readable
from joute.web.replaying.bundle import PREFIX, imports, one_drawing
from joute.web.replaying.recorded import Recorded, sent, title
from joute.web.script_words import words_sent

ENTRY = "replay.js"
SEATS = Path(__file__).parent.parent / "templates/pictures/seats.svg"
POLICY = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
    "script-src 'unsafe-inline' data:{more}"
)
BESIDE = " 'self' file:"  # what a page may load that has its games in files beside it


def game_page(recorded: Recorded, file: str, known: Readable = None) -> str:
    """The page of a game, in the language spoken now; `file` is its record in commands.

    `known` are the bots whose messages its reader may read.
    """
    game = sent(recorded, file, known)
    heading = title(recorded.names)
    badge = f'<span class="badge good">{escape(game["verified"])}</span>'
    body = (
        f'<div class="play replay" id="replay"><div class="head"><h1>{escape(heading)}</h1>'
        f"<p>{escape(game['kind'])} \N{MIDDLE DOT} {badge}</p></div></div>"
        f'<script type="text/plain" id="game">{packed(game)}</script>'
    )
    return framed(heading, body, scripts(ENTRY, one_drawing(str(game["facts"]["game"]))))


def framed(heading: str, body: str, after: str = "", more: str = "") -> str:
    """A whole page that stands alone; `after` are its scripts, `more` adds to its policy."""
    seats = SEATS.read_text(encoding="utf-8")
    return f"""<!doctype html>
<html lang="{language()}">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{POLICY.format(more=more)}">
<title>{escape(heading)} \N{MIDDLE DOT} Joute</title>
<link rel="icon" href="data:,">
<style>
{style()}
</style>
</head>
<body class="alone">
{seats}
<main id="main">
<noscript><p class="note">{escape(say("replay.web.noscript"))}</p></noscript>
{body}
</main>
{after}
</body>
</html>
"""


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
