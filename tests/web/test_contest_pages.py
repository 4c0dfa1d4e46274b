import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event
from types import SimpleNamespace

import pytest
from helpers import PATIENCE, held, wait_until
from web.shown import played, playing_into

from joute.contest.config.config import resolve
from joute.contest.errors import FolderError
from joute.contest.folder import DATABASE, LOCK
from joute.contest.report.summary import summary as left
from joute.contest.report.summary import write_summary
from joute.contest.run.runner import run_contest
from joute.store.model import ANNULLED, WITHDRAWN, Decision
from joute.store.store import Store
from joute.web.contests.catalogue import Catalogue, identifier_of
from joute.web.contests.control import ContestProcesses
from joute.web.contests.snapshot import FINISHED, PAUSED, PLAYING, is_played, sketched, taken
from joute.web.settings import Settings

pytestmark = pytest.mark.game("virus")

ID = "the-b-class-b-co"
PAGE = f"/contests/{ID}"
TABS = ("", "/games", "/bots", "/bots/1", "/faults", "/rules")


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """A site with a contest that is over."""
    from web.conftest import Site

    site = Site(Settings(folders=(played(tmp_path_factory.mktemp("class")),)))
    yield site
    site.close()


@pytest.fixture
def clock(clock, monkeypatch):
    """The clock by which snapshots grow old; it stands still unless it is put on."""
    monkeypatch.setattr("joute.web.contests.catalogue.time", SimpleNamespace(monotonic=clock))
    return clock


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("tab", TABS)
def test_every_page_of_a_contest_comes_in_both_languages(shown, tab, language):
    page = shown.get(f"{PAGE}{tab}", headers={"Accept-Language": language})
    assert page.status_code == 200 and f'<html lang="{language}"' in page.text
    assert "The &lt;b&gt;class&lt;/b&gt; &amp; co" in page.text
    assert "<script>" not in page.text and "<b>class" not in page.text


def test_the_home_page_and_the_list_tell_of_a_contest(shown):
    for path in ("/", "/contests"):
        page = shown.get(path).text
        assert f'href="{PAGE}"' in page and "24 of 24 games" in page
        assert "Won: ann &lt;script&gt;" in page


def test_the_ranking_and_the_rating_stand_side_by_side(shown):
    page = shown.get(PAGE).text
    ranking, rating = page.split("Rating in Elo, with 95% intervals")
    order = [ranking.rindex(name) for name in ("ann &lt;", ">bob<", ">random<")]
    assert order == sorted(order)
    assert "Who beat whom" in rating and 'class="iv"' in rating and 'class="dia"' in rating


def test_a_cell_of_who_beat_whom_opens_its_games(shown):
    page = shown.get(PAGE).text
    cell = f"{PAGE}/games?bot=ann%20%3Cscript%3E&amp;bot=bob"
    assert cell in page and "ann &lt;script&gt; against bob: " in page
    games = shown.get(cell.replace("&amp;", "&")).text
    assert "8 games" in games and games.count('scope="row"') == 8
    assert "<b>random</b>" not in games


def test_the_list_of_games_leads_to_replays_and_marks_faults(shown):
    page = shown.get(f"{PAGE}/games?bot=bob").text
    newest = shown.get(f"/api{PAGE}/games?bot=bob").json()[0]
    assert f'href="{PAGE}/games/{newest["identity"]}"' in page
    assert '<span class="badge bad" title="bob">crash</span>' in page


def test_games_come_a_page_at_a_time(shown, monkeypatch):
    monkeypatch.setattr("joute.web.sites.contest.PAGE", 10)
    first = shown.get(f"{PAGE}/games").text
    assert "before=15" in first and "Newest" not in first
    last = shown.get(f"{PAGE}/games?before=5").text
    assert "Older" not in last and "Newest" in last and last.count('scope="row"') == 4
    assert "No game of these two." in shown.get(f"{PAGE}/games?before=1").text


def test_the_page_of_a_bot_presents_it_and_explains_its_faults(shown):
    page = shown.get(f"{PAGE}/bots/1").text
    assert "by Ann Onym, Zoé &amp; Co" in page and "Counts &lt;cells&gt; &amp; *hopes*." in page
    assert "None." in page
    page = shown.get(f"{PAGE}/bots/2").text
    assert "KeyError: &lt;grid&gt;" in page and "The program stopped with an error" in page
    assert "#line=10" in page and "joute replay " in page


@pytest.mark.parametrize("path", [f"{PAGE}/bots/0", f"{PAGE}/bots/4", "/contests/other"])
def test_what_a_contest_does_not_have_is_not_found(shown, path):
    assert shown.get(path).status_code == 404


def test_a_contest_that_is_begun_says_where_it_stands(serve, tmp_path):
    folder = played(tmp_path, games=10)
    page = serve(Settings(folders=(folder,))).get(PAGE).text
    assert "Paused" in page and "provisional: 14 games are left" in page
    assert "js/contest.js" not in page


