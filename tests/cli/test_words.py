import ast
import contextvars
import functools
import json
import re
import string
from pathlib import Path

import pytest
from cli.apart import run_apart

from joute.core.interface import properties
from joute.core.registry import cards, make, names
from joute.host.protocol import Fault
from joute.i18n import words
from joute.web.games import web_of

JOUTE = Path(words.__file__).parent.parent
SPEAKERS = [path for path in JOUTE.rglob("*.py") if "redteam/attacks" not in path.as_posix()]
PAGES = [path for kind in ("js", "html") for path in JOUTE.rglob(f"*.{kind}")]
SHARED = tuple(start for name in names() for start in web_of(name).words)
BROWSER = "js."  # how the keys begin that the browser knows without this beginning
SENTENCES = words.catalog("en")


def _placeholders(sentence: str) -> list[tuple[str, str | None]]:
    """The names in a sentence, with how each is shown (`!r`)."""
    parsed = string.Formatter().parse(sentence)
    return sorted((name, shown) for _, name, _, shown in parsed if name is not None)


@functools.cache
def _nodes() -> list[ast.AST]:
    """The nodes of all modules that are asked about: texts, and what may hold keys."""
    kept = ast.Constant | ast.JoinedStr | ast.Call
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in sorted(SPEAKERS))
    return [node for tree in trees for node in ast.walk(tree) if isinstance(node, kept)]


def _texts() -> set[str]:
    """Every string in the code, that of pages included."""
    texts = {
        node.value
        for node in _nodes()
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    for path in PAGES:
        beginning = BROWSER if path.suffix == ".js" else ""
        found = re.findall(r"""["'`]([a-z_0-9.-]+)["'`]""", path.read_text(encoding="utf-8"))
        texts |= {beginning + text for text in found}
    return texts


def _said_in_pages() -> tuple[set[str], set[str]]:
    """The same of scripts and templates; a template's `~` and a script's `${` put keys together."""
    keys: set[str] = set()
    families: set[str] = set()
    for path in PAGES:
        text = path.read_text(encoding="utf-8")
        for quoted, more in re.findall(r"""\bsay\(\s*["'`]([^"'`]*)["'`]\s*([~+]?)""", text):
            literal, joined, _ = quoted.partition("${")
            own = path.suffix == ".js" and not literal.startswith(SHARED)
            beginning = BROWSER if own else ""
            (families if joined or more else keys).add(beginning + literal)
    return keys, families


def _said() -> tuple[set[str], set[str]]:
    """The keys that the code asks for, and the beginnings of those that it puts together."""
    keys: set[str] = set()
    families: set[str] = set()
    for node in _nodes():
        if isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
            found = re.fullmatch(r"[a-z-]+\.([a-z_-]+\.)*", node.values[0].value)
            families |= {found[0]} if found else set()
        if not isinstance(node, ast.Call):
            continue
        wanted = [each.value for each in node.keywords if each.arg in ("help", "epilog")]
        if isinstance(node.func, ast.Name | ast.Attribute):
            name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
            wanted += node.args[:1] if name in ("say", "Sentence") else []
            wanted += node.args[1:2] if name == "say_of" else []
        for each in wanted:
            for part in ast.walk(each):
                if isinstance(part, ast.JoinedStr):
                    if isinstance(part.values[0], ast.Constant):
                        families.add(part.values[0].value)
                    break
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    keys.add(part.value)
    more_keys, more_families = _said_in_pages()
    return keys | more_keys, families | more_families


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_a_key_is_in_one_part_of_a_catalog_only(language):
    parts = [json.loads(path.read_text()) for path in words.parts(language)]
    assert sum(map(len, parts)) == len(words.catalog(language))


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_every_language_has_the_same_sentences_with_the_same_values(language):
    other = words.catalog(language)
    assert set(SENTENCES) == set(other)
    for key, sentence in SENTENCES.items():
        assert _placeholders(sentence) == _placeholders(other[key]), key


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_no_sentence_is_empty_or_surrounded_by_blanks_for_nothing(language):
    for key, sentence in words.catalog(language).items():
        assert sentence, key
        assert sentence == sentence.lstrip(), key


def test_nearly_every_french_sentence_differs_from_the_english_one():
    french = words.catalog("fr")
    same = {key for key, sentence in SENTENCES.items() if french[key] == sentence}
    assert len(same) < len(SENTENCES) / 10, same


def test_every_key_that_the_code_asks_for_exists():
    keys, _ = _said()
    assert keys - set(SENTENCES) == set()


def test_no_key_is_unused():
    _, families = _said()
    families |= {"error.child."}  # said by the process of a bot, which has no catalog
    families |= {"error.foreign."}  # said by other programs
    texts = _texts() | {
        key
        for name in names()
        for page in [f"web.game.{name}"]
        for key in (f"game.{name}", page, f"{page}.pitch", f"{page}.meta")
    }
    unused = {
        key
        for key in SENTENCES
        if not {key, key.removesuffix(".one"), key.removesuffix(".left")} & texts
        and not any(key.startswith(family) for family in families)
    }
    assert unused == set()


def test_a_game_brings_its_words_in_every_language():
    for card in cards():
        files = [card.file(f"words/{language}.json") for language in words.LANGUAGES]
        assert None not in files
        assert f"game.{card.name}" in json.loads(files[0].read_text())


def test_everything_that_can_be_counted_up_has_a_sentence():
    expected = {f"fault.{fault.value}" for fault in Fault}
    expected |= {f"ending.{ending}" for ending in ("finished", "forfeit")}
    expected |= {f"cost.{cost}" for cost in ("turn", "game")}
    expected |= {f"replay.by_{by}" for by in ("bot", "opening", "referee", "fault")}
    for name in names():
        expected.add(f"game.{name}")
        expected |= {f"games.{key}" for key in properties(make(name))._asdict() if key != "name"}
    assert expected - set(SENTENCES) == set()


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "fr_CA"}, "fr"),
        ({"LC_ALL": "", "LANG": "fr"}, "fr"),
        ({"LC_ALL": "fr_FR", "JOUTE_LANG": "en"}, "en"),
        ({"LC_ALL": "de_DE.UTF-8"}, "en"),
        ({"JOUTE_LANG": "FR"}, "fr"),
    ],
)
def test_the_environment_chooses_the_language(environ, language):
    assert language == words.spoken_in(environ)


