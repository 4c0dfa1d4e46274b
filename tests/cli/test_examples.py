"""`joute examples`: the files that come with Joute, where they can be run and changed."""

from pathlib import Path

import pytest

from joute import files
from joute.cli import examples
from joute.files import shipped

ROOT = Path(__file__).parents[2]


def contents(folder):
    """The bytes of each file of a folder that is no leaving of a contest or of Python."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not any(part.endswith(examples.LEFT) for part in path.parts)
    }


def test_all_examples_are_copied_and_the_first_contest_is_named(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(examples, "usual", lambda: "games")
    (tmp_path / "examples").mkdir()
    outcome = run("examples")
    copied = contents(tmp_path / "examples")
    assert copied == contents(ROOT / "examples")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out == f"examples: {len(copied)} files\n"


@pytest.mark.game("virus")
def test_the_next_command_is_told(run, tmp_path):
    outcome = run("examples", tmp_path / "mine")
    assert f"next: joute contest run {tmp_path}/mine/virus/contest.toml" in outcome.out


def test_what_a_contest_left_is_not_copied(run, tmp_path, monkeypatch):
    source = tmp_path / "source"
    for name in ("a/bot.py", "a/contest.results/one", "a/contest.export/two", "a/bot.pyc"):
        files.put(source / name, "x")
    monkeypatch.setattr(examples, "shipped", lambda name: source)
    assert run("examples", tmp_path / "mine").code == 0
    assert [*contents(tmp_path / "mine")] == ["a/bot.py"]


@pytest.mark.parametrize("taken", ["file", "full folder"])
def test_nothing_is_written_where_something_is(run, tmp_path, taken):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    outcome = run("examples", tmp_path / {"file": "full/file", "full folder": "full"}[taken])
    assert outcome.code == 2 and "not an empty folder" in outcome.err
    assert [*(tmp_path / "full").iterdir()] == [tmp_path / "full" / "file"]


def test_folders_are_found_in_a_package_first_and_their_lack_is_told(tmp_path, monkeypatch):
    assert shipped("examples") == ROOT / "examples"
    monkeypatch.setattr(files, "__file__", str(tmp_path / "lib" / "joute" / "files.py"))
    with pytest.raises(FileNotFoundError, match="shipped/docs"):
        shipped("docs")
    (tmp_path / "docs").mkdir()
    assert shipped("docs") == tmp_path / "docs"
    inside = tmp_path / "lib" / "joute" / "shipped" / "docs"
    inside.mkdir(parents=True)
    assert shipped("docs") == inside
