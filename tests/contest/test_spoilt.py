"""Games that a busy machine has spoilt: kept, counted for nobody, played again with new seeds."""

import json
from pathlib import Path

import pytest
from contest import fakes
from contest.fakes import contest_in
from contest.test_coordinator import Crew
from msgspec import structs
from play.test_time import Slow

from joute.cli.audit import print_audit
from joute.cli.standings import print_standings
from joute.contest.decisions import decide
from joute.contest.errors import DecisionError, Interrupted
from joute.contest.proof.verification import verify_results
from joute.contest.report.audit import audit
from joute.contest.report.report import read_report
from joute.contest.report.standings import standings, table_text, write_results
from joute.contest.report.tables import standings_sheet
from joute.contest.run.coordinator import Coordinator, Stop
from joute.contest.run.plan import planned
from joute.contest.run.playing import Folder
from joute.contest.run.runner import run_contest
from joute.contest.run.tasks import BUSY, OURS, note, waited_for
from joute.contest.sealing import keep_configuration
from joute.host import clock as clock_module
from joute.host.clock import Crowd
from joute.host.protocol import InfrastructureError
from joute.play.referee import play_game
from joute.play.seats import open_seat
from joute.store.model import ANNULLED, REINSTATED, REPLAYED
from joute.web.contests.export import write_site

pytestmark = pytest.mark.game("virus")

SLEEPING = "import time\ndef play(observation, clock):\n    time.sleep(60)\n"


def run(contest, play, stop=None):
    """A run of a contest whose games are played here; the coordinator at its end."""
    with Folder(Path(contest.folder)) as folder:
        contest, seed = keep_configuration(contest, folder)
        plan = planned(contest, folder.known(contest), seed)
        found = Coordinator(plan, Crew(play=play), folder.save, None, stop or Stop())
        found.run()
        write_results(folder.path, contest, plan, seed)
        return found


def store_of(contest):
    """The rows of the store: the identities of the games in order, and the marks."""
    with Folder(Path(contest.folder)) as folder:
        return list(folder.store.games()), folder.store.decisions()


def test_a_mark_says_which_bots_were_waited_for():
    bots = ("red", "blue", "green")
    assert waited_for(note("f" * 32, [1], BUSY), bots) == ["blue"]
    assert waited_for(note("f" * 32, [0, 2], "no answer"), bots) == ["red", "green"]
    assert waited_for(note("f" * 32, [], "seats were too few"), bots) == list(bots)


@pytest.mark.parametrize(("times", "plays"), [(1, 2), (2, 3), (9, 3)])
def test_a_game_of_a_busy_machine_is_kept_and_played_again_and_the_last_try_counts(
    tmp_path, times, plays
):
    specs = []

    def busy(spec):
        specs.append(spec)
        return structs.replace(fakes.quick(spec), busy=len(specs) <= times, waited_for=[1])

    contest = contest_in(tmp_path, "games = 1", bots=2)
    found = run(contest, busy)
    assert (found.played, found.failures) == (1, [])
    assert len({spec.seed for spec in specs}) == len(specs) == plays
    assert [spec.last_try for spec in specs] == [False, False, True][:plays]
    games, marks = store_of(contest)
    assert len(games) == plays
    assert [(mark.kind, mark.subject, mark.who) for mark in marks] == [
        (REPLAYED, each, OURS) for each in games[:-1]
    ]
    assert all(mark.why == f"seat 1: {BUSY}" for mark in marks)
    [line] = [line for line in standings(contest) if line.spoilt]
    assert line.name == specs[0].bots[1].name
    assert line.spoilt == sorted(games[:-1])
    assert all(line.games == 1 for line in standings(contest))


def test_a_game_that_could_not_be_played_has_another_seed_in_the_next_try_and_the_next_run(
    tmp_path,
):
    specs = []

    def hopeless(spec):
        specs.append(spec)
        raise InfrastructureError("no answer after 9.00 s", (0,))

    contest = contest_in(tmp_path, "games = 1", bots=2)
    found = run(contest, hopeless)
    [failure] = found.failures
    assert str(failure.reason).startswith("no answer after 9.00 s")
    assert str(failure.reason).endswith("3 times")
    assert found._plan.left == 1
    games, marks = store_of(contest)
    assert games == []
    assert len({mark.subject for mark in marks}) == len({spec.seed for spec in specs}) == 3
    assert [spec.last_try for spec in specs] == [False, False, True]
    assert all(mark.why.startswith("seat 0: no answer") for mark in marks)

    again = run(contest, fakes.quick)
    assert (again.played, again.failures) == (1, [])
    [game], after = store_of(contest)
    assert after == marks
    assert game not in {mark.subject for mark in marks}
    assert {line.name: len(line.spoilt) for line in standings(contest)} == {
        specs[0].bots[0].name: 3,
        specs[0].bots[1].name: 0,
    }


def test_the_standings_are_the_same_for_one_worker_or_many_stopped_or_not(tmp_path):
    def outcome(name, workers, stopped=False):
        folder = tmp_path / name
        folder.mkdir()
        contest = contest_in(folder, "games = 6", **{"contest.workers": workers})
        if stopped:
            budget = iter(range(7))
            stop = Stop()

            def play(spec):
                stop.requested = next(budget, None) is None
                return fakes.busy_now_and_then(spec)

            with pytest.raises(Interrupted):
                run(contest, play, stop)
        if workers > 1:
            run_contest(contest, play=fakes.busy_now_and_then)
        else:
            run(contest, fakes.busy_now_and_then)
        games, marks = store_of(contest)
        table = [structs.replace(line, mean_ms=None) for line in standings(contest)]
        return sorted(games), sorted((mark.subject, mark.why) for mark in marks), table

    one = outcome("one", 1)
    assert one == outcome("two", 2)
    assert one == outcome("stopped", 1, stopped=True)
    spoilt = {subject for subject, _ in one[1]}
    assert spoilt - set(one[0])
    assert spoilt & set(one[0])


