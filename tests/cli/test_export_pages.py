"""The pages of a contest, read as a browser without a network reads them."""

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import get_args

import pytest
from cli.exported import played
from contest.reports import made_up

from joute.contest.rating.rating import Unrated
from joute.contest.report.grading import DISQUALIFIED, UNMET
from joute.contest.report.plots import ELO, MS, PERCENT, POINTS
from joute.host.protocol import Fault
from joute.i18n import words
from joute.play.game import FAULT_COSTS
from joute.web.contests import views
from joute.web.contests.export import write_site

pytestmark = pytest.mark.game("virus")

VOID = {"meta", "link", "br", "col"}
ALONE = """
bots = ["builtin:random", "builtin:wall"]
[contest]
games = 2
[game]
name = "tron"
players = 1
maps = ["room", "spiral"]
[faults]
crash = "disqualification"
"""


class Page(HTMLParser):
    """A page taken apart: its tags, its text, and whether every element is closed in turn."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.source = path.read_text(encoding="utf-8")
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.open: list[str] = []
        self.feed(self.source)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data

    def links(self) -> list[str]:
        return [given["href"] for tag, given in self.tags if "href" in given]


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return played(tmp_path_factory.mktemp("class"))


@pytest.fixture(scope="module")
def site(file):
    """The folder of pages, all of them read, by their paths."""
    from joute.contest.config.config import resolve
    from joute.contest.report.report import read_report

    folder = file.parent / "site"
    write_site(read_report(resolve(file)), folder)
    return {
        str(path.relative_to(folder)): Page(path) for path in sorted(folder.rglob("*.html"))
    }, folder


def test_there_is_a_page_for_the_contest_and_one_for_each_bot_in_both_languages(site):
    pages, folder = site
    bots = ["01-ann-script", "02-bob", "03-random"]
    sections = [f"{name}.html" for name in ("index", "bots", "faults", "rules")]
    names = [*sections, *(f"bots/{bot}.html" for bot in bots)]
    assert sorted(pages) == sorted([*names, *(f"fr/{name}" for name in names)])
    assert {pages[name].tags[0][1]["lang"] for name in names} == {"en"}
    assert {pages[f"fr/{name}"].tags[0][1]["lang"] for name in names} == {"fr"}
    assert {path.name for path in folder.glob("*.c*")} == {
        "joute.css",
        "games.csv",
        "standings.csv",
    }


def test_every_link_is_relative_and_leads_to_a_file_of_the_folder(site):
    pages, folder = site
    for name, page in pages.items():
        for link in page.links():
            assert (
                link.startswith(("data:,", "#")) or (folder / name).parent.joinpath(link).is_file()
            )
            assert not link.startswith("/")


def test_the_switch_of_languages_leads_to_the_same_page_in_the_other(site):
    pages, folder = site
    for name, page in pages.items():
        switch = [
            (given["href"], given["hreflang"]) for _, given in page.tags if "hreflang" in given
        ]
        assert [language for _, language in switch] == ["en", "fr"]
        for link, language in switch:
            there = (folder / name).parent.joinpath(link).resolve().relative_to(folder.resolve())
            assert pages[str(there)].tags[0][1]["lang"] == language
            assert there.name == Path(name).name


def test_nothing_is_asked_of_a_network_and_nothing_runs(site):
    pages, folder = site
    for page in pages.values():
        kinds = {tag for tag, _ in page.tags}
        assert not kinds & {"script", "iframe", "img", "object", "form"}
        given = {key for _, attributes in page.tags for key in attributes}
        assert not {key for key in given if key.startswith("on")} | given & {"style", "src"}
        assert "://" not in page.source
    assert not re.search(r"@import|url\(", (folder / "joute.css").read_text("utf-8"))


def test_every_element_is_closed_in_its_turn(site):
    for page in site[0].values():
        assert page.open == []


def test_names_and_descriptions_are_shown_as_they_are_and_mean_nothing_to_a_browser(site):
    pages, _ = site
    assert "The <b>class</b> & co" in pages["index.html"].text
    assert "ann <script>" in pages["index.html"].text
    bot = pages["bots/01-ann-script.html"].text
    assert "by Ann Onym, Zoé & Co" in bot
    assert "Counts <cells> & *hopes*." in bot


def test_a_fault_is_explained_with_what_was_said_and_the_command_that_shows_it(site):
    page = site[0]["bots/02-bob.html"].text
    assert "The program stopped with an error" in page
    assert "KeyError: <grid>" in page
    assert re.search(r"joute replay \S*records/[0-9a-f]+\.jsonl --at 10", page)
    assert "Le programme s’est arrêté" in site[0]["fr/bots/02-bob.html"].text
    assert "None." in site[0]["bots/03-random.html"].text


def test_the_page_tells_who_leads_and_who_beat_whom(site):
    page = site[0]["index.html"]
    spoken = [given["title"] for _, given in page.tags if "title" in given]
    [cell] = [each for each in spoken if each.startswith("ann <script> against bob:")]
    ahead, level, behind = (int(each) for each in re.findall(r"\d+", cell))
    assert ahead + level + behind == 8
    assert f"{ahead}\N{EN DASH}{behind}" in page.text
    assert "Rating in Elo" in page.source
    assert "not yet clearly ahead of " in page.text
    assert "costs the turn" in site[0]["rules.html"].text


def test_everything_that_may_be_said_of_a_bot_has_a_sentence():
    expected = {f"explained.{fault.value}" for fault in Fault}
    expected |= {f"export.cost.{cost}" for cost in (*FAULT_COSTS, "disqualification", "none")}
    expected |= {f"plot.unrated.{reason}" for reason in get_args(Unrated) if reason}
    expected |= {f"plot.{unit}" for unit in (ELO, PERCENT, POINTS, MS)}
    expected |= {f"grade.remark.{remark}" for remark in (DISQUALIFIED, UNMET)}
    assert expected - set(words.catalog("en")) == set()


def test_every_class_that_a_page_uses_for_its_plots_has_a_colour_in_the_style(site):
    pages, folder = site
    style = (folder / "joute.css").read_text("utf-8")
    used = {
        given["class"]
        for page in pages.values()
        for _, given in page.tags
        if re.match(r"[fs]-\w+$", given.get("class") or "")
    }
    assert len(used) > 5
    assert [each for each in sorted(used) if f".{each} " not in style] == []


def test_the_language_of_the_user_is_the_one_at_the_top(file, tmp_path, run):
    outcome = run("export", file, "--out", tmp_path / "site", "--lang", "fr")
    assert outcome.out == f"écrit\u202f: {tmp_path / 'site' / 'index.html'}\n"
    assert Page(tmp_path / "site" / "index.html").tags[0][1]["lang"] == "fr"
    assert Page(tmp_path / "site" / "en" / "index.html").tags[0][1]["lang"] == "en"
    assert words.language() == "en"


@pytest.mark.game("tron")
def test_bots_alone_have_their_points_their_maps_and_their_disqualification(tmp_path):
    def crashes(slot):
        fault = {"seat": 0, "ply": 3, "fault": "crash", "detail": "", "cost": "game"}
        return [fault] if slot.seats == ("random",) else []

    report = made_up(tmp_path, ALONE, lambda seats, number: [float(number)], crashes)
    write_site(report, tmp_path / "site")
    page = Page(tmp_path / "site" / "index.html")
    assert "Map by map" in page.text
    assert "spiral" in page.text
    assert "disq." in page.text
    bot = Page(tmp_path / "site" / "bots" / "01-random.html")
    assert "Disqualified; its results are void." in bot.text
    assert "crash, at ply 4" in bot.text


def test_the_columns_are_those_of_the_rules_of_the_contest(tmp_path):
    bots = 'bots = ["builtin:greedy", "builtin:random?", "builtin:random"]'
    rules = f'{bots}\n[contest]\nranking = ["points", "buchholz"]'
    write_site(made_up(tmp_path, rules), tmp_path / "site")
    text = Page(tmp_path / "site" / "index.html").text
    assert "Buchholz" in text
    assert "Beaten" not in text


def test_a_contest_without_a_game_has_a_page_without_plots(tmp_path, run):
    (tmp_path / "new.toml").write_text('bots = ["builtin:random", "builtin:greedy"]')
    assert run("export", tmp_path / "new.toml", "-o", tmp_path / "site").code == 0
    page = Page(tmp_path / "site" / "index.html")
    assert "provisional: 4 games are left" in page.text
    assert "Who beat whom" not in page.text


def test_a_matrix_too_large_to_be_read_is_cut_and_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(views, "MOST_CELLS", 2)
    bots = 'bots = ["builtin:greedy", "builtin:random?", "builtin:random"]'
    write_site(made_up(tmp_path, bots), tmp_path / "site")
    assert Page(tmp_path / "site" / "index.html").text.count("the first 2 of 3") == 1
