"""The waits of a person at a browser: a board after opening its page, an answer after a click.

Both are measured by the page itself, in headless Chromium: from the start of the navigation, or
from the click, until the first frame in which what is waited for is there.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from bench.rows import Row
from bench.web_served import VISITOR, served, until
from joute.bots.ladder import player_at
from joute.core.registry import make
from joute.play.chance import derive
from joute.play.game import GameSpec, SeatSpec

GAMES = ("love-letter", "paradise", "tron", "vampires", "virus")
OPENED = 5  # times that the page of each game is opened
CLICKS = 20
BOARD_AIM_MS = 1000.0
CLICK_AIM_MS = 100.0
SIZE = (1280, 800)
NOW = "document.querySelector('#table')?.joute?.now"
WATCH = """(() => {
  const now = () => document.querySelector("#table")?.joute?.now;
  window.waits = {board: 0, clicks: []};
  let clicked = 0, asked = 0;
  addEventListener("click", (event) => {
    clicked = event.timeStamp;
    asked = now()?.asked?.number;
  }, true);
  const frame = () => {
    if (!waits.board && now()?.number >= 0) waits.board = performance.now();
    if (clicked && (now().over || (now().asked && now().asked.number !== asked))) {
      waits.clicks.push(performance.now() - clicked);
      clicked = 0;
    }
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})()"""


def page_rows() -> Iterator[Row]:
    """The figures."""
    with served() as (tables, port), _chromium() as chromium:
        home = f"http://127.0.0.1:{port}"
        boards = [_board(chromium, home, tables, game) for game in GAMES for _ in range(OPENED)]
        clicks = _clicks(chromium, home, tables)
    detail = f"{OPENED} times each of {len(GAMES)} games, nothing in the browser's cache"
    yield from _two("first board after opening the page", boards, BOARD_AIM_MS, detail)
    detail = f"{len(clicks)} clicks at Virus, until the next question is drawn"
    yield from _two("click answered above the bot's own time", clicks, CLICK_AIM_MS, detail)


def _two(name: str, waits: list[float], aim: float, detail: str) -> Iterator[Row]:
    for which, value in (("median", median(waits)), ("worst", max(waits))):
        yield Row(f"{name}, {which}", value, "ms", detail, aim=f"< {aim:.0f} ms", met=value < aim)


@contextmanager
def _chromium() -> Iterator[Any]:
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    from web.browser import Chromium  # what the tests drive their browser with

    chromium = Chromium()
    try:
        yield chromium
    finally:
        chromium.close()


def _page(chromium: Any) -> Any:
    page = chromium.page(*SIZE)
    page.script(WATCH)
    return page


def _spec(game: str, *bots: str) -> GameSpec:
    seats = tuple(SeatSpec(name=f"{at} {bot}", bot=bot) for at, bot in enumerate(bots))
    return GameSpec(game=game, bots=seats, seed=derive("bench", game))


def _board(chromium: Any, home: str, tables: Any, game: str) -> float:
    """The milliseconds until a spectator, or a guest where cards are hidden, has a board."""
    table = tables.open(_spec(game, "human", player_at(make(game), 2)), (), VISITOR)
    page = _page(chromium)
    chair = table.chairs[0]
    if table.facts.hidden_information:  # who only watches sees nothing yet
        page.open(f"{home}/tables/{table.name}#seat={chair.key}")
        page.click("#seated")
        page.wait_for(f"{NOW}?.table?.you.length")
    else:
        table.sit(chair.key, VISITOR, "")
        page.open(f"{home}/tables/{table.name}")
    waited: float = page.wait_for("window.waits?.board")
    page.close()
    table.close()
    return waited


def _clicks(chromium: Any, home: str, tables: Any) -> list[float]:
    """The milliseconds from clicks to the next question, without what the bot took."""
    table = tables.open(_spec("virus", "human", "builtin:greedy"), (), VISITOR)
    page = _page(chromium)
    page.open(f"{home}/tables/{table.name}#seat={table.chairs[0].key}")
    page.click("#seated")
    page.wait_for(f"{NOW}?.table?.you.length && {NOW}.asked")
    bots = []
    for done in range(CLICKS):
        question = until(lambda: table.playing.question)
        lines = len(table.playing.timeline.lines)
        page.click(".cell.legal")
        page.wait_for(f"waits.clicks.length > {done}")
        until(lambda question=question: table.playing.question is not question)
        since = table.playing.timeline.lines[lines:]
        bots.append(sum(line["wall_ms"] for line in since if line.get("player") == 1))
    waits = page.evaluate("waits.clicks")
    page.close()
    return [wait - bot for wait, bot in zip(waits, bots, strict=True)]
