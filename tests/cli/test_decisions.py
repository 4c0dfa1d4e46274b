"""`joute contest annul`, `withdraw`, `disqualify`, `reinstate` and `audit`, as people type them."""

import json
import shutil

import pytest

from joute.cli.main import main
from joute.contest.folder import stored_games

pytestmark = pytest.mark.game("virus")

CONTEST = """
bots = ["builtin:random", "builtin:greedy", { bot = "builtin:random?", name = "mine" }]
[contest]
games = 2
workers = 1
seed = 1
[game]
size = 4
"""


@pytest.fixture(scope="module", name="once")
def _once(tmp_path_factory):
    """A contest that was played."""
    folder = tmp_path_factory.mktemp("once")
    (folder / "cup.toml").write_text(CONTEST, encoding="utf-8")
    assert main(["contest", "run", str(folder / "cup.toml"), "--json"]) == 0
    return folder


@pytest.fixture(name="folder")
def _folder(tmp_path, once):
    """The results of a contest that was played, to be changed."""
    shutil.copytree(once, tmp_path, dirs_exist_ok=True)
    return tmp_path / "cup.results"


def first_game(run, folder):
    out = folder.parent / "records"
    run("export", folder, "--format", "jsonl", "--out", out)
    first = min(out.iterdir())
    shutil.move(out, folder.parent.parent / f"{folder.parent.name}.records")
    return str(folder / "records" / first.name)


def test_a_game_is_annulled_and_another_is_played_in_its_place(run, folder):
    record = first_game(run, folder)
    told = run("contest", "annul", folder, record, "--why", "the power went", "--who", "Ada")
    assert told.code == 0
    assert "is annulled (Ada, " in told.out
    assert "UTC): the power went\n5 games played, 0 left\n" in told.out
    told = run("contest", "annul", folder, record, "--why", "as agreed", "--replay")
    assert "another is played in its place" in told.out
    assert "5 games played, 1 left\nTo play what is left: joute contest run FILE\n" in told.out
    file = folder.parent / "cup.toml"
    told = run("contest", "annul", file, record, "--why", "as agreed", "--replay")
    assert f"To play what is left: joute contest run {file}\n" in told.out
    assert "1 game in " in run("contest", "run", file).out
    assert "6 games played, 0 left" in run("contest", "standings", file).out
    assert "as agreed" in run("contest", "standings", file).out
    assert "7 records are true" in run("verify", folder).out


def test_a_bot_is_withdrawn_disqualified_and_reinstated_and_all_places_say_so(run, folder):
    file = folder.parent / "cup.toml"
    told = run("contest", "withdraw", file, "mine", "--why", "its author asked")
    assert "mine is withdrawn, its results are void (" in told.out
    shown = run("contest", "standings", file).out
    assert ["withd.", "mine"] in [line.split()[:2] for line in shown.splitlines()]
    assert "its author asked" in run("contest", "show", file).out
    data = json.loads(run("contest", "standings", file, "--json").out)
    assert data["standings"][-1]["decision"]["kind"] == "withdrawn"
    assert [data["standings"][-1][each] for each in ("disqualified", "withdrawn")] == [[], True]
    assert [each["why"] for each in data["status"]["decisions"]] == ["its author asked"]
    run("contest", "disqualify", file, "mine", "--why", "copied")
    assert "mine is disqualified" in run("contest", "standings", file).out
    page = folder.parent / "page"
    run("export", file, "--out", page)
    assert "copied" in (page / "index.html").read_text()
    assert any("copied" in each.read_text() for each in (page / "bots").iterdir())
    assert "disqualified: copied" in (page / "standings.csv").read_text()
    run("export", file, "--format", "jsonl", "--out", folder / "lines")
    assert "copied" in (folder / "lines" / "decisions.jsonl").read_text()
    assert "6 records are true, 0 differ" in run("verify", folder).out  # exports are no records
    told = run("contest", "reinstate", file, "mine", "--why", "a mistake")
    assert "mine is reinstated" in told.out
    assert "copied" not in run("contest", "standings", file).out
    told = run("contest", "withdraw", file, "mine", "--why", "asked again", "--keep-games")
    assert "its games so far count" in told.out
    assert json.loads(run("contest", "standings", file, "--json").out)["standings"][0]["games"] == 4


