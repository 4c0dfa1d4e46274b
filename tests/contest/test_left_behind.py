"""The notes that a run into a large contest leaves: when they are believed, and what is added."""

from pathlib import Path
from random import Random

import pytest
from contest import fakes
from contest.fakes import contest_in, tron_in
from contest.test_decisions import mark
from contest.test_million import game_of
from msgspec import structs
from sqlalchemy import Engine, event

from joute.contest.config.config import resolve
from joute.contest.decisions import decide
from joute.contest.folder import known
from joute.contest.report import summary
from joute.contest.report.standings import standings, write_results
from joute.contest.run.coordinator import Finished
from joute.contest.run.plan import planned
from joute.contest.run.playing import Folder
from joute.contest.run.runner import run_contest, status
from joute.contest.run.workers import play_batch
from joute.play.game import SeatFault
from joute.store.model import ANNULLED, REPLAYED, RETIRED, WITHDRAWN
from joute.store.store import Store

pytestmark = pytest.mark.game("tron", "virus")


def play_some(folder, plan, count, fake=fakes.quick, order=None):
    """Plays so many games of those that are due, in any order, into the folder."""
    tasks = [plan.due.popleft() for _ in range(len(plan.due))]
    (order or Random(0)).shuffle(tasks)
    for task in tasks[count:]:
        plan.due.append(task)
    played = play_batch(fake, [task.spec for task in tasks[:count]])
    for game in folder.save([Finished(*each) for each in zip(tasks, played, strict=False)]):
        plan.record(game)


def filled(contest, count=None, later=0, fake=fakes.quick, before=None, between=None):
    """The contest with so many games in its folder and what they came to, and some `later`."""
    with Folder(Path(contest.folder)) as folder:
        plan = planned(contest, folder.known(contest))
        if before is not None:
            before(folder)
        play_some(folder, plan, len(plan.due) if count is None else count)
        write_results(folder.path, contest, plan, "fixed")
        if between is not None:
            between(folder)
        play_some(folder, plan, later, fake)
    return contest


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    """A contest is large when it has some games."""
    monkeypatch.setattr(summary, "LARGE", 10)


@pytest.fixture(name="large")
def _large(tmp_path):
    """A contest that is large by its own measure, and was played."""
    return filled(contest_in(tmp_path, "games = 4"))


@pytest.fixture(name="statements")
def _statements():
    """The statements of SQL that were executed."""
    found = []

    def note(connection, cursor, statement, *ignored):
        found.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    yield found
    event.remove(Engine, "before_cursor_execute", note)


def test_standings_of_a_large_contest_are_had_without_a_look_at_its_games(large, statements):
    wanted = planned(large, known(large))
    statements.clear()
    assert standings(large) == wanted.standings()
    assert (status(large).done, status(large).kept) == (24, 24)
    assert not any("games.identity" in each or "seats" in each for each in statements)
    assert len(statements) < 2 * 12  # the layout, two counts, the marks, the seed


def stranger(contest):
    with Store.in_file(Path(contest.folder, "contest.sqlite")) as store:
        store.add([game_of(7)])
    return contest


def changed_mark(contest):
    with Store.in_file(Path(contest.folder, "contest.sqlite")) as store:
        store.decide(mark(ANNULLED, next(iter(store.identities()))))
    return contest


def changed_rules(contest):
    return structs.replace(contest, ranking=("games-won",))


def changed_file(contest):
    Path(contest.folder, summary.SUMMARY).write_text("{")
    return contest


@pytest.mark.parametrize("change", [stranger, changed_mark, changed_rules, changed_file])
def test_what_was_left_behind_is_not_believed_when_anything_it_depends_on_has_changed(
    large, change, statements
):
    changed = change(large)
    statements.clear()
    found = standings(changed)
    assert any("seats" in each for each in statements)
    assert found == planned(changed, known(changed)).standings()


def test_a_small_contest_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(summary, "LARGE", 25)
    assert not (Path(filled(contest_in(tmp_path, "games = 4")).folder) / summary.SUMMARY).exists()


def test_a_folder_is_read_with_as_many_queries_as_pages(large, statements, monkeypatch):
    monkeypatch.setattr("joute.store.store.PAGE", 8)
    statements.clear()
    assert len(known(large).games) == 24
    assert sum("FROM seats" in each for each in statements) == 24 / 8
    assert len(statements) < 20


# Games that came after it was left behind.


def anew(contest):
    """Standings and counts, made from the games."""
    plan = planned(contest, known(contest))
    return plan.standings(), (plan.done, plan.left, plan.kept)


def told(contest):
    """The same, as they are told."""
    where = status(contest)
    return standings(contest), (where.done, where.left, where.kept)


def crashing(spec):
    """The bot of the first seat crashes at ply 3 and loses its turn."""
    return structs.replace(fakes.quick(spec), faults=[SeatFault(0, 3, "crash", "KeyError", "turn")])


