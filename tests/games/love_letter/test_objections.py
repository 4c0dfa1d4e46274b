from games.doubted import objections

from joute.core.registry import make
from joute.i18n.words import catalog


def test_an_illegal_action_is_told_with_the_rule_that_it_breaks():
    found = objections(make("love-letter", players=4), 60)
    rules = {key for key in catalog("en") if key.startswith("error.love-letter.illegal.")}
    assert found.keys() == rules
    countess = found["error.love-letter.illegal.countess"]
    assert countess.startswith("with the Countess in the hand, ")
    assert "is not in the hand, which holds" in found["error.love-letter.illegal.hand"]
    assert "is protected by a Handmaid" in found["error.love-letter.illegal.protected"]


def test_the_rules_of_the_classic_deck_are_told_too():
    found = objections(make("love-letter", deck="classic"), 20)
    assert "error.love-letter.illegal.choice" not in found
    assert "error.love-letter.illegal.hand" in found
