from games.doubted import objections

from joute.core.registry import make
from joute.i18n.words import catalog


def test_an_illegal_action_is_told_with_the_rule_that_it_breaks():
    found = objections(make("paradise"), 40)
    rules = {key for key in catalog("en") if key.startswith("error.paradise.illegal.")}
    # A full board is rare among random players; a test of its own makes one.
    assert rules - found.keys() <= {"error.paradise.illegal.full"}
    assert found["error.paradise.illegal.prey"].endswith(" needs an enemy minion")
    assert "mana; you have " in found["error.paradise.illegal.mana"]


def test_with_quirks_a_spell_at_one_s_own_hero_breaks_no_rule():
    assert "error.paradise.illegal.own" not in objections(make("paradise", quirks=True), 10)
