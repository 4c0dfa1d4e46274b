"""`joute compare`: its table, its picture, and that its numbers are what they say."""

import json
from xml.etree import ElementTree

import pytest

from joute.bots import BuiltinError, Seating
from joute.cli import compare
from joute.cli.compare import chart, milliseconds
from joute.contest import study as studying
from joute.contest.comparison import (
    BotTally,
    Effort,
    choices,
    code_lines,
    effort,
    side,
)
from joute.contest.errors import ConfigError
from joute.contest.rating.statistics import MANY, of_pairs, wilson
from joute.contest.study import Judge, Study, usual_judge
from joute.core.random import generator
from joute.core.registry import make
from joute.host.names import parse_bot
from joute.i18n import words

VIRUS = ("compare", "virus", "greedy", "random", "--param", "size=6", "--seed", 7)
CARDS = ("compare", "love-letter", "rules", "random")

SOURCE = '''"""A module."""

import os  # a comment


class Thing:
    """A class."""

    size = 3
    """What it is."""

    def area(self):
        # why
        text = """two
lines"""
        return self.size, text
'''


def rows(printed):
    """The cells of a table by the first one, columns being two blanks apart."""
    lines = [[cell.strip() for cell in line.split("  ") if cell.strip()] for line in printed]
    return {line[0]: line[1:] for line in lines if len(line) > 1}


@pytest.mark.game("virus")
def test_one_table_says_who_wins_at_what_cost(run):
    outcome = run(*VIRUS, "--games", 4)
    assert outcome.code == 0
    found = rows(outcome.out.splitlines())
    assert found["games won [95%]"][0].startswith("100.0% [")
    assert found["games won [95%]"][1].startswith("0.0% [0.0 … ")
    assert found["won-drawn-lost"] == ["4-0-0", "0-0-4"]
    for row in ("time per move, mean", "time per move, longest"):
        assert all(cell.endswith(" ms") for cell in found[row])
    assert found["options"] == ["1 (stray)", "1 (by)"]
    assert len(found["other choice in the same position"]) == 2
    assert "4 games in pairs" in outcome.out
    assert "--seed 7" in outcome.out


@pytest.mark.full
@pytest.mark.game("love-letter")
def test_the_question_of_the_report_is_answered(run):
    outcome = run("compare", "love-letter", "utbm", "ismcts?simulations=30", "--games", 10)
    assert outcome.code == 0
    found = rows(outcome.out.splitlines())
    assert [cell.split()[0] for cell in found["options"]] == ["1", "5"]
    assert int(found["lines of code"][0]) > 100
    assert found["numbers chosen by hand"][0] == "15"
    assert "It is what rules makes of each" in outcome.out


@pytest.mark.game("love-letter")
def test_the_same_seed_gives_the_same_games_and_choices(run):
    found = [json.loads(run(*CARDS, "--games", 20, "--seed", each, "--json").out) for each in "112"]
    for one in found:
        for each in one["sides"]:
            assert each.pop("mean_ms") <= each.pop("worst_ms")
    assert found[0] == found[1]
    assert found[0]["sides"] != found[2]["sides"]
    assert found[0]["choices"]["judge"] == "random"
    assert found[0]["choices"]["positions"] == 20


@pytest.mark.game("virus")
def test_everything_is_said_in_french(run):
    outcome = run(*VIRUS, "--games", 2, "--lang", "fr")
    assert outcome.code == 0
    assert "gagnées-nulles-perdues" in outcome.out
    assert "won" not in outcome.out


@pytest.mark.game("love-letter")
def test_who_peeks_is_marked_and_plays_nowhere_else(run):
    outcome = run("compare", "love-letter", "utbm-peek", "rules", "--games", 2)
    assert outcome.code == 0
    assert "utbm-peek was shown what the game hides" in outcome.out
    refused = run("match", "love-letter", "builtin:utbm-peek", "builtin:rules")
    assert refused.code == 2
    assert "it plays only in joute compare" in refused.err


