"""The games of a contest to be replayed, in pages that need nothing else.

    replays.html            a list of the games, and the one that was chosen
    replays/IDENTITY.js     a game, packed; read when it is chosen

In a contest that is one file, the games lie in the page itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from joute.cli.exporting.elements import link, safe, table
from joute.contest.folder import RECORDS
from joute.contest.records import Records
from joute.files import from_here, put
from joute.i18n.words import say
from joute.play.record import RecordError
from joute.web.replaying.bundle import one_drawing
from joute.web.replaying.recorded import Recorded, read_recorded, sent
from joute.web.replaying.single import BESIDE, framed, packed, scripts

if TYPE_CHECKING:
    from joute.contest.report.report import Report
    from joute.store.game import Game

ENTRY = "album.js"
ALBUM = "replays.html"
FOLDER = "replays"  # the folder of the games
INDEX = "index.html"


class Kept(NamedTuple):
    """A game of the contest whose record was found, and is true."""

    game: Game
    recorded: Recorded
    file: str  # of the record, as commands name it


def write_album(report: Report, folder: Path) -> Path:
    """Writes the list and the games, in the language spoken now; returns the list's path."""
    games = []
    for kept in recorded_games(report):
        put(folder / FOLDER / f"{kept.game.identity}.js", beside_page(kept))
        games.append(kept.game)
    top = f"<p>{link(INDEX, report.contest.name)}</p><h1>{safe(say('page.replays'))}</h1>"
    body = top + album(report, games, "", FOLDER)
    return put(folder / ALBUM, framed(report.contest.name, body, more=BESIDE))


def recorded_games(report: Report, most: int | None = None) -> Iterator[Kept]:
    """The games that count, the newest first; those that cannot be replayed are left out.

    Such are games without a record, and of an older version of the rules.
    """
    folder = Path(report.contest.folder) / RECORDS
    with Records() as records:
        for game in islice(reversed(report.games), most):
            path = folder / f"{game.identity}.jsonl"
            try:
                recorded = read_recorded(records.read(path))
            except (OSError, RecordError):
                continue
            yield Kept(game, recorded, str(from_here(path)))


def album(report: Report, games: Sequence[Game], data: str, beside: str = "") -> str:
    """The list of these games and the place where one is shown; `data` are those in the page."""
    told = f' data-beside="{beside}"' if beside else ""
    place = f'<div class="play replay" id="replay"{told} hidden></div>'
    begin = scripts(ENTRY, one_drawing(report.contest.game))
    return f'{place}<div id="games">{_list(games)}</div>{data}{begin}'


def in_page(kept: Kept) -> str:
    """A game as a page holds it."""
    text = packed(sent(kept.recorded, kept.file))
    return f'<script type="text/plain" id="game-{kept.game.identity}">{text}</script>'


def beside_page(kept: Kept) -> str:
    """A game as a script beside the page."""
    text = packed(sent(kept.recorded, kept.file))
    return f'jouteGame("{kept.game.identity}", "{text}");\n'


def _list(games: Sequence[Game]) -> str:
    rows = [
        [
            link(f"#{game.identity}", " \N{EN DASH} ".join(game.bots)),
            safe(" \N{EN DASH} ".join(str(points) for points in game.points)),
            safe(say(f"ending.{game.ending}", plies=game.plies)),
            _faults(len(game.faults)),
        ]
        for game in games
    ]
    columns = [say(f"watch.column.{key}") for key in ("game", "result", "plies", "faults")]
    return table(columns, rows, label=say("page.replays"), words=(0, 2))


def _faults(count: int) -> str:
    return f'<span class="bad-t">{count}</span>' if count else "0"
