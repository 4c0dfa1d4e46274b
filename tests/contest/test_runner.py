"""The runner with workers that play nothing: what counts, what is healed, what is given up."""

import json
from pathlib import Path

import pytest
from contest import fakes
from contest.fakes import contest_in
from contest.kept_records import record_in

from joute.contest.errors import ConfigError, FolderError, LockedError, WorkersError
from joute.contest.folder import stored_games
from joute.contest.report.standings import standings
from joute.contest.run import coordinator
from joute.contest.run.coordinator import Finished
from joute.contest.run.plan import Plan
from joute.contest.run.playing import Folder, game_row
from joute.contest.run.runner import run_contest, status
from joute.contest.run.workers import PlayedGame

pytestmark = pytest.mark.game("virus")


def played(contest):
    """The results kept, by identity."""
    return {name: game.returns for name, game in stored_games(Path(contest.folder))[1].items()}


def test_a_contest_is_played_once_and_then_nothing_is_left(tmp_path):
    contest = contest_in(tmp_path, "games = 4")
    summary = run_contest(contest, play=fakes.quick)
    assert (summary.played, summary.already, summary.failed) == (24, 0, 0)
    assert len(played(contest)) == 24
    before = standings(contest)
    summary = run_contest(contest, play=fakes.dies_always)  # is never called
    assert (summary.played, summary.already, summary.failed) == (0, 24, 0)
    assert standings(contest) == before
    assert sum(line.games for line in before) == 48


def test_every_game_has_its_record(tmp_path):
    contest = contest_in(tmp_path, "games = 2", bots=2)
    run_contest(contest, play=fakes.quick)
    for name, game in stored_games(Path(contest.folder))[1].items():
        assert record_in(contest, game.record) == fakes.record_of(name)
    assert list(Path(contest.folder, "records").iterdir()) == []  # the database has them


def test_the_results_are_written_beside(tmp_path):
    contest = contest_in(tmp_path, "games = 2", bots=2)
    run_contest(contest, play=fakes.first_wins)
    summary = json.loads(Path(contest.folder, "standings.json").read_text())
    assert (summary["done"], summary["left"]) == (2, 0)
    assert [line["name"] for line in summary["standings"]] == ["greedy", "random"]
    text = Path(contest.folder, "standings.txt").read_text().splitlines()
    assert text[0] == "test: 2 games played"
    assert text[-1].startswith("proof of 3 rows: ")
    assert [" ".join(line.split()) for line in text[2:-2]] == [
        "bot beaten won drawn lost score 95 % faults ms/turn",
        "1 greedy 1 2 0 0 1.000 0.21-1.00 0 1.5",
        "2 random 0 0 0 2 0.000 0.00-0.79 0 1.5",
    ]


def test_faults_are_in_the_results_with_what_was_said_last(tmp_path):
    contest = contest_in(tmp_path, "games = 2", bots=2)
    run_contest(contest, play=fakes.with_faults)
    text = Path(contest.folder, "standings.txt").read_text()
    assert "illegal x1, first at ply 4" in text
    assert ": KeyError: 'grid'\n" in text
    assert [line.forfeits for line in standings(contest)] == [1, 1]


def test_the_order_of_workers_does_not_show(tmp_path):
    results = []
    for workers in (1, 3):
        folder = tmp_path / str(workers)
        folder.mkdir()
        contest = contest_in(folder, "first_to = 3", bots=3)
        run_contest(contest, play=fakes.quick, workers=workers)
        results.append((played(contest), standings(contest)))
    assert results[0] == results[1]


@pytest.mark.game("paradise")
def test_an_odd_last_game_counts_in_the_ranking_and_not_in_the_score(tmp_path):
    overrides = {"contest.first_to": 3, "contest.max_games": 5, "contest.ranking": "paradise"}
    contest = contest_in(tmp_path, bots=2, **overrides)
    plan = Plan(contest, "seed", {})
    while plan.due:  # the second seat wins: two all, then one
        task = plan.due.popleft()
        finished = Finished(task, PlayedGame(fakes.quick(task.spec), "", 0.0))
        row = game_row(finished, "")
        plan.record(type(row)(**{**vars(row), "returns": [-1.0, 1.0]}))
    first, second = plan.standings()
    assert (plan.done, plan.left) == (5, 0)
    assert (first.beaten, first.won, first.lost, first.sets, first.score) == (1, 3, 2, 2, 0.5)
    assert (second.beaten, second.won, second.lost, second.sets) == (0, 2, 3, 2)


def test_progress_counts_up_to_the_end(tmp_path):
    seen = []
    contest = contest_in(tmp_path, "games = 4", bots=3)
    run_contest(contest, progress=lambda *facts: seen.append(facts), play=fakes.quick)
    assert seen[0] == (0, 12, 0.0, None)
    assert [done for done, *_ in seen] == sorted({done for done, *_ in seen})
    done, total, rate, left = seen[-1]
    assert (done, total, left) == (12, 12, 0.0)
    assert rate > 0


def test_a_drawn_seed_is_kept(tmp_path):
    contest = contest_in(tmp_path, bots=2, **{"contest.games": 2})
    contest = type(contest)(**{**contest_fields(contest), "seed": None})
    assert status(contest).seed is None
    first = run_contest(contest, play=fakes.quick)
    again = run_contest(contest, play=fakes.quick)
    assert (again.played, again.already) == (0, 2)
    assert len(bytes.fromhex(first.seed)) == 16
    assert first.seed == again.seed == status(contest).seed


def contest_fields(contest):
    return {name: getattr(contest, name) for name in contest.__struct_fields__}


