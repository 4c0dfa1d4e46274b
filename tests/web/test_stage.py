"""The page for the day of the final: teams in order, a timer, games, the bracket, the places."""

from collections import Counter
from itertools import chain
from pathlib import Path

import pytest
from web.conftest import Site

from joute.contest.config.config import resolve
from joute.contest.decisions import decide
from joute.contest.ranking.ranking import NO_PROGRESSION
from joute.contest.report.report import read_report
from joute.contest.run.runner import run_contest
from joute.store.model import WITHDRAWN
from joute.web.contests.stage import bracket, brackets
from joute.web.settings import Settings

pytestmark = pytest.mark.game("virus")

TOML = """
[contest]
name = "Final"
{format}
games = 2
workers = 1
seed = "stage"
[game]
name = "virus"
size = 4
"""
TEAM = """
[[bots]]
bot = "builtin:{bot}"
name = "{name}"
authors = ["Author of {name}"]
description = "We are {name}."
"""
BOTS = {"Ann": "greedy", "Bob": "random", "Cleo": "flat?simulations=3", "Dan": "random"}
LATER = """const real = performance.now.bind(performance);
performance.now = () => real() + (window.later ?? 0);"""
NOW = "document.querySelector('.slide:not([hidden])')"


def played(folder, form, bots):
    """The folder of a contest that was played to its end."""
    file = folder / "contest.toml"
    teams = "".join(TEAM.format(bot=bot, name=name) for name, bot in bots.items())
    file.write_text(TOML.format(format=form) + teams)
    contest = resolve(file)
    run_contest(contest)
    return contest


@pytest.fixture(scope="module")
def knockout(tmp_path_factory):
    """A knockout of five, of whom three have no opponent in the first round."""
    bots = {**BOTS, "Eve": "random"}
    return played(tmp_path_factory.mktemp("stage"), 'format = "knockout"', bots)


@pytest.fixture(scope="module")
def site(knockout):
    made = Site(Settings(folders=(Path(knockout.folder),)))
    yield made
    made.close()


def test_rounds_are_counted_from_the_final(knockout):
    report = read_report(knockout)
    rounds = bracket(report)
    assert [len(each) for each in rounds] == [1, 2, 1]
    assert set(rounds[0][0].names) == {"Dan", "Eve"}  # the last seeds
    final = rounds[-1][0]
    assert final.winner == report.ranked[0]
    assert set(final.names) == {meeting.winner for meeting in rounds[1]}
    assert [meeting.winner for meeting in rounds[1]] == list(final.names)
    assert all(sum(meeting.scores) >= 2 for each in rounds for meeting in each)


def test_a_bracket_that_is_not_over_has_the_rounds_that_were_begun(knockout):
    report = read_report(knockout)
    rounds = bracket(report._replace(met=report.met[:-2], left=2))
    assert [len(each) for each in rounds] == [2, 1]
    assert {meeting.winner for each in rounds for meeting in each} & {""}
    assert bracket(report._replace(met=())) == []


def test_a_bracket_keeps_the_games_of_a_bot_that_was_taken_out(tmp_path):
    contest = played(tmp_path, 'format = "knockout"', BOTS)
    before = bracket(read_report(contest))
    [loser] = {*before[-1][0].names} - {before[-1][0].winner}
    decide(contest, WITHDRAWN, loser, "its author asked")
    report = read_report(contest)
    assert bracket(report) == before
    assert loser not in {name for game in report.games for name in game.bots}


def test_the_games_of_pools_are_not_in_the_bracket(tmp_path):
    pools = 'format = "pools"\npools = 2\nqualified = 1'
    [[final]] = bracket(read_report(played(tmp_path, pools, BOTS)))
    assert sum(final.scores) == 2 and final.winner in final.names


@pytest.fixture(scope="module")
def double(tmp_path_factory):
    """A double knockout of five."""
    bots = {**BOTS, "Eve": "random"}
    return played(tmp_path_factory.mktemp("double"), 'format = "double-knockout"', bots)


def losers(meetings):
    return [name for each in meetings for name in each.names if each.winner not in (name, "")]


def test_a_double_knockout_has_a_bracket_of_the_unbeaten_one_of_the_once_beaten_and_a_final(double):
    report = read_report(double)
    parts = {part.heading: part.rounds for part in brackets(report)}
    assert list(parts) == ["stage.unbeaten", "stage.beaten", "stage.final"]
    unbeaten, beaten, final = ([*chain(*rounds)] for rounds in parts.values())
    assert [len(each) for each in parts["stage.unbeaten"]] == [1, 2, 1]
    lost = Counter(losers([*unbeaten, *beaten, *final]))
    best = report.ranked[0]
    assert final[-1].winner == best and lost.pop(best, 0) <= 1
    assert lost == dict.fromkeys({*BOTS, "Eve"} - {best}, 2)
    assert max(Counter(losers(unbeaten)).values()) == 1
    assert set(losers(beaten)) <= set(losers(unbeaten))
    numbers = sorted(each.number for each in [*unbeaten, *beaten, *final])
    assert numbers == list(range(len(numbers)))


