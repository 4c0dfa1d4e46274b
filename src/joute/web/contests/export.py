"""A contest as pages that need no server, no network and no program: a folder of them, or one.

    index.html, bots.html, faults.html, rules.html      in the language of the user
    bots/NUMBER-NAME.html
    replays.html, replays/IDENTITY.js                   if they are asked for
    fr/ (or en/)                                        the same in the other language
    joute.css, standings.csv, games.csv

Every address is relative, so that the folder opens from a disk, whole, wherever it is carried. Of
all its pages only `replays.html` has a script. In one page, the games lie in the page itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from joute.contest.folder import RECORDS
from joute.contest.records import Records
from joute.contest.report.report import Report
from joute.contest.report.tables import games_sheet, put_csv, standings_sheet
from joute.files import from_here, put
from joute.i18n import words
from joute.play.record import RecordError
from joute.store.model import StoredGame
from joute.text import numbered_name
from joute.web.assets import style
from joute.web.contests import views
from joute.web.contests.snapshot import FINISHED
from joute.web.replays.recorded import read_recorded, sent
from joute.web.replays.single_file import BESIDE, POLICY, exported, packed, scripts
from joute.web.rulebooks import drawings

INDEX, REPLAYS = "index.html", "replays.html"
STYLE = "joute.css"
TABLES = ("standings.csv", "games.csv")
BESIDE_FOLDER = "replays"  # of the games, beside the page that lists them
ENTRY = "replays.js"
TABS = ("bots", "faults", "rules")
LATEST = 10  # games of a bot on its page
MOST_GAMES = 500  # in one page, the newest; each takes some kilobytes


class FileLinks:
    """Files of a folder; `home` is the way to the top of their language, if it is not here."""

    def __init__(self, report: Report, home: str = "", replays: Collection[str] = ()) -> None:
        """`replays` are the identities of the games that can be replayed."""
        self.home = home
        self._numbers = report.numbers
        self._replays = replays

    def section(self, name: str) -> str:
        return f"{self.home}{INDEX if name == 'standings' else f'{name}.html'}"

    def bot(self, name: str) -> str:
        return f"{self.home}bots/{self.file(name)}.html"

    def file(self, name: str) -> str:
        """The name of a bot's file without its ending."""
        return numbered_name(self._numbers[name], name)

    def games(self, *_bots: str) -> str:
        return ""

    def game(self, identity: str, ply: int | None = None) -> str:
        line = "" if ply is None else f"/line={ply}"
        return f"{self._replays_page()}#{identity}{line}" if identity in self._replays else ""

    def _replays_page(self) -> str:
        return f"{self.home}{REPLAYS}"


class ReplaysLinks(FileLinks):
    """Links from the page of the games itself."""

    def _replays_page(self) -> str:
        return ""


class PageLinks(ReplaysLinks):
    """Places of one page."""

    def section(self, name: str) -> str:
        return f"#{name}"

    def bot(self, name: str) -> str:
        return f"#bot-{self.file(name)}"


class Replay(NamedTuple):
    """A game of the contest whose record was found, and is true."""

    game: StoredGame
    number: int  # in the order of the schedule
    text: str  # packed, as scripts read it


def write_site(report: Report, folder: Path, replays: bool = False) -> list[Path]:
    """Writes the folder, with `replays` the games too; returns the files, the one to open first."""
    spoken = words.language()
    put(folder / STYLE, style())
    put_csv(folder / TABLES[0], standings_sheet(report))
    put_csv(folder / TABLES[1], games_sheet(report))
    written = [folder / name for name in (INDEX, STYLE, *TABLES)]
    try:
        for language in words.LANGUAGES:
            words.speak(language)
            within = "" if language == spoken else f"{language}/"
            written += _Site(report, folder, within, replays).write()
    finally:
        words.speak(spoken)
    return written


