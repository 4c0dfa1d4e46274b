"""`joute strength`: every built-in player against every other, in a contest of its own."""

import json
import shutil
from xml.etree import ElementTree

import pytest

from joute.bots.ladder import field, is_anchor, with_time
from joute.contest.errors import Interrupted
from joute.contest.run import runner
from joute.contest.schedule.round_robin import RoundRobin, SpreadRoundRobin
from joute.core.registry import make
from joute.play import preparing

pytestmark = pytest.mark.game("virus")

BOARD = ("strength", "virus", "--param", "size=4", "--seconds", 1, "--seed", 3)


@pytest.fixture(scope="module")
def few(module_patch):
    """The field cut down to players that need no compiling of their own."""
    module_patch.setattr("joute.bots.ladder.field", lambda games: ("random", "greedy"))
    module_patch.setattr("joute.cli.strength.MOST_GAMES", 4)


@pytest.fixture(scope="module")
def module_patch():
    with pytest.MonkeyPatch.context() as patch:
        yield patch


@pytest.mark.game("tron")
def test_everyone_that_can_play_a_game_is_in_its_field_once():
    found = field([make("virus")])
    assert {"random", "greedy", "alphabeta", "uct"} <= set(found)
    assert len(found) == len(set(found))
    assert not {"rules", "turn", "nearest", "montecarlo", "utbm-peek"} & set(found)
    alone = field([make("tron", players=1)])
    assert "fill" in alone


@pytest.mark.parametrize(
    ("bot", "told"),
    [
        ("alphabeta", "alphabeta?seconds=0.1"),
        ("alphabeta?evaluation=fitted", "alphabeta?evaluation=fitted&seconds=0.1"),
        ("alphabeta?depth=2", "alphabeta?depth=2"),
        ("random", "random"),
    ],
)
def test_who_is_free_to_think_thinks_for_the_same_time(bot, told):
    assert with_time(bot, 0.1) == told


@pytest.mark.usefixtures("few")
def test_the_table_and_the_plot_are_of_a_contest_that_can_be_kept_and_gone_on_with(run, tmp_path):
    own = tmp_path / "mine.py"
    own.write_text("def play(observation, clock):\n    return observation['actions'][0]\n")
    folder, picture = tmp_path / "kept", tmp_path / "strength.svg"
    command = (*BOARD, own, "--minutes", 30, "--folder", folder)
    outcome = run(*command, "--plot", picture)
    assert outcome.code == 0
    assert "3 players at 1 s a turn, for 30 min 00 s: random, greedy, mine" in outcome.err
    assert "strength-virus" in outcome.out
    assert "◆" in outcome.out
    assert ElementTree.parse(picture).getroot().tag.endswith("svg")
    again = json.loads(run(*command, "--json").out)
    assert again["summary"]["already"] == 12
    assert {line["name"] for line in again["standings"]} == {"random", "greedy", "mine"}


@pytest.mark.usefixtures("few")
def test_the_time_of_a_turn_has_the_mark_of_the_language(run):
    told = run(*BOARD, "--seconds", 0.5, "--lang", "fr").err
    assert "2 joueurs à 0,5 s par tour" in told


def test_levels_with_a_number_of_their_own_are_anchors():
    bots = ("builtin:alphabeta?nodes=100", "builtin:uct?simulations=30&seconds=0.1")
    assert all(map(is_anchor, bots))
    assert not any(map(is_anchor, ("builtin:alphabeta?seconds=1", "builtin:random", "a.py")))


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("language", ["en", "fr"])
def test_who_does_not_think_by_time_is_told(run, monkeypatch, language):
    players = ("random", "alphabeta?depth=1")
    monkeypatch.setattr("joute.bots.ladder.field", lambda games: players)
    told = run(*BOARD, "--lang", language).err.splitlines()
    sentence = {"en": "anchors, which think", "fr": "repères, qui réfléchissent"}[language]
    assert next(line for line in told if line.startswith(sentence)).endswith(": alphabeta?depth=1")


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize(("language", "said"), [("en", "Only 1 of 3"), ("fr", "Seules 1 des 3")])
def test_it_is_said_when_not_all_have_met(run, tmp_path, monkeypatch, language, said):
    own = tmp_path / "mine.py"
    own.write_text("def play(observation, clock):\n    return observation['actions'][0]\n")

    def first_pair(contest, seed):
        return RoundRobin((), seed, contest.max_games, groups=[("greedy", "random")])

    monkeypatch.setattr("joute.cli.strength._spread", first_pair)
    game = (*BOARD, own, "--lang", language)
    assert f"{said} p" in run(*game).out
    told = json.loads(run(*game, "--json").out)
    assert (told["pairs_met"], told["pairs"]) == (1, 3)


