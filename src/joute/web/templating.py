"""The templates of pages, served and exported.

In a template, `say(key, ...)` is the sentence of that key in the reader's language, and
`title_of(game)` and the like are what `games.py` says of a game.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

import joute
from joute.i18n.figures import figure, lasts, plain
from joute.i18n.words import has, language, say
from joute.web import games

TEMPLATES = Path(__file__).parent / "templates"


def environment(*, fresh: bool = False, **shared: Any) -> jinja2.Environment:
    """The templates, with what all of them may use; read again at each use if `fresh`."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=fresh,
    )
    made.globals.update(
        say=say,
        language=language,
        version=joute.__version__,
        has=has,
        title_of=games.title,
        about=games.about,
        pitch=games.pitch,
        meta=games.meta,
        picture=lambda game: Markup(games.picture(game)),  # noqa: S704, the game's own file
        **shared,
    )
    made.filters.update(figure=figure, plain=plain, lasts=lasts)
    return made