@pytest.mark.game("virus")
def test_with_a_bot_of_ones_own_choices_are_not_compared(run, tmp_path):
    bot = tmp_path / "first.py"
    bot.write_text(
        SOURCE + "\n\ndef play(observation, clock):\n    return observation['legal'][0]\n"
    )
    outcome = run("compare", "virus", bot, "random", "--param", "size=3", "--games", 2)
    assert outcome.code == 0
    found = rows(outcome.out.splitlines())
    assert "other choice in the same position" not in found
    assert "only built-in bots can be asked" in outcome.out
    assert found["lines of code"][0] == "9"


@pytest.mark.game("virus")
def test_faults_have_a_row_where_there_are_some(run, failing_bot):
    outcome = run("compare", "virus", "random", failing_bot, "--param", "size=3", "--games", 2)
    assert rows(outcome.out.splitlines())["faults"][0] == "0"
    assert int(rows(outcome.out.splitlines())["faults"][1]) > 0


@pytest.mark.game("vampires")
def test_a_fault_costs_what_it_costs_in_a_contest(run, failing_bot):
    outcome = run("compare", "vampires", failing_bot, "random", "--games", 2)
    found = rows(outcome.out.splitlines())
    assert found["faults"] == ["2", "0"]
    assert found["won-drawn-lost"] == ["0-0-2", "2-0-0"]


@pytest.mark.game("virus")
@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_cause_of_faults_is_told_below_the_table(run, failing_bot, language):
    game = ("virus", "random", failing_bot, "--param", "size=3", "--games", 2)
    outcome = run("compare", *game, "--lang", language)
    found = [line for line in outcome.out.splitlines() if line.startswith("failing")]
    assert len(found) == 1 and "no idea" in found[0]
    causes = json.loads(run("compare", *game, "--json").out)["sides"][1]["causes"]
    assert [(each["fault"], each["first"][-7:]) for each in causes] == [("crash", "no idea")]


@pytest.mark.game("virus")
def test_a_bot_that_cannot_be_loaded_is_not_compared(run, unloadable_bot):
    outcome = run("compare", "virus", "random", unloadable_bot, "--games", 2)
    assert (outcome.code, outcome.out) == (1, "")
    assert "cannot be loaded, so nothing was played" in outcome.err


@pytest.mark.game("tron")
def test_pairs_are_played_on_each_map_in_turn(run, monkeypatch):
    played = []
    play_game = studying.play_game

    def noted(spec, **options):
        played.append(spec.parameters["map"].splitlines())
        return play_game(spec, **options)

    monkeypatch.setattr(studying, "play_game", noted)
    game = ("compare", "tron", "random", "wall", "--seed", 1)
    outcome = run(*game, "--games", 6, "--map", "duel", "--map", "cross")
    assert outcome.code == 0
    assert "map=duel+cross" in outcome.out.splitlines()[0]
    assert played[0] != played[2]
    assert [each == played[0] for each in played] == [True, True, False, False, True, True]
    assert json.loads(run(*game, "--games", 2, "--map", "duel", "--json").out)["maps"] == ["duel"]
    refused = run(*game, "--map", "duell")
    assert (refused.code, "did you mean duel" in refused.err) == (2, True)


@pytest.mark.game("virus")
def test_seconds_bound_the_games_but_the_first_pair_is_played(run):
    outcome = run(*VIRUS, "--seconds", 0.001)
    assert "2 games in pairs" in outcome.out
    assert "Plays pairs of games for 0 s" in outcome.err


@pytest.mark.game("virus")
def test_how_long_so_many_games_take_is_said(run, monkeypatch):
    monkeypatch.setattr(compare, "TRIAL_SECONDS", 0.0)
    assert "4 games: about 0 s more" in run(*VIRUS, "--games", 4).err


@pytest.mark.game("virus")
@pytest.mark.parametrize("pairs", [0, 2])
def test_ctrl_c_shows_what_is_known(run, monkeypatch, pairs):
    play_pair = Study.play_pair

    def interrupted(self):
        if self.pairs == pairs:
            raise KeyboardInterrupt
        play_pair(self)

    monkeypatch.setattr(Study, "play_pair", interrupted)
    outcome = run(*VIRUS, "--games", 100)
    assert outcome.code == 3
    assert ("4 games in pairs" in outcome.out) == (pairs > 0)
    told = "stopped after 4 games" if pairs else "nothing is known yet"
    assert told in outcome.err


