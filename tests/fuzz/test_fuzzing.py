"""The fuzzer itself: bugs that are planted in a small target are found, shrunk, kept, replayed."""

import subprocess
import sys
from pathlib import Path

import pytest
from fuzz import planted
from helpers import PATIENCE

from fuzzing import bounds, corpus
from fuzzing.hunt import Found, Hunt
from fuzzing.target import MODULES, Target
from fuzzing.trial import Bug, tried

ROOT = Path(__file__).parents[2]
TARGET = Target("planted", planted.check, planted.seeds, planted.cases, planted.CPU_SECONDS)
LONG = 3600.0  # seconds: a bug ends the hunt


def hunt(seed=1, kept=()):
    noted = []
    return Hunt(TARGET, seed, list(kept), noted.append), noted


def first_bug(monkeypatch, word, seed=1):
    monkeypatch.setenv("PLANTED", word)
    return next(hunt(seed)[0].run(LONG))


@pytest.mark.parametrize(
    ("word", "error"),
    [("crash", "ZeroDivisionError"), ("greedy", "MemoryError"), ("open", "LeftOpenError")],
)
def test_a_planted_bug_is_found_and_its_case_made_small(monkeypatch, word, error):
    found = first_bug(monkeypatch, word)
    assert found.bug.signature.startswith(f"{error} in ")
    assert word.encode() in found.case and len(found.case) < 20
    assert "Traceback" in found.bug.words


def test_a_case_that_takes_too_much_cpu_is_a_bug_and_is_ended(monkeypatch):
    monkeypatch.setenv("PLANTED", "slow")
    assert tried(TARGET, b"slow").bug.signature.startswith("SlowError in tests/fuzz/planted.py")


def test_a_case_that_waits_for_what_never_comes_is_a_bug_and_is_interrupted(monkeypatch):
    monkeypatch.setenv("PLANTED", "wait")
    monkeypatch.setattr(bounds, "WAITED", 0.2)
    assert tried(TARGET, b"wait").bug.signature.startswith("SlowError in tests/fuzz/planted.py")


def test_the_same_seed_makes_the_same_cases(monkeypatch):
    monkeypatch.setenv("PLANTED", "nothing")

    def made(seed):
        started, noted = hunt(seed)
        made = started.batch(0, float("inf"))
        assert made is None
        return noted

    assert made(1) == made(1) != made(2)


def test_a_bug_is_told_once_in_a_hunt(monkeypatch):
    monkeypatch.setenv("PLANTED", "crash")
    started, _ = hunt(kept=[b"crash", b"crash again"])
    assert [found.fresh for found in started.run(0.0)] == [False]


def test_a_right_case_that_is_refused_is_a_bug(monkeypatch):
    monkeypatch.setattr(planted, "seeds", lambda: [b"left"])
    target = TARGET._replace(seeds=planted.seeds)
    found = next(Hunt(target, 1, [], lambda case: None).run(0.0))
    assert found.bug.signature == "a right case is refused: not right"


def test_the_ways_in_which_cases_end_are_counted(monkeypatch):
    monkeypatch.setenv("PLANTED", "nothing")
    started, noted = hunt()
    assert list(started.run(0.0)) == []
    assert started.refusals == {"", "not right"} and started.cases == len(noted) > 100


def test_a_case_is_kept_under_a_name_that_tells_the_bug_and_only_once(tmp_path):
    bug = Bug("KeyError in src/a.py:f", "")
    path = corpus.keep(tmp_path, "maps", Found(b"one", bug))
    assert path.name.startswith("KeyError-in-src-a-py-f-")
    assert corpus.keep(tmp_path, "maps", Found(b"two", bug)) == path
    assert corpus.kept(tmp_path, "maps") == [b"one"]
    assert corpus.keep(tmp_path, "maps", Found(bytes(corpus.LARGEST + 1), bug)) is None


def fuzz(*words, planted="crash"):
    """The output of the command, with its exit code."""
    environment = {"PLANTED": planted, "PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}:{ROOT / 'src'}"}
    done = subprocess.run(
        [sys.executable, "-m", "fuzzing", *words], cwd=ROOT, env=environment,
        capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


def test_the_command_keeps_a_bug_and_shows_it_again(tmp_path):
    code, said = fuzz("fuzz.planted", "--minutes", "0.02", "--seed", "1", "--corpus", str(tmp_path))
    (case,) = corpus.files(tmp_path, "planted")
    assert code == 1 and "ZeroDivisionError" in said and case.name in said
    code, said = fuzz("fuzz.planted", "--case", str(case))
    assert code == 1 and said.rstrip().endswith("ZeroDivisionError: planted")
    code, said = fuzz("fuzz.planted", "--case", str(case), planted="nothing")
    assert (code, said) == (0, "refused: not right\n") or (code, said) == (0, "accepted\n")


def test_a_case_that_ends_its_process_is_kept_by_the_process_that_watches(tmp_path):
    code, said = fuzz("fuzz.planted", "--minutes", "1", "--corpus", str(tmp_path), planted="kill")
    assert code == 1 and "SIGKILL" in said
    (case,) = corpus.kept(tmp_path, "planted")
    assert b"kill" in case


def test_without_a_bug_all_is_well(tmp_path):
    words = ("--minutes", "0.01", "--corpus", str(tmp_path))
    code, said = fuzz("fuzz.planted", *words, planted="nothing")
    assert code == 0 and said.splitlines()[-1].startswith("fuzz.planted")


def test_an_unknown_target_is_refused_with_those_there_are():
    code, said = fuzz("no-such-target")
    assert code == 2 and "no-such-target" in said and all(name in said for name in MODULES)
