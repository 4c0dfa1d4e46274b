"""Links, paths and names in the documents exist, and these name every game, command and example."""

import re
from pathlib import Path

import pytest
from helpers import names_missing_game

from joute.core.registry import names

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_leads_somewhere(document):
    links = [link for link in LINK.findall(document.read_text("utf-8")) if "://" not in link]
    missing = [link for link in links if not (document.parent / link).exists()]
    assert [link for link in missing if not names_missing_game(link)] == []


@pytest.mark.parametrize("game", names())
def test_every_game_has_its_sheet_in_the_list(game):
    assert (ROOT / "docs" / f"{game}.md").is_file()
    assert f"({game}.md)" in (ROOT / "docs" / "README.md").read_text("utf-8")


@pytest.mark.parametrize("path", sorted((ROOT / "docs").glob("*.md")), ids=lambda path: path.name)
def test_every_sheet_is_in_the_list(path):
    listed = (ROOT / "docs" / "README.md").read_text("utf-8")
    assert path.name == "README.md" or f"({path.name})" in listed


def test_every_folder_of_the_package_is_on_the_map_of_the_readme():
    readme = (ROOT / "README.md").read_text("utf-8")
    source = ROOT / "src" / "joute"
    folders = {path.relative_to(source).parts[0] for path in source.glob("*/**/*.py")}
    assert folders
    assert [each for each in sorted(folders) if f"`src/joute/{each}`" not in readme] == []
