"""Names that are made of others."""

from joute.text import LONGEST_SLUG, free_name, slug


def test_a_name_is_numbered_from_two_if_it_is_taken():
    taken = {"ann", "ann 2"}
    assert free_name("bob", taken.__contains__) == "bob"
    assert free_name("ann", taken.__contains__) == "ann 3"
    assert free_name("ann", taken.__contains__, "-") == "ann-2"


def test_a_slug_has_small_letters_digits_and_hyphens_alone():
    assert slug("  Été 2026: Finale!") == "ete-2026-finale"
    assert slug("a" * 50) == "a" * LONGEST_SLUG
    assert slug("\N{SNOWMAN}") == ""
