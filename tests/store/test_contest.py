"""A contest whose results are in a database elsewhere, and where its folder says they are."""

from pathlib import Path

import pytest
from contest import fakes
from contest.fakes import contest_in
from contest.kept_records import record_in
from store.samples import run

from joute.contest.errors import ConfigError, FolderError
from joute.contest.folder import configured, opened_store, stored_games
from joute.contest.proof.verification import verify_results
from joute.contest.report.standings import standings
from joute.contest.run.runner import run_contest, status

pytestmark = pytest.mark.game("virus")


def test_a_contest_in_postgresql_ends_as_in_a_file(tmp_path, server):
    contests = []
    for name, given in (("file", {}), ("server", {"contest.store": server.url()})):
        (tmp_path / name).mkdir()
        contest = contest_in(tmp_path / name, "games = 4", bots=3, **given)
        assert run_contest(contest, play=fakes.quick, workers=1).played == 12
        contests.append(contest)
    here, there = contests
    assert standings(here) == standings(there)
    assert not Path(there.folder, "contest.sqlite").exists()
    games = stored_games(Path(there.folder))[1]  # the folder knows where they are
    assert games.keys() == stored_games(Path(here.folder))[1].keys()
    for name, game in games.items():
        assert record_in(there, game.record) == fakes.record_of(name)
    again = contest_in(tmp_path / "server", "games = 6", bots=3)
    assert (status(again).done, status(again).left) == (12, 6)
    assert run_contest(again, play=fakes.quick, workers=1).played == 6


def test_a_contest_in_postgresql_is_read_and_goes_on_by_its_folder_alone(tmp_path, server):
    contest = contest_in(tmp_path, "games = 2", bots=3, **{"contest.store": server.url()})
    run_contest(contest, play=fakes.quick, workers=1)
    folder = Path(contest.folder)
    with opened_store(folder) as store:
        kept = configured(folder, store)
    assert standings(kept) == standings(contest)
    assert run_contest(kept, play=fakes.quick, workers=1).left == 0


@pytest.mark.parametrize("kind", ["file", "server"])
def test_results_are_verified_as_they_were_while_others_are_written(tmp_path, server, kind):
    given = {"contest.store": server.url()} if kind == "server" else {}
    run_contest(contest_in(tmp_path, "games = 2", bots=2, **given), workers=1)
    longer = contest_in(tmp_path, "games = 4", bots=2, **given)

    def go_on(looked_at: int, rows: int) -> None:
        if looked_at == rows:
            run_contest(longer, workers=1)

    folder = Path(longer.folder)
    found = verify_results(folder, watch=go_on)
    assert (found.differences, found.games) == ([], 2)
    found = verify_results(folder)
    assert (found.differences, found.games) == ([], 4)


@pytest.mark.parametrize("name", ["a?b", "a%20b", "100%", "a#b", "a b", "sqlite:", "é+&="])
def test_a_contest_is_kept_in_its_folder_whatever_signs_are_in_its_path(tmp_path, name):
    folder = tmp_path / name
    folder.mkdir()
    contest = contest_in(folder, "games = 2", bots=2)
    run_contest(contest, play=fakes.quick, workers=1)
    assert Path(contest.folder, "contest.sqlite").is_file()
    assert len(stored_games(Path(contest.folder))[1]) == 2
    assert list(tmp_path.iterdir()) == [folder]


def test_a_folder_with_results_takes_no_other_store(tmp_path, server):
    run_contest(contest_in(tmp_path, "games = 2", bots=2), play=fakes.quick, workers=1)
    elsewhere = contest_in(tmp_path, "games = 2", bots=2, **{"contest.store": server.url()})
    for use in (run_contest, status, standings):
        with pytest.raises(FolderError, match=r"results of this folder are in contest\.sqlite"):
            use(elsewhere)


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("postgresql://me:secret@there/x", "a URL that is kept holds no password"),
        ("mysql://there/x", "expected the URL of a database"),
        ("", "expected a string that is not empty"),
    ],
)
def test_a_store_that_cannot_be_is_refused_before_anything_is_played(tmp_path, url, told):
    with pytest.raises(ConfigError, match=told):
        contest_in(tmp_path, **{"contest.store": url})


def test_a_database_that_refuses_a_batch_stops_the_contest_with_its_reason(tmp_path, server):
    url = server.url()
    contest = contest_in(tmp_path, "games = 2", bots=2, **{"contest.store": url})
    assert status(contest).done == 0
    run_contest(contest, play=fakes.quick, workers=1)
    run(url, "ALTER TABLE records RENAME TO gone")
    more = contest_in(tmp_path, "games = 4", bots=2, **{"contest.store": url})
    with pytest.raises(FolderError, match="records"):
        run_contest(more, play=fakes.quick, workers=1)
    assert len(stored_games(Path(contest.folder))[1]) == 2
