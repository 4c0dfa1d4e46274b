"""The pages of a contest, served and exported: a template for each section, and what it shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol
from urllib.parse import quote, urlencode

import jinja2

from joute.contest.config.contest import Contest
from joute.contest.report import wording
from joute.contest.report.cells import ELO, RULE, TIME, Line, cell, columns
from joute.contest.report.plots import COURSE, Intervals, picture, rated, ratings, times
from joute.contest.report.plots import ELO as IN_ELO
from joute.contest.report.report import Report
from joute.contest.report.standings import played_on, seal_facts
from joute.i18n.figures import duration
from joute.i18n.words import say, say_of
from joute.store.model import StoreError
from joute.web.games import title
from joute.web.positions import Readable

if TYPE_CHECKING:
    from joute.web.contests.catalogue import ServedContest
    from joute.web.contests.snapshot import Snapshot

MOST_CELLS = 40  # bots of the table of who beat whom; a larger one could not be read
ROW = 44  # the height of a row of both tables of standings, in the units of the threads between


class Links(Protocol):
    """The addresses of the pages of a contest; "" for what has none."""

    def section(self, name: str) -> str:
        """A page of the contest."""

    def bot(self, name: str) -> str:
        """The page of a bot."""

    def games(self, *bots: str) -> str:
        """The games in which all of these bots play."""

    def game(self, identity: str, ply: int | None = None) -> str:
        """The replay of a game, perhaps at a line of its record."""


class ServedLinks:
    """Addresses of the server, below that of a contest or of a folder of records."""

    def __init__(self, address: str, numbers: Mapping[str, int] | None = None) -> None:
        """`numbers` are those of the bots' pages, by name."""
        self._address = address
        self._numbers = numbers or {}

    def section(self, name: str) -> str:
        """A page of the contest."""
        return self._address if name == "standings" else f"{self._address}/{name}"

    def bot(self, name: str) -> str:
        """The page of a bot."""
        return f"{self._address}/bots/{self._numbers[name]}"

    def games(self, *bots: str, before: int | None = None) -> str:
        """The games in which all of these bots play, from below the number `before` on."""
        asked: list[tuple[str, object]] = [("bot", name) for name in bots]
        asked += [] if before is None else [("before", before)]
        return f"{self._address}/games?{urlencode(asked, quote_via=quote)}".rstrip("?")

    def game(self, identity: str, ply: int | None = None) -> str:
        """The replay of a game, perhaps at a line of its record; "" without a game."""
        line = "" if ply is None else f"#line={ply}"
        return f"{self._address}/games/{identity}{line}" if identity else ""


def section(
    templates: jinja2.Environment, name: str, report: Report, links: Links, **shown: Any
) -> str:
    """A section of the pages of a contest; `shown` is what its template shows besides."""
    template = templates.get_template(f"contest/{name}.html")
    places = wording.places(report.contest, report.table)
    own = {
        "report": report,
        "contest": report.contest,
        "links": links,
        "house": wording.house_bots(report.contest),
        "rank": lambda line: places[line.name],
    }
    return template.render(**own, cell=cell, heading=heading, **shown)


def head(report: Report) -> dict[str, Any]:
    """The values of the head above every section."""
    failed = [line for line in report.table if line.faults]
    return {
        "report": report,
        "contest": report.contest,
        "about": about(report.contest),
        "seal": seal_facts(report.contest),
        "fault_count": sum(fault.count for line in failed for fault in line.faults),
        "failed": len(failed),
    }


def standings(report: Report) -> dict[str, Any]:
    """The standings: official ranking, ratings, results between bots, scores over time."""
    strengths = ratings(report)
    return {
        "columns": columns(report.table),
        "strengths": strengths,
        "places": _places(report) if strengths.unit == IN_ELO else {},
        "threads": threads(report, strengths),
        "row": ROW,
        "leader": leader(report),
        "first": first(report),
        "matrix": report.ranked[:MOST_CELLS],
        "course": picture(report, COURSE).inside() if _has_course(report) else "",
        "paces": times(report),
        "maps": played_on(report.table),
        "decisions": [wording.decided(each) for each in report.decisions],
        "spoilt": [wording.spoilt(line.name, line.spoilt) for line in report.table if line.spoilt],
    }


