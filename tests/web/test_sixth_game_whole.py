"""Games from outside, one of each kind: whole games in the browser, and contests on all pages."""

import re
import subprocess

import httpx
import pytest
from cli.apart import environment
from games.outside import KINDS, install
from helpers import PATIENCE, some
from web.players import NOW, played
from web.test_every_page import SIZES

from joute.web.games import title

pytestmark = pytest.mark.full
BOT = "def play(observation, clock):\n    return observation['legal'][0]\n"
CONTEST = """
bots = {bots}
[contest]
name = "Cup"
games = {seats}
[game]
name = {game!r}
"""
PAGES = (
    "",
    "/games",
    "/bots",
    "/bots/1",
    "/bots/2",
    "/faults",
    "/rules",
    "/live",
    "/wall",
    "/stage",
)
FILES = ("index", "bots", "faults", "rules")
DRAWN = "document.querySelector('.timeline') && document.querySelector('.plain .sights')?.innerText"
LAST = "document.querySelector('.slider').value === document.querySelector('.slider').max"


class Served:
    """A game from outside, its contest in a folder, and `joute serve` in a process of its own."""

    def __init__(self, kind, folder):
        self.name, self.folder, self._kind = kind.name, folder, kind
        (folder / "mine.py").write_text(BOT)
        bots = ["mine.py", "builtin:random", "builtin:flat?simulations=1"][: kind.seats]
        contest = CONTEST.format(bots=bots, seats=kind.seats, game=kind.word)
        (folder / "cup.toml").write_text(contest)
        kind.told(folder, "contest", "run", "cup.toml")
        line = [kind.python, "-m", "joute", "serve", "cup.results", "--port", "0", "--data", "data"]
        known = environment(JOUTE_GAMES="" if kind.word == kind.name else kind.word)
        self._process = subprocess.Popen(
            line, cwd=folder, env=known, stdout=subprocess.PIPE, text=True
        )
        self.url = re.search(r"http://\S+", self._process.stdout.readline())[0]

    def get(self, path, language="en"):
        asked = {"Accept-Language": language}
        return httpx.get(self.url + path, headers=asked, timeout=PATIENCE)

    def told(self, *words, language="en"):
        """The output of a command line."""
        return self._kind.told(self.folder, *words, language=language)

    def close(self):
        self._process.terminate()
        self._process.communicate()


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """Serves a game and its contest; each is begun once."""
    begun = {}

    def of(kind):
        if kind.name not in begun:
            folder = tmp_path_factory.mktemp(kind.name)
            if kind.word == kind.name:
                kind = kind._replace(python=install(folder))
            begun[kind.name] = Served(kind, folder)
        return begun[kind.name]

    yield of
    for each in begun.values():
        each.close()


@pytest.fixture(params=KINDS, ids=lambda kind: kind.name)
def site(request, served):
    return served(request.param)


def by_mouse(page):
    """Takes one button after the other, so that games differ from one of first actions alone."""
    at = page.evaluate(
        f"1 + {NOW}.asked.number % document.querySelectorAll('.choices button').length"
    )
    page.evaluate(f"document.querySelectorAll('.choices button')[{at - 1}].id = 'chosen'")
    page.click("#chosen")


def by_keyboard(page):
    """By arrows and Enter, by a digit, by typing, in turn."""
    way = page.evaluate(f"{NOW}.asked.number % 3")
    if way == 0:
        page.key("ArrowDown")  # also from the field
        page.key("Enter")
    elif way == 1:
        page.evaluate("document.activeElement.blur()")
        page.key("1")
    else:
        name = page.evaluate("document.querySelector('.choices button').firstChild.textContent")
        page.key("/")
        page.type(".plain .field", name)
        page.key("Enter")


