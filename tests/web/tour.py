"""Every kind of page of the application, and a browser whose user may see them all.

A contest that is over, one that is open for bots, tables of all games with their person asked, a
table where the game is over, replays: `Tour(folder).stops` has the address of each by its name.
"""

from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

from argon2 import PasswordHasher
from web.browser import Chromium, Page
from web.conftest import Site
from web.entered import GOOD, TOML, Reception
from web.players import NOW, spec
from web.recorded_games import GAMES, TRACEBACK, builtin, crash, fault_line, scripted
from web.shown import keep, played
from web.tabled import finished
from web.test_participants import LONG

from joute.core.registry import names
from joute.i18n.words import speaking
from joute.play.broadcast import LIVE, Broadcast
from joute.play.record import read_record
from joute.web.registration.store import DONE, CheckFinding, Participant
from joute.web.replays.analysis import Evaluator
from joute.web.replays.recorded import read_recorded
from joute.web.replays.single_file import game_page
from joute.web.settings import Settings

PASSWORD = "correct horse"
CONTEST = "/contests/the-b-class-b-co"
DRAWN = "document.querySelectorAll('.rulebook [data-drawing] > .boardbox').length === 3"
REPLAYED = "!!document.querySelector('.timeline')"
TABLES = {
    "virus": ({"size": 8}, ("human", "greedy")),
    "tron": ({}, ("human", "random")),
    "vampires": ({}, ("human", "nearest")),
    "love-letter": ({"players": 4}, ("human", "rules", "random", "rules")),
    "paradise": ({}, ("human", "face")),
}
PAGES = {
    "home": "/",
    "play": "/play",
    "watch": "/watch",
    "contests": "/contests",
    "contest": CONTEST,
    "games": f"{CONTEST}/games",
    "pair": f"{CONTEST}/games?bot=ann%20%3Cscript%3E&bot=bob",
    "bots": f"{CONTEST}/bots",
    "bot": f"{CONTEST}/bots/2",
    "faults": f"{CONTEST}/faults",
    "rules": f"{CONTEST}/rules",
    "live": f"{CONTEST}/live",
    "submit": "/submit",
    "organise": "/organise",
    "organise-new": "/organise/new",
    "organise-form": "/organise/new?game=tron",
    "organise-named": "/organise/named/the-b-class-b-co",
    "api": "/api",
    "login": "/login?back=/",
    "nowhere": "/nowhere",
}


ORGANISED = ("participant", "similar", "roster", "links")
PLAYED = ("played", "results", "marks", "audit", "side-by-side", "author")
ORGANISER = tuple(f"organise-{name}" for name in (*ORGANISED, *PLAYED))
OPEN = ("submit-own", "organise-one", "organise-edit", *ORGANISER, "task")
LATER = ("over", "fault", "embed", "wall", "stage", "records", "alone", *OPEN)
KINDS = ("play", "table", "replay", "rules")  # pages that there are of each game
NAMES = (*PAGES, *(f"{kind}-{game}" for kind in KINDS for game in GAMES), *LATER)
STRANGERS = ("submit", "login")  # pages of those who are not known yet


class Stop(NamedTuple):
    """A page, and the condition under which it is all there."""

    address: str  # a file's holds {language}
    ready: str = "true"


