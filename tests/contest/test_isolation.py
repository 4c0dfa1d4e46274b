"""The demands of a contest on the machine that hosts its bots, and what it hides from them."""

import shutil
from pathlib import Path

import pytest
from contest.kept_records import records_of
from host.jailing import need_level
from msgspec import structs

from joute.contest.config.config import resolve
from joute.contest.run import isolation
from joute.contest.run.isolation import UnsafeError, check_isolation, hidden_paths
from joute.contest.run.runner import run_contest
from joute.host.sandbox import Granted, Level

pytestmark = pytest.mark.game("virus")

FIRST = "def play(observation, clock):\n    return observation['legal'][0]\n"


def contest_of(folder, bots, limits=""):
    for name in bots:
        if name.endswith(".py"):
            (folder / name).write_text(FIRST)
    tables = f"[contest]\ngames = 2\nworkers = 1\n[limits]\n{limits}\n[game]\nsize = 3\n"
    (folder / "contest.toml").write_text(f"bots = {list(bots)}\n{tables}".replace("'", '"'))
    return resolve(folder / "contest.toml")


@pytest.fixture
def grant(monkeypatch):
    """Makes the machine grant a level."""
    return lambda level: monkeypatch.setattr(isolation, "granted", lambda: Granted(level, ()))


def test_bots_of_others_are_not_played_below_the_jail(tmp_path, grant):
    grant(Level.LIMITS)
    contest = contest_of(tmp_path, ["one.py", "builtin:greedy"])
    with pytest.raises(
        UnsafeError, match="level 'limits', and the contest wants 'kernel' for: one"
    ):
        run_contest(contest)
    assert not Path(contest.folder).exists()


def test_bots_that_are_trusted_are_played_all_the_same(tmp_path, grant):
    grant(Level.LIMITS)
    assert run_contest(contest_of(tmp_path, ["one.py", "builtin:greedy"]), trust=True).played == 2


def test_built_in_bots_need_no_jail(tmp_path, grant):
    grant(Level.NONE)
    check_isolation(contest_of(tmp_path, ["builtin:random", "builtin:greedy"]))


def test_a_contest_may_ask_for_everything(tmp_path, grant):
    grant(Level.KERNEL)
    check_isolation(contest_of(tmp_path, ["one.py", "builtin:greedy"]))
    with pytest.raises(UnsafeError, match="wants 'full'"):
        check_isolation(contest_of(tmp_path, ["one.py", "builtin:greedy"], "isolation = 'full'"))


def test_the_others_files_the_files_of_contests_and_all_results_are_hidden(tmp_path):
    (tmp_path / "other.results").mkdir()
    (tmp_path / "other.results" / "contest.sqlite").touch()
    (tmp_path / "elsewhere.results").mkdir()
    (tmp_path / "elsewhere.results" / "store").touch()
    (tmp_path / "cup.toml").touch()
    contest = contest_of(tmp_path, ["one.py", "two.py", "builtin:greedy"])
    contest = structs.replace(contest, store=f"sqlite:///{tmp_path}/data/cup.sqlite")
    names = ["one.py", "two.py", "contest.results", "contest.toml", "cup.toml"]
    names += ["other.results", "elsewhere.results", "data/cup.sqlite", "data/cup.sqlite-wal"]
    hidden = hidden_paths(contest)
    assert {str(tmp_path / name) for name in names} <= set(hidden)
    assert str(tmp_path) not in hidden


SEEKING = """
import os  # contest.toml
def play(observation, clock):
    seen = []
    for where, _, names in os.walk(os.path.dirname(os.path.abspath(__file__))):
        for name in names:
            try:
                seen.append(open(os.path.join(where, name), errors="replace").read())
            except OSError:
                pass
    said = "found the seed" if "a" * 30 in "".join(seen) else "nothing"
    return {"action": observation["legal"][0], "message": said}
"""
"""A bot that reads all that lies around it; its text names "contest.toml", too."""


@pytest.mark.parametrize("bot", [".", "bot.py"])
def test_no_bot_finds_the_contests_file_not_even_one_whose_folder_holds_it(tmp_path, bot):
    need_level(Level.KERNEL)
    (tmp_path / "bot.py").write_text(SEEKING)
    text = f"bots = ['{bot}', 'builtin:greedy']\n"
    text += f"[contest]\ngames = 2\nworkers = 1\nseed = '{'a' * 30}'\n[game]\nsize = 3\n"
    (tmp_path / "contest.toml").write_text(text.replace("'", '"'))
    contest = resolve(tmp_path / "contest.toml")
    run_contest(contest)
    assert len(records_of(contest)) == 2
    assert all(b"nothing" in record for record in records_of(contest))
    assert not any(b"found the seed" in record for record in records_of(contest))


def test_joute_can_be_imported_only_where_the_contest_allows_it(tmp_path):
    need_level(Level.KERNEL)
    importing = "from joute.core.registry import make\n" + FIRST
    for allowed in ("", "import_joute = true"):
        contest = contest_of(tmp_path, ["one.py", "builtin:greedy"], allowed)
        (tmp_path / "one.py").write_text(importing)
        run_contest(contest)
        found = [b"No module named" in record for record in records_of(contest)]
        assert found == [not allowed] * 2
        shutil.rmtree(contest.folder)


def test_a_bot_that_names_a_rivals_file_cannot_read_it(tmp_path):
    need_level(Level.KERNEL)
    spying = "print(open('rival.py').read())\n" + FIRST
    contest = contest_of(tmp_path, ["spy.py", "rival.py"])
    (tmp_path / "spy.py").write_text(spying)
    run_contest(contest)
    assert len(records_of(contest)) == 2
    assert all(b"No such file" in record for record in records_of(contest))
