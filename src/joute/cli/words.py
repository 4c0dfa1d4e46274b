"""What the command line says, in the language of its user.

`catalog/LANGUAGE.json` maps keys to sentences with `{named}` values; every language has every key.
The language is the one asked for (`--lang`), else that of JOUTE_LANG, else of the locale; a
language without a catalog is answered in English.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

LANGUAGES = ("en", "fr")
CATALOGS = Path(__file__).parent / "catalog"

_spoken = {"language": LANGUAGES[0]}
_loaded: dict[str, dict[str, str]] = {}


def catalog(language: str) -> dict[str, str]:
    """All sentences of one language."""
    if language not in _loaded:
        text = (CATALOGS / f"{language}.json").read_text(encoding="utf-8")
        _loaded[language] = json.loads(text)
    return _loaded[language]


def speak(language: str) -> None:
    """Makes `language`, one of LANGUAGES, the language of all that follows."""
    if language not in LANGUAGES:
        message = f"language {language!r}: expected one of {', '.join(LANGUAGES)}"
        raise ValueError(message)
    _spoken["language"] = language


def language() -> str:
    """The language spoken now."""
    return _spoken["language"]


def say(key: str, /, **values: object) -> str:
    """The sentence of that key, its values filled in."""
    return catalog(language())[key].format(**values)


def spoken_in(environ: Mapping[str, str]) -> str:
    """The language that the environment asks for."""
    for name in ("JOUTE_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = environ.get(name, "")
        if value:
            code = value.replace("-", "_").split("_")[0].split(".")[0].lower()
            return code if code in LANGUAGES else LANGUAGES[0]
    return LANGUAGES[0]


def split_language(arguments: Sequence[str]) -> tuple[str | None, list[str]]:
    """The last `--lang VALUE` of a command line, and the command line without any.

    The value is "" where it is missing. What follows `--` is left alone.
    """
    asked: str | None = None
    rest: list[str] = []
    waiting = False
    for position, argument in enumerate(arguments):
        if waiting:
            asked, waiting = argument, False
        elif argument == "--":
            rest.extend(arguments[position:])
            break
        elif argument == "--lang":
            asked, waiting = "", True
        elif argument.startswith("--lang="):
            asked = argument.removeprefix("--lang=")
        else:
            rest.append(argument)
    return asked, rest