class _Site:
    """The pages of the language spoken now; `within` is its folder, "" for the top."""

    def __init__(self, report: Report, folder: Path, within: str, replays: bool) -> None:
        self._report = report
        self._folder = folder
        self._within = within
        self._asked = replays
        self._replays: list[Replay] = []
        self._written: list[Path] = []

    def write(self) -> list[Path]:
        """Writes all of them; returns the files."""
        report = self._report
        if self._asked:
            for replay in _replays(report):
                self._replays.append(replay._replace(text=""))
                beside = f'jouteGame("{replay.game.identity}", "{replay.text}");\n'
                file = f"{BESIDE_FOLDER}/{replay.game.identity}.js"
                self._written.append(put(self._folder / self._within / file, beside))
            links: FileLinks = ReplaysLinks(report, replays=self._known())
            shown = _replays_shown(report, self._replays) | {"beside": BESIDE_FOLDER}
            begin = scripts(ENTRY, report.contest.game)
            self._put("replays", links, shown, policy=POLICY.format(more=BESIDE), begin=begin)
        links = FileLinks(report, replays=self._known())
        self._put("standings", links, views.standings(report))
        self._put("bots", links, views.bots(report))
        self._put("faults", links, views.faults(report))
        self._put("rules", links, views.rules(report))
        links = FileLinks(report, "../", self._known())
        for line in report.table:
            self._put("bot", links, _bot_shown(report, line.name), line.name)
        return self._written

    def _known(self) -> set[str]:
        return {replay.game.identity for replay in self._replays}

    def _put(
        self, name: str, links: FileLinks, shown: dict[str, Any], bot: str = "", **frame: Any
    ) -> None:
        report = self._report
        file = f"bots/{links.file(bot)}.html" if bot else FileLinks(report).section(name)
        top = links.home + "../" * self._within.count("/")
        page = _page(
            report,
            links,
            [("", _section(report, name, links, shown))],
            title=f"{bot} \N{MIDDLE DOT} {report.contest.name}" if bot else report.contest.name,
            current="bots" if bot else name,
            contest_tabs=["standings", *(["replays"] if self._asked else []), *TABS],
            stylesheet=f"{top}{STYLE}" if "begin" not in frame else "",
            languages=self._languages(links.home, top, file),
            tables=[f"{top}{table}" for table in TABLES],
            **frame,
        )
        self._written.append(put(self._folder / self._within / file, page))

    def _languages(self, home: str, top: str, file: str) -> dict[str, str]:
        """The way to the same page in each language."""
        spoken = words.language()
        # One language is at the top, the others in folders of their names.
        return {
            each: (home if each == spoken else top if self._within else f"{top}{each}/") + file
            for each in words.LANGUAGES
        }


def write_page(report: Report, file: Path) -> Path:
    """Writes the one page in the language spoken now; returns its path."""
    replays = list(_replays(report, MOST_GAMES))
    links = PageLinks(report, replays={each.game.identity for each in replays})
    data = (
        f'<script type="text/plain" id="game-{each.game.identity}">{each.text}</script>'
        for each in replays
    )
    shown = _replays_shown(report, replays) | {"data": "".join(data)}
    parts = {
        "standings": _section(report, "standings", links, views.standings(report)),
        "replays": _section(report, "replays", links, shown),
        "bots": _section(report, "bots", links, views.bots(report)),
    }
    for line in report.table:
        own = _bot_shown(report, line.name)
        parts[links.bot(line.name)[1:]] = _section(report, "bot", links, own)
    shown = views.rules(report) | {"positions": packed(drawings(report.contest.game))}
    parts["rules"] = _section(report, "rules", links, shown)
    page = _page(
        report,
        links,
        list(parts.items()),
        title=report.contest.name,
        contest_tabs=["standings", "replays", "bots", "rules"],
        policy=POLICY.format(more=""),
        begin=scripts(ENTRY, report.contest.game),
    )
    return put(file, page)


def _section(report: Report, name: str, links: FileLinks, shown: dict[str, Any]) -> str:
    return views.section(
        exported(), name, report, links, **{"games": (), "commands": True, **shown}
    )


def _page(report: Report, links: FileLinks, sections: list[tuple[str, str]], **frame: Any) -> str:
    """A whole page: the head of the contest, and its sections."""
    values = {
        "frame": "exported.html", "links": links, "sections": sections, "scripts": (),
        "stage": "" if report.left else FINISHED, "current": "", "private": False, "time_left": "",
        "wall": "", "progress": "", "chain": "", "policy": "", "stylesheet": "", "languages": {},
        "tables": (), "alone": False, "begin": "",
    }  # fmt: skip
    template = exported().get_template("contest/layout.html")
    return template.render(values | views.head(report) | frame)


def _replays(report: Report, most: int | None = None) -> Iterator[Replay]:
    """The games that count, the newest first; those that cannot be replayed are left out.

    Such are games without a record, and of an older version of the rules.
    """
    folder = Path(report.contest.folder) / RECORDS
    with Records() as records:
        for number, game in _newest(report)[:most]:
            path = folder / f"{game.identity}.jsonl"
            try:
                recorded = read_recorded(records.read(path))
            except (OSError, RecordError):
                continue
            yield Replay(game, number, packed(sent(recorded, str(from_here(path)))))


def _newest(report: Report) -> list[tuple[int, StoredGame]]:
    """The games that count, each after its number in the contest's lists, the newest first."""
    return sorted(report.numbered, key=lambda each: each[0], reverse=True)


def _bot_shown(report: Report, name: str) -> dict[str, Any]:
    """The values of the section of a bot, with its latest games."""
    newest = _newest(report)
    own = [vars(game) | {"number": number} for number, game in newest if name in game.bots]
    return views.bot(report, name) | {"games": own[:LATEST]}


def _replays_shown(report: Report, replays: list[Replay]) -> dict[str, Any]:
    """The values of the section of the games."""
    games = [vars(each.game) | {"number": each.number} for each in replays]
    left_out = len(report.games) - len(games)
    return {"games": games, "left_out": left_out, "data": "", "beside": ""}
