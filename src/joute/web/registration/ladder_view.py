"""The ladder as a participant sees it: the ranking so far, and their own latest games."""

from __future__ import annotations

from typing import NamedTuple

from joute.contest.config.showing import ANONYMOUS, OFF, UPLOAD
from joute.contest.report import wording
from joute.contest.report.cells import GAMES, MEAN, RESULTS, SCORE, Line, cell, columns
from joute.contest.report.report import Report
from joute.store.model import StoreError
from joute.store.reading import Listed
from joute.web.contests.catalogue import ServedContest
from joute.web.contests.snapshot import PLAYING
from joute.web.registration.contest_files import rules_of
from joute.web.registration.service import RegistrationService
from joute.web.registration.store import Participant, Registration

SHOWN = 12  # bots of the ranking, besides the participant's own
LATEST = 8  # games


class LadderRow(NamedTuple):
    """A bot in the ranking so far."""

    rank: str
    name: str
    own: bool
    results: str  # won, drawn, lost; or a mean
    score: str  # percent, "" where one plays alone
    games: str


class LadderGame(NamedTuple):
    """One of the participant's games."""

    address: str
    result: str  # "won", "lost" or "level"
    against: str
    faults: int  # of the participant's bot


class LadderView(NamedTuple):
    """The ladder for a participant."""

    name: str  # of their bot in it
    anonymous: bool  # whether nobody is named
    hidden: bool  # whether they asked not to be named
    at: str  # the time of day at which it is played, "" after each upload
    playing: bool  # or soon to be played
    failed: bool  # whether it cannot be played
    address: str = ""  # of its pages, "" before there are any
    rows: tuple[LadderRow, ...] = ()
    more: int = 0  # bots that are not among them
    games: tuple[LadderGame, ...] = ()


def ladder_of(
    service: RegistrationService, registration: Registration, participant: Participant
) -> LadderView | None:
    """The ladder of a contest for one of its participants; None without one."""
    showing = rules_of(service.store, registration).show
    if showing.ladder == OFF:
        return None
    name = service.ladders.name(registration, participant)
    found = LadderView(
        name=name,
        anonymous=showing.ladder == ANONYMOUS,
        hidden=participant.hidden,
        at="" if showing.ladder_at == UPLOAD else showing.ladder_at,
        playing=service.ladders.waits(registration)
        or service.ladders.stage(registration) == PLAYING,
        failed=bool(service.ladders.trouble(registration)),
    )
    served = service.ladders.served(registration)
    try:
        return found if served is None else _with_results(found, served)
    except (StoreError, OSError, ValueError):  # a version has just been replaced
        return found


def _with_results(found: LadderView, served: ServedContest) -> LadderView:
    report = served.snapshot().report
    address = f"/contests/{served.identifier}"
    rows = [_row(report, line, found.name) for line in report.table]
    shown = tuple(row for at, row in enumerate(rows) if at < SHOWN or row.own)
    games: tuple[LadderGame, ...] = ()
    if any(row.own for row in rows):
        listed = served.newest([found.name], None, LATEST)
        games = tuple(_game(each, found.name, address) for each in listed)
    return found._replace(address=address, rows=shown, more=len(rows) - len(shown), games=games)


def _row(report: Report, line: Line, own: str) -> LadderRow:
    met = MEAN not in columns(report.table)
    return LadderRow(
        rank=wording.rank(line),
        name=line.name,
        own=line.name == own,
        results=cell(line, RESULTS if met else MEAN).text,
        score=cell(line, SCORE).text if met else "",
        games=cell(line, GAMES).text,
    )


def _game(game: Listed, own: str, address: str) -> LadderGame:
    seat = game.bots.index(own)
    rest = [value for at, value in enumerate(game.returns) if at != seat]
    mine, best = game.returns[seat], max(rest, default=0.0)
    return LadderGame(
        address=f"{address}/games/{game.identity}",
        result="won" if mine > best else "lost" if mine < best else "level",
        against=", ".join(name for at, name in enumerate(game.bots) if at != seat),
        faults=sum(fault["seat"] == seat for fault in game.faults),
    )