def bot(report: Report, name: str, known: Readable = None) -> dict[str, Any]:
    """A bot: its authors, its results against each of the others, its faults."""
    line = next(line for line in report.table if line.name == name)
    return {
        "entry": next(entry for entry in report.contest.bots if entry.name == name),
        "line": line,
        "columns": [*columns(report.table), ELO, TIME],
        "faults": _explained(report.contest, line, known),
        "decided": wording.decided,
        "disqualified": wording.disqualified,
        "replay_command": wording.replay_command,
    }


def bots(report: Report) -> dict[str, Any]:
    """The bots that take part."""
    return {"ranks": wording.places(report.contest, report.table)}


def faults(report: Report, known: Readable = None) -> dict[str, Any]:
    """The faults, by bot."""
    failed = [line for line in report.table if line.faults]
    return {"faults": [(line.name, _explained(report.contest, line, known)) for line in failed]}


def rules(report: Report) -> dict[str, Any]:
    """The rules of the contest and of its game; whoever shows them says where the drawings are."""
    return {
        "costs": wording.costs(report.contest.costs),
        "seal": seal_facts(report.contest),
        "drawings": "",
        "positions": "",
    }


def about(contest: Contest) -> str:
    """A contest in a line: its game, how many bots, its format."""
    named = {"game": title(contest.game), "format": say(f"web.format.{contest.format}")}
    count = len(contest.bots)
    return say_of(count, "web.contest.about", count=count, **named)


def heading(column: str) -> str:
    """The head of a column of the standings."""
    if column.startswith(RULE):
        return say(f"standings.rule.{column.removeprefix(RULE)}").capitalize()
    return say(f"page.column.{column}")


def leader(report: Report) -> tuple[str, list[str]] | None:
    """The leader by rating, and the bots not told apart from it; None while nobody is rated."""
    known = rated(report.table)
    if not known:
        return None
    mine = set(known[0].groups)
    return known[0].name, [each.name for each in known[1:] if mine & set(each.groups)]


def first(report: Report) -> list[str]:
    """The bots at the first place of the official ranking."""
    places = wording.places(report.contest, report.table)
    return [line.name for line in report.table if places[line.name] == "1"]


def threads(report: Report, strengths: Intervals) -> list[tuple[int, int, bool]]:
    """From each bot's row in the ranking to that in the ratings, and whether it goes up or down."""
    names = [line.name for line in report.table]
    rows = {point.name: place for place, point in enumerate(strengths.points)}
    middle = ROW // 2
    return [
        (middle + ROW * place, middle + ROW * rows[name], place != rows[name])
        for place, name in enumerate(names)
        if name in rows
    ]


def _places(report: Report) -> dict[str, str]:
    """The places that each rated bot may have, as far as the games tell bots apart."""
    known = rated(report.table)
    found = {}
    for place, rating in enumerate(known):
        alike = [n for n, each in enumerate(known) if set(each.groups) & set(rating.groups)]
        low, high = min([*alike, place]) + 1, max([*alike, place]) + 1
        found[rating.name] = str(low) if low == high else f"{low}\N{EN DASH}{high}"
    return found


def _has_course(report: Report) -> bool:
    return any(course[-1][0] > 1 for course in report.courses.values())


def _explained(contest: Contest, line: Line, known: Readable) -> list[wording.ExplainedFault]:
    """The faults of a bot; without details if its messages are not known to the reader."""
    found = wording.explained_faults(contest, line)
    if known is None or line.name in known:
        return found
    return [each._replace(detail="") for each in found]


class Overview(NamedTuple):
    """A contest as lists of contests show it; of one that cannot be read, little is known."""

    identifier: str
    name: str
    game: str = ""
    about: str = ""
    stage: str = ""
    done: int = 0
    left: int = 0
    time_left: str = ""
    leads: str = ""  # a sentence; "" before anybody does
    problem: str = ""  # why nothing more is known


def overview(served: ServedContest, snapshot: Snapshot | None, problem: str = "") -> Overview:
    """A contest in a few words."""
    try:
        contest = served.contest if snapshot is None else snapshot.report.contest
    except StoreError:
        return Overview(identifier=served.identifier, name=served.identifier, problem=problem)
    found = Overview(served.identifier, contest.name, contest.game, about(contest), problem=problem)
    if snapshot is None:
        return found
    return found._replace(
        stage=snapshot.stage,
        done=snapshot.report.done,
        left=snapshot.report.left,
        time_left=duration(snapshot.seconds_left),
        leads=_leads(snapshot.report),
    )


def _leads(report: Report) -> str:
    found = first(report)
    if not report.done or not found:
        return ""
    key = "web.contest.leads" if report.left else "web.contest.won"
    return say(key, name=", ".join(found))