@pytest.mark.game("virus")
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("virus", "greedy", "random", "--games", 3), "expected a multiple of 2"),
        (("virus", "greedy", "random", "--plot", "no/such.svg"), "there is no folder"),
        (("virus", "greedi", "random"), "did you mean 'greedy'"),
        (("virus", "greedy", "human"), "people are not compared"),
        (("virus", "greedy", "remote"), "connects to a server"),
        (("virus", "greedy", "rules"), "builtin:rules plays love-letter"),
        (("virus", "greedy", "random", "--judge", "rules"), "builtin:rules plays love-letter"),
        (("love-letter", "rules", "random", "--param", "players=3"), "has 3"),
        (("virus", "greedy"), "missing"),
    ],
)
def test_what_cannot_be_compared_is_refused_with_a_reason(run, arguments, told):
    outcome = run("compare", *arguments)
    assert outcome.code == 2
    assert outcome.out == ""
    assert told in outcome.err


# The picture.


@pytest.mark.game("virus")
@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_picture_shows_scores_and_times(run, tmp_path, language):
    path = tmp_path / "both.svg"
    outcome = run(*VIRUS, "--games", 4, "--plot", path, "--lang", language)
    assert outcome.code == 0
    texts = [each.text for each in ElementTree.parse(path).iter() if each.tag.endswith("text")]
    assert texts.count("greedy") == texts.count("random") == 2
    assert {"en": "100.0%", "fr": "100,0\u202f%"}[language] in texts
    assert {"en": "virus: greedy and random", "fr": "virus\u202f: greedy et random"}[
        language
    ] in texts
    assert any(text.endswith(" ms") for text in texts)


@pytest.mark.game("virus")
def test_a_picture_has_room_for_every_number():
    bot = Effort(lines=1, modules={}, options=[], tuned=[])
    found = Study("virus", {}, ("greedy", "random"), "1").comparison()
    words.speak("en")
    assert "100%" in chart(found)
    tallies = [BotTally(won=1, times=[0.001, 400.0]), BotTally(lost=1, times=[])]
    sides = [side("a" * 40, "a", False, tally, [1.0], bot) for tally in tallies]
    document = ElementTree.fromstring(chart(type(found)(
        game="virus", parameters={}, maps=[], move_seconds=1.0, pairs=1, sides=sides, choices=None,
        seed="1",
    )))  # fmt: skip
    for each in document.iter():
        assert 0 <= float(each.get("x", each.get("cx", 0))) <= 720
    assert "a" * 9 + "…" + "a" * 8 in ElementTree.tostring(document, "unicode")


def test_times_have_three_digits():
    assert [milliseconds(time) for time in (0.02214, 1.5, 98.76, 0.0, None)] == [
        "0.0221 ms", "1.50 ms", "98.8 ms", "0.00 ms", "-",
    ]  # fmt: skip


# How it is found out.


@pytest.mark.game("love-letter")
def test_a_pair_is_one_seed_with_seats_exchanged(monkeypatch):
    played = []
    play_game = studying.play_game

    def noted(spec, **options):
        played.append(spec)
        return play_game(spec, **options)

    monkeypatch.setattr(studying, "play_game", noted)
    study = Study("love-letter", {}, ("rules", "random"), "1")
    for _ in range(2):
        study.play_pair()
    seats = [[seat.name for seat in spec.bots] for spec in played]
    assert seats == [["rules", "random"], ["random", "rules"]] * 2
    assert [spec.seed for spec in played[:2]] == [played[0].seed] * 2
    assert played[0].seed != played[2].seed


