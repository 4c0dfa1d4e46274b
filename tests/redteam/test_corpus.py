"""The corpus as such: complete, described, documented."""

from pathlib import Path

import pytest

from joute.host.sandbox import Level
from joute.redteam.corpus import ATTACKS, corpus
from joute.redteam.room import Room
from joute.redteam.submissions import SUBMISSIONS

SHEET = Path(__file__).parents[2] / "docs" / "redteam.md"


def test_every_program_among_the_attacks_is_in_the_corpus_once():
    names = [attack.name for attack in corpus()]
    assert len(names) == len(set(names))
    assert {path.stem for path in ATTACKS.glob("*.py")} == set(names) - SUBMISSIONS.keys()


@pytest.mark.parametrize("attack", corpus(), ids=lambda attack: attack.name)
def test_an_attack_says_what_it_tries_in_its_program_and_on_the_sheet(attack):
    assert attack.tries().endswith(".")
    assert f"`{attack.name}`" in SHEET.read_text(encoding="utf-8")


def test_nothing_is_promised_only_by_the_highest_level():
    assert {attack.since for attack in corpus()} == {Level.LIMITS, Level.KERNEL}


@pytest.mark.parametrize("name", SUBMISSIONS)
def test_a_hostile_submission_is_small_and_stays_in_its_folder(name, tmp_path):
    with Room(tmp_path) as room:
        bot = Path(SUBMISSIONS[name](room.own, room.aim()))
        assert bot.is_relative_to(room.own)
        files = [path for path in room.own.rglob("*") if path.is_file() and not path.is_symlink()]
        assert sum(path.stat().st_size for path in files) < 4 << 20
        assert [proof for proof in room.traces() if proof.kind != "made"] == []
