"""One contest in every form in which it is presented: each says the same, cell by cell."""

import csv
import json
import re
from html.parser import HTMLParser

import pytest
from web.conftest import Site
from web.shown import played

from joute.contest.config.config import resolve
from joute.contest.report.report import read_report
from joute.web.contests.export import write_page, write_site
from joute.web.settings import Settings

pytestmark = pytest.mark.game("virus")

ADDRESS = "/contests/the-b-class-b-co"
HOUSE = "house bot"  # the mark of a built-in bot beside its name
DASH, MINUS, TO = "\N{EN DASH}", "\N{MINUS SIGN}", "\N{HORIZONTAL ELLIPSIS}"


class Tables(HTMLParser):
    """The tables of a page by their classes: rows of the texts of their cells."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: dict[str, list[list[str]]] = {}
        self._rows: list[list[str]] = []
        self._inside = False
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag == "table":
            self._rows = self.found.setdefault(given.get("class") or "", [])
        elif tag == "tr":
            self._rows.append([])
        elif tag in ("td", "th"):
            self._inside = True
            self._rows[-1].append("")
        elif tag == "svg" and "aria-label" in given and self._inside:
            self._rows[-1][-1] += given["aria-label"]

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self._inside = False

    def handle_data(self, data):
        if self._inside:
            self._rows[-1][-1] += data.strip()

    def by_name(self, name, column=1):
        """The rows of a table by the name of their bot, without their head."""
        return {row[column]: row for row in self.found[name][1:]}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A contest that was played, exported in every form."""
    folder = tmp_path_factory.mktemp("class")
    results = played(folder)
    report = read_report(resolve(folder / "class.toml"))
    write_site(report, folder / "site")
    write_page(report, folder / "one.html")
    site = Site(Settings(folders=(results,)))
    (folder / "served.html").write_text(site.get(ADDRESS).text, encoding="utf-8")
    for name in ("standings", "meetings"):
        (folder / f"{name}.json").write_text(site.get(f"/api{ADDRESS}/{name}").text)
    site.close()
    return folder


@pytest.fixture(params=["served.html", "site/index.html", "one.html"])
def page(request, folder):
    """The tables of a page with the standings."""
    return Tables((folder / request.param).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def rows(folder):
    """The rows of standings.csv, by bot."""
    text = (folder / "site/standings.csv").read_text(encoding="utf-8-sig")
    return {row["name"]: row for row in csv.DictReader(text.splitlines())}


def number(text):
    """A figure as people read it, as a number."""
    return float(text.replace(MINUS, "-"))


def test_csv_json_and_the_api_hold_the_same_values(run, folder, rows):
    told = json.loads(run("contest", "standings", folder / "class.toml", "--json").out)
    answered = {line["bot"]: line for line in json.loads((folder / "standings.json").read_text())}
    for line in told["standings"]:
        row, answer = rows[line["name"]], answered[line["name"]]
        for key in ("rank", "won", "drawn", "lost", "games", "score", "mean_ms"):
            assert float(row[key]) == line[key] == answer[key]
        assert float(row["beaten"]) == line["beaten"] == answer["by_rule"]["opponents-beaten"]
        for interval in (line["interval"], answer["interval"]):
            assert [float(row["low"]), float(row["high"])] == interval
        for rating in (line["rating"], answer["rating"]):
            assert float(row["elo"]) == rating["elo"]
            assert [float(row["elo_low"]), float(row["elo_high"])] == rating["interval"]
        faults = sum(fault["count"] for fault in line["faults"])
        assert int(row["faults"]) == faults == answer["faults"]


def test_the_terminal_rounds_the_values_of_the_table(run, folder, rows):
    out = run("contest", "standings", folder / "class.toml").out
    for name, row in rows.items():
        [line] = [
            each for each in out.splitlines() if re.match(rf" *\d+ +{re.escape(name)} ", each)
        ]
        pattern = (
            r" *(\d+) +.+? {2,}(\d+) +(\d+)-(\d+)-(\d+) +(\S+)  \[(\d+), (\d+)\]"
            r" +([+-]?\d+)  \[([+-]\d+), ([+-]\d+)\]  \w+ +(\S+) +(\d+)"
        )
        shown = [float(each) for each in re.fullmatch(pattern, line).groups()]
        percents = [round(100 * float(row["score"]), 1)]
        percents += [float(f"{100 * float(row[end]):.0f}") for end in ("low", "high")]
        ratings = [float(f"{float(row[key]):.0f}") for key in ("elo", "elo_low", "elo_high")]
        counts = [int(row[key]) for key in ("rank", "beaten", "won", "drawn", "lost")]
        time = round(float(row["mean_ms"]), 1)
        assert shown == [*counts, *percents, *ratings, time, int(row["faults"])]


def test_every_page_rounds_the_values_of_the_table(page, rows):
    ranking, ratings, paces = (
        page.by_name("standings"), page.by_name("ratings"), page.by_name("paces", 0),
    )  # fmt: skip
    shown = {name.removesuffix(HOUSE): row for name, row in ranking.items()}
    assert list(shown) == list(rows)
    for name, row in rows.items():
        results = DASH.join(row[key] for key in ("won", "drawn", "lost"))
        score = f"{100 * float(row['score']):.1f}"
        assert shown[name][2:] == [row["beaten"], results, score]
        house = shown[name][1].endswith(HOUSE)
        assert house == (name == "random")
        assert shown[name][0] == ("\N{EM DASH}" if house else row["rank"])
        assert number(ratings[name][2]) == float(f"{float(row['elo']):.0f}")
        low, high = re.search(rf"between (\S+) {TO} (\S+)", ratings[name][3]).groups()
        ends = [float(f"{float(row[key]):.0f}") for key in ("elo_low", "elo_high")]
        assert [number(low), number(high)] == ends
        assert paces[name][1] == f"{float(row['mean_ms']):.1f}"


def test_the_meetings_of_every_page_are_those_of_the_api(page, folder, rows):
    met = {
        (each["bot"], each["other"]): f"{each['above']}{DASH}{each['below']}"
        + f"={each['level']}" * bool(each["level"])
        for each in json.loads((folder / "meetings.json").read_text())
    }
    names = list(rows)
    matrix = {row[0].partition(".")[2].strip(): row[1:] for row in page.found["matrix"][1:]}
    for name in names:
        cells = dict(zip(names, matrix[name], strict=True))
        assert cells.pop(name) == "itself"
        for other, cell in cells.items():
            assert cell.startswith(f"{met[name, other]}{name} against {other}: ")


def test_a_page_that_is_exported_has_the_sections_of_the_served_one(folder):
    def main(file):
        text = (folder / file).read_text(encoding="utf-8")
        shown = text.partition('<div data-live="standings">')[2].partition("</main>")[0]
        without_links = re.sub(r"</?(a|span)\b[^>]*>", "", shown)
        return [line.strip() for line in without_links.splitlines() if line.strip()]

    served, exported = main("served.html"), main("site/index.html")
    other = [pair for pair in zip(served, exported, strict=True) if pair[0] != pair[1]]
    assert all("a cell opens its games" in one for one, _ in other) and len(other) == 1


def test_a_plot_is_drawn_once_for_files_and_for_every_page(run, folder):
    file = folder / "course.svg"
    run("plot", folder / "class.toml", "course", "--svg", file)
    drawn = re.findall(r"<polyline.*?/>", file.read_text(encoding="utf-8"))
    assert len(drawn) > 3
    for page in ("served.html", "site/index.html", "one.html"):
        text = (folder / page).read_text(encoding="utf-8")
        assert re.findall(r"<polyline.*?/>", text) == drawn