@pytest.mark.parametrize("language", some(["fr", "en"], 2))
def test_a_game_is_listed(site, language):
    shown = title(site.name)
    for path in ("/", "/play"):
        page = site.get(path, language).text
        assert f'href="/play/{site.name}"' in page and shown in page
    assert site.name in [each["name"] for each in site.get("/api/games", language).json()]
    for path in (f"/play/{site.name}", f"/watch/{site.name}", "/watch", "/contests", "/organise"):
        page = site.get(path, language)
        assert page.status_code == 200 and f'lang="{language}"' in page.text


@pytest.mark.parametrize(
    ("act", "language"), [(by_mouse, "en"), (by_keyboard, "fr")], ids=["mouse", "keyboard"]
)
def test_a_whole_game_is_played_and_replayed(site, chromium, act, language):
    page = chromium.page(language=language)
    page.open(f"{site.url}/play/{site.name}")
    page.click(".level input[value='1']")
    page.click("form .btn.primary")
    page.wait_for(f"{NOW}?.asked && document.querySelector('.plain .sights')?.innerText")
    assert page.evaluate("document.documentElement.lang") == language
    played(page, act)
    assert page.text("#over h2") and page.evaluate("document.querySelectorAll('#log li').length")
    record = site.get(page.evaluate("location.pathname") + "/record").content
    (site.folder / "game.jsonl").write_bytes(record)
    site.told("verify", "game.jsonl")
    page.click("#replay")
    page.wait_for(DRAWN)
    page.key("End")
    page.wait_for(LAST)
    for size in SIZES.values():
        page.size(*size)
        assert page.overflow() == []
    assert page.problems() == []
    page.close()


@pytest.mark.parametrize("language", some(["fr", "en"], 2))
def test_a_contest_with_a_hosted_bot_is_shown_on_all_pages(site, chromium, language):
    for part in PAGES:
        page = site.get(f"/contests/cup{part}", language)
        assert page.status_code == 200 and f'lang="{language}"' in page.text
    games = site.get("/api/contests/cup/games").json()
    assert all("mine" in game["bots"] for game in games)
    page = chromium.page(language=language)
    for path in ("", "/games", "/bots/1"):
        page.open(f"{site.url}/contests/cup{path}")
        for size in SIZES.values():
            page.size(*size)
            assert page.overflow() == []
    page.open(f"{site.url}/contests/cup/wall")
    page.wait_for("document.querySelector('.game .plain .sights')?.innerText")
    page.open(site.url + games[0]["address"])
    page.wait_for(DRAWN)
    page.key("End")
    page.wait_for(LAST)
    page.click("details.why summary")
    page.wait_for("document.querySelector('.why-body')?.textContent")
    assert page.problems() == []
    alone = site.get(games[0]["address"] + "/alone.html", language)
    (site.folder / "alone.html").write_bytes(alone.content)
    page.open(f"file://{site.folder}/alone.html")
    page.wait_for(DRAWN)
    assert page.problems() == []
    page.close()


@pytest.mark.parametrize("language", some(["fr", "en"], 2))
def test_an_exported_contest_is_shown_and_replayed_from_a_disk(site, chromium, language):
    folder, single = site.folder / language, site.folder / f"{language}.html"
    site.told("export", "cup.toml", "--replays", "-o", folder, language=language)
    site.told("export", "cup.toml", "--format", "page", "-o", single, language=language)
    other = {"en": "fr", "fr": "en"}[language]
    assert all((folder / at / f"{name}.html").is_file() for at in ("", other) for name in FILES)
    game = site.get("/api/contests/cup/games").json()[0]["identity"]
    page = chromium.page()
    for path in (folder / "index.html", folder / other / "index.html", single):
        page.open(f"file://{path}")
        assert title(site.name) in page.text("main")
        for size in SIZES.values():
            page.size(*size)
            assert page.overflow() == []
    for path in (folder / "replays.html", folder / other / "replays.html", single):
        page.open(f"file://{path}#{game}")
        page.wait_for(DRAWN)
        page.key("End")
        page.wait_for(LAST)
    assert page.problems() == []
    page.close()
