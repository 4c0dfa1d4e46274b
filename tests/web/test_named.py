"""The organiser plays the contests that were named at the start: files and folders."""

import sys

import pytest
from helpers import wait_until
from web.shown import played, playing_into

from joute.contest.errors import FolderError, Interrupted
from joute.web.contests import child, named
from joute.web.settings import Settings

TOML = """
[contest]
name = "Small one"
games = 2
workers = 1
[game]
name = "virus"
size = 4
[[bots]]
bot = "builtin:greedy"
[[bots]]
bot = "builtin:random"
"""
HERE = "/organise/named/small-one"
WAITING = (
    "import signal, sys; signal.signal(signal.SIGTERM, lambda *_: sys.exit(3));"
    "print('on its way', sys.argv[1:]); signal.pause()"
)


@pytest.fixture
def site(serve, tmp_path, monkeypatch):
    """A contest's file is served; its runs wait until they are stopped."""
    monkeypatch.setattr(named, "COMMAND", (sys.executable, "-u", "-c", WAITING))
    (tmp_path / "small.toml").write_text(TOML)
    return serve(Settings(folders=(tmp_path / "small.toml",), data=tmp_path / "data"))


@pytest.mark.game("virus")
def test_a_file_is_played_paused_and_stopped_from_its_page(site):
    assert HERE in site.get("/organise").text and "not played yet" in site.get(HERE).text
    assert site.post(f"{HERE}/pause").status_code == 422
    assert site.post(f"{HERE}/run").status_code == 303
    page = wait_until(lambda: page if "on its way" in (page := site.get(HERE).text) else "")
    assert "being played" in page and "small.toml" in page and "data-busy" in page
    assert site.post(f"{HERE}/run").status_code == 422
    assert site.post(f"{HERE}/pause").status_code == 303
    wait_until(lambda: "being played" not in site.get(HERE).text)
    assert ">paused<" in site.get(HERE).text
    assert site.post(f"{HERE}/run").status_code == 303
    assert "Tick the box" in site.post(f"{HERE}/stop").text
    assert "being played" in site.get(HERE).text
    assert site.post(f"{HERE}/stop", data={"sure": "true"}).status_code == 303
    assert "being played" not in site.get(HERE).text


@pytest.mark.game("virus")
def test_a_folder_is_gone_on_with_and_stopped_for_good(serve, tmp_path, monkeypatch):
    folder = played(tmp_path, games=10)
    monkeypatch.setattr(named, "RESUME", (sys.executable, "-u", "-c", WAITING))
    settings = Settings(folders=(folder,), data=tmp_path / "data")
    site = serve(settings)
    here, page = "/organise/named/the-b-class-b-co", "/contests/the-b-class-b-co"
    assert ">paused<" in site.get(here).text
    site.post(f"{here}/run")
    wait_until(lambda: "on its way" in site.get(here).text)
    assert site.post(f"{here}/stop", data={"sure": "true"}).status_code == 303
    for again in (site, serve(settings)):
        assert ">stopped<" in again.get(here).text and "Stopped" in again.get(page).text
        assert again.get(f"/api{page}/progress").json()["stage"] == "stopped"
    site.post(f"{here}/run")
    assert "being played" in site.get(here).text


@pytest.mark.game("virus")
def test_what_another_process_plays_is_not_stopped_here(site, tmp_path):
    results = tmp_path / "small.results"
    results.mkdir()
    with playing_into(results, 1):
        assert "being played" in site.get(HERE).text
        for path in ("pause", "stop"):
            answer = site.post(f"{HERE}/{path}", data={"sure": "true"})
            assert answer.status_code == 422 and "No run that this server started" in answer.text


@pytest.mark.game("virus")
def test_a_run_that_fails_says_what_it_printed(site, monkeypatch):
    failing = (sys.executable, "-c", "raise SystemExit('no such bot')")
    site.app.state.named._named["small-one"] = site.app.state.named.find("small-one")._replace(
        command=failing
    )
    site.post(f"{HERE}/run")
    page = wait_until(
        lambda: page if "stopped by an error" in (page := site.get(HERE).text) else ""
    )
    assert "no such bot" in page


@pytest.mark.game("virus")
def test_there_is_no_page_of_a_contest_that_was_not_named(site):
    assert site.get("/organise/named/other").status_code == 404
    assert site.post("/organise/named/other/run").status_code == 404


def test_a_file_that_is_wrong_is_refused_at_the_start(serve, tmp_path):
    (tmp_path / "wrong.toml").write_text("[contest")
    with pytest.raises(FolderError, match=r"wrong\.toml"):
        serve(Settings(folders=(tmp_path / "wrong.toml",)))


@pytest.mark.game("virus")
def test_resume_ends_as_a_run_does(tmp_path, monkeypatch, capsys):
    folder = played(tmp_path)
    assert child.main(["resume", str(folder), "--lang", "en"]) == 0
    assert "24" in capsys.readouterr().out
    assert child.main(["resume", str(tmp_path / "nowhere")]) == 1
    assert "nowhere" in capsys.readouterr().err

    def interrupted(contest, redraw):
        raise Interrupted(1, 2)

    monkeypatch.setattr("joute.contest.run.runner.run_contest", interrupted)
    assert child.main(["resume", str(folder)]) == 3


@pytest.mark.game("virus")
def test_a_run_that_is_stopped_while_it_starts_has_not_failed(serve, tmp_path, monkeypatch):
    starting = "import signal; print('on its way'); signal.pause()"
    monkeypatch.setattr(named, "COMMAND", (sys.executable, "-u", "-c", starting))
    (tmp_path / "small.toml").write_text(TOML)
    site = serve(Settings(folders=(tmp_path / "small.toml",), data=tmp_path / "data"))
    site.post(f"{HERE}/run")
    wait_until(lambda: "on its way" in site.get(HERE).text)
    assert site.post(f"{HERE}/pause").status_code == 303
    wait_until(lambda: ">being played<" not in site.get(HERE).text)
    assert ">paused<" in site.get(HERE).text


@pytest.mark.game("virus")
@pytest.mark.full
def test_a_contest_is_played_to_its_end_from_its_page(serve, chromium, tmp_path):
    (tmp_path / "small.toml").write_text(TOML)
    site = serve(Settings(folders=(tmp_path / "small.toml",), data=tmp_path / "data"))
    page = chromium.page()
    page.open(f"{site.url}/contests")
    page.click("main a[href='/organise']")
    page.click("a[href='/organise/named/small-one']")
    page.click("form[action$='/run'] button")
    page.wait_for("document.querySelector('[data-live=run] .badge.good')")
    page.click("a[href='/contests/small-one']")
    page.wait_for("document.querySelector('.matrix')")
    assert page.problems() == [] and page.overflow() == []
    page.close()
