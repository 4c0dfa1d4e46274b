"""`joute ladder`: a bot against one rung after the other, with what is kept, said and refused."""

import json

import pytest

from joute.bots.ladder import levels
from joute.bots.levels import people_levels, rungs
from joute.core.registry import make, names, needed

pytestmark = pytest.mark.game("virus")

LADDER = ("ladder", "virus")
SMALL = ("--param", "size=3", "--workers", "1", "--seed", "1")
GREEDY, RANDOM = "builtin:greedy", "builtin:random"
KEYS = {
    *("game", "bot", "parameters", "seed", "reached", "of", "interval", "decided", "next"),
    *("likelihood", "games", "cpu_seconds", "rungs", "try", "failures"),
}
FIRST = "def play(observation, clock):\n    return observation['legal'][0]\n"


@pytest.fixture
def two(monkeypatch):
    """Two rungs, which need no compiling: one that greedy beats, and greedy itself."""
    monkeypatch.setattr("joute.bots.levels.rungs", lambda game: ("random", "greedy"))


@pytest.mark.parametrize("game", [each for each in names() if not needed(each)])
def test_the_rungs_of_a_game_are_its_levels_and_those_of_its_card(game):
    made = make(game)
    known = rungs(made)
    assert len(known) == len(set(known))
    assert {each.bot for each in people_levels(made).levels} <= set(known)
    assert [each for each in known if each in levels(made)] == list(levels(made))


@pytest.mark.usefixtures("two")
def test_a_bot_climbs_to_the_rung_that_holds_it(run):
    outcome = run(*LADDER, GREEDY, *SMALL)
    assert outcome.code == 0
    assert "virus: greedy 2 stands on rung 1 of 2" in outcome.out
    passed, held = [line.split() for line in outcome.out.splitlines() if "passed" in line]
    assert (passed[:3], held[:4]) == (["1", "random", "passed"], ["2", "greedy", "not", "passed"])
    assert "The next rung is 2, greedy: the likelihood that the bot is stronger is" in outcome.out
    assert "--seed 1" in outcome.out
    assert "rung 2: greedy" in outcome.err


@pytest.mark.usefixtures("two")
def test_a_climb_is_kept_resumed_and_verified(run, tmp_path):
    folder = tmp_path / "kept"
    command = (*LADDER, GREEDY, *SMALL[:-2], "--folder", folder, "--json")
    first = json.loads(run(*command, "--seed", 7).out)
    assert first.keys() == KEYS
    again = json.loads(run(*command).out)
    assert again == first
    assert json.loads((folder / "ladder.json").read_text("utf-8"))["reached"] == first["reached"]
    outcome = run("verify", folder)
    assert (outcome.code, ", 0 differ" in outcome.out) == (0, True)
    [lost] = [each["text"] for each in first["try"] if each["key"] == "lost"]
    record = lost.split("joute replay ")[1].rstrip("`")
    assert run("replay", record, "--json").code == 0


@pytest.mark.usefixtures("two")
def test_a_table_in_markdown_has_a_row_for_each_rung(run):
    outcome = run(*LADDER, RANDOM, *SMALL, "--markdown")
    lines = outcome.out.splitlines()
    assert lines[0] == "### virus: random 2 stands on rung 0 of 2"
    rows = [line for line in lines if line.startswith("|")]
    assert rows[1] == "| --: | :-- | :-- | --: | --: | --: |"
    assert len(rows) == 4
    assert all(row.count(" | ") == 5 for row in rows)
    assert rows[3] == "| 2 | greedy | not tested | - | - | - |"


@pytest.mark.usefixtures("two")
def test_bots_in_a_folder_are_rungs_at_the_place_of_their_strength(run, tmp_path):
    brought = tmp_path / "bots"
    brought.mkdir()
    (brought / "crash.py").write_text("def play(observation, clock):\n    return 1 / 0\n")
    (brought / "notes.txt").write_text("no bot")
    (brought / "_shared.py").write_text("")
    outcome = run(*LADDER, RANDOM, *SMALL, "--rungs", brought, "--json")
    found = json.loads(outcome.out)
    assert [each["name"] for each in found["rungs"]] == ["crash", "random", "greedy"]
    assert found["reached"] == 1
    assert found["try"][0]["key"] != "faults"  # they are the rung's, not the bot's


@pytest.mark.usefixtures("two")
@pytest.mark.parametrize("budget", [("--max-games", 4), ("--cpu-seconds", 0.001)])
def test_a_budget_ends_a_climb_without_a_decision(run, tmp_path, budget):
    bot = tmp_path / "first|bot.py"
    bot.write_text(FIRST)
    outcome = run(*LADDER, bot, *SMALL, *budget, "--json")
    found = json.loads(outcome.out)
    assert outcome.code == 1
    assert (found["reached"], found["decided"], found["interval"]) == (0, False, [0, 2])
    assert [each["verdict"] for each in found["rungs"]] == ["undecided", None]
    [advice] = [each["text"] for each in found["try"] if each["key"] == "undecided"]
    assert "--folder FOLDER" in advice and "the same --folder" not in advice
    kept = json.loads(run(*LADDER, bot, *SMALL, *budget, "--json", "--folder", tmp_path / "k").out)
    assert "the same --folder" in next(e["text"] for e in kept["try"] if e["key"] == "undecided")
    if budget[0] == "--max-games":
        assert found["games"] == 4
    shown = run(*LADDER, bot, *SMALL, *budget, "--markdown").out
    assert "or higher (up to 2)" in shown
    assert "first\\|bot" in shown


