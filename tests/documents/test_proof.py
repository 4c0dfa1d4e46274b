"""The example of the document on what is proved: its seed is that of its seal and public value."""

import re
from pathlib import Path

import pytest

from joute.contest.seal import sealed_seed
from joute.i18n.words import LANGUAGES

DOCS = Path(__file__).parents[2] / "docs"
DRAWN = re.compile(
    r'--value "(?P<value>[^"]+)"\n\S+\s?: (?P<seal>[\w-]+)\s?; .*: (?P<seed>[0-9a-f]+)\.\.\.'
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_seed_of_the_example_is_that_of_its_seal_and_value(language):
    found = DRAWN.search((DOCS / language / "proof.md").read_text("utf-8"))
    assert found
    assert sealed_seed(found["seal"], found["value"]).startswith(found["seed"])