@pytest.mark.game("love-letter")
def test_only_who_peeks_is_shown_what_is_hidden():
    from games.love_letter.rounds import scene

    from joute.games.love_letter.state import GUARD, HANDS, PRIEST, PRINCESS

    game, state = scene([GUARD, PRINCESS], PRIEST)
    shown = {}
    for name in ("utbm-peek", "utbm"):
        _, view = studying._seat_bot(parse_bot(f"builtin:{name}"), Seating(game, 0, 1, 1.0))
        shown[name] = {view.of(list(state))[HANDS + 1] for _ in range(20)}
    assert shown["utbm-peek"] == {PRINCESS}
    assert len(shown["utbm"]) > 1


@pytest.mark.game("love-letter")
def test_both_bots_scores_come_from_the_same_games():
    study = Study("love-letter", {}, ("random", "rules"), "3")
    for _ in range(60):
        study.play_pair()
    first, second = study.comparison().sides
    assert (first.won, first.drawn, first.lost) == (second.lost, second.drawn, second.won)
    assert first.won + first.drawn + first.lost == 120
    assert first.score == pytest.approx((first.won + first.drawn / 2) / 120)
    assert first.score + second.score == pytest.approx(1)
    assert first.score < 0.5
    assert study.comparison().choices.gain < 0


@pytest.mark.game("virus")
def test_a_built_in_bot_is_warmed_up_whoever_the_other_is(monkeypatch, failing_bot):
    study, asked = Study("virus", {}, ("greedy", str(failing_bot)), "1"), []
    monkeypatch.setattr(study, "_choice", lambda bot, state, player: asked.append(bot.name))
    study.warm_up()
    assert asked == ["greedy"]


@pytest.mark.game("virus")
def test_two_bots_of_one_name_are_told_apart():
    names = [each.name for each in Study("virus", {}, ("random",) * 2, "1").comparison().sides]
    assert names == ["random", "random 2"]


@pytest.mark.game("virus")
def test_a_bot_that_never_draws_makes_the_same_choice_as_itself():
    study = Study("virus", {"size": 4}, ("alphabeta?depth=1", "alphabeta?depth=1"), "1")
    study.warm_up()
    study.play_pair()
    found = study.comparison().choices
    assert (found.positions, found.differ, found.gain) == (2, 0, None)


@pytest.mark.game("tron")
@pytest.mark.parametrize(
    ("chosen", "other", "differ"),
    [([0, 1], [0, 1], False), ([0, 1], [0, 2], True), ([0], [0, 1], False), ([0, 1], [2], True)],
)
def test_a_whole_turn_is_compared_with_the_beginning_of_one(monkeypatch, chosen, other, differ):
    study = Study("tron", {}, ("random", "wall"), "1")
    compared = []
    monkeypatch.setattr(study, "_choice", lambda bot, state, player: other)
    monkeypatch.setattr(study, "_after", lambda state, actions: list(actions))
    monkeypatch.setattr(study._judge, "gain", lambda *each: compared.append(each[2:4]) or 0.5)
    gains = [study._gain(studying.StudyPosition([], player, chosen), (0, 1)) for player in (0, 1)]
    assert gains == ([0.5, -0.5] if differ else [None, None])
    assert all(len(one) == len(two) for one, two in compared)


def test_the_interval_knows_that_equal_deals_are_no_chance():
    alike = [0.5] * 98 + [1.0, 0.0]
    assert of_pairs(alike).low > wilson(0.5, 100).low + 0.05
    assert of_pairs([1.0] * (MANY + 1)) == wilson(1.0, MANY + 1)
    assert of_pairs([1.0, 0.5]) == wilson(0.75, 2)
    assert of_pairs([]) is None
    found = of_pairs([1.0] * (MANY - 1) + [0.0])
    assert 0.99 < found.high < 1.0  # for a pair was lost


def test_choices_without_positions_have_no_numbers():
    found = choices("random", 0, [])
    assert (found.interval, found.gain, found.gain_interval) == (None, None, None)
    assert choices("random", 4, [0.1, 0.2]).gain == pytest.approx(0.15)


@pytest.mark.game("virus")
def test_a_judge_may_be_named_as_bots_are(run):
    words = ("virus", "greedy", "random", "--param", "size=4", "--games", 2, "--json")
    found = run("compare", *words, "--judge", "builtin:greedy")
    assert json.loads(found.out)["choices"]["judge"] == "greedy"


