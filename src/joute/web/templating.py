"""The templates of pages, served and exported, and the sentences that their scripts may show.

In a template, `say(key, ...)` is the sentence of that key in the reader's language;
`title_of(game)` and the like are functions of `games.py`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

import joute
from joute.core.registry import cards
from joute.i18n.figures import figure, lasts, plain
from joute.i18n.words import catalog, has, language, say
from joute.web import games

TEMPLATES = Path(__file__).parent / "templates"
OWN = "js."  # begins the keys of sentences for scripts, which use them without it


def environment(*, fresh: bool = False, **shared: Any) -> jinja2.Environment:
    """The templates with the names that all may use; read again at each use if `fresh`."""
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
        language_name=lambda name: catalog(name)["language.name"],
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


def words_sent(language: str) -> dict[str, str]:
    """The sentences for scripts, by key, those that the `Web` of a game names among them."""
    every = catalog(language).items()
    own = {key.removeprefix(OWN): text for key, text in every if key.startswith(OWN)}
    shared = tuple(start for card in cards() for start in games.web_of(card.name).words)
    return own | {key: text for key, text in every if key.startswith(shared)}
