"""`joute paradise`: the original command line of the contest, at ours."""

import json
import shutil
import zipfile
from pathlib import Path

import pytest
from games.paradise.dueling import PASSING, duel, plies, settle

from joute.games.paradise import commands as paradise
from joute.games.paradise import duel as duels
from joute.games.paradise.duel import bot_of
from joute.play.record import read_record


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    settle(tmp_path)


# Games.


def test_games_are_told_and_summed_up(run):
    outcome = duel(run, "builtin:greedy", "builtin:random", "--n-games", 3)
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    assert [line.partition(", turn")[0] for line in lines[:3]] == [
        f"game {number}: agent 1 (greedy) wins" for number in (1, 2, 3)
    ]
    assert lines[3:] == [
        "agent 1 (greedy): 3 won",
        "agent 2 (random): 0 won",
        "3 games; the same deals again: --seed s",
    ]


def test_agent_1_begins_every_game_and_the_deals_differ(run):
    assert (
        duel(run, "builtin:face", "builtin:greedy", "--n-games", 2, "--records", "kept").code == 0
    )
    first, second = plies("kept/1.jsonl"), plies("kept/2.jsonl")
    assert [next(who for who, _ in game if who is not None) for game in (first, second)] == [0, 0]
    assert first[:7] != second[:7]
    assert run("verify", "kept").code == 0
    header = read_record(Path("kept/1.jsonl").read_bytes()).header
    assert header["parameters"] == {"quirks": True}


def test_a_seed_gives_the_same_games_as_data(run):
    asked = ("builtin:face", "builtin:curve", "--n-games", 2, "--json")
    one, two = (json.loads(duel(run, *asked).out) for _ in range(2))
    assert one == two
    assert (one["agents"], one["seed"]) == (["face", "curve"], "s")
    assert [sorted(game) for game in one["games"]] == 2 * [
        ["ending", "faults", "health", "number", "returns", "turns", "winner"]
    ]
    for game in one["games"]:
        assert game["returns"][game["winner"] - 1] == 1.0
        assert game["health"][game["winner"] - 1] > 0


def test_both_lose_where_a_turn_begins_after_a_suicide(run):
    """At 2 health agent 1 shoots its own hero; then agent 2 loses its last 2 by its empty deck."""
    Path("passing.py").write_text(PASSING, encoding="utf-8")
    outcome = duel(run, "passing", "passing", "--debug", "--seed", "b")
    assert outcome.out.splitlines() == [
        "told [False]",
        "told [False]",
        "game 1: both agents lose after 57 turns",
        "agent 1 (passing): 0 won",
        "agent 2 (passing): 0 won",
        "lost by both: 1",
        "1 game; the same deals again: --seed b",
    ]


def test_it_speaks_french(run):
    outcome = duel(run, "builtin:greedy", "builtin:random", "--lang", "fr")
    assert outcome.out.startswith("partie 1\u202f: agent 1 (greedy) gagne, tour ")


# Modules.


@pytest.mark.parametrize(
    ("module", "bot"),
    [
        ("face", "paradise:face.py"),
        ("face.py", "paradise:face.py"),
        ("./face", "paradise:face.py"),
        ("team", "paradise:team"),
        ("team.agent", "paradise:team"),
        ("team/agent.py", "paradise:team"),
        ("team.late", "paradise:team/late.py"),
        ("packed", "paradise:packed.zip"),
        ("human", "human"),
        ("builtin:greedy", "builtin:greedy"),
        ("function:face.py", "function:face.py"),
        ("nobody.agent", "nobody.agent"),
    ],
)
def test_a_module_is_found_by_its_name_or_its_path(module, bot):
    with zipfile.ZipFile("packed.zip", "w"):
        assert bot_of(module) == bot


def test_a_folder_that_is_no_agent_does_not_hide_the_file_of_its_name():
    Path("face").mkdir()
    assert bot_of("face") == "paradise:face.py"


@pytest.mark.parametrize("module", ["nobody.agent", "builtin:nobody", "function:nobody.py"])
def test_what_is_no_agent_is_refused(run, module):
    outcome = duel(run, module, "builtin:random")
    assert (outcome.code, outcome.out) == (2, "")
    assert "nobody" in outcome.err


@pytest.mark.parametrize("debug", [[], ["--debug"]])
def test_a_zip_and_a_folder_play(run, debug):
    shutil.make_archive("packed", "zip", ".", "team")
    outcome = duel(run, "packed", "team", *debug)
    assert outcome.code == 0
    assert "(packed)" in outcome.out


# People.


def test_a_person_types_actions_after_the_state(run, monkeypatch):
    typed = iter(["no", "1, 99", "(4, None)"])
    asked = []

    def answer(prompt):
        asked.append(prompt)
        return next(typed, "4")

    monkeypatch.setattr("builtins.input", answer)
    outcome = duel(run, "human", "builtin:face")
    assert outcome.code == 0
    assert outcome.out.startswith("{'player_hand': [{")
    assert "'n_opponent_hand': 4}\n0 power - 1, i minion - " in outcome.out
    assert outcome.out.count("0 power - 1, i minion") == 1
    assert "'no' is no action: expected one like 1, 0 or 3, (1, 0) or 4\n" in outcome.out
    assert "1, 99 cannot be played now\n" in outcome.out
    assert set(asked) == {"agent 1: action, arguments> "}
    assert "agent 2 (face) wins" in outcome.out


def test_a_person_leaves_at_the_end_of_the_input(run, monkeypatch):
    def nobody(prompt):
        raise EOFError

    monkeypatch.setattr("builtins.input", nobody)
    outcome = duel(run, "builtin:face", "human", "--n-games", 2)
    assert outcome.code == 3
    assert outcome.err == "joute: stopped with 0 of 2 games played\n"


def test_as_many_games_as_make_sense(run):
    assert paradise.MODULE in run("paradise", "--help").out
    assert duel(run, "builtin:face", "builtin:face", "--n-games", 0).code == 2
    assert run("paradise", "--agent1", "builtin:face").code == 2


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_new_project_in_the_contests_format_is_short_and_plays(run, language):
    asked = ("--game", "paradise", "--style", "paradise", "--lang", language)
    made = run("new", "mine", *asked)
    assert made.code == 0
    assert "joute check mine/bot.py --game paradise" in made.out
    text = Path("mine/bot.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 25
    assert duel(run, "mine", "builtin:face", "--debug").code == 0


@pytest.mark.game("virus")
def test_other_games_have_no_project_in_that_format(run):
    outcome = run("new", "mine", "--style", "paradise")
    assert outcome.code == 2
    assert "'paradise': expected one of function, hx2" in outcome.err


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_what_was_played_is_summed_up_where_it_is_stopped(run, monkeypatch, form):
    played = duels.play_duel

    def play(pair, number, seed):
        if number == 3:
            raise KeyboardInterrupt
        return played(pair, number, seed)

    monkeypatch.setattr(duels, "play_duel", play)
    words = ("--agent1", "builtin:face", "--agent2", "builtin:random", "--n-games", 5)
    outcome = run("paradise", *words, *form)
    assert (outcome.code, outcome.err) == (3, "joute: stopped with 2 of 5 games played\n")
    if form:
        assert len(json.loads(outcome.out)["games"]) == 2
    else:
        assert "2 games; the same deals again" in outcome.out
