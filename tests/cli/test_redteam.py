import json

import pytest

from joute.cli import redteam
from joute.redteam.judge import AttackProof, AttackVerdict

STOPPED = AttackVerdict(
    attack="tcp_out",
    level="kernel",
    succeeded=False,
    stopped_by="seccomp, referee (crash)",
    promised=True,
    proofs=[],
)


def verdict(**changes):
    return AttackVerdict(**{name: changes.get(name, getattr(STOPPED, name)) for name in FIELDS})


FIELDS = STOPPED.__struct_fields__
SUCCESS = {
    "succeeded": True,
    "stopped_by": "",
    "proofs": [AttackProof("secret"), AttackProof("made", "x")],
}


@pytest.fixture
def found(monkeypatch):
    """The verdicts that the command gets."""
    given = []
    monkeypatch.setattr(redteam, "_run", lambda attacks, levels: given)
    return given


def test_the_table_says_by_level_what_stopped_each_attack(run, found):
    found += [verdict(level="limits", promised=False, **SUCCESS), STOPPED]
    outcome = run("redteam", "--level", "kernel", "--level", "limits")
    assert outcome.code == 0
    assert "attack    limits      kernel" in outcome.out
    assert "tcp_out   SUCCEEDED   seccomp, referee (crash)" in outcome.out
    assert "1 of 2 attempts stopped; 0 not" in outcome.out


def test_a_broken_promise_fails_and_is_explained(run, found):
    found.append(verdict(**SUCCESS))
    outcome = run("redteam", "--level", "kernel")
    assert outcome.code == 1
    assert "tcp_out at kernel: it has read a secret; x was made" in outcome.out


def test_an_attack_that_did_not_start_fails(run, found):
    found.append(verdict(succeeded=None, stopped_by="start", proofs=[AttackProof("start", "no x")]))
    outcome = run("redteam", "--level", "kernel", "--lang", "fr")
    assert outcome.code == 1
    assert "n’a pas démarré, et rien n’a été essayé\u202f: no x" in outcome.out


def test_levels_that_are_not_granted_are_shown_as_such(run, found):
    found.append(verdict(succeeded=None, stopped_by="level"))
    outcome = run("redteam", "--level", "kernel")
    assert outcome.code == 0
    assert "not available" in outcome.out
    assert "joute doctor" in outcome.out


def test_as_json_it_is_a_list_of_verdicts(run, found):
    found += [STOPPED, verdict(**SUCCESS)]
    outcome = run("redteam", "--json")
    assert outcome.code == 1
    first, second = json.loads(outcome.out)
    assert first == {
        "attack": "tcp_out",
        "level": "kernel",
        "succeeded": False,
        "stopped_by": "seccomp, referee (crash)",
        "proofs": [],
    }
    assert second["proofs"] == ["secret", "made x"]


@pytest.mark.parametrize("arguments", [("--level", "none"), ("--attack", "tcp")])
def test_what_is_not_known_is_refused(run, arguments):
    outcome = run("redteam", *arguments)
    assert outcome.code == 2
    assert "expected one of" in outcome.err


def test_elsewhere_than_on_linux_it_says_why_not(run, monkeypatch):
    monkeypatch.setattr("sys.platform", "darwin")
    outcome = run("redteam")
    assert outcome.code == 1
    assert "this needs Linux" in outcome.err


def test_one_attack_is_run(run):
    outcome = run("redteam", "--level", "limits", "--attack", "read_neighbour")
    assert outcome.code == 0
    assert "read_neighbour   SUCCEEDED" in outcome.out
