"""Properties of games are of the types, and in the ranges, that everything relies on."""

import numpy as np
import pytest
from games.kuhn import Kuhn
from games.samples import samples
from helpers import games_forgotten
from library.little import Little
from library.planted import RULES

from joute.cli.main import main
from joute.core import registry
from joute.core.errors import GameError
from joute.core.facts import fault_of_facts, fault_of_name
from joute.core.interface import properties
from joute.i18n.words import speaking

FACTS = properties(Kuhn())
NAME = "small letters a to z, digits and hyphens, a hyphen not first"
WRONG = [
    ("max_actions", 10**12, "at most 2147483647, as actions have 32 bits, got 1000000000000"),
    ("max_legal", 2**24 + 1, "at most 16777216, as they are listed, got 16777217"),
    ("name", None, f"{NAME}, got None"),
    ("name", 3, f"{NAME}, got 3"),
    ("name", " ", f"{NAME}, got ' '"),
    ("name", "Hex du café", f"{NAME}, got 'Hex du café'"),
    ("name", "hex\n", f"{NAME}, got 'hex\\n'"),
    ("name", "-hex", f"{NAME}, got '-hex'"),
    ("players", 2.0, "a whole number, got 2.0"),
    ("players", "2", "a whole number, got '2'"),
    ("players", 0, "a whole number of at least 1, got 0"),
    ("simultaneous", "no", "True or False, got 'no'"),
    ("chance", 1, "True or False, got 1"),
    ("hidden_information", None, "True or False, got None"),
    ("zero_sum", None, "True or False, got None"),
    ("max_actions", True, "a whole number, got True"),
    ("max_legal", 2.5, "a whole number, got 2.5"),
    ("max_outcomes", None, "a whole number, got None"),
    ("max_outcomes", -1, "a whole number of at least 0, got -1"),
    ("max_plies", 1e3, "a whole number, got 1000.0"),
    ("lowest_return", "x", "a finite number, got 'x'"),
    ("lowest_return", -float("inf"), "a finite number, got -inf"),
    ("highest_return", float("nan"), "a finite number, got nan"),
    ("highest_return", -3, "a number of at least lowest_return, got -3"),
    ("version", "a", "a whole number, got 'a'"),
    ("opening_plies", 2, "two whole numbers from 0 on, the second at least the first, got 2"),
    ("opening_plies", (4, 2), "the second at least the first, got (4, 2)"),
    ("opening_plies", (1, 2, 3), "the second at least the first, got (1, 2, 3)"),
    ("opening_plies", (20, 30), "fewer plies than max_plies, got (20, 30)"),
    ("opening_plies", (0, 5), "fewer plies than max_plies, got (0, 5)"),
]


@pytest.mark.parametrize(("name", "value", "words"), WRONG)
def test_a_property_of_a_wrong_type_or_out_of_range_is_told_by_its_name(name, value, words):
    wrong = FACTS._replace(**{name: value})
    with speaking("en"):
        told = str(fault_of_facts(wrong))
    assert told.startswith(f"properties: {name}: expected ") and told.endswith(words)
    assert (fault_of_name(wrong) is not None) == (name == "name")


@pytest.mark.parametrize("found", [None, FACTS._asdict(), "kuhn"])
def test_anything_but_properties_is_told_by_its_type(found):
    with speaking("en"):
        told = str(fault_of_facts(found))
    assert told == f"properties gives {type(found).__name__}: expected Properties"


def test_an_opening_may_leave_a_single_ply():
    assert fault_of_facts(FACTS._replace(opening_plies=(0, FACTS.max_plies - 1))) is None


def test_the_properties_of_our_games_are_as_they_should_be():
    games = [game for each in samples().values() for game in each.QUICK]
    for game in [*games, Little()]:
        assert fault_of_facts(properties(game)) is None


def test_numbers_and_truths_of_numpy_will_do():
    numbers = {
        name: np.array(value)[()]
        for name, value in FACTS._asdict().items()
        if isinstance(value, bool | int | float)
    }
    assert len(numbers) == 12
    assert fault_of_facts(FACTS._replace(**numbers)) is None


@pytest.mark.parametrize("name", ["None", "3", "''", "'Hex du café'"])
def test_a_file_whose_game_has_no_name_or_a_wrong_one_is_refused_in_a_sentence(
    name, tmp_path, capsys
):
    path = tmp_path / "little.py"
    path.write_text(RULES.replace('name="little"', f"name={name}"), "utf-8")
    with games_forgotten():
        assert main(["game", "check", str(path), "--lang", "en"]) == 2
    told = capsys.readouterr().err
    assert len(told.splitlines()) == 1
    assert f"{path} cannot be imported: properties: name: expected {NAME}, got" in told


def test_a_card_with_a_wrong_name_is_refused_in_a_sentence(tmp_path, capsys):
    card = "from joute.core.card import Card\n\nCARD = Card(name='Café', rules='.rules:Little')\n"
    (tmp_path / "__init__.py").write_text(card, "utf-8")
    with games_forgotten():
        assert main(["match", str(tmp_path), "random", "random", "--lang", "en"]) == 2
    told = capsys.readouterr().err
    assert len(told.splitlines()) == 1
    assert f"__init__.py cannot be imported: name: expected {NAME}, got 'Café'" in told


def test_a_file_that_gives_no_properties_is_refused_in_a_sentence(tmp_path, capsys):
    path = tmp_path / "little.py"
    path.write_text(RULES.replace("return Properties(", "return dict("), "utf-8")
    with games_forgotten():
        assert main(["game", "check", str(path), "--lang", "en"]) == 2
    assert "properties gives dict: expected Properties" in capsys.readouterr().err


def test_a_game_with_a_wrong_property_is_not_made(tmp_path):
    path = tmp_path / "little.py"
    path.write_text(RULES.replace("max_plies=7", "max_plies=7.0"), "utf-8")
    told = r"max_plies: expected a whole number, got 7\.0"
    with games_forgotten(), speaking("en"), pytest.raises(GameError, match=told):
        registry.make(str(path))
