"""The typography of sentences, in both languages: one stands here as `set_in` writes it."""

import re
import string
import tomllib
from pathlib import Path

import pytest

from joute.core.registry import cards
from joute.i18n import words

THIN = "\N{NARROW NO-BREAK SPACE}"
APOSTROPHE = "\N{RIGHT SINGLE QUOTATION MARK}"
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
SPACE = f"[ \N{NO-BREAK SPACE}{THIN}]"

# A value stands for a letter. Only program text has a quotation mark between letters.
BOTH = (
    (r"(?<=\w)'(?=\w)", APOSTROPHE),
    (r"(?<![][=.])\.\.\.(?!\.)", ELLIPSIS),
    (rf"(?<=\S){SPACE}{ELLIPSIS}", ELLIPSIS),
)
OF = {
    "en": (
        (r"^([^']*s)'( [^']*)$", rf"\1{APOSTROPHE}\2"),
        (rf"(?<=\d){SPACE}%", "%"),
    ),
    "fr": (
        (rf"(?<=\d){SPACE}?%", f"{THIN}%"),
        (rf"(?<=[^\s«(,;]){SPACE}+(?=[;!?:](?:[\s)]|$))", THIN),
        (r"(?<=[^\s«(,;0-9])(?=[;!?:](?:[\s)]|$))", THIN),
        (rf"«{SPACE}*", f"«{THIN}"),
        (rf"{SPACE}*»", f"{THIN}»"),
    ),
}


def _values(sentence: str) -> list[str]:
    """The values of a sentence, as they are written there."""
    found = []
    for _, name, form, shown in string.Formatter().parse(sentence):
        if name is not None:
            found.append(f"{{{name}{f'!{shown}' if shown else ''}{f':{form}' if form else ''}}}")
    return found


def set_in(language: str, sentence: str) -> str:
    """The sentence with the apostrophes, ellipses and spaces of its language."""
    values = _values(sentence)
    for value in values:
        sentence = sentence.replace(value, "\N{FULLWIDTH DIGIT ZERO}", 1)
    for pattern, mark in (*BOTH, *OF[language]):
        sentence = re.sub(pattern, mark, sentence)
    for value in values:
        sentence = sentence.replace("\N{FULLWIDTH DIGIT ZERO}", value, 1)
    return sentence


CODE = re.compile(r"^    [\w.]+(?: = |[,(]).*$|^Args:$|`[^`]*`", re.MULTILINE)
"""Lines and words of code in the texts of the library's reference."""
DOCUMENTS = Path(__file__).parents[1] / "docs"
VERBATIM = re.compile(
    r"^```.*?^```$|`[^`]+`|<!--.*?-->|(?<=\])\([^)\s]+\)", re.MULTILINE | re.DOTALL
)
"""Code, comments and addresses of a document, which are no prose."""
HEADLESS = {
    "en": re.compile(r"(?:^|[.:;] )Whoever\b|\bwhoever (?!\S+\?)"),
    "fr": re.compile(
        r"(?:^|[.;] )(?:Qui|Quiconque) (?![^.]*\?|joue contre qui|a battu qui|est devant)"
    ),
}
INFINITIVE = re.compile(r"(?:Ne pas )?(?:[A-ZÉ]\w*(?:er|ir|ndre|ttre|crire)|Dire)\b")


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_no_sentence_begins_with_a_relative_clause(language):
    for key, sentence in words.catalog(language).items():
        assert not HEADLESS[language].search(sentence), f"{language}, {key}: {sentence}"


def test_the_french_help_of_commands_and_options_has_no_infinitive():
    for key, sentence in words.catalog("fr").items():
        if key.startswith("help."):
            assert not INFINITIVE.match(sentence), f"{key}: {sentence}"


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_every_sentence_has_the_apostrophes_ellipses_and_spaces_of_its_language(language):
    assert cards()
    for key, sentence in words.catalog(language).items():
        assert sentence == set_in(language, sentence), f"{language}, {key}"


def test_every_text_of_the_reference_has_the_apostrophes_and_spaces_of_its_language():
    path = DOCUMENTS / "api.toml"
    told = tomllib.loads(path.read_text(encoding="utf-8"))
    assert told
    for name, entry in told.items():
        text = CODE.sub("x", entry["fr"])
        assert text == set_in("fr", text), name


def prose(text: str) -> str:
    """A document with a letter for each piece of code and each address."""
    return VERBATIM.sub("x", text)


@pytest.mark.parametrize("path", sorted(DOCUMENTS.glob("fr/**/*.md")), ids=lambda path: path.stem)
def test_french_documents_have_the_apostrophes_and_spaces_of_french(path):
    for line in prose(path.read_text("utf-8")).splitlines():
        assert line == set_in("fr", line)
