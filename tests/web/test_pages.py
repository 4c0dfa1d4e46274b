"""How the pages that only tell look in a browser: at every width, by day and by night."""

import os

import pytest
from axe_core_python.base import AXE_SCRIPT
from web.shown import played

from joute.contest.folder import DATABASE, LOCK
from joute.servers.web.settings import Settings
from joute.store.store import Store

HERE = "/contests/the-b-class-b-co"
PAGES = ("/", "/contests", HERE, f"{HERE}/games", f"{HERE}/bots", f"{HERE}/bots/2",
         f"{HERE}/faults", f"{HERE}/rules", "/api", "/login?back=/", "/nowhere")  # fmt: skip
SETTLED = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
SERIOUS = """
axe.run().then((all) => all.violations
  .filter((each) => ["serious", "critical"].includes(each.impact))
  .map((each) => [each.id, each.nodes.map((node) => node.html).slice(0, 3)]))
"""
SIZES = {"phone": (390, 844), "desk": (1280, 900), "projector": (1920, 1080)}


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """A site with a contest that is over, and a password."""
    from web.conftest import Site

    folder = played(tmp_path_factory.mktemp("class"))
    site = Site(Settings(folders=(folder,), password="the hash of no password"))
    yield site
    site.close()


@pytest.fixture(scope="module")
def page(chromium):
    """One page of one person, who goes from address to address."""
    opened = chromium.page()
    yield opened
    opened.close()


def troubles(page, path):
    """What the console said, but for the address that is not there on purpose."""
    found, page._problems = page.problems(), []
    return [each for each in found if not (path == "/nowhere" and "404" in each)]


@pytest.mark.parametrize("path", PAGES)
def test_a_page_fits_every_screen_and_can_be_read_by_everybody(page, shown, path):
    page.open(f"{shown.url}{path}")
    for name, size in SIZES.items():
        page.size(*size)
        page.evaluate(SETTLED)
        assert page.overflow() == [], name
    page.evaluate(AXE_SCRIPT)
    assert page.evaluate(SERIOUS) == []
    assert troubles(page, path) == []


@pytest.mark.parametrize("path", ["/", HERE])
def test_a_page_can_be_read_at_night(page, shown, path):
    page.open(f"{shown.url}{path}?theme=dark")
    page.evaluate(AXE_SCRIPT)
    assert page.evaluate(SERIOUS) == []


def test_the_theme_that_is_chosen_stays(chromium, shown):
    page = chromium.page(theme="light")
    page.open(shown.url)
    page.click('.theme [value="dark"]')
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.open(f"{shown.url}/contests")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(19, 17, 24)"
    page.click('.theme [value="auto"]')
    page.reload()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(245, 244, 247)"
    assert page.problems() == []
    page.close()


def test_the_language_that_is_chosen_stays(chromium, shown):
    page = chromium.page(language="en")
    page.open(f"{shown.url}/contests")
    page.click('header a[lang="fr"]')
    page.wait_for("document.documentElement.lang === 'fr'")
    assert page.evaluate("location.pathname") == "/contests"
    assert page.text("h1") == "Concours"
    page.close()


def test_standings_move_while_a_contest_is_played(chromium, serve, tmp_path):
    folder = played(tmp_path / "one", games=10)
    (folder / LOCK).write_text(str(os.getpid()))
    site = serve(Settings(folders=(folder,)))
    page = chromium.page()
    page.open(f"{site.url}{HERE}")
    assert "10" in page.text("dl.state dd")
    whole = Store.in_file(played(tmp_path / "two") / DATABASE)
    with whole, Store.in_file(folder / DATABASE) as store:
        store.add(whole.games().values())
    page.wait_for("document.querySelector('.badge').textContent === 'Finished'")
    assert page.text("dl.state dd").strip() == "24"
    assert page.problems() == []
    page.close()
