"""Results are read where the bots' files are gone, by what the store knows of these."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from joute.contest.config.config import resolve
from joute.contest.contents import contents_of, gone_bots
from joute.contest.decisions import contest_at, decide
from joute.contest.errors import FolderError
from joute.contest.report.audit import audit
from joute.contest.report.report import read_report
from joute.contest.report.summary import summary
from joute.contest.run.runner import run_contest
from joute.contest.sealing import broken_seal, draw_seed, seal_contest
from joute.host.names import BotError
from joute.store.model import WITHDRAWN
from joute.store.store import Store

pytestmark = pytest.mark.game("virus")

CUP = """
bots = ["bots/*.py", "builtin:random"]
[contest]
games = 2
workers = 1
[game]
size = 4
"""
BOT = "def play(observation, clock):\n    return observation['legal'][%d]\n"


def cup(folder: Path) -> Path:
    """The file of a contest between two bots of their own files and a built-in one."""
    (folder / "bots").mkdir(parents=True)
    for name, choice in (("ada", 0), ("bob", -1)):
        (folder / "bots" / f"{name}.py").write_text(BOT % choice)
    (folder / "cup.toml").write_text(CUP)
    return folder / "cup.toml"


@pytest.fixture(name="results", scope="module")
def _results(tmp_path_factory) -> Path:
    """The results of a contest, in a folder where nothing else is."""
    file = cup(tmp_path_factory.mktemp("played") / "here")
    run_contest(resolve(file), trust=True)
    copy = tmp_path_factory.mktemp("kept") / "cup.results"
    shutil.copytree(file.with_suffix(".results"), copy)
    shutil.rmtree(file.parent)
    return copy


def test_results_are_read_from_their_folder_alone(results):
    contest = contest_at(results)
    assert gone_bots(contest) == ["ada", "bob"]
    assert (summary(contest).done, summary(contest).left) == (6, 0)
    assert len(read_report(contest).games) == 6
    found = audit(contest)
    assert (found.counting, found.versions, found.differences) == (6, [], [])


def test_playing_on_and_deciding_need_the_files_of_the_bots(results):
    contest = contest_at(results)
    with pytest.raises(BotError, match=r"ada\.py"):
        run_contest(contest, trust=True)
    with pytest.raises(BotError, match=r"ada\.py"):
        decide(contest, WITHDRAWN, "ada", "late", "me")


def test_of_a_bot_whose_file_is_there_the_file_counts(tmp_path):
    file = cup(tmp_path / "here")
    run_contest(resolve(file), trust=True)
    (file.parent / "bots" / "ada.py").unlink()
    (file.parent / "bots" / "bob.py").write_text(BOT % 1)
    contest = contest_at(file.with_suffix(".results"))
    assert gone_bots(contest) == ["ada"]
    assert (summary(contest).done, summary(contest).left) == (2, 4)


@pytest.mark.parametrize("noted", [None, {}])
def test_files_that_are_gone_and_were_not_noted_are_missed(results, tmp_path, noted):
    folder = shutil.copytree(results, tmp_path / "cup.results")
    contest = contest_at(folder)
    other = msgspec.structs.replace(contest, folder=str(tmp_path / "other.results"))
    Path(other.folder).mkdir()
    with Store.in_file(Path(other.folder, "contest.sqlite")) as store:
        store.keep_configuration("{}", "", noted)
    with pytest.raises(BotError, match=r"ada\.py"):
        summary(other)


def test_a_damaged_note_of_the_files_is_told(results, tmp_path):
    folder = shutil.copytree(results, tmp_path / "cup.results")
    with closing(sqlite3.connect(folder / "contest.sqlite")) as base, base:
        base.execute("UPDATE contest SET contents = '[1]'")
    with pytest.raises(FolderError, match="contents"):
        summary(contest_at(folder))


def test_a_seal_is_not_broken_by_files_that_are_gone(tmp_path):
    file = cup(tmp_path / "here")
    seal_contest(resolve(file))
    draw_seed(resolve(file), "1 2 3 4 5")
    run_contest(resolve(file), trust=True)
    sealed = contents_of(resolve(file))
    shutil.rmtree(file.parent / "bots")
    contest = contest_at(file.with_suffix(".results"))
    assert len(sealed) == 3 and broken_seal(contest) is None
