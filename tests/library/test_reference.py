"""The reference of the library is that of its docstrings, and names every public name."""

import re
from pathlib import Path

import pytest
from library.reference import complaints, documented, hashed, main, place, reference, texts

import joute
import joute.search
from joute.i18n.words import LANGUAGES
from joute.interop import data

ARGUMENT = re.compile(r"^    (\w+)\s?: ", re.MULTILINE)
BLOCK = re.compile(r"^ *```python\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"\s+#.*$", re.MULTILINE)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_reference_is_fresh(language):
    assert place(language).read_text("utf-8") == reference(language), "run scripts/reference"


def test_every_docstring_has_its_text_in_other_languages_and_there_is_no_other_text():
    found = complaints(texts(), documented())
    assert found == [], "\n".join(found)


def test_a_docstring_that_is_new_changed_or_gone_is_told_with_its_name_and_hash():
    told = {"joute.kept": {"of": hashed("Kept.")}, "joute.old": {"of": hashed("Old.")}}
    told["joute.gone"] = {"of": hashed("Gone.")}
    docstrings = {"joute.kept": "Kept.", "joute.old": "Other.", "joute.new": "New."}
    changed = "The docstring of joute.old has changed: correct its text in api.toml, then write"
    assert complaints(told, docstrings) == [
        f'{changed} of = "{hashed("Other.")}"',
        f'joute.new is documented and has no text in api.toml; of = "{hashed("New.")}"',
        "joute.gone has a text in api.toml and is not documented",
    ]


def test_a_docstring_whose_lines_are_broken_otherwise_is_the_same():
    assert hashed("One\ntwo\n\nthree.") == hashed("One two\n\nthree.")


def test_the_reference_is_not_written_in_other_languages_while_a_text_is_missing(
    tmp_path, monkeypatch
):
    monkeypatch.setattr("library.reference.DOCS", tmp_path)
    monkeypatch.setattr("library.reference.texts", dict)
    (tmp_path / "en").mkdir()
    with pytest.raises(SystemExit, match=r"joute\.games is documented and has no text"):
        main()
    assert [path.name for path in tmp_path.iterdir()] == ["en"]


def test_every_text_is_there_in_each_language_and_names_the_same_arguments():
    docstrings = documented()
    for name, entry in texts().items():
        assert set(entry) == {"of", *LANGUAGES} - {"en"}, name
        for language in set(LANGUAGES) - {"en"}:
            assert ARGUMENT.findall(entry[language]) == ARGUMENT.findall(docstrings[name]), name


def test_all_languages_of_the_reference_show_the_same_code():
    found = {
        language: [COMMENT.sub("", block) for block in BLOCK.findall(reference(language))]
        for language in LANGUAGES
    }
    assert len(found["en"]) > 20
    assert all(blocks == found["en"] for blocks in found.values())


def test_every_public_name_has_its_entry():
    named = [f"`joute.{name}`" for name in joute._PUBLIC]
    named += [f"`joute.search.{name}`" for name in joute.search.__all__]
    text = place("en").read_text("utf-8")
    assert [name for name in named if f"### {name}" not in text] == []


def test_every_name_for_other_libraries_has_its_entry():
    text = place("en").read_text("utf-8")
    modules = {each.stem for each in Path(joute.interop.__path__[0]).glob("*.py")}
    for name in modules - {"__init__", "packages", "replaying", "table"}:
        assert f"### `joute.interop.{name}`" in text
    named = [f"### `joute.interop.data.{name}`" for name in data.__all__ if name != "Source"]
    assert [each for each in named if each not in text] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_entry_says_something(language):
    entries = reference(language).split("\n### ")[1:]
    assert len(entries) > 20
    assert [each for each in entries if len(each.split("```")[-1].strip()) < 20] == []
