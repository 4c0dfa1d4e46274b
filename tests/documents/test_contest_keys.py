"""The reference of a contest's file has every key that the program reads, and is up to date."""

import pytest
from documents.contest_keys import STRUCTS, document, keys, meanings, place

from joute.i18n.words import LANGUAGES
from joute.play.game import usual_costs

pytestmark = pytest.mark.game("virus")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_reference_of_the_contest_file_is_fresh(language):
    assert place(language).read_text("utf-8") == document(language), "run scripts/reference"


def test_every_key_has_its_meaning_in_each_language_and_no_other():
    found = keys()
    told = meanings()
    assert set(told) == set(STRUCTS)
    for table, entries in told.items():
        faults = set(usual_costs("virus")) if table == "faults" else set()
        assert set(entries) == set(found[table]) - faults
        for entry in entries.values():
            assert set(LANGUAGES) <= set(entry) <= {*LANGUAGES, "usual"}
            assert set(entry.get("usual", LANGUAGES)) == set(LANGUAGES)