def test_a_decision_says_that_rounds_are_drawn_again_and_that_a_final_is_open(run, tmp_path):
    file = tmp_path / "cup.toml"
    text = CONTEST.replace('name = "mine" }', 'name = "mine" }, "builtin:greedy?"')
    file.write_text(text.replace("games = 2", 'format = "knockout"'), encoding="utf-8")
    run("contest", "run", file)
    games = stored_games(tmp_path / "cup.results")[1].values()
    first = min(games, key=lambda game: game.set_number).identity
    told = run("contest", "annul", file, first, "--why", "the power went", "--replay").out
    assert "other games do not count for now: what comes after is drawn again" in told
    assert "The contest was over, and is not any more" in told
    assert "games played, at most " in told
    assert "at most " in run("contest", "plan", file).out
    said = run("contest", "reinstate", file, first, "--why", "it had not", "--lang", "fr").out
    assert "pas pour l’instant" not in said and ", 0 à jouer" in said


def test_a_bot_that_changed_in_a_knockout_is_told_and_played_only_with_the_option(run, tmp_path):
    file, bot = tmp_path / "cup.toml", tmp_path / "mine.py"
    bot.write_text("def play(observation, clock):\n    return 1 / 0\n", encoding="utf-8")
    text = CONTEST.replace("builtin:random?", "mine.py").replace(" }]", ' }, "builtin:greedy?"]')
    file.write_text(text.replace("games = 2", 'format = "knockout"'), encoding="utf-8")
    assert run("contest", "run", file, "--trust-bots").code == 0
    bot.write_text("def play(observation, clock):\n    return 2 / 0\n", encoding="utf-8")
    refused = run("contest", "run", file, "--trust-bots")
    assert (refused.code, refused.out) == (1, "")
    assert "games would count no more" in refused.err
    assert refused.err.endswith("the files of mine were changed\n")
    for command in ("plan", "standings", "show"):
        told = run("contest", command, file)
        assert told.code == 0 and "the files of mine were changed" in told.err
    assert "les fichiers de mine" in run("contest", "run", file, "--trust-bots", "--lang", "fr").err
    assert run("contest", "run", file, "--trust-bots", "--redraw").code == 0
    assert "nothing left to play" in run("contest", "run", file, "--trust-bots").out
    assert run("contest", "plan", file).err == ""


def test_an_audit_tells_it_all_in_both_languages_and_as_json(run, folder):
    game = first_game(run, folder).rpartition("/")[2].removesuffix(".jsonl")
    assert "Nothing was decided by hand." in run("contest", "audit", folder).out
    run("contest", "annul", folder, game[:8], "--why", "the power went")
    run("contest", "reinstate", folder, game[:8], "--why", "it had not")
    run("contest", "disqualify", folder, "mine", "--why", "copied")
    told = run("contest", "audit", folder).out
    assert "cup: 6 games kept, 2 count, 0 left to play" in told
    assert "void, because a bot of theirs is out: 4" in told
    assert "the power went  [no longer in force]" in told
    assert "No bot has changed" in told
    assert "Seed: 1 (commitment: " in told
    assert "n’est plus en vigueur" in run("contest", "audit", folder, "--lang", "fr").out
    data = json.loads(run("contest", "audit", folder, "--json").out)
    assert [each["decision"]["kind"] for each in data["decisions"]] == [
        "annulled", "reinstated", "disqualified"
    ]  # fmt: skip


def test_an_audit_shows_changed_bots_and_faults(run, tmp_path):
    bot = tmp_path / "mine.py"
    bot.write_text("def play(observation, clock):\n    return 1 / 0\n", encoding="utf-8")
    text = CONTEST.replace('"builtin:greedy", ', "").replace("builtin:random?", "mine.py")
    (tmp_path / "cup.toml").write_text(text, encoding="utf-8")
    run("contest", "run", tmp_path / "cup.toml", "--trust-bots")
    bot.write_text("def play(observation, clock):\n    return 2 / 0\n", encoding="utf-8")
    told = run("contest", "audit", tmp_path / "cup.toml").out
    assert "not asked for by the contest as it is now" in told
    assert "Bots that have changed" in told
    assert "ZeroDivisionError: division by zero" in told
    assert "(does not count)" in told


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["annul", "0000", "--why", "x"], "'0000' is no game of the contest"),
        (["withdraw", "min", "--why", "x"], "'min' is no bot of the contest; did you mean 'mine'?"),
        (["reinstate", "mine", "--why", "x"], "nothing was decided about it"),
        (["disqualify", "mine"], "--why is missing"),
        (["disqualify", "mine", "--why", ""], "why is missing"),
    ],
)
def test_what_makes_no_sense_is_refused(run, folder, arguments, told):
    command, *rest = arguments
    outcome = run("contest", command, folder, *rest)
    assert outcome.code == 2
    assert told in outcome.err
