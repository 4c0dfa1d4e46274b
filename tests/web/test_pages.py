"""Pages that only tell, in a browser: theme and language stay as chosen, standings move."""

import json
import re

import httpx
import pytest
from web.shown import played, playing_into

from joute.contest.folder import DATABASE
from joute.store.store import Store
from joute.web.settings import Settings

pytestmark = pytest.mark.game("virus")

HERE = "/contests/the-b-class-b-co"


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """A site with a contest that is over, and a password."""
    from web.conftest import Site

    folder = played(tmp_path_factory.mktemp("class"))
    site = Site(Settings(folders=(folder,), password="the hash of no password"))
    yield site
    site.close()


@pytest.fixture
def going_on(tmp_path):
    """The folder of a contest that is being played, with 10 of its 24 games."""
    folder = played(tmp_path / "one", games=10)
    with playing_into(folder):
        yield folder


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


@pytest.mark.parametrize("still", [True, False])
def test_a_theme_colours_what_is_already_there(chromium, shown, still):
    page = chromium.page(theme="light", still=still)
    page.open(shown.url)
    page.click('.theme [value="dark"]')
    for selector in ("h1", ".foot span", '.theme [value="light"]'):
        colour = f"getComputedStyle(document.querySelector('{selector}')).color"
        page.wait_for(f"{colour}.match(/\\d+/g).every((part) => part > 150)")
    page.close()


def test_the_language_that_is_chosen_stays(chromium, shown):
    page = chromium.page(language="en")
    page.open(f"{shown.url}/contests")
    page.click('header a[lang="fr"]')
    page.wait_for("document.documentElement.lang === 'fr'")
    assert page.evaluate("location.pathname") == "/contests"
    assert page.text("h1") == "Concours"
    page.close()


def test_a_heading_of_two_lines_stands_beside_its_diamond_on_a_phone(chromium, shown):
    page = chromium.page(320, 800, language="fr").open(f"{shown.url}/watch")
    heading = "document.querySelector('.rule.first h2').getBoundingClientRect()"
    rule = "document.querySelector('.rule.first').getBoundingClientRect()"
    assert page.evaluate(f"{heading}.height") > 40  # it has two lines
    assert page.evaluate(f"{heading}.top - {rule}.top") < 1
    assert page.evaluate(f"{heading}.left - {rule}.left") > 8
    page.close()


def test_standings_move_while_a_contest_is_played(chromium, serve, tmp_path, going_on):
    site = serve(Settings(folders=(going_on,)))
    page = chromium.page()
    page.open(f"{site.url}{HERE}")
    assert "10" in page.text("dl.state dd")
    whole = Store.in_file(played(tmp_path / "two") / DATABASE)
    with whole, Store.in_file(going_on / DATABASE) as store:
        store.add(whole.games().values())
    page.wait_for("document.querySelector('.badge').textContent === 'Finished'")
    assert page.text("dl.state dd").strip() == "24"
    assert page.problems() == []
    page.close()


def test_standings_that_are_old_when_the_page_is_there_are_renewed(
    chromium, serve, tmp_path, going_on
):
    site = serve(Settings(folders=(going_on,)))
    old = httpx.get(f"{site.url}{HERE}").text
    script = re.search(r'src="([^"]*/contest\.js[^"]*)"', old)[1]
    whole = Store.in_file(played(tmp_path / "two") / DATABASE)
    with whole, Store.in_file(going_on / DATABASE) as store:
        store.add(whole.games().values())
    page = chromium.page()
    page.open(f"{site.url}/contests")
    page.evaluate(f"history.replaceState(null, '', {json.dumps(HERE)})")
    page.evaluate(f"document.documentElement.innerHTML = {json.dumps(old)}")
    assert "10" in page.text("dl.state dd")
    page.evaluate(f"import({json.dumps(script)}), true")
    page.wait_for("document.querySelector('.badge').textContent === 'Finished'")
    assert page.text("dl.state dd").strip() == "24"
    page.close()
