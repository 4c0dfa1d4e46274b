"""The pictures of the README: `scripts/screenshots` plays the games and takes them.

They show what a person sees who does the same: the page of the example contest, a replay of four
bikes at once, and a game of Love Letter at a table.
"""

import shutil
import sys
import tempfile
from pathlib import Path

from web.browser import Chromium, Page
from web.conftest import Site
from web.players import NOW, click_love_letter, seated, spec

from joute.contest.config.config import resolve
from joute.contest.run.runner import run_contest
from joute.web.settings import Settings

EXAMPLES = Path(__file__).parents[2] / "examples"
WIDTH, HEIGHT = 1280, 920
TURNS = 3  # of the person at the table, before its picture is taken
PLY = 100  # of the replay


def main(folder: Path) -> None:
    """Write contest.png, replay.png and table.png to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        copies = Path(scratch) / "examples"
        shutil.copytree(EXAMPLES, copies, ignore=shutil.ignore_patterns("*.results", "__pycache__"))
        cup, race = (_played(copies / name) for name in ("virus/contest.toml", "tron/four.toml"))
        site, browser = Site(Settings(folders=(cup, race))), Chromium()
        try:
            names = [each["id"] for each in site.get("/api/contests").json()]
            _contest(site, browser, names[0]).screenshot(folder / "contest.png")
            _replay(site, browser, names[1]).screenshot(folder / "replay.png")
            _table(site, browser).screenshot(folder / "table.png")
        finally:
            browser.close()
            site.close()


def _played(file: Path) -> Path:
    contest = resolve(file)
    run_contest(contest)
    return Path(contest.folder)


def _contest(site: Site, browser: Chromium, name: str) -> Page:
    return browser.page(WIDTH, HEIGHT, language="en").open(f"{site.url}/contests/{name}")


def _replay(site: Site, browser: Chromium, name: str) -> Page:
    games = site.get(f"/api/contests/{name}/games").json()
    longest = max(games, key=lambda game: game["plies"])
    page = browser.page(WIDTH, HEIGHT, language="en")
    page.open(f"{site.url}/contests/{name}/games/{longest['identity']}#ply={PLY}")
    page.wait_for("document.querySelector('svg.board, .board')")
    return page


def _table(site: Site, browser: Chromium) -> Page:
    bots = ("human", "rules", "random", "rules")
    table = site.app.state.tables.open(spec("love-letter", {"players": len(bots)}, *bots), (), "")
    page = seated(site, browser.page(WIDTH, HEIGHT, language="en"), table, 0)
    for _ in range(TURNS):
        page.wait_for(f"{NOW}.asked")
        number = page.evaluate(f"{NOW}.asked.number")
        click_love_letter(page)
        page.wait_for(f"{NOW}.asked && {NOW}.asked.number !== {number}")
    page.evaluate("scrollTo(0, 0)")
    return page


if __name__ == "__main__":
    main(Path(sys.argv[1]))