def test_only_what_changed_is_played_and_what_is_gone_does_not_count(tmp_path):
    run_contest(contest_in(tmp_path, "games = 2", bots=3), play=fakes.quick)
    wider = contest_in(tmp_path, "games = 2", bots=4)
    assert (status(wider).done, status(wider).left) == (6, 6)
    summary = run_contest(wider, play=fakes.quick)
    assert (summary.played, summary.already) == (6, 6)
    narrower = contest_in(tmp_path, "games = 2", bots=2)
    found = status(narrower)
    assert (found.done, found.left, found.kept) == (2, 0, 12)
    assert sum(line.games for line in standings(narrower)) == 4


def test_a_changed_bot_replays_its_games_alone(tmp_path):
    bot = tmp_path / "mine.py"
    path = tmp_path / "test.toml"
    path.write_text('bots = ["builtin:random", "builtin:greedy", "mine.py"]\n[contest]\ngames = 2')
    bot.write_text("def ia(game, side): return False\n")
    overrides = {"contest.seed": 1, "contest.workers": 1}
    run_contest(fakes.resolve(path, overrides), play=fakes.quick)
    bot.write_text("def ia(game, side): return [0, 1]\n")
    summary = run_contest(fakes.resolve(path, overrides), play=fakes.quick)
    assert (summary.played, summary.already) == (4, 2)


def test_a_worker_that_dies_is_replaced_and_its_games_are_played(tmp_path):
    contest = contest_in(tmp_path, "games = 4")
    summary = run_contest(contest, play=fakes.dies_once)
    assert (tmp_path / "died").exists()
    assert (summary.played, summary.failed) == (24, 0)


def test_a_game_that_keeps_killing_its_worker_is_given_up_and_the_rest_goes_on(tmp_path):
    contest = contest_in(tmp_path, "games = 2", bots=3)
    summary = run_contest(contest, play=fakes.dies_for_random)
    assert (summary.played, summary.failed) == (5, 1)
    assert summary.failures[0].bots == ("random", "greedy")
    assert "its worker died" in str(summary.failures[0].reason)
    summary = run_contest(contest, play=fakes.quick)
    assert (summary.played, summary.already, summary.failed) == (1, 5, 0)


def test_a_failure_of_ours_is_tried_again(tmp_path):
    summary = run_contest(contest_in(tmp_path, "games = 2", bots=3), play=fakes.fails_twice)
    assert (summary.played, summary.failed) == (6, 0)


def test_a_game_that_keeps_failing_is_given_up_with_its_reason(tmp_path):
    contest = contest_in(tmp_path, "games = 2", bots=3)
    summary = run_contest(contest, play=fakes.fails_for_random)
    assert (summary.played, summary.failed) == (5, 1)
    reason = str(summary.failures[0].reason)
    assert reason.startswith("RuntimeError: no such luck (fakes.py, line ")
    assert reason.endswith("3 times")


def test_the_result_of_another_game_is_not_taken(tmp_path):
    contest = contest_in(tmp_path, "games = 2", bots=2)
    summary = run_contest(contest, play=fakes.another_game)
    assert (summary.played, summary.failed) == (0, 2)
    assert "changed while the contest ran" in str(summary.failures[0].reason)
    assert played(contest) == {}


def test_workers_that_cannot_live_stop_the_contest(tmp_path, monkeypatch):
    monkeypatch.setattr(coordinator, "DEATHS_AT_START", 3)
    with pytest.raises(WorkersError, match="die before they have played anything"):
        run_contest(contest_in(tmp_path), workers=1, play=fakes.dies_always)


def test_two_cannot_play_into_one_folder(tmp_path):
    contest = contest_in(tmp_path)
    with Folder(Path(contest.folder)), pytest.raises(LockedError) as error:
        run_contest(contest, play=fakes.dies_always)
    assert f"process {fakes.os.getpid()}" in str(error.value)
    Folder(Path(contest.folder)).close()  # the lock is gone with its owner


def test_a_folder_that_cannot_be_used_is_told(tmp_path):
    (tmp_path / "test.results").write_text("a file")
    with pytest.raises(FolderError, match="cannot be written"):
        run_contest(contest_in(tmp_path), play=fakes.dies_always)


def test_a_damaged_database_is_told(tmp_path):
    contest = contest_in(tmp_path)
    Path(contest.folder).mkdir()
    Path(contest.folder, "contest.sqlite").write_text("not a database at all " * 100)
    with pytest.raises(FolderError, match="not a usable database"):
        run_contest(contest, play=fakes.dies_always)
    with pytest.raises(FolderError, match="not a usable database"):
        standings(contest)


def test_after_its_minutes_a_run_hands_out_no_more_games_and_the_next_goes_on(tmp_path):
    contest = contest_in(tmp_path, "games = 4", "minutes = 1e-9")
    summary = run_contest(contest, play=fakes.dies_always)  # is never called
    assert (summary.played, summary.failed, summary.left) == (0, 0, 24)
    assert [line.games for line in standings(contest)] == [0] * 4
    summary = run_contest(contest_in(tmp_path, "games = 4", "minutes = 60"), play=fakes.quick)
    assert (summary.played, summary.left) == (24, 0)


@pytest.mark.parametrize("minutes", ["0", "-1", "nan", "true", "'1'", "1e9"])
def test_minutes_are_a_number_above_0(tmp_path, minutes):
    with pytest.raises(ConfigError, match="a number of minutes above 0"):
        contest_in(tmp_path, f"minutes = {minutes}")
