"""Catalogs: the sentences that Joute says to people, in their language.

The files of `catalog/LANGUAGE`, and those that games bring, map keys to sentences with `{named}`
values; every language has every key. A program has one language: that asked for (`--lang`), else
that of JOUTE_LANG, else of the locale; a language without a catalog is answered in English. A
server answers each request in the language of its sender, with `speaking`.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

LANGUAGES = ("en", "fr")
CATALOGS = Path(__file__).parent / "catalog"
# Words that lose their last vowel before another: "de Bob", "d’Alice". The script words.js has the
# same rule.
ELIDED = {"fr": (re.compile(r"\b([Dd]|[Qq]u)e (?=\{(\w+)\})"), "aeiouœæ")}

_usual = {"language": LANGUAGES[0]}
_here: ContextVar[str | None] = ContextVar("language", default=None)
_loaded: dict[str, dict[str, str]] = {}
_sources: list[Callable[[str], Iterable[Path]]] = []


def catalog(language: str) -> dict[str, str]:
    """All sentences of one language."""
    if language not in _loaded:
        texts = [json.loads(part.read_text(encoding="utf-8")) for part in parts(language)]
        _loaded[language] = {key: text for each in texts for key, text in each.items()}
    return _loaded[language]


def parts(language: str) -> list[Path]:
    """The files of one language."""
    own = sorted((CATALOGS / language).glob("*.json"))
    return [*own, *(part for source in _sources for part in source(language))]


def add_source(files: Callable[[str], Iterable[Path]]) -> None:
    """Adds a function from a language to files that are parts of its catalog."""
    _sources.append(files)
    forget()


def forget() -> None:
    """Reads the catalogs again when they are next needed: there may be new parts."""
    _loaded.clear()


def speak(language: str) -> None:
    """Makes `language`, one of LANGUAGES, the language of all that follows."""
    _usual["language"] = _checked(language)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """`language`, one of LANGUAGES, is that of this task or thread for a while."""
    before = _here.set(_checked(language))
    try:
        yield
    finally:
        _here.reset(before)


def language() -> str:
    """The language spoken now."""
    return _here.get() or _usual["language"]


def _checked(language: str) -> str:
    if language not in LANGUAGES:
        message = f"language {language!r}: expected one of {', '.join(LANGUAGES)}"
        raise ValueError(message)
    return language


def has(key: str) -> bool:
    """Whether there is a sentence of that key."""
    return key in catalog(language())


def say(key: str, /, **values: object) -> str:
    """The sentence of that key, its values filled in."""
    sentence = catalog(language())[key]
    if language() in ELIDED:
        sentence = _elided(sentence, values, *ELIDED[language()])
    return sentence.format(**values)


def _elided(sentence: str, values: Mapping[str, object], word: re.Pattern[str], vowels: str) -> str:
    """The sentence whose words right before a value lose their vowel where that has one."""

    def joined(found: re.Match[str]) -> str:
        begins = folded(str(values.get(found[2], ""))[:1])
        return f"{found[1]}’" if begins and begins in vowels else found[0]

    return word.sub(joined, sentence)


def say_of(count: int, key: str, /, **values: object) -> str:
    """The sentence of that key about so many things; about a single one, that of `KEY.one`."""
    return say(f"{key}.one" if count == 1 else key, **values)


def seat_name(player: int, names: Sequence[str]) -> str:
    """A seat by its name and number, `ann (0)`; without names, `player 0`."""
    return f"{names[player]} ({player})" if names else say("board.player", player=player)


class Sentence:
    """A sentence of the catalogs that is worded when it is read, in the language spoken then.

    An error is given one as its text: `raise GameError(Sentence("error.map.empty", map=name))`.
    Values may be sentences, or errors, themselves.
    """

    def __init__(self, key: str, /, **values: object) -> None:
        self.key = key
        self.values = values

    def __str__(self) -> str:
        return say(self.key, **self.values)

    def __repr__(self) -> str:
        return repr(str(self))


def sentence_of(count: int, key: str, /, **values: object) -> Sentence:
    """The sentence of that key about so many things; about a single one, that of `KEY.one`."""
    return Sentence(f"{key}.one" if count == 1 else key, **values)


class AnyOf:
    """Alternatives, joined by "or" when they are read: `classic or 2019`."""

    def __init__(self, choices: Iterable[object]) -> None:
        self.choices = list(choices)

    def __str__(self) -> str:
        return f" {say('error.or')} ".join(map(str, self.choices))


def hinted(sentence: Sentence, near: Sequence[object]) -> Sentence:
    """A sentence with the question whether one of the near words was meant, if there are any."""
    return Sentence("error.hint", sentence=sentence, names=AnyOf(near)) if near else sentence


def english(text: object) -> str:
    """A sentence or an error in English, as records keep it, whatever language is spoken."""
    with speaking(LANGUAGES[0]):
        return str(text)


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

    The value is "" where it is missing. Arguments after `--` are left alone.
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


def folded(text: str) -> str:
    """A text without accents, case and blanks around."""
    split = unicodedata.normalize("NFD", text.strip().casefold())
    return "".join(mark for mark in split if not unicodedata.combining(mark))


def synonyms() -> dict[str, str]:
    """Words of the user's language -> how a game writes the action."""
    pairs = (pair.partition("=") for pair in say("play.synonyms").split())
    return {word: name for word, _, name in pairs}


def spoken(text: str) -> str:
    """An action as the game writes it, in the user's language where that has a word for it."""
    if language() == LANGUAGES[0]:
        return text
    return {name: word for word, name in synonyms().items()}.get(text, text)