@pytest.mark.usefixtures("two")
def test_a_bot_that_fails_is_told_what_to_do_first(run, failing_bot):
    outcome = run(*LADDER, failing_bot, *SMALL)
    assert outcome.code == 0
    assert "stands on rung 0 of 2" in outcome.out
    assert f"joute check {failing_bot} --game virus" in outcome.out
    assert "crash" in outcome.out
    assert "With --folder FOLDER the games are kept" in outcome.out


def test_a_bot_above_all_rungs_is_told_so(run, monkeypatch):
    monkeypatch.setattr("joute.bots.levels.rungs", lambda game: ("random",))
    outcome = run(*LADDER, GREEDY, *SMALL, "--lang", "fr")
    assert outcome.code == 0
    assert "greedy est à l’échelon 1 sur 1" in outcome.out
    assert "Il ne reste aucun échelon" in outcome.out
    assert "joute strength virus builtin:greedy" in outcome.out


@pytest.mark.usefixtures("two")
@pytest.mark.parametrize(("least", "code"), [(1, 0), (2, 1)])
def test_the_exit_code_says_whether_a_rung_was_reached(run, least, code):
    assert run(*LADDER, GREEDY, *SMALL, "--at-least", least).code == code


@pytest.mark.usefixtures("two")
def test_a_climb_that_is_stopped_says_how_to_go_on(run, monkeypatch, tmp_path):
    from joute.contest.errors import Interrupted

    def interrupted(*_arguments, **_options):
        raise Interrupted(3, 10)

    monkeypatch.setattr("joute.contest.run.ladder.run_contest", interrupted)
    outcome = run(*LADDER, GREEDY, *SMALL, "--folder", tmp_path / "kept")
    assert (outcome.code, outcome.out) == (3, "")
    assert f"the same command resumes from {tmp_path / 'kept'}" in outcome.err
    assert "with --folder FOLDER the games would be kept" in run(*LADDER, GREEDY, *SMALL).err


@pytest.mark.usefixtures("two")
def test_games_that_cannot_be_played_leave_the_climb_undecided(run, monkeypatch):
    from joute.contest.run import ladder
    from joute.contest.run.coordinator import Failure

    played = ladder.run_contest

    def failing(*arguments, until, **options):
        done = played(*arguments, until=until._replace(games=2), **options)
        return type(done)(
            **{name: getattr(done, name) for name in done.__struct_fields__ if name != "failures"},
            failures=[Failure(("a", "b"), "s", "no room")],
        )

    monkeypatch.setattr(ladder, "run_contest", failing)
    outcome = run(*LADDER, GREEDY, *SMALL)
    assert outcome.code == 1
    assert "a game could not be played (seed s): no room" in outcome.out


@pytest.mark.usefixtures("two")
@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((GREEDY, "--json", "--markdown"), "--json and --markdown: choose one of them"),
        ((GREEDY, "--max-games", 3), "--max-games 3: expected an even number"),
        ((GREEDY, "--sprt", "five"), "expected two numbers"),
        ((GREEDY, "--rungs", "nowhere"), "there is no folder nowhere"),
        ((GREEDY, "--rungs", __file__), f"--rungs: there is no folder {__file__}"),
        ((GREEDY, "--sprt=-100,-20"), "--sprt -100,-20: expected ELO0 of 0 or more"),
        (("no-such-bot.py",), "'no-such-bot.py': no file or folder"),
    ],
)
def test_what_cannot_be_climbed_is_a_mistake_in_the_command(run, options, said):
    outcome = run(*LADDER, *options)
    assert (outcome.code, outcome.out) == (2, "")
    assert said in outcome.err


@pytest.mark.usefixtures("two")
def test_a_folder_without_bots_and_one_of_something_else_are_refused(run, tmp_path):
    (tmp_path / "essay.txt").write_text("mine")
    outcome = run(*LADDER, GREEDY, "--rungs", tmp_path)
    assert (outcome.code, "there is no bot in it" in outcome.err) == (2, True)
    outcome = run(*LADDER, GREEDY, *SMALL, "--folder", tmp_path)
    assert (outcome.code, "holds something else" in outcome.err) == (2, True)
    (tmp_path / "ladder.json").write_text("[]")
    assert run(*LADDER, GREEDY, *SMALL, "--folder", tmp_path).code == 2


def test_the_budget_of_games_is_told_as_that_of_the_climb(run):
    assert "Stop the climb after N games that count" in run("ladder", "--help").out


@pytest.mark.game("love-letter")
@pytest.mark.usefixtures("two")
def test_where_seats_can_be_chosen_two_are_asked_for(run):
    outcome = run("ladder", "love-letter", RANDOM, "--param", "players=3")
    assert (outcome.code, outcome.out) == (2, "")
    assert "seats" in outcome.err and "multiple" not in outcome.err


@pytest.mark.game("tron")
def test_a_game_of_three_seats_has_no_ladder(run):
    outcome = run("ladder", "tron", RANDOM, "--param", "players=3", "--workers", 1)
    assert (outcome.code, outcome.out) == (2, "")
    assert "seats" in outcome.err
