"""The sentences that scripts in the browser may say."""

from __future__ import annotations

from joute.core.registry import cards
from joute.i18n.words import catalog
from joute.web.games import web_of

OWN = "js."  # begins the keys of sentences for scripts, which know them without it


def words_sent(language: str) -> dict[str, str]:
    """The sentences that scripts may say, by key: those of games, as their `Web` says, too."""
    every = catalog(language).items()
    own = {key.removeprefix(OWN): text for key, text in every if key.startswith(OWN)}
    shared = tuple(start for card in cards() for start in web_of(card.name).words)
    return own | {key: text for key, text in every if key.startswith(shared)}
