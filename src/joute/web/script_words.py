"""The sentences that scripts in the browser may say."""

from __future__ import annotations

from joute.i18n.words import catalog

# Keys of these beginnings are sent: the first without it, the others as they are.
OWN = "js."
SHARED = ("game.", "love_letter.", "play.paradise.card", "web.game.")


def words_sent(language: str) -> dict[str, str]:
    """The sentences that scripts may say, by key."""
    every = catalog(language).items()
    own = {key.removeprefix(OWN): text for key, text in every if key.startswith(OWN)}
    return own | {key: text for key, text in every if key.startswith(SHARED)}
