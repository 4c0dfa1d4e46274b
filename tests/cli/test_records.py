"""`joute records` and its neighbours: what the terminal says where it used to be silent."""

import json

import pytest
from contest.fakes import contest_in

from joute.contest.run.runner import run_contest

pytestmark = pytest.mark.game("virus")

WRONG = "def plays(observation, clock):\n    return 0\n"
BROKEN = "import random\n\ndef play(observation, clock)\n    return 0\n"


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """The results of a small contest, played by the referee."""
    contest = contest_in(tmp_path_factory.mktemp("cup"), "games = 2", bots=2)
    run_contest(contest)
    return contest.folder


def test_the_games_of_a_contest_are_listed_with_paths_that_other_commands_take(run, results):
    outcome = run("records", results)
    assert outcome.code == 0 and "2 of 2 games, the newest first." in outcome.out
    command = next(line for line in outcome.out.splitlines() if "joute replay " in line)
    path = command.rpartition(" ")[2]
    assert path in run("verify", path).out
    assert run("replay", path, "--at", 1).code == 0


def test_the_list_may_be_of_one_bot_or_short_or_data(run, results):
    assert "1 of 2 games" in run("records", results, "--last", 1).out
    games = json.loads(run("records", results, "--bot", "greedy", "--all", "--json").out)
    assert [game["number"] for game in games] == [2, 1]
    assert all(game["record"].endswith(f"{game['identity']}.jsonl") for game in games)


def test_a_bot_that_played_no_game_is_refused(run, results):
    for wanted in (["--bot", "nobody"], ["--bot", "greedy", "--bot", "nobody", "--json"]):
        outcome = run("records", results, *wanted)
        assert outcome.code == 2 and outcome.out == ""
        assert f"nobody played none of these games; joute records {results}" in outcome.err


def test_a_folder_without_results_is_refused(run, tmp_path):
    outcome = run("records", tmp_path)
    assert outcome.code == 2 and "holds no results of a contest" in outcome.err


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"\xff\xfe", "is not UTF-8 text (byte 0)"), (b"", "expected the URL of a database")],
)
def test_a_damaged_file_that_says_where_the_results_are_is_named(run, tmp_path, content, said):
    (tmp_path / "store").write_bytes(content)
    for command in (("records",), ("verify",), ("contest", "audit")):
        outcome = run(*command, tmp_path)
        assert outcome.code in (1, 2)
        assert f"{tmp_path / 'store'}: " in outcome.out + outcome.err
        assert said in outcome.out + outcome.err


def test_what_is_no_record_is_called_so(run, tmp_path, results):
    path = tmp_path / "bot.py"
    path.write_text(WRONG)
    outcome = run("replay", path)
    assert outcome.code == 1 and outcome.err.strip().endswith("bot.py is not a record of Joute")
    english, french = run("verify", path), run("verify", path, "--lang", "fr")
    assert english.code == french.code == 1
    assert english.out.splitlines()[0].endswith("bot.py: this is not a record of Joute")
    assert french.out.splitlines()[0].endswith(
        "bot.py\u202f: ce n’est pas un enregistrement de Joute"
    )
    assert "joute records" in run("replay", results).err


def test_the_version_is_told(run):
    from joute import __version__

    outcome = run("--version")
    assert (outcome.code, outcome.out.strip()) == (0, f"joute {__version__}")


def test_a_game_alone_is_listed_with_its_bots_and_levels(run):
    text = run("games", "virus").out
    assert "built-in bots" in text and "greedy" in text and "levels, the weakest first" in text


@pytest.mark.parametrize(
    ("source", "said"),
    [(WRONG, "and has plays"), (BROKEN, "bot.py:3: SyntaxError: expected ':'")],
)
def test_a_match_with_a_bot_that_cannot_be_loaded_is_not_played(run, tmp_path, source, said):
    path = tmp_path / "bot.py"
    path.write_text(source)
    outcome = run("match", "virus", path, "builtin:random", "--games", 2)
    assert outcome.code == 1 and outcome.out == ""
    assert "cannot be loaded, so nothing was played" in outcome.err and said in outcome.err


def test_games_that_are_alike_are_counted_as_often_as_in_the_table(run):
    outcome = run("match", "virus", "builtin:greedy", "builtin:greedy", "--games", 2)
    assert "2 games in " in outcome.out


def test_an_unknown_bot_is_told_with_those_of_its_game(run):
    known = run("match", "virus", "builtin:gredy", "builtin:random").err
    assert "did you mean 'greedy'?" in known and "utbm" not in known


def test_a_draw_that_comes_first_is_to_be_said(run):
    outcome = run("explain", "virus")
    assert outcome.code == 2
    command = outcome.err.strip().rpartition("joute explain ")[2]
    assert command == "virus 'player 0 starts'"


def test_progress_is_not_written_to_a_file(run, tmp_path, monkeypatch):
    import sys

    from joute.cli.output import Progress

    now = [0.0]
    with (tmp_path / "log").open("w+") as file:
        monkeypatch.setattr(sys, "stderr", file)
        with Progress(lambda: now[0]) as progress:
            for _ in range(30):
                now[0] += 1
                progress.update(int(now[0]), 100)
        assert file.tell() == 0
