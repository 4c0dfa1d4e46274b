"""The pages on the five documents are fresh, and every place that they name is there."""

import ast
import shlex

import pytest
from documents.statements import (
    COMMAND,
    DOCS,
    NOWHERE,
    PAGES,
    ROOT,
    TEST,
    data,
    documents,
    headings,
    numbers,
    rows,
)

from joute.cli.commands import build
from joute.core.registry import names
from joute.i18n.words import LANGUAGES

GAMES = ["paradise", "tron", "vampires", "virus", "love-letter"]
pytestmark = [pytest.mark.game(name) for name in GAMES]


def places():
    """Every place of both pages, once."""
    found = [row for key in documents() for row in (*rows(key), *numbers(key))]
    return sorted({place for row in found for place in row.places} - {NOWHERE})


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_are_fresh(page, language):
    assert (DOCS / language / page).read_text("utf-8") == PAGES[page](language), (
        "run scripts/reference"
    )


def test_there_is_a_document_for_each_of_the_five_games():
    assert documents() == GAMES == list(data()["numbers"])
    assert set(GAMES) <= set(names())


@pytest.mark.parametrize("key", GAMES)
def test_every_row_is_said_in_both_languages(key):
    for row in (*rows(key), *numbers(key)):
        assert all(row.said.values()) and len({bool(each) for each in row.more.values()}) == 1


@pytest.mark.parametrize("key", GAMES)
def test_a_row_without_a_place_says_what_is_missing(key):
    for row in rows(key):
        assert row.places or row.more["en"]
    for row in numbers(key):
        assert (row.places == [NOWHERE]) == (row.more["en"] == "not measured")


def test_every_document_that_is_named_has_its_heading():
    for place in places():
        if not place.startswith((TEST, COMMAND)):
            name, _, heading = place.partition("#")
            english, *others = (headings(DOCS / each / name) for each in LANGUAGES)
            assert not heading or heading in english, place
            assert [len(each) for each in others] == [len(english)], place


def test_every_test_that_is_named_is_there():
    for place in places():
        if place.startswith(TEST):
            path, _, name = place.removeprefix(TEST).partition("::")
            tree = ast.parse((ROOT / path).read_text("utf-8"))
            tests = [each.name for each in tree.body if isinstance(each, ast.FunctionDef)]
            assert name in tests if name else any(each.startswith("test_") for each in tests), place


def test_every_command_that_is_named_is_there_with_its_options():
    tree = build()
    for place in places():
        if place.startswith(COMMAND):
            _, *arguments = shlex.split(place.removeprefix(COMMAND))
            command = tree
            while hasattr(command, "commands"):
                command = command.commands[arguments.pop(0)]
            known = {option for each in command.params for option in each.opts}
            assert {each for each in arguments if each.startswith("--")} <= known, place


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_have_a_row_for_each_statement_and_number(language):
    for page, told in (("statements.md", rows), ("measured.md", numbers)):
        lines = [
            line
            for line in (DOCS / language / page).read_text("utf-8").splitlines()
            if line.startswith("| ")
        ]
        assert len(lines) == sum(1 + len(told(key)) for key in documents())
    assert set(data()["words"]["en"]) == set(data()["words"][language])
