"""The code of documents: the program takes every command, and languages show the same code."""

import re
import shlex
import tomllib
from itertools import takewhile

import pytest
from documents.shown import SHEETS, blocks, essence, shown, spoken
from helpers import names_missing_game
from typer import Exit, TyperException

from docs.site.build import DOCS
from joute.bots import maker_of
from joute.cli.commands import build
from joute.core.maps import shipped
from joute.core.registry import cards
from joute.host.names import parse_bot
from joute.i18n.words import LANGUAGES
from joute.play.game import HX2_COSTS

DOCUMENTS = [
    DOCS.parent / "README.md",
    *(shown(language, name) for language in LANGUAGES for name in [*SHEETS, "index.md"]),
]
DOCUMENTS = [path for path in DOCUMENTS if path.is_file()]
every_game = pytest.mark.game("love-letter", "paradise", "tron", "vampires", "virus")
every_document = pytest.mark.parametrize(
    "path", DOCUMENTS, ids=lambda path: f"{path.parts[-2]}-{path.stem}"
)
OPTIONAL = re.compile(r"[\[\]]|(?<=\w)\.\.\.$")
SALT = "joute seal 1"
"""Of the hash of a seal, no command."""
LACKS = {"MissingParameter", "BadOptionUsage"}
"""Errors of a command that is named in the text without what it needs."""
BUILTIN = re.compile(r"builtin:[a-z][\w-]*(?:\?[^\s`\"'|,;)]+)?")
MAP = re.compile(r"--map ([a-z][\w-]*)(?![\w./])")
KEYS = {
    table: set(keys)
    for table, keys in tomllib.loads((DOCS / "contest-keys.toml").read_text("utf-8")).items()
}
KEYS["faults"] |= HX2_COSTS.keys()
MENTIONED = {"COMMAND", "COMMANDE", "--help", ""}
VALUES = {
    "N": "1",
    "NUMBER": "1",
    "PLY": "1",
    "WIDTH": "11",
    "HEIGHT": "9",
    "HOUSES": "8",
    "PORT": "5555",
}
"""Numbers in the place of words that stand for them."""


@pytest.mark.parametrize("name", SHEETS)
def test_both_languages_of_a_document_show_the_same_code(name):
    found = {
        language: [(kind, essence(kind, text)) for kind, text in blocks(shown(language, name))]
        for language in LANGUAGES
    }
    assert found["fr"] == found["en"]


@pytest.fixture(scope="module")
def tree():
    """All commands of the program."""
    return build()


def read(tree, words):
    """Have the program read a command line, without running it."""
    context = tree.make_context("joute", words)
    while below := getattr(context.command, "commands", None):
        rest = [*context._protected_args, *context.args]
        if not rest:
            return
        if names_missing_game(rest[0]):
            return
        assert rest[0] in below
        context = below[rest[0]].make_context(rest[0], rest[1:], parent=context)


@every_document
def test_the_program_takes_every_command_of_a_document(path, tree, monkeypatch):
    monkeypatch.setattr("joute.core.registry.named", str)  # files of games are not there
    for line, whole in spoken(path):
        if shlex.join(line) == SALT:
            continue
        words = [OPTIONAL.sub("", word) for word in takewhile(lambda word: word != ">", line[1:])]
        words = [VALUES.get(word, word) for word in words if word not in MENTIONED]
        try:
            read(tree, words or ["--help"])
        except Exit:
            assert words == []
        except TyperException as error:
            lacks = type(error).__name__ in LACKS and not whole
            assert lacks, f"{shlex.join(line)}: {error.format_message()}"


def suits(value, usual):
    """Whether a text stands for a value of the kind of the usual one."""
    try:
        return type(usual)(value) is not None
    except ValueError:
        return False


@every_game
@every_document
def test_every_built_in_bot_of_a_document_is_one_with_such_options(path):
    for text in BUILTIN.findall(path.read_text("utf-8")):
        bot = parse_bot(text.rstrip(".:"))
        own = [card.load(card.bots[bot.name]) for card in cards() if bot.name in card.bots]
        if bot.name == "champion":  # of any game
            own += [card.load(card.champion).make for card in cards() if card.champion]
        known = [maker.__kwdefaults__ or {} for maker in [*own, maker_of(bot.name)]]
        assert any(
            all(key in usual and suits(value, usual[key]) for key, value in bot.options.items())
            for usual in known
        ), text


@every_game
@every_document
def test_every_map_that_a_command_of_a_document_names_comes_with_a_game(path):
    known = {name for card in cards() for name in shipped(card.name)}
    assert set(MAP.findall(path.read_text("utf-8"))) <= known


@every_document
def test_every_key_of_a_contest_in_a_document_is_one(path):
    for kind, text in blocks(path):
        for table, found in tomllib.loads(text).items() if kind == "toml" else ():
            for each in found if isinstance(found, list) else [found]:
                if table in KEYS and isinstance(each, dict):
                    assert each.keys() <= KEYS[table], table


@every_document
def test_every_program_of_python_in_a_document_compiles(path):
    for kind, text in blocks(path):
        if kind in ("python", "py"):
            compile(text, path.name, "exec")


@pytest.mark.game("virus")
def test_the_program_of_the_document_on_learning_prints_a_command(monkeypatch, capsys):
    monkeypatch.chdir(DOCS.parent)
    [program] = [text for kind, text in blocks(shown("en", "learning.md")) if kind == "python"]
    exec(compile(program, "learning.md", "exec"), {})
    assert "joute learn virus" in capsys.readouterr().out
