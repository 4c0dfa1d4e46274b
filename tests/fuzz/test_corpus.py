"""Cases that once failed, and right ones, tried on each target again."""

import pytest

from fuzzing import corpus
from fuzzing.target import MODULES, load
from fuzzing.trial import tried

SLOW = ("api", "commands", "process", "sockets")  # that start a server or processes
SEEDS = 12  # of a target that are tried, from its first to its last

ALL = ("love-letter", "paradise", "tron", "vampires", "virus")
NEEDED = {
    "archives": (),
    "frames": ("vampires",),
    "maps": ("tron", "vampires"),
    "process": (),
    "toml": ("paradise", "vampires", "virus"),
}
"""The games that a target needs, where it does not need all."""


def each(*slow):
    """All targets, each with the games that it needs; those that are slow with their marks."""
    return [
        pytest.param(
            name,
            marks=[pytest.mark.game(*NEEDED.get(name, ALL)), *(slow if name in SLOW else ())],
        )
        for name in sorted(MODULES)
    ]


@pytest.mark.parametrize("name", each())
def test_a_target_has_what_the_fuzzer_needs(name):
    assert load(name).name == name


@pytest.mark.parametrize("name", each(pytest.mark.full))
def test_right_cases_are_accepted_and_those_that_failed_end_as_they_should(name):
    target = load(name)
    seeds = target.seeds()
    for case in seeds[:: max(1, len(seeds) // SEEDS)]:
        ended = tried(target, case)
        assert ended.bug is None, ended.bug.words
        assert not ended.refusal, (ended.refusal, case)
    for file in corpus.files(corpus.FOLDER, name):
        ended = tried(target, file.read_bytes())
        assert ended.bug is None, f"{file}: {ended.bug.words}"


def test_the_corpus_is_small_and_each_folder_of_it_is_of_a_target():
    folders = [folder for folder in corpus.FOLDER.iterdir() if folder.is_dir()]
    assert {folder.name for folder in folders} <= set(MODULES)
    for folder in folders:
        for file in folder.iterdir():
            assert file.stat().st_size <= corpus.LARGEST, file