CONTESTS = {
    "pairs": lambda folder: contest_in(folder, "games = 6"),
    "of one game": lambda folder: contest_in(folder, "games = 1", bots=4),
    "groups": lambda folder: tron_in(
        folder, ["builtin:random", "builtin:wall", "builtin:territory"], "games = 9", "players = 3"
    ),
    "alone": lambda folder: tron_in(
        folder, ["builtin:random", "builtin:wall"], 'format = "score"\ngames = 6', "players = 1"
    ),
    "strict": lambda folder: structs.replace(
        contest_in(folder, "games = 6"), disqualify_after=1, disqualify_for=("crash",)
    ),
}


@pytest.mark.parametrize("name", CONTESTS)
@pytest.mark.parametrize("fake", [fakes.quick, crashing])
def test_games_that_came_later_are_added_to_what_was_left_behind(tmp_path, monkeypatch, name, fake):
    contest = CONTESTS[name](tmp_path)
    monkeypatch.setattr(summary, "LARGE", 2)
    filled(contest, 3, 3, fake)
    wanted = anew(contest)
    if (name, fake) == ("strict", crashing):
        assert wanted == told(contest)
        return
    monkeypatch.setattr(summary, "known", None)  # all games are not looked at
    assert told(contest) == wanted


def twins_in(folder):
    """A contest of two bots that are one."""
    path = folder / "test.toml"
    path.write_text(
        'bots = [{name = "a", bot = "builtin:random"}, {name = "b", bot = "builtin:random"}]\n'
        "[contest]\ngames = 8\n"
    )
    return resolve(path, {"contest.seed": "fixed"})


DECIDED = {
    "by results": lambda folder: contest_in(folder, "first_to = 2", "max_games = 4"),
    "round by round": lambda folder: contest_in(folder, 'format = "swiss"', "games = 6"),
    "two of the same content": twins_in,
}


@pytest.mark.parametrize("name", DECIDED)
def test_where_a_game_does_more_than_add_to_standings_they_are_made_anew(
    tmp_path, monkeypatch, name
):
    monkeypatch.setattr(summary, "LARGE", 2)
    contest = DECIDED[name](tmp_path)
    filled(contest, 3, 2)
    assert told(contest) == anew(contest)


def stranger_in(folder):
    folder.store.add([game_of(7)])


def withdrawn_in(folder):
    folder.store.decide(mark(WITHDRAWN, "greedy"))


@pytest.mark.parametrize("happens", [stranger_in, withdrawn_in])
@pytest.mark.parametrize("when", ["before", "between"])
def test_what_a_run_does_not_know_of_is_not_passed_over(tmp_path, happens, when):
    contest = filled(contest_in(tmp_path, "games = 4"), 12, 4, **{when: happens})
    assert told(contest) == anew(contest)


def test_what_was_decided_about_a_bot_that_has_played_all_its_games_is_told(tmp_path):
    contest = contest_in(tmp_path, "games = 2")
    with Folder(Path(contest.folder)) as folder:
        plan = planned(contest, folder.known(contest))
        tasks = [plan.due.popleft() for _ in range(len(plan.due))]
        theirs = [task for task in tasks if "greedy" in task.slot.seats]
        played = play_batch(fakes.quick, [task.spec for task in theirs])
        folder.save([Finished(*each) for each in zip(theirs, played, strict=True)])
        folder.store.decide(mark(RETIRED, "greedy"))
    filled(contest, 4, 1)
    assert told(contest) == anew(contest)


def test_games_are_added_where_others_are_annulled(tmp_path, monkeypatch):
    contest = filled(contest_in(tmp_path, "games = 4"), 12)
    with Store.in_file(Path(contest.folder, "contest.sqlite")) as store:
        first, second, *_ = store.identities()
    decide(contest, ANNULLED, first, "the light went out")
    decide(contest, REPLAYED, second, "the light went out")
    filled(contest, 1, 4)
    wanted = anew(contest)
    monkeypatch.setattr(summary, "known", None)
    assert told(contest) == wanted


def test_nothing_can_be_added_where_the_store_cannot_be_looked_at(large):
    path = Path(large.folder, summary.SUMMARY)
    assert b'"sums":{' in path.read_bytes()
    elsewhere = structs.replace(large, store="sqlite:///nowhere.sqlite")
    with Folder(Path(large.folder)) as folder:
        write_results(folder.path, elsewhere, planned(large, folder.known(large)), "fixed")
    assert b'"sums":null' in path.read_bytes()


def test_while_a_contest_is_played_it_leaves_behind_where_it_stands(tmp_path, monkeypatch):
    monkeypatch.setattr(summary, "OFTEN", 5)
    contest = contest_in(tmp_path, "games = 4")
    path, there = Path(contest.folder, summary.SUMMARY), []
    run_contest(contest, lambda done, *_: there.append((done, path.exists())), play=fakes.quick)
    assert {exists for done, exists in there if done < 10} == {False}
    assert {exists for done, exists in there if done >= 10} == {True}
    assert told(contest) == anew(contest)


def test_where_nothing_can_be_added_to_a_summary_none_is_left_while_a_contest_is_played(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(summary, "OFTEN", 5)
    contest = DECIDED["by results"](tmp_path)
    with Folder(Path(contest.folder)) as folder:
        plan = planned(contest, folder.known(contest))
        keeper = summary.SummaryWriter(contest, plan, "fixed")
        for _ in range(2):
            play_some(folder, plan, 10)
            keeper.look()
    assert not Path(contest.folder, summary.SUMMARY).exists()
