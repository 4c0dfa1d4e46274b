"""`joute mistakes`: the decisions that lost most, found where they were planted."""

import json
from pathlib import Path

import pytest
from cli.apart import run_apart

from joute.play import mistakes as judging

FOUR = Path(__file__).parents[2] / "examples" / "games" / "connect_four.py"
JUDGE = ("--by", "builtin:alphabeta?depth=5", "--game", FOUR)
SCRIPTED = """
MOVES = {moves}

def play(observation, clock):
    legal = observation["legal"]
    return next((MOVES.pop(0) for _ in MOVES[:1] if MOVES[0] in legal), legal[0])
"""
FIRST = [0, 0, 0, 5]
"""Three in the first column; then another one, though the fourth would win."""
SECOND = [1, 1, 6, 0]
"""Another column, though the first is about to be won; then the first."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the record of a game of two blunders."""
    made = tmp_path_factory.mktemp("mistakes")
    for name, moves in (("ada", FIRST), ("zoé", SECOND)):
        (made / f"{name}.py").write_text(SCRIPTED.format(moves=moves))
    seats = [made / "ada.py", made / "zoé.py"]
    outcome = run_apart("play", FOUR, *seats, "--plain", "--record", made / "game.jsonl")
    assert outcome.code == 0, outcome.err
    return made


@pytest.fixture
def judged(run, folder):
    """Runs the command on the record and reads its JSON."""

    def judge(*words):
        return json.loads(run("mistakes", folder / "game.jsonl", *JUDGE, "--json", *words).out)

    return judge


def test_blunders_are_found_with_what_would_have_been_better(judged):
    found = {each["ply"]: each for each in judged()["mistakes"]}
    assert (found[6]["bot"], found[6]["played"], found[6]["better"]) == ("zoé", "6", "0")
    assert (found[7]["bot"], found[7]["played"], found[7]["better"]) == ("ada", "5", "0")
    assert found[6]["after"] < -0.9 and found[7]["before"] > 0.9
    assert found[7]["loss"] == found[7]["before"] - found[7]["after"] > 0.5


def test_the_decisions_of_one_bot_are_judged_alone(judged):
    both, hers = judged(), judged("--bot", "ada")
    assert {each["bot"] for each in hers["mistakes"]} == {"ada"}
    assert 0 < hers["decisions"] < both["decisions"]
    for typed in ("zoé", "zoe\u0301"):
        assert {each["bot"] for each in judged("--bot", typed)["mistakes"]} == {"zoé"}


def test_what_loses_little_is_left_out(judged):
    assert all(each["loss"] >= 0.9 for each in judged("--least", "0.9")["mistakes"])


def test_the_worst_is_shown_first_with_the_command_that_explains_it(run, folder):
    path = folder / "game.jsonl"
    outcome = run("mistakes", path, *JUDGE, "--lines", "1")
    assert outcome.code == 0
    worst = json.loads(run("mistakes", path, *JUDGE, "--json").out)["mistakes"][0]
    assert f"Next: joute explain {worst['explain']}" in outcome.out
    explained = run("explain", worst["explain"], "--game", FOUR, "--bot", "builtin:alphabeta")
    assert f"Played in the record: {worst['played']}" in explained.out


def test_a_judge_that_expects_nothing_says_how_many_decisions_were_not_judged(run, folder):
    outcome = run("mistakes", folder / "game.jsonl", "--by", "builtin:random", "--game", FOUR)
    assert outcome.code == 0
    assert "were not judged" in outcome.out


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_what_was_judged_is_told_where_it_is_stopped(run, folder, tmp_path, monkeypatch, form):
    for name in ("one.jsonl", "two.jsonl"):
        (tmp_path / name).write_bytes((folder / "game.jsonl").read_bytes())
    judged = judging.mistakes

    def judge(record, *rest):
        if asked:
            raise KeyboardInterrupt
        asked.append(record)
        return judged(record, *rest)

    asked = []
    monkeypatch.setattr(judging, "mistakes", judge)
    outcome = run("mistakes", tmp_path, *JUDGE, *form)
    assert (outcome.code, outcome.err) == (3, "joute: stopped with 1 of 2 games judged\n")
    if form:
        assert json.loads(outcome.out)["mistakes"]
    else:
        assert "1 of 2 games, judged by builtin:alphabeta" in outcome.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--bot", "carl"], "carl played none of these games"),
        (["--by", "ada.py"], "only a built-in bot judges"),
        (["--by", "builtin:nobody"], "no built-in bot 'nobody'"),
    ],
)
def test_what_cannot_be_judged_is_told(run, folder, monkeypatch, words, said):
    monkeypatch.chdir(folder)
    outcome = run("mistakes", "game.jsonl", "--game", FOUR, *words)
    assert outcome.code == 2
    assert said in outcome.err


def test_a_folder_without_records_is_told(run, tmp_path):
    outcome = run("mistakes", tmp_path)
    assert (outcome.code, "no record" in outcome.err) == (2, True)


@pytest.mark.game("love-letter")
def test_a_game_of_three_is_not_judged(run, tmp_path):
    path = tmp_path / "game.jsonl"
    seats = ["builtin:random"] * 3
    run("play", "love-letter", *seats, "--param", "players=3", "--plain", "--record", path)
    outcome = run("mistakes", path)
    assert outcome.code == 2
    assert "games of one or two players" in outcome.err


@pytest.mark.full  # what they judge by is compiled
@pytest.mark.parametrize(
    ("game", "bot", "judge"),
    [
        pytest.param("virus", "greedy", "alphabeta?nodes=50", marks=pytest.mark.game("virus")),
        pytest.param("tron", "greedy", "ismcts?simulations=50", marks=pytest.mark.game("tron")),
        pytest.param(
            "paradise", "greedy", "ismcts?simulations=50", marks=pytest.mark.game("paradise")
        ),
        pytest.param(
            "vampires", "nearest", "expectimax?nodes=50", marks=pytest.mark.game("vampires")
        ),
        pytest.param(
            "love-letter", "rules", "ismcts?simulations=50", marks=pytest.mark.game("love-letter")
        ),
    ],
)
def test_every_game_is_judged_turn_by_turn(run, tmp_path, game, bot, judge):
    path = tmp_path / "game.jsonl"
    run("play", game, f"builtin:{bot}", "builtin:random", "--plain", "--record", path)
    outcome = run("mistakes", path, "--by", f"builtin:{judge}", "--json")
    found = json.loads(outcome.out)
    assert found["decisions"] > found["unjudged"] >= 0
    assert all(-1 <= each["after"] <= each["before"] <= 1 for each in found["mistakes"])


def test_a_file_that_is_no_record_is_told_with_its_path(run, tmp_path):
    path = tmp_path / "game.jsonl"
    path.write_text("{}\n")
    outcome = run("mistakes", path)
    assert outcome.code == 1
    assert str(path) in outcome.err
