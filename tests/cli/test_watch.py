"""A bot checked and played again at each save."""

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from joute.cli import watch as watching
from joute.cli.watch import files_of
from joute.contest.run.coordinator import Failure
from joute.contest.run.match import MatchInterrupted
from joute.host.names import parse_bot

pytestmark = pytest.mark.game("virus")

FIRST = "def play(observation, clock):\n    return observation['legal'][0]\n"


@pytest.fixture
def saves(monkeypatch):
    """Lets each pause between two looks at the files do the next of these; then Ctrl-C comes."""
    steps = []

    def pause():
        if not steps:
            raise KeyboardInterrupt
        steps.pop(0)()

    monkeypatch.setattr(watching, "_pause", pause)
    return steps


def nothing():
    """A pause in which nothing happens."""


def saving(path, text):
    return lambda: Path(path).write_text(text)


def test_a_bot_is_checked_and_plays_again_at_each_save_until_ctrl_c(run, tmp_path, saves):
    mine = tmp_path / "mine.py"
    mine.write_text(FIRST)
    saves += [nothing, saving(mine, FIRST + "\n# changed\n"), nothing, nothing]
    outcome = run("watch", mine, "--param", "size=3", "--games", 2)
    assert outcome.code == 3
    assert outcome.out.count("check: all is fine; worst ") == 2
    first, second = (line for line in outcome.out.splitlines() if "builtin:greedy: " in line)
    assert first == second
    assert "% [" in first
    assert outcome.out.count("(waiting for a change") == 2
    assert outcome.err.endswith("joute: interrupted\n")


def test_an_error_in_the_bot_is_told_and_ends_nothing(run, tmp_path, saves):
    mine = tmp_path / "mine.py"
    mine.write_text(FIRST)
    saves += [saving(mine, "def play(:"), nothing, mine.unlink, nothing, saving(mine, FIRST)]
    saves += [nothing]
    outcome = run("watch", mine, "--param", "size=3", "--games", 0, "--lang", "fr")
    assert outcome.code == 3
    assert outcome.out.count("tout va bien") == 2
    assert "SyntaxError" in outcome.out
    assert "pas de fichier ni de dossier" in outcome.out
    assert "match contre" not in outcome.out


def test_faults_in_the_match_are_counted(run, tmp_path, saves):
    mine = tmp_path / "mine.py"
    mine.write_text("def play(observation, clock): return 999")
    outcome = run("watch", mine, "--param", "size=3", "--games", 2)
    assert "failed   games: " in outcome.out
    assert "illegal action in the match: " in outcome.out
    assert max(map(len, outcome.out.split("failed"))) < 3000


def test_a_game_that_is_not_played_says_why(run, tmp_path, saves, monkeypatch):
    unplayed = Failure(("mine", "greedy"), "0", "the files of mine have changed")
    result = SimpleNamespace(failures=[unplayed], games=[])
    monkeypatch.setattr("joute.contest.run.match.run_match", lambda *_: result)
    mine = tmp_path / "mine.py"
    mine.write_text(FIRST)
    outcome = run("watch", mine, "--param", "size=3")
    assert "a game was not played: the files of mine have changed" in outcome.out
    assert "match against" not in outcome.out


def test_a_match_that_is_stopped_ends_it(run, tmp_path, saves, monkeypatch):
    def stopped(*_):
        raise MatchInterrupted(0, 2, None)

    monkeypatch.setattr("joute.contest.run.match.run_match", stopped)
    mine = tmp_path / "mine.py"
    mine.write_text(FIRST)
    outcome = run("watch", mine, "--param", "size=3")
    assert outcome.code == 3
    assert "waiting" not in outcome.out


def test_a_bot_that_is_not_there_is_refused_at_once(run, tmp_path):
    assert run("watch", tmp_path / "absent.py").code == 2


def test_the_files_of_a_folder_are_watched_but_hidden_ones_and_caches(tmp_path):
    left_out = (".hidden", "__pycache__/bot.pyc", "cup.results/lock")
    for name in ("bot.py", "weights.bin", "deep/table.json", *left_out):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(FIRST)
    found = files_of(parse_bot(str(tmp_path)))
    names = sorted(path.relative_to(tmp_path).as_posix() for path in found)
    assert names == ["bot.py", "deep/table.json", "weights.bin"]
    os.utime(tmp_path / "bot.py", (1, 1))
    assert files_of(parse_bot(str(tmp_path))) != found


def test_beside_a_bot_of_one_file_sources_are_watched(tmp_path):
    for name in ("mine.py", "helper.py", "contest.toml", "games.log", "sub/more.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(FIRST)
    found = files_of(parse_bot(str(tmp_path / "mine.py")))
    assert sorted(path.name for path in found) == ["contest.toml", "helper.py", "mine.py"]
    assert files_of(parse_bot("builtin:greedy")) == {}
