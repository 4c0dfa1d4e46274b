"""What a contest demands of the machine that hosts its bots, and what it hides from them."""

from pathlib import Path

import pytest
from contest.kept_records import records_of
from host.jailing import need_level

from joute.contest import isolation
from joute.contest.config import resolve
from joute.contest.isolation import UnsafeError, check_isolation, hidden_paths
from joute.contest.runner import run_contest
from joute.host.sandbox import Granted, Level

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
    with pytest.raises(UnsafeError, match="level 'limits', and the contest wants 'kernel' for one"):
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


def test_the_others_files_and_the_results_are_hidden(tmp_path):
    contest = contest_of(tmp_path, ["one.py", "two.py", "builtin:greedy"])
    files = [str(tmp_path / name) for name in ("one.py", "two.py")]
    assert hidden_paths(contest) == (*files, contest.folder)


def test_a_bot_that_names_a_rivals_file_cannot_read_it(tmp_path):
    need_level(Level.KERNEL)
    spying = "print(open('rival.py').read())\n" + FIRST
    contest = contest_of(tmp_path, ["spy.py", "rival.py"])
    (tmp_path / "spy.py").write_text(spying)
    run_contest(contest)
    assert len(records_of(contest)) == 2
    assert all(b"Permission denied" in record for record in records_of(contest))