@pytest.mark.parametrize(
    ("arguments", "asked", "rest"),
    [
        (["games"], None, ["games"]),
        (["--lang", "fr", "games"], "fr", ["games"]),
        (["games", "--json", "--lang=fr"], "fr", ["games", "--json"]),
        (["--lang", "fr", "games", "--lang", "en"], "en", ["games"]),
        (["games", "--lang"], "", ["games"]),
        (["check", "--", "--lang", "fr"], None, ["check", "--", "--lang", "fr"]),
    ],
)
def test_the_language_is_found_anywhere_on_the_line(arguments, asked, rest):
    assert (asked, rest) == words.split_language(arguments)


def test_the_locale_reaches_the_commands_and_the_option_outdoes_it():
    assert "Liste les jeux" in run_apart("--help", LANG="fr_FR.UTF-8").out
    assert "List the games" in run_apart("--help", "--lang", "en", LANG="fr_FR.UTF-8").out


def test_a_language_that_is_not_there_is_refused_by_the_library_too():
    with pytest.raises(ValueError, match="'de'"):
        words.speak("de")


@pytest.mark.game("tron")
def test_a_task_speaks_its_own_language():
    def said():
        with words.speaking("fr"):
            return words.language(), words.say("game.tron")

    assert contextvars.Context().run(said)[0] == "fr"
    assert words.language() == "en"
    with pytest.raises(ValueError, match="'de'"), words.speaking("de"):
        pass