def test_a_contest_that_is_being_played_is_asked_for_again(serve, tmp_path):
    folder = played(tmp_path, games=10)
    with playing_into(folder):
        site = serve(Settings(folders=(folder,)))
        page = site.get(PAGE).text
    assert "Playing" in page and "js/contest.js" in page
    assert f'data-progress="/api{PAGE}/progress"' in page


def test_a_contest_without_a_game_says_so(serve, tmp_path):
    site = serve(Settings(folders=(played(tmp_path, games=0),)))
    assert "Not started" in site.get(PAGE).text
    assert "the first ones will show here" in site.get(PAGE).text
    assert "No game of these two." in site.get(f"{PAGE}/games").text


def test_a_snapshot_follows_the_games_that_arrive(tmp_path, clock):
    folder = played(tmp_path / "one", games=10)
    whole = played(tmp_path / "two")
    catalogue = Catalogue([folder])
    kept = catalogue.find(ID)
    assert (kept.snapshot().report.done, kept.snapshot().stage) == (10, PAUSED)
    with Store.in_file(whole / DATABASE) as store:
        kept.store.add(store.games().values())
    clock.now += 1.0
    assert (kept.snapshot().report.done, kept.snapshot().stage) == (24, FINISHED)
    catalogue.close()


def test_a_snapshot_of_a_contest_that_is_over_follows_the_marks(tmp_path, clock):
    catalogue = Catalogue([played(tmp_path)])
    kept = catalogue.find(ID)
    assert kept.snapshot().report.done == 24
    game = kept.store.listed(count=1)[0].identity
    kept.store.decide(Decision(ANNULLED, game, "me", "why not", "2026-01-01T00:00:00+00:00"))
    clock.now += 1.0
    assert kept.snapshot().report.done == 23
    catalogue.close()


def test_the_head_of_a_page_counts_no_games_of_a_bot_that_was_taken_out(serve, tmp_path):
    folder = played(tmp_path)
    with Store.in_file(folder / DATABASE) as store:
        games = list(store.results())
        name = games[0].lineup.bots[0]
        theirs = [game for game in games if name in game.lineup.bots]
        store.decide(Decision(WITHDRAWN, name, "me", "why not", "2026-01-01T00:00:00+00:00"))
    page = serve(Settings(folders=(folder,))).get(PAGE).text
    assert f"<dt>Games</dt><dd>{24 - len(theirs)} " in page


def test_a_snapshot_is_made_again_only_when_its_time_has_come(tmp_path, monkeypatch, clock):
    catalogue = Catalogue([played(tmp_path, games=10)])
    kept = catalogue.find(ID)
    first = kept.snapshot()
    made = []
    monkeypatch.setattr(
        "joute.web.contests.catalogue.taken", lambda *given: made.append(given) or first
    )
    clock.now += 0.99
    assert kept.snapshot() is first and not made
    clock.now += 0.01
    assert kept.snapshot() is first and len(made) == 1
    catalogue.close()


def test_while_a_snapshot_is_made_anew_the_old_one_is_shown(tmp_path, clock):
    catalogue = Catalogue([played(tmp_path, games=10)])
    kept = catalogue.find(ID)
    first = kept.snapshot()
    clock.now += 1.0
    with kept._lock:
        assert kept.snapshot() is first
    assert kept.snapshot() is not first
    catalogue.close()


def test_of_a_large_contest_the_standings_come_first_and_the_rest_by_itself(
    serve, tmp_path, monkeypatch
):
    folder = played(tmp_path)
    catalogue = Catalogue([folder])
    whole = catalogue.find(ID).snapshot()
    catalogue.close()
    report = whole.report._replace(cross={}, courses={}, paces={}, whole=False)
    sketch = whole._replace(state=(-1, -1), report=report)
    monkeypatch.setattr("joute.web.contests.catalogue.sketched", lambda contest: sketch)
    turn = Event()

    def made(*given):
        turn.wait(PATIENCE)
        return whole

    monkeypatch.setattr("joute.web.contests.catalogue.taken", made)
    site = serve(Settings(folders=(folder,)))
    page = site.get(PAGE).text
    assert "ann &lt;script&gt;" in page and "Who beat whom" not in page
    assert "is being computed" in page and "js/contest.js" in page
    assert site.get(f"/api{PAGE}/progress").json()["whole"] is False
    for tab in TABS:
        assert site.get(f"{PAGE}{tab}").status_code == 200
    turn.set()
    wait_until(lambda: site.get(f"/api{PAGE}/progress").json()["whole"])
    assert "Who beat whom" in site.get(PAGE).text


