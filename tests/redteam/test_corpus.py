"""The corpus as such: complete, described, documented."""

import ast
import re
from pathlib import Path

import pytest

from joute.host.sandbox import Level
from joute.i18n.words import LANGUAGES
from joute.redteam.corpus import corpus, programs
from joute.redteam.submissions import SUBMISSIONS
from joute.redteam.targets import Targets

DOCS = Path(__file__).parents[2] / "docs"
ROW = re.compile(r"^\| `(\w+)` \| `(limits|kernel)` \| .+ \|$", re.MULTILINE)


def sheet(language: str) -> str:
    return (DOCS / language / "redteam.md").read_text(encoding="utf-8")


def test_every_program_among_the_attacks_is_in_the_corpus_once():
    names = [attack.name for attack in corpus()]
    assert len(names) == len(set(names))
    assert programs().keys() == set(names) - SUBMISSIONS.keys()


@pytest.mark.parametrize("attack", corpus(), ids=lambda attack: attack.name)
def test_an_attack_says_what_it_tries_in_its_program_and_on_the_sheet(attack):
    assert attack.tries().endswith(".")
    row = f"| `{attack.name}` | `{attack.since}` | {' '.join(attack.tries().split())} |"
    assert row in sheet("en").splitlines()


def test_the_sheets_of_all_languages_have_the_same_attacks_in_the_same_order():
    told = [(attack.name, str(attack.since)) for attack in corpus()]
    for language in LANGUAGES:
        assert sorted(ROW.findall(sheet(language))) == sorted(told)
        assert ROW.findall(sheet(language)) == ROW.findall(sheet("en"))


@pytest.mark.parametrize("attack", corpus(), ids=lambda attack: attack.name)
def test_the_program_of_an_attack_needs_nothing_but_the_standard_library(attack):
    if attack.staging != "submission":
        program = ast.parse(attack.program())
        names = [node.module for node in ast.walk(program) if isinstance(node, ast.ImportFrom)]
        assert names == []
        compile(program, attack.name, "exec")


def test_nothing_is_promised_only_by_the_highest_level():
    assert {attack.since for attack in corpus()} == {Level.LIMITS, Level.KERNEL}


@pytest.mark.parametrize("name", SUBMISSIONS)
def test_a_hostile_submission_is_small_and_stays_in_its_folder(name, tmp_path):
    with Targets(tmp_path) as targets:
        bot = Path(SUBMISSIONS[name](targets.own, targets.aim()))
        assert bot.is_relative_to(targets.own)
        files = [
            path for path in targets.own.rglob("*") if path.is_file() and not path.is_symlink()
        ]
        assert sum(path.stat().st_size for path in files) < 4 << 20
        assert [proof for proof in targets.traces() if proof.kind != "made"] == []
