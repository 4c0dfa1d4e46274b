"""Sentences that are worded when they are read."""

import pickle

import pytest

from joute.i18n import words
from joute.i18n.words import Sentence, speaking


@pytest.fixture
def catalogs(monkeypatch):
    monkeypatch.setattr(
        words,
        "_loaded",
        {
            "en": {"a": "no {what}", "b": "{name!r}: {why}"},
            "fr": {"a": "aucun {what}", "b": "« {name} » : {why}"},
        },
    )


def test_an_error_is_worded_in_the_language_of_who_reads_it(catalogs):
    error = ValueError(Sentence("b", name="x", why=ValueError(Sentence("a", what="map"))))
    assert str(error) == "'x': no map"
    with speaking("fr"):
        assert str(error) == "« x » : aucun map"


def test_a_sentence_travels_between_processes(catalogs):
    assert str(pickle.loads(pickle.dumps(Sentence("a", what=1)))) == "no 1"