def test_a_snapshot_that_cannot_be_made_again_leaves_the_one_before(tmp_path, monkeypatch, clock):
    catalogue = Catalogue([played(tmp_path, games=10)])
    kept = catalogue.find(ID)
    first = kept.snapshot()
    kept._slow = True
    clock.now += 1.0

    def gone(*_):
        raise OSError("bots are gone")

    monkeypatch.setattr("joute.web.contests.catalogue.taken", gone)
    assert kept.snapshot() is first
    catalogue.close()
    assert not kept._lock.locked()


def test_the_standings_that_were_left_behind_are_found(tmp_path, monkeypatch):
    monkeypatch.setattr("joute.contest.report.summary.LARGE", 10)
    folder = played(tmp_path)
    catalogue = Catalogue([folder])
    contest = catalogue.find(ID).contest
    assert sketched(contest) is None
    write_summary(contest, left(contest))
    found = sketched(contest)
    assert (found.report.done, found.stage, found.report.whole) == (24, FINISHED, False)
    assert next(line.name for line in found.report.table) == "ann <script>"
    catalogue.close()


def test_the_time_left_goes_by_the_pace_of_the_last_games(tmp_path):
    folder = played(tmp_path, games=12)
    catalogue = Catalogue([folder])
    kept = catalogue.find(ID)
    now = datetime(2026, 1, 31, 12, tzinfo=UTC) + timedelta(seconds=24)
    with playing_into(folder):
        found = taken(kept.contest, kept.store, now)
    assert (found.stage, found.report.left, found.seconds_left) == (PLAYING, 12, 24.0)
    catalogue.close()


def test_who_plays_into_a_folder_is_told_by_its_lock(tmp_path):
    assert not is_played(tmp_path)
    for process in (None, 1):
        with playing_into(tmp_path, process):
            assert is_played(tmp_path)
    for text in ("", "9" * 30):
        (tmp_path / LOCK).write_text(text)
        assert not is_played(tmp_path)


def test_the_number_that_a_killed_run_left_may_be_another_process_s_by_now(tmp_path):
    (tmp_path / LOCK).write_text(str(os.getpid()))
    assert not is_played(tmp_path)
    ContestProcesses().check_idle(tmp_path)


def test_a_contest_whose_bots_are_gone_says_why_it_cannot_be_read(serve, tmp_path, monkeypatch):
    def gone(*_):
        raise ValueError("bot 'mine.py': no such file")

    monkeypatch.setattr("joute.web.contests.catalogue.taken", gone)
    site = serve(Settings(folders=(played(tmp_path),)))
    assert "mine.py&#39;: no such file" in site.get("/contests").text
    assert site.get(PAGE).status_code == 503
    assert site.get("/api/contests").json() == []


def test_a_contest_whose_bots_are_gone_is_shown_by_what_its_store_noted(serve, tmp_path, caplog):
    bot = tmp_path / "mine.py"
    bot.write_text("def play(observation, clock):\n    return observation['legal'][0]\n")
    (tmp_path / "cup.toml").write_text('bots = ["mine.py", "builtin:random"]\ngame.size = 3\n')
    contest = resolve(tmp_path / "cup.toml")
    run_contest(contest, trust=True)
    bot.unlink()
    site = serve(Settings(folders=(Path(contest.folder),)))
    assert "the files of mine are not there any more" in caplog.text
    for tab in TABS:
        assert site.get(f"/contests/cup{tab}").status_code == 200
    assert "4 of 4 games" in site.get("/contests").text


def test_folders_may_hold_several_contests_of_one_name(tmp_path):
    for name in ("one", "two"):
        played(tmp_path / name).rename(tmp_path / f"{name}.results")
    catalogue = Catalogue([tmp_path])
    assert [kept.identifier for kept in catalogue] == [ID, f"{ID}-2"] and len(catalogue) == 2
    catalogue.close()


def test_a_folder_without_a_contest_is_refused(tmp_path):
    for path in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(FolderError, match=f"{path}: holds no contest that was played"):
            Catalogue([path])
    Store.in_file(tmp_path / DATABASE).close()
    before = held()
    with pytest.raises(FolderError, match="no contest was begun here"):
        Catalogue([tmp_path])
    assert held() <= before
    with Store.in_file(tmp_path / DATABASE) as store:
        store.keep_configuration('{"name": 3}', "seed")
    with pytest.raises(FolderError, match="its configuration cannot be read"):
        Catalogue([tmp_path])


@pytest.mark.parametrize(
    ("name", "identifier"),
    [("Tournoi HX2, été", "tournoi-hx2-ete"), ("!?", "contest"), ("a" * 50, "a" * 40)],
)
def test_a_name_makes_an_address(name, identifier):
    assert identifier_of(name) == identifier


def test_the_command_that_shows_a_fault_is_for_the_organiser(serve, tmp_path):
    site = serve(Settings(folders=(played(tmp_path),), password="the hash of no password"))
    assert "The program stopped" in site.get(f"{PAGE}/faults").text
    assert "joute replay" not in site.get(f"{PAGE}/faults").text