@pytest.mark.usefixtures("few")
def test_ranks_are_by_score_and_games_are_spread(run, monkeypatch):
    contests = []
    play = runner.run_contest

    def noted(contest, *more, **options):
        contests.append((contest, options["schedule"](contest, "1")))
        return play(contest, *more, **options)

    monkeypatch.setattr(runner, "run_contest", noted)
    assert "Only" not in run(*BOARD).out
    [(contest, schedule)] = contests
    assert contest.ranking == ("score",)
    assert isinstance(schedule, SpreadRoundRobin)


@pytest.mark.usefixtures("few")
def test_the_folder_that_was_kept_can_be_plotted(run, tmp_path):
    folder = tmp_path / "kept"
    told = run(*BOARD, "--folder", folder).out
    plotted = run("plot", folder, "rating")
    assert (plotted.code, plotted.err) == (0, "")
    assert plotted.out.strip() in told
    assert run("plot", tmp_path, "rating").out == plotted.out
    shutil.copytree(folder, tmp_path / "other")
    several = run("plot", tmp_path)
    assert (several.code, several.out) == (2, "")
    assert "holds several contests; name one of them: " in several.err
    empty = run("plot", folder / "live")
    assert (empty.code, empty.out) == (2, "")


@pytest.mark.usefixtures("few")
def test_players_are_compiled_before_the_minutes_begin(run, monkeypatch):
    order = []
    monkeypatch.setattr(preparing, "prepared", lambda game, bot: bot in order)
    monkeypatch.setattr(preparing, "prepare", lambda game, bot, niceness: order.append(bot))
    play = runner.run_contest

    def begin(contest, *more, **options):
        order.append("the games")
        return play(contest, *more, **options)

    monkeypatch.setattr(runner, "run_contest", begin)
    outcome = run(*BOARD, "--json")
    assert outcome.code == 0
    assert order == ["builtin:random", "builtin:greedy", "the games"]
    assert "2/2  virus, greedy" in outcome.err
    assert json.loads(outcome.out)["summary"]["left"] == 0


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("kept", [False, True])
def test_a_run_that_is_stopped_shows_the_games_played_until_then(run, tmp_path, monkeypatch, kept):
    play = runner.run_contest

    def stopped(contest, progress, **options):
        play(contest, progress, **options)
        raise Interrupted(4, 78_000)

    monkeypatch.setattr(runner, "run_contest", stopped)
    words = [*BOARD, "--plot", tmp_path / "strength.svg"]
    words += ["--folder", tmp_path / "kept"] if kept else []
    outcome = run(*words)
    assert outcome.code == 3
    assert "strength-virus" in outcome.out and "◆" in outcome.out
    end = "the same command goes on" if kept else "with --folder FOLDER"
    assert f"stopped; games played: 4; {end}" in outcome.err
    assert (tmp_path / "strength.svg").exists()
    told = json.loads(run(*words, "--json").out)
    assert (told["summary"], len(told["standings"])) == (None, 2)


@pytest.mark.usefixtures("few")
def test_a_bot_that_cannot_be_loaded_is_told_before_a_game_is_played(run, unloadable_bot):
    outcome = run(*BOARD, unloadable_bot)
    assert (outcome.code, outcome.out) == (1, "")
    assert "broken.py cannot be loaded, so nothing was played" in outcome.err


@pytest.mark.usefixtures("few")
def test_a_folder_of_something_else_is_left_alone(run, tmp_path):
    (tmp_path / "essay.txt").write_text("mine")
    outcome = run(*BOARD, "--folder", tmp_path)
    assert outcome.code == 2
    assert "holds something else: name a new folder" in outcome.err
    assert [each.name for each in tmp_path.iterdir()] == ["essay.txt"]


@pytest.mark.game("paradise")
@pytest.mark.usefixtures("few")
def test_games_of_another_game_are_not_gone_on_with(run, tmp_path):
    assert run(*BOARD, "--folder", tmp_path / "kept").code == 0
    outcome = run("strength", "paradise", "--folder", tmp_path / "kept")
    assert outcome.code == 2
    assert "holds something else" in outcome.err


@pytest.mark.usefixtures("few")
def test_a_bot_is_found_from_the_folder_that_the_command_is_given_in(run, tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text("def play(observation, clock):\n    return 0\n")
    monkeypatch.chdir(tmp_path)
    told = json.loads(run(*BOARD, "function:mine.py", "--json").out)
    assert len(told["standings"]) == 3


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (("strength", "chess"), "there is no game 'chess'"),
        (("strength", "virus", "--map", "moon"), "map"),
        (("strength", "virus", "--param", "sise=4"), "sise"),
        ((*BOARD, "--plot", "nowhere/at/all.svg"), "there is no folder"),
        (("strength", "virus", "no-such-bot.py"), "'no-such-bot.py': no file or folder"),
    ],
)
def test_what_is_wrong_is_said_before_a_game_is_played(run, wrong, said):
    outcome = run(*wrong)
    assert outcome.code == 2
    assert said in outcome.err
    assert "Traceback" not in outcome.err
    assert "joute-strength-" not in outcome.err
