"""What cannot be done with entries, in a sentence."""

from __future__ import annotations


class Refused(Exception):
    """What a person wants cannot be; the text says why, in the language spoken now."""