def test_a_double_knockout_that_is_not_over_has_the_rounds_that_were_begun(double):
    report = read_report(double)
    first = [game for game in report.met if game.set_number == 0]
    begun = report._replace(progression=NO_PROGRESSION, left=9)
    [part] = brackets(begun._replace(met=first))
    assert part.heading == "stage.unbeaten"
    assert [[meeting.winner for meeting in each] for each in part.rounds] == [[""]]
    assert brackets(begun._replace(met=())) == []


def test_the_brackets_of_a_double_knockout_fill_up_in_the_order_of_the_games(double, chromium):
    site = Site(Settings(folders=(Path(double.folder),)))
    try:
        page = chromium.page(1600, 900, language="en").open(f"{site.url}{address(site)}/stage")
        page.wait_for("document.querySelector('#stage-place').textContent")
        page.key("End")
        page.key("ArrowLeft")
        headings = f"[...{NOW}.querySelectorAll('h3')].map(each => each.textContent)"
        assert page.evaluate(headings) == ["Unbeaten", "Beaten once", "Final"]
        steps = f"{NOW}.querySelectorAll('.to-come').length"
        most = page.evaluate(steps)
        while left := page.evaluate(steps):
            page.key("ArrowRight")
            assert page.evaluate(steps) == left - 1
        assert most == page.evaluate(f"{NOW}.querySelectorAll('.meeting').length") >= 8
        assert page.overflow() == [] and page.problems() == []
    finally:
        site.close()


def address(site):
    [contest] = site.get("/api/contests").json()
    return f"/contests/{contest['id']}"


def test_each_team_is_presented_with_its_own_words_and_a_timer(site):
    page = site.get(f"{address(site)}/stage").text
    for name in (*BOTS, "Eve"):
        assert f"We are {name}." in page and f"Author of {name}" in page
        assert f"/wall/games.json?bot={name}" in page
    assert page.count('data-minutes="5"') == 5
    assert 'data-minutes="7"' in site.get(f"{address(site)}/stage?minutes=7").text
    assert site.get(f"{address(site)}/stage?minutes=0").status_code == 422
    assert f'href="{address(site)}/stage"' in site.get(address(site)).text


def test_the_games_of_a_team_alone_can_be_asked_for(site):
    games = site.get(f"{address(site)}/wall/games.json?count=12&bot=Eve").json()
    every = site.get(f"{address(site)}/wall/games.json?count=12").json()
    assert 0 < len(games) < len(every)
    assert {each["number"] for each in games} < {each["number"] for each in every}


def test_keys_go_on_start_the_timer_and_fill_the_bracket(site, chromium):
    page = chromium.page(1600, 900, language="fr").open(f"{site.url}{address(site)}/stage")
    page.wait_for("document.querySelector('#stage-place').textContent")
    assert "Ordre des présentations" in page.evaluate(f"{NOW}.innerText")
    page.key("ArrowRight")
    assert "We are Ann." in page.evaluate(f"{NOW}.innerText")
    assert page.evaluate(f"{NOW}.querySelector('output').textContent") == "5:00"
    page.key(" ")
    page.wait_for(f"{NOW}.querySelector('output').textContent === '4:59'")
    page.key(" ")
    assert page.evaluate(f"{NOW}.querySelector('button').textContent") == "Démarrer"
    page.key("r")
    assert page.evaluate(f"{NOW}.querySelector('output').textContent") == "5:00"
    page.key("ArrowRight")
    page.wait_for(f"{NOW}.querySelector('.game svg.board')")
    page.key("End")
    assert page.evaluate("location.hash") == "#13"
    page.key("ArrowLeft")
    steps = page.evaluate(f"{NOW}.querySelectorAll('.to-come').length")
    for left in range(steps, 0, -1):
        assert page.evaluate(f"{NOW}.querySelectorAll('.to-come').length") == left
        page.key("ArrowRight")
    assert steps == 4 and page.evaluate("location.hash") == "#12"
    page.key("ArrowRight")
    assert page.evaluate("location.hash") == "#13"
    assert page.overflow() == [] and page.problems() == []


def test_a_timer_beyond_its_end_counts_what_is_too_much(site, chromium):
    page = chromium.page(1600, 900, language="en")
    page.script(LATER)
    page.open(f"{site.url}{address(site)}/stage#2")
    page.wait_for(f"{NOW}.querySelector('output')?.textContent === '5:00'")
    page.key(" ")
    page.evaluate("window.later = 241000; 0")
    page.wait_for(f"{NOW}.querySelector('.timer.soon')")
    page.evaluate("window.later = 306000; 0")
    page.wait_for(f"{NOW}.querySelector('.timer.over')")
    assert page.evaluate(f"{NOW}.querySelector('output').textContent").startswith(
        "\N{MINUS SIGN}0:0"
    )
    assert page.problems() == []


def test_a_contest_that_is_not_there_has_no_stage(site):
    assert site.get("/contests/nowhere/stage").status_code == 404
