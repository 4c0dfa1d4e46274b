"""The matches of champions: what is typed, and what is made of what comes back."""

import pytest

from bench import champions
from bench.champions import (
    CLAIMS,
    TRIALS,
    Claim,
    MatchFailedError,
    Trial,
    claim_row,
    command,
    hurried,
    played,
    rows,
    trial_row,
)
from joute.core.registry import names


def test_every_game_has_matches_and_a_trial():
    assert {claim.game for claim in CLAIMS} == {trial.game for trial in TRIALS} >= set(names())


def test_a_match_gives_both_the_same_time():
    line = command(Claim("virus", ("alphabeta?evaluation=hand",), 1, 2, 20))
    assert line[3:5] == [
        "builtin:champion?seconds=0.1", "builtin:alphabeta?evaluation=hand&seconds=0.1",
    ]  # fmt: skip


def test_a_champion_with_more_time_than_the_other_may_take_all_of_it():
    line = command(Claim("vampires", ("champion",), 65, 65, 20, seconds=1.6))
    assert line[3:5] == ["builtin:champion?seconds=1.6", "builtin:champion?seconds=0.1"]
    assert line[line.index("--move-seconds") + 1] == "3.2"


def test_the_time_of_a_champion_with_more_is_told(monkeypatch):
    found = {"games": 20, "score": 0.7, "interval": [0.5, 0.9], "won": 14, "faults": []}
    monkeypatch.setattr(champions, "played", lambda line: found)
    row = claim_row(Claim("vampires", ("champion",), 65, 65, 20, seconds=1.6))
    assert row.name == "vampires, 1.6 s a turn against champion"
    assert row.met


@pytest.mark.game("love-letter", "paradise")
def test_the_share_of_games_that_a_champion_wins_is_a_row(monkeypatch):
    asked = []
    found = {"games": 40, "score": 0.9, "interval": [0.8, 0.95], "won": 12, "faults": []}
    monkeypatch.setattr(champions, "played", lambda line: asked.append(line) or found)
    row = claim_row(Claim("paradise", ("greedy",), 80, 93, 40))
    assert (row.value, row.against, row.met) == (90, "[80.0, 95.0] of 40 games", False)
    among = claim_row(Claim("love-letter", ("rules",) * 3, 29, 29, 40, ("--param", "players=4")))
    assert among.name == "love-letter, players=4 against rules, rules, rules"
    assert (among.value, among.met) == (30, True)  # rounds, not points
    assert [line[-5] for line in asked] == ["40", "40"]


def test_faults_are_counted(monkeypatch):
    found = {
        "games": 10_000,
        "faults": [{"fault": "timeout", "count": 2}, {"fault": "crash", "count": 1}],
    }
    monkeypatch.setattr(champions, "played", lambda line: found)
    row = trial_row(Trial("virus", "greedy"))
    assert (row.value, row.met, row.against) == (3, False, "10000 games")


def test_a_game_is_measured_alone(monkeypatch):
    monkeypatch.setattr(champions, "claim_row", lambda claim: claim.game)
    monkeypatch.setattr(champions, "trial_row", lambda trial: trial.game)
    assert set(rows("tron")) == {"tron"}
    assert set(rows()) == {claim.game for claim in CLAIMS}


@pytest.mark.game("love-letter")
def test_a_match_is_played_by_its_command():
    trial = hurried(Trial("love-letter", "random"))
    fewer = {"10000": "2", "builtin:champion": "builtin:rules"}
    line = [fewer.get(part, part) for part in trial]
    found = played(line)
    assert (found["name"], found["games"]) == ("rules", 2)


def test_a_match_that_cannot_be_played_is_an_error():
    with pytest.raises(MatchFailedError, match="exit code 2"):
        played(["joute", "match", "chess", "builtin:champion"])