def test_a_bot_that_has_no_answer_in_any_try_is_late_in_the_last(tmp_path, monkeypatch):
    (tmp_path / "sleeping.py").write_text(SLEEPING)
    contest = contest_in(tmp_path, "games = 1", bots=2, **{"limits.move_seconds": 0.1})
    one, other = contest.bots
    sleeping = structs.replace(one, name="sleeping", bot=str(tmp_path / "sleeping.py"))
    contest = structs.replace(
        contest, bots=(sleeping, other), costs=contest.costs | {"timeout": "game"}
    )
    monkeypatch.setattr(clock_module, "wall_seconds", lambda seconds: seconds)
    monkeypatch.setattr(Crowd, "waiting", lambda _: 1e9)  # the most crowded machine of all
    found = run(contest, play_game)
    assert (found.played, found.failures) == (1, [])
    [game], marks = store_of(contest)
    assert len(marks) == 2
    with Folder(Path(contest.folder)) as folder:
        [fault, *_] = folder.store.games()[game].faults
    assert fault["fault"] == "timeout"
    [line] = [line for line in standings(contest) if line.name == "sleeping"]
    assert len(line.spoilt) == 2
    assert line.faults[0].fault == "timeout"


def test_what_the_machine_spoilt_is_told_by_bot_where_it_happened(tmp_path, capsys):
    contest = contest_in(tmp_path, "games = 6")
    summary = run_contest(contest, play=fakes.busy_now_and_then)
    assert summary.failed == 0
    by_bot = {line.name: line.spoilt for line in standings(contest) if line.spoilt}
    found = audit(contest)
    assert found.infrastructure == by_bot
    assert found.decisions == []
    assert found.annulled == []
    assert found.unasked == []
    assert (found.void, found.left) == (0, 0)
    told = json.loads((Path(contest.folder) / "standings.json").read_text())
    assert {
        line["name"]: line["infrastructure"]
        for line in told["standings"]
        if "infrastructure" in line
    } == by_bot
    assert told["decisions"] == []
    text = table_text(standings(contest))
    for name, games in by_bot.items():
        assert f"{name}: infrastructure x{len(games)}, played again: {', '.join(games)}" in text
    sheet = standings_sheet(read_report(contest))
    place = list(sheet.columns).index("infrastructure")
    assert {row[1]: row[place] for row in sheet.rows if row[place]} == {
        name: len(games) for name, games in by_bot.items()
    }
    print_standings(standings(contest), "")
    print_audit(found)
    printed = capsys.readouterr().out
    page = write_site(read_report(contest), tmp_path / "site")[0].read_text(encoding="utf-8")
    for name, games in by_bot.items():
        said = f"{name}: {len(games)} games played again, because the machine was too busy"
        assert printed.count(said) == 2
        assert said in page
    quiet = contest_in(tmp_path, "games = 2", **{"contest.folder": str(tmp_path / "quiet")})
    run(quiet, fakes.quick)
    assert "infrastructure" not in table_text(standings(quiet))
    assert "infrastructure" not in standings_sheet(read_report(quiet)).columns


def test_nobody_else_may_call_themselves_joute(tmp_path):
    contest = contest_in(tmp_path, "games = 2", bots=2)
    run(contest, fakes.quick)
    games, _ = store_of(contest)
    with pytest.raises(DecisionError, match="stands for what Joute itself has noted"):
        decide(contest, ANNULLED, games[0], "it was lost", " Joute")
    assert store_of(contest)[1] == []


def test_the_organiser_may_have_a_spoilt_game_count_all_the_same(tmp_path):
    contest = contest_in(tmp_path, "games = 1", bots=2)
    tries = []

    def busy(spec):
        tries.append(spec)
        return structs.replace(fakes.quick(spec), busy=len(tries) == 1, waited_for=[1])

    run(contest, busy)
    [first, second], _ = store_of(contest)
    decide(contest, REINSTATED, first, "both agree that it was fair", "the referee")
    found = audit(contest)
    assert (found.unasked, found.counting, found.infrastructure) == ([second], 1, {})


def test_what_the_machine_spoilt_is_proved_like_all_the_rest(tmp_path):
    contest = contest_in(tmp_path, "games = 2", bots=2)
    spoilt = set()

    def play(spec):
        waits = spec.bots[0].name not in spoilt
        spoilt.add(spec.bots[0].name)

        def opener(seat, spec, game, human):
            return Slow(open_seat(seat, spec, game, human), busy=waits)

        return play_game(spec, opener=opener)

    run(contest, play)
    games, marks = store_of(contest)
    assert (len(games), len(marks)) == (4, 2)
    assert verify_results(Path(contest.folder)).differences == []
    blamed = next(game for game in games if game not in {mark.subject for mark in marks})
    with Folder(Path(contest.folder)) as folder:
        folder.store.add([], notes=[note(blamed, [0], BUSY)])
    first, *_ = verify_results(Path(contest.folder)).differences
    assert (first.key, first.values["subject"]) == ("mark.busy", blamed)
