"""The reference of the library is that of its docstrings, and names every public name."""

from pathlib import Path

from library.reference import PLACE, reference

import joute
import joute.search
from joute.interop import data


def test_the_reference_is_fresh():
    assert PLACE.read_text("utf-8") == reference(), "run scripts/reference"


def test_every_public_name_has_its_entry():
    named = [f"`joute.{name}`" for name in joute._PUBLIC]
    named += [f"`joute.search.{name}`" for name in joute.search.__all__]
    text = PLACE.read_text("utf-8")
    assert [name for name in named if f"### {name}" not in text] == []


def test_every_name_for_other_libraries_has_its_entry():
    text = PLACE.read_text("utf-8")
    modules = {each.stem for each in Path(joute.interop.__path__[0]).glob("*.py")}
    for name in modules - {"__init__", "packages", "replaying", "table"}:
        assert f"### `joute.interop.{name}`" in text
    named = [f"### `joute.interop.data.{name}`" for name in data.__all__ if name != "Source"]
    assert [each for each in named if each not in text] == []


def test_every_entry_says_something():
    entries = reference().split("\n### ")[1:]
    assert len(entries) > 20
    assert [each for each in entries if len(each.split("```")[-1].strip()) < 20] == []
