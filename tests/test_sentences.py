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


@pytest.mark.parametrize(
    ("who", "told"),
    [("Alice", "d’Alice"), ("Éva", "d’Éva"), ("Bob", "de Bob"), ("Hope", "de Hope"), (8, "de 8")],
)
def test_de_is_elided_before_a_vowel_in_french_alone(monkeypatch, who, told):
    text = {"of": "{one} de {who}"}
    monkeypatch.setattr(words, "_loaded", {"en": text, "fr": text})
    assert words.say("of", one=1, who=who) == f"1 de {who}"
    with speaking("fr"):
        assert words.say("of", one=1, who=who) == f"1 {told}"


COUNTED = ("verify.right", "verify.wrong", "check.faults", "contest.time_up", "warm.done")


@pytest.mark.parametrize("language", words.LANGUAGES)
@pytest.mark.parametrize("key", COUNTED)
def test_one_thing_is_told_of_in_the_singular(language, key):
    values = {"count": 1, "left": 1, "faults": 1, "asked": 9, "time": "3 s"}
    with words.speaking(language):
        one, many = words.say_of(1, key, **values), words.say(key, **values)
    assert one != many


def test_a_sentence_travels_between_processes(catalogs):
    assert str(pickle.loads(pickle.dumps(Sentence("a", what=1)))) == "no 1"
