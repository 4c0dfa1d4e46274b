"""Standings as they are printed: of bots that meet, of bots alone, on several maps."""

import json

import pytest

from joute.host.sandbox import Level, applied

pytestmark = pytest.mark.game("tron")

ALONE = """
bots = ["builtin:random", "still.py"]
[contest]
games = 2
workers = 1
[game]
name = "tron"
players = 1
maps = ["room", "spiral"]
"""


@pytest.fixture
def alone(tmp_path):
    (tmp_path / "still.py").write_text("def play(observation, clock):\n    return 0\n")
    path = tmp_path / "alone.toml"
    path.write_text(ALONE, encoding="utf-8")
    return path


def test_bots_alone_are_ranked_by_their_mean_with_those_of_each_map(run, alone):
    outcome = run("contest", "run", alone)
    assert outcome.code == 0
    assert "joute:" not in outcome.err  # of a slow machine, how far it was
    lines = [line.split() for line in outcome.out.splitlines()]
    for column in ("rank", "mean [95%]", "best", "games", "ms per turn", "faults"):
        assert column in outcome.out
    assert ["bot", "room", "spiral"] in lines
    ranked = [line for line in lines if line[:2] in (["1", "random"], ["2", "still"])]
    assert len(ranked) == 2
    assert "8 games played, 0 left" in run("contest", "standings", alone).out
    assert "moyenne [95\u202f%]" in run("contest", "standings", alone, "--lang", "fr").out
    data = json.loads(run("contest", "standings", alone, "--json").out)
    assert set(data["standings"][0]["by_map"]) == {"room", "spiral"}


def test_standings_are_shown_of_the_folder_of_results_as_of_the_file(run, alone):
    run("contest", "run", alone)
    shown = run("contest", "standings", alone.with_suffix(".results"))
    assert (shown.code, shown.err) == (0, "")
    assert shown.out == run("contest", "standings", alone).out


def test_the_standings_say_how_bots_were_held_and_what_no_limit_counts(run, alone):
    outcome = run("contest", "run", alone, "--trust-bots")
    assert f"Isolation: {applied(Level.KERNEL)} (still)." in outcome.out
    assert "Memory is limited for each process of a bot" in outcome.out
    french = run("contest", "standings", alone, "--lang", "fr").out
    assert "La mémoire est limitée pour chaque processus d’un bot" in french


def test_games_that_never_vary_are_said_to_be_the_same(run, alone):
    run("contest", "run", alone)
    [told] = [
        line for line in run("contest", "standings", alone).out.splitlines() if " 2   " in line
    ]
    assert "(always the same)" in told


def test_standings_before_any_game_hold_no_number(run, alone):
    outcome = run("contest", "standings", alone)
    assert "random" in outcome.out
    assert "0 games played, 8 left" in outcome.out
    assert "spiral" not in outcome.out


def test_show_prints_the_names_of_maps_and_not_their_texts(run, alone):
    outcome = run("contest", "show", alone)
    assert ["game.maps", '["room",', '"spiral"]', "the", "file"] in [
        line.split() for line in outcome.out.splitlines()
    ]
    assert "#####" not in outcome.out
    data = json.loads(run("contest", "show", alone, "--json").out)
    assert {"key": "game.maps", "value": ["room", "spiral"], "origin": "file"} in data["keys"]


def test_a_match_of_three_is_played_on_the_map_that_is_named(run):
    outcome = run("match", "tron", *["builtin:random"] * 3, "--map", "square", "--workers", 1)
    assert outcome.code == 0
    assert "random 3" in outcome.out
    maps = ["--map", "duel", "--map", "hourglass"]
    data = json.loads(run("match", "tron", *["builtin:random"] * 2, *maps, "--json").out)
    assert {game["map"] for game in data["games"]} == {"duel", "hourglass"}
    assert set(data["standings"][0]["by_map"]) == {"duel", "hourglass"}


def test_a_match_of_one_is_its_score(run):
    outcome = run("match", "tron", "builtin:random", "--map", "room", "--games", 3, "--workers", 1)
    assert outcome.code == 0
    assert "mean [95%]" in outcome.out
    assert "3 games in " in outcome.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["builtin:random"] * 3 + ["--games", "4"], "--games 4: expected a multiple of 3"),
        (["builtin:random"] * 9 + ["--games", "9"], "players"),
        (["builtin:random", "--map", "rom"], "did you mean room"),
    ],
)
def test_a_match_that_cannot_be_is_refused(run, arguments, said):
    outcome = run("match", "tron", *arguments)
    assert outcome.code == 2
    assert said in outcome.err


def test_places_without_joutes_own_bots_are_told_as_the_contests_pages_give_them(run, alone):
    assert "Places on" not in run("contest", "run", alone).out  # of one bot they say nothing
    (alone.parent / "other.py").write_text("def play(observation, clock):\n    return 0\n")
    bots = 'bots = ["builtin:random", "still.py", "other.py"]'
    alone.write_text(ALONE.replace('bots = ["builtin:random", "still.py"]', bots), "utf-8")
    shown = run("contest", "run", alone).out
    told = "Places on the contest’s pages, where Joute’s own bots take none: 1 "
    assert f"{told}still, 1 other\n" in shown or f"{told}other, 1 still\n" in shown
    alone.write_text(ALONE.replace('"builtin:random"', '"other.py"'), encoding="utf-8")
    assert "Places on" not in run("contest", "run", alone).out  # those of the table