class Tour:
    """A site with all of it. Close it."""

    def __init__(self, folder: Path) -> None:
        self._open = ExitStack()
        hashed = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD)
        folders = (played(folder / "class"), self._records(folder / "games.records"))
        self.site = Site(Settings(folders=folders, data=folder / "data", password=hashed))
        self.site.app.state.evaluator = Evaluator(lambda *position: ("alphabeta", 0.25))
        self.stops = {name: Stop(self.site.url + path) for name, path in PAGES.items()}
        for game in filter(names().__contains__, GAMES):
            self._add(f"play-{game}", f"/play/{game}")
            self._add(f"replay-{game}", self._record(builtin(game)), REPLAYED)
            self._add(f"rules-{game}", f"/rules/{game}", DRAWN)
            self._add(f"table-{game}", self._table(game), f"{NOW}?.asked")
        self._add("over", self._over(), f"{NOW}?.over")
        fault = scripted({}, {2: crash()})
        self._add("fault", f"{self._record(fault)}#line={fault_line(fault)}", REPLAYED)
        self._add("embed", f"/embed{self._record(builtin('virus'))}", REPLAYED)
        self._add("wall", f"{CONTEST}/wall", "document.querySelectorAll('.wall .game').length >= 6")
        ready = "document.querySelector('.stage .slide.team:not([hidden])')"
        self._add("stage", f"{CONTEST}/stage#2", ready)
        self._add("records", "/records/games-records", "document.querySelector('#live .game')")
        self._files(folder)
        self._log_in()
        self._enter()
        self._organise()

    def _records(self, folder: Path) -> Path:
        """A folder with the record of a game, and another game that goes on."""
        (folder / LIVE).mkdir(parents=True)
        record = builtin("virus")
        (folder / f"{'a' * 32}.jsonl").write_bytes(record)
        parameters, bots = GAMES["virus"]
        broadcast = Broadcast(folder / LIVE, spec("virus", parameters, *bots), after=0.0)
        self._open.enter_context(broadcast)
        for line in read_record(record).plies[:9]:
            broadcast.hear(line)
        return folder

    def _add(self, name: str, path: str, ready: str = "true") -> None:
        self.stops[name] = Stop(self.site.url + path, ready)

    def _record(self, content: bytes) -> str:
        """The replay of a record."""
        return f"/replays/{self.site.app.state.replay_files.keep(content, 'game.jsonl')}"

    def _opened(self, game: str, parameters: dict[str, Any], bots: tuple[str, ...]) -> Any:
        """A table with this browser's user at its first seat."""
        table = self.site.app.state.tables.open(spec(game, parameters, *bots), (), "")
        seat = {"key": table.chairs[0].key, "person": "Ann"}
        self.site.post(f"/tables/{table.name}/seat", json=seat)
        return table

    def _table(self, game: str) -> str:
        return f"/tables/{self._opened(game, *TABLES[game]).name}"

    def _over(self) -> str:
        table = self._opened("virus", {"size": 4}, ("human", "greedy"))
        finished(table)
        return f"/tables/{table.name}"

    def _files(self, folder: Path) -> None:
        for language in ("en", "fr"):
            with speaking(language):
                text = game_page(read_recorded(builtin("virus")), "game.jsonl")
            (folder / f"alone-{language}.html").write_text(text, encoding="utf-8")
        self.stops["alone"] = Stop(f"file://{folder}/alone-{{language}}.html", REPLAYED)

    def _log_in(self) -> None:
        self.site.post("/login", data={"password": PASSWORD, "back": "/"})

    def _enter(self) -> None:
        """Opens a contest for bots, with two participants; one of them is this user."""
        reception = Reception(self.site)
        ann = reception.invite("Ann with a name that is rather long")
        reception.invite("Bob")
        self._hand_in(reception, ann)
        self.site.post("/submit/enter", data={"link": reception.link(ann)})
        self._add("submit-own", "/submit")
        self._add("task", f"/contests/tasks/{reception.registration.identity}")
        self._add("organise-one", reception.address)
        self._add("organise-edit", f"{reception.address}/edit")
        self._add(
            "organise-participant", f"{reception.address}/participants/{ann.identity}?version=1"
        )
        for name in ("similar", "roster", "links"):
            self._add(f"organise-{name}", f"{reception.address}/{name}")

    def _hand_in(self, reception: Reception, ann: Participant) -> None:
        store, registration = reception.service.store, reception.registration
        fault = CheckFinding(
            "games", False, "2 of 4 games ended by a fault.", TRACEBACK.splitlines()
        )
        for found in (
            [],
            [fault, CheckFinding("determinism", False, "It plays at random.", ["a, b"])],
        ):
            version = store.take(registration, ann, GOOD, "my_bot.py", ".py")
            version.findings = [CheckFinding("start", True, "It has a function play."), *found]
            version.state, version.seconds, version.language = DONE, 2.5, "en"

    def _organise(self) -> None:
        """A class whose contest was played, with a copied bot, a decision and a game annulled."""
        reception = Reception(self.site, TOML.replace('"Small"', '"Class of 2027"\nseed = 1'))
        store, registration = reception.service.store, reception.registration
        for name in ("Ann with a name that is rather long", "bob", "Zoé", "Nobody"):
            reception.invite(name)
        people = registration.participants
        for each in people[:3]:
            version = store.take(registration, each, LONG, "my_bot.py", ".py")
            version.findings = [CheckFinding("start", True, "It has a function play.")]
            version.state, version.seconds, version.language = DONE, 2.5, "en"
        keep(reception.service.control.contest(registration))
        for kind, subject in (("disqualified", "Zoé"), ("annulled", "1")):
            reception.organise("decide", kind=kind, subject=subject, why="copied from bob")
        self._add("organise-played", reception.address)
        for name in ("results", "marks", "audit"):
            self._add(f"organise-{name}", f"{reception.address}/{name}")
        one, other = people[0].identity, people[1].identity
        self._add("organise-side-by-side", f"{reception.address}/similar/{one}/{other}")
        self._add("organise-author", f"{reception.address}/participants/{other}")

    def stranger(self, browser: Chromium, *size: int, **options: Any) -> Page:
        """The browser's page of a user who has not been here before."""
        return browser.page(*size, **options)

    def user(self, browser: Chromium, *size: int, **options: Any) -> Page:
        """The browser's page of the organiser who also plays and hands in a bot."""
        page = browser.page(*size, **options)
        page.keep(self.site.url, self.site.client.cookies)
        return page

    def close(self) -> None:
        self._open.close()
        self.site.close()
