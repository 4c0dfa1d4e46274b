"""Links, paths and names in the documents exist, and these name every game, command and example."""

import ast
import re
from pathlib import Path

import pytest
from helpers import names_missing_game

from joute.core.registry import names
from joute.i18n.words import LANGUAGES

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
DOCUMENTS = sorted([*ROOT.glob("*.md"), *DOCS.glob("**/*.md")])
SHEETS = {
    name: sorted(
        path.relative_to(DOCS / name).as_posix()
        for path in (DOCS / name).glob("**/*.md")
        if path.name != "index.md"
    )
    for name in LANGUAGES
}
"""The documents of each language, by their paths in its folder, but for the list of them."""
SOURCE = ROOT / "src" / "joute"
LAYERS = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
PATH = re.compile(r"(?!\.\.?/)[\w.*-]+(/[\w.*-]+)+/?")
PLACEHOLDER = re.compile(r"(^|[/._])[A-Z]{4,}([/._]|$)")
ELSEWHERE = {
    ".venv/bin",
    "bot/string.py",
    "examples/virus/contest.results",
    "mon-virus/bot.py",
    "my-virus/bot.py",
}
"""Paths that are not in the repository."""
OTHERS = {"contest.results", "contest.toml", "contest.sqlite", "games.log", "games.A_B"}
"""Names with a dot that are not names of Python."""
WIDTH = 100
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_link_leads_somewhere(document):
    text = re.sub(r"^```.*?^```", "", document.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    links = [link for link in LINK.findall(text) if "://" not in link]
    missing = [link for link in links if not (document.parent / link).exists()]
    assert [link for link in missing if not names_missing_game(link)] == []


@pytest.mark.parametrize("game", names())
def test_every_game_has_its_sheet_in_the_list(game):
    assert (DOCS / "en" / f"{game}.md").is_file()
    assert f"({game}.md)" in (DOCS / "en" / "index.md").read_text("utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sheet_is_in_the_list_of_each_language(language):
    listed = (DOCS / language / "index.md").read_text("utf-8")
    own = {sheet for sheet in SHEETS[language] if f"({sheet})" in listed}
    others = {sheet for sheet in SHEETS["en"] if f"(../en/{sheet})" in listed}
    assert own == set(SHEETS[language])
    assert own | others == set(SHEETS["en"])
    assert own & others == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_list_of_documents_leads_to_each_language(language):
    assert f"({language}/index.md)" in (DOCS / "README.md").read_text("utf-8")


def test_every_folder_of_the_package_is_on_the_map_of_the_readme():
    readme = (ROOT / "README.md").read_text("utf-8")
    source = ROOT / "src" / "joute"
    folders = {path.relative_to(source).parts[0] for path in source.glob("*/**/*.py")}
    assert folders
    assert [each for each in sorted(folders) if f"`src/joute/{each}`" not in readme] == []


def spans(document):
    """The words in a document's code, between backticks or in blocks."""
    text = document.read_text("utf-8")
    blocks = re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    inline = re.findall(
        r"`([^`]+)`", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    )
    return [word.strip("'\",;:()[]") for each in (*blocks, *inline) for word in each.split()]


def files_and_folders():
    """The paths in the repository."""
    return [
        path.relative_to(ROOT).as_posix()
        for top in (*(path for path in ROOT.iterdir() if path.name[0] != "."), ROOT / ".ci")
        for path in (top, *top.rglob("*"))
    ]


def names_a_path(word):
    """Whether a word is the path of a file of Joute's, or of a folder, rather than a user's."""
    if not PATH.fullmatch(word) or PLACEHOLDER.search(word) or word in ELSEWHERE:
        return False
    top = word.split("/")[0]
    return top in LAYERS or word.endswith(".py") or (ROOT / top).is_dir()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_path_in_the_documents_exists(document):
    there = "\n".join(files_and_folders())
    named = {word.rstrip("/") for word in spans(document) if names_a_path(word)}
    missing = [
        word
        for word in sorted(named)
        if not re.search(
            rf"^(.*/)?{re.escape(word).replace(chr(92) + '*', '[^/]*')}$", there, re.MULTILINE
        )
    ]
    assert [word for word in missing if not names_missing_game(word)] == []


def defines(tree, names):
    """Whether a module or class defines a name, and that the next, and so on."""
    if not names:
        return True
    for node in tree.body:
        found = {getattr(node, "name", None), getattr(getattr(node, "target", None), "id", None)}
        if isinstance(node, ast.If):  # names that are imported when they are used
            found |= {each.asname for part in node.body for each in getattr(part, "names", ())}
        if isinstance(node, ast.Assign):
            found |= {getattr(each, "id", None) for each in node.targets}
        if isinstance(node, ast.ImportFrom):
            found |= {each.asname or each.name for each in node.names}
        if names[0] in found:
            return len(names) == 1 or (isinstance(node, ast.ClassDef) and defines(node, names[1:]))
    return False


def is_defined(name):
    """Whether `layer.module.name` stands for a module of Joute, or for something in one."""
    place, parts = SOURCE, name.split(".")
    while parts and (place / parts[0]).is_dir():
        place /= parts.pop(0)
    if parts and (place / f"{parts[0]}.py").is_file():
        place /= f"{parts.pop(0)}.py"
    else:
        place /= "__init__.py"
    if not place.is_file():
        return not parts and place.parent.is_dir()
    return defines(ast.parse(place.read_text("utf-8")), parts)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_name_of_python_in_the_documents_exists(document):
    names = {word.removeprefix("joute.") for word in spans(document)}
    names = {name for name in names if re.fullmatch(rf"({'|'.join(LAYERS)})(\.\w+)+", name)}
    missing = [name for name in sorted(names - OTHERS) if not is_defined(name)]
    assert [name for name in missing if not names_missing_game(name)] == []


def test_the_check_of_names_finds_those_that_are_not_there():
    assert is_defined("play.referee.play_game")
    assert is_defined("host.process.HostedBot.ask")
    assert is_defined("host.zygote")
    assert not is_defined("play.referee.play_match")
    assert not is_defined("host.process.HostedBot.answer")
    assert not is_defined("host.zygotes")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_lines_of_the_documents_are_short(document):
    text = re.sub(r"^```.*?^```", "", document.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    # scripts/reference has links lead to English documents, or no longer.
    text = re.sub(r"\]\((\.\./)+en/", "](", text)
    long = [line for line in text.splitlines() if len(line) > WIDTH and line[0] not in "|!"]
    assert long == []
