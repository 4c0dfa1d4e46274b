"""The templates of pages, served and exported, and the sentences that their scripts may show.

In a template, `say(key, ...)` is the sentence of that key in the reader's language;
`title_of(game)` and the like are functions of `games.py`.
"""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import jinja2
from markupsafe import Markup

import joute
from joute.core.registry import cards
from joute.i18n.figures import duration, figure, lasts, plain, time_left
from joute.i18n.words import catalog, has, language, say, say_of
from joute.web import games, rulebooks

TEMPLATES = Path(__file__).parent / "templates"
PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"  # in which bots are run
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
        say_of=say_of,
        language=language,
        language_name=lambda name: catalog(name)["language.name"],
        version=joute.__version__,
        python=PYTHON,
        time_left=_time_left,
        zoned=_zoned,
        has=has,
        title_of=games.title,
        about=games.about,
        pitch=games.pitch,
        meta=games.meta,
        seat_name=games.seat_name,
        settings_of=games.settings,
        option_name=games.option,
        option_value=games.option_value,
        rulebook_sections=rulebooks.sections,
        rulebook_texts=rulebooks.texts,
        picture=lambda game: Markup(games.picture(game)),  # noqa: S704, the game's own file
        **shared,
    )
    made.filters.update(figure=figure, plain=plain, lasts=lasts, duration=duration)
    return made


def _time_left(due: str, now: str) -> str:
    """The time from a moment to another, both in ISO 8601, in words."""
    return time_left((datetime.fromisoformat(due) - datetime.fromisoformat(now)).total_seconds())


def _zoned(moment: str, zone: str) -> str:
    """A moment in ISO 8601 as the clocks of a zone show it."""
    local = datetime.fromisoformat(moment).astimezone(ZoneInfo(zone))
    return local.strftime("%Y-%m-%d %H:%M")


def words_sent(language: str, only: str = "") -> dict[str, str]:
    """The sentences for scripts, by key, with those that the `Web` of games names.

    `only` is the name of the one game of a page; "" for all games.
    """
    every = catalog(language).items()
    own = {key.removeprefix(OWN): text for key, text in every if key.startswith(OWN)}
    shown = [only] if only else [card.name for card in cards()]
    shared = tuple(start for name in shown for start in games.web_of(name).words)
    return own | {key: text for key, text in every if key.startswith(shared)}
