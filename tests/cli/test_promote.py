"""`joute promote`, and `joute match --sprt`: sequential tests on the command line."""

import json
import re

import pytest

from joute.contest.run import match

SMALL = ("--param", "size=3", "--workers", "1", "--seed", "1")
GREEDY, RANDOM = "builtin:greedy", "builtin:random"


@pytest.mark.game("virus")
def test_a_better_version_is_promoted(run):
    outcome = run("promote", GREEDY, RANDOM, "--game", "virus", "--sprt", "0,100", *SMALL)
    assert outcome.code == 0
    first, second, *_ = outcome.out.splitlines()
    assert first == "promote: builtin:greedy replaces builtin:random"
    assert second.startswith("H1 accepted: greedy is +100 normalized Elo or more against random")
    assert "likelihood that it is the stronger" in outcome.out
    assert "--seed 1" in outcome.out


@pytest.mark.game("virus")
def test_a_version_that_is_no_better_is_not(run):
    outcome = run("promote", RANDOM, RANDOM, "--game", "virus", "--sprt", "0,100", *SMALL)
    assert outcome.code == 1
    first, second, *_ = outcome.out.splitlines()
    assert first.startswith("keep: builtin:random stays")
    assert second.startswith("H0 accepted: random is +0 normalized Elo or less")
    assert "all pairs are alike" in outcome.out


@pytest.mark.game("virus")
def test_what_is_not_decided_is_not_promoted_either(run):
    outcome = run("promote", GREEDY, RANDOM, "--game", "virus", "--max-games", 4, *SMALL)
    assert outcome.code == 1
    assert "keep: " in outcome.out
    assert "not decided: greedy against random may be +0 normalized Elo or +50" in outcome.out
    assert "4 games" in outcome.out


@pytest.mark.game("virus")
def test_a_promotion_as_json_says_the_verdict_and_what_it_rests_on(run):
    outcome = run("promote", GREEDY, RANDOM, "--game", "virus", *SMALL, "--max-games", 8, "--json")
    assert outcome.code == 1
    found = json.loads(outcome.out)
    assert (found["verdict"], found["failures"], found["seed"]) == ("keep", [], "1")
    assert found["test"]["pairs"] == sum(found["test"]["pentanomial"]) == 4
    assert found["test"]["bots"] == ["greedy", "random"]


@pytest.mark.game("virus")
@pytest.mark.parametrize("order", [1, -1])
def test_a_version_that_cannot_be_loaded_is_told_and_not_played(run, unloadable_bot, order):
    bots = [unloadable_bot, RANDOM][::order]
    outcome = run("promote", *bots, "--game", "virus", *SMALL, "--json")
    assert (outcome.code, outcome.out) == (1, "")
    assert "broken.py cannot be loaded, so nothing was played" in outcome.err


@pytest.mark.game("virus")
def test_a_promotion_tells_the_faults_that_it_rests_on(run, failing_bot):
    bots = (RANDOM, failing_bot, "--game", "virus", *SMALL, "--max-games", 4)
    assert "failing: crash x" in run("promote", *bots).out
    lines = json.loads(run("promote", *bots, "--json").out)["standings"]
    found = {line["name"]: [each["fault"] for each in line["faults"]] for line in lines}
    assert found == {"random": [], "failing": ["crash"]}


@pytest.mark.game("virus")
def test_promotion_speaks_french(run):
    outcome = run(
        "promote", GREEDY, RANDOM, "--game", "virus", *SMALL, "--max-games", 4, "--lang", "fr"
    )
    assert "garder\u202f: builtin:random reste" in outcome.out
    assert "pas décidé" in outcome.out
    assert re.search(r"LLR -?\d,\d\d, décidé hors de \(-2,94\u202f; 2,94\)", outcome.out)
    assert re.search(r"plus fort\u202f: \d+,\d\u202f%", outcome.out)
    assert "." not in outcome.out.splitlines()[2]


@pytest.mark.game("virus")
@pytest.mark.parametrize(("bots", "code"), [((GREEDY, RANDOM), 0), ((RANDOM, GREEDY), 1)])
def test_a_match_with_a_test_tells_the_standings_and_what_was_decided(run, bots, code):
    outcome = run("match", "virus", *bots, "--sprt", "0,100", *SMALL)
    assert outcome.code == code
    for words in ("W-D-L", ("H0", "H1")[code == 0], "LLR", "decided outside (-2.94, 2.94)"):
        assert words in outcome.out
    first = bots[0].removeprefix("builtin:")
    assert f"pairs in which {first} took 0, 1/2, 1, 3/2 and 2 points" in outcome.out


@pytest.mark.game("virus")
def test_a_test_of_a_match_is_in_its_json(run):
    outcome = run("match", "virus", GREEDY, RANDOM, "--sprt", "0,100", *SMALL, "--json")
    test = json.loads(outcome.out)["test"]
    assert test["decision"] == "H1"
    assert test["llr"] >= test["bounds"][1]
    assert len(json.loads(outcome.out)["games"]) == 2 * test["pairs"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--sprt", "five"), "--sprt five: expected two numbers, as in 0,50"),
        (("--sprt", "0,50,60"), "expected two numbers"),
        (("--sprt", "50,0"), "the smaller first, got 50,0"),
        (("--sprt", "0,50", "--max-games", 7), "--max-games 7: expected an even number"),
        (("--sprt", "0,50", "--games", 8), "give --max-games"),
        (("--max-games", 8), "--max-games goes with --sprt"),
    ],
)
def test_what_cannot_be_tested_is_a_mistake_in_the_command(run, options, said):
    outcome = run("match", "virus", GREEDY, RANDOM, *options)
    assert (outcome.code, outcome.out) == (2, "")
    assert said in outcome.err


@pytest.mark.game("virus")
def test_ctrl_c_stops_a_promotion_and_shows_what_is_known(run, monkeypatch):
    played = match.run_match

    def interrupted(*arguments, **options):
        raise match.MatchInterrupted(4, 10, played(*arguments, **options))

    monkeypatch.setattr(match, "run_match", interrupted)
    command = ("promote", GREEDY, RANDOM, "--game", "virus", *SMALL, "--max-games", 4)
    outcome = run(*command)
    assert outcome.code == 3
    assert "stopped with 4 of 10" in outcome.err
    assert "2 pairs in which greedy took" in outcome.out
    assert "promote" not in outcome.out and "keep" not in outcome.out
    found = run(*command, "--json")
    assert found.code == 3
    assert json.loads(found.out)["verdict"] is None
    assert json.loads(found.out)["test"]["pairs"] == 2


@pytest.mark.game("virus")
def test_games_that_only_repeat_others_are_said_to_prove_nothing(run):
    bots = ["builtin:alphabeta?depth=2", "builtin:alphabeta?depth=1"]
    outcome = run("promote", *bots, "--game", "virus", *SMALL, "--max-games", 40)
    assert "of which 4 differ: the others repeat them" in outcome.out
    found = json.loads(run("match", "virus", *bots, *SMALL, "--games", 20, "--json").out)
    assert (len(found["games"]), found["distinct"]) == (20, 4)


@pytest.mark.game("love-letter")
def test_nothing_is_said_of_repeats_where_games_differ(run):
    few = ["--games", 6, "--workers", 1, "--seed", 1]
    outcome = run("match", "love-letter", "builtin:rules", "builtin:random", *few)
    assert "repeat" not in outcome.out