@pytest.mark.game("love-letter")
@pytest.mark.parametrize("judge", ["random", "rules"])
def test_a_judge_finds_the_choice_that_loses(judge):
    from games.love_letter.rounds import play_number, scene

    from joute.games.love_letter.state import GUARD, PRIEST, PRINCESS

    game, state = scene([PRINCESS, GUARD], PRIEST)
    weighing = Judge(game, judge)
    good, bad = [play_number(PRIEST, 1)], [play_number(PRINCESS)]
    gain = weighing.gain(state, 0, good, bad, generator(1))
    assert 0.2 < gain <= 1.0
    assert weighing.gain(state, 0, bad, good, generator(1)) == -gain
    assert weighing.gain(state, 0, good, good, generator(1)) == 0.0


@pytest.mark.game("love-letter")
def test_a_judge_does_not_look_at_what_the_player_cannot_know():
    from games.love_letter.rounds import play_number, scene

    from joute.games.love_letter.state import GUARD, KING, PRIEST, PRINCESS

    game, state = scene([KING, PRINCESS], GUARD)
    hit, miss = [play_number(GUARD, 1, PRINCESS)], [play_number(GUARD, 1, PRIEST)]
    assert abs(Judge(game, "rules").gain(state, 0, hit, miss, generator(1))) < 0.2


@pytest.mark.game("love-letter", "virus")
def test_nobody_is_judged_by_itself():
    assert usual_judge("love-letter", ["utbm", "ismcts"]) == "rules"
    assert usual_judge("love-letter", ["utbm", "rules"]) == "random"
    assert usual_judge("virus", ["greedy", "random"]) == "random"
    with pytest.raises(BuiltinError, match="there is no built-in bot 'me'"):
        Judge(make("virus"), "me")


def test_lines_of_code_are_those_with_code():
    assert code_lines(SOURCE) == 7


@pytest.mark.game("love-letter", "virus")
def test_the_effort_of_a_built_in_bot_is_its_module_with_all_that_it_imports():
    found = effort(parse_bot("builtin:utbm-peek?depth=2"))
    names = [name.rpartition(".")[2] for name in found.modules]
    assert names == ["utbm_peek", "utbm", "utbm_tree", "utbm_turns", "utbm_values"]
    assert found.lines == sum(found.modules.values())
    assert found.options == ["depth"]
    assert "baron cost" in found.tuned
    searching = effort(parse_bot("builtin:alphabeta?evaluation=hand"), make("virus")).modules
    evaluation = "joute.games.virus.players.evaluation"
    assert {"joute.search.alphabeta_search", evaluation} <= set(searching)
    assert "joute.bots" not in searching
    assert len(effort(parse_bot("builtin:alphabeta"), make("virus")).modules) < len(searching)


def test_files_of_a_folder_that_have_one_name_are_all_counted(tmp_path):
    for place in ("", "one", "two"):
        (tmp_path / place).mkdir(exist_ok=True)
        (tmp_path / place / "bot.py").write_text("a = 1\nb = 2\n")
    found = effort(parse_bot(str(tmp_path)))
    assert found.modules == {"bot.py": 2, "one/bot.py": 2, "two/bot.py": 2}
    assert found.lines == 6


def test_the_effort_of_other_bots_is_that_of_their_files(tmp_path):
    (tmp_path / "bot.py").write_text(SOURCE)
    (tmp_path / "more.py").write_text("a = 1\n")
    folder = effort(parse_bot(str(tmp_path)))
    assert (folder.lines, folder.modules) == (8, {"bot.py": 7, "more.py": 1})
    assert effort(parse_bot(f"program:python3 {tmp_path}")).lines is None
    assert effort(parse_bot("human")).lines is None


@pytest.mark.game("love-letter")
def test_a_study_needs_two_seats():
    with pytest.raises(ConfigError, match="compare: game: two bots need a game of 2 seats"):
        Study("love-letter", {"players": 4}, ("rules", "random"), "1")
