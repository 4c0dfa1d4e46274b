"""The web application: how soon spectators see a ply and a click is answered, and memory.

Boards and clicks are those of a real Chromium, see `web_pages`. Spectators are connections of
another process. A game between two people is played by this one, a ply every PLY_SECONDS; from the
answer of the person until a spectator has the position is counted.
"""

import gc
import json
import resource
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles
from time import monotonic, sleep

from bench.rows import Row
from bench.web_crowd import crowd_rows
from bench.web_pages import page_rows
from bench.web_served import PATIENCE, VISITOR, served, until
from joute.play.chance import derive
from joute.play.game import GameSpec, SeatSpec
from joute.web.tables.table import Table
from joute.web.tables.tables import SHORT_SECONDS, Tables

SPECTATORS = 300
PLIES = 40
PLY_SECONDS = 0.3
AIM_MS = 200.0
GAMES = 400
AIM_BYTES = 2048  # a game that is over, beyond the records that are kept


def rows() -> Iterator[Row]:
    """The figures."""
    yield from spectator_rows()
    yield from page_rows()
    yield from crowd_rows()
    yield memory_row()


def spectator_rows() -> Iterator[Row]:
    """Of a game before SPECTATORS, and before as many with one who reads nothing."""
    for name, stuck in (("a ply at a spectator's", False), ("the same, one reads nothing", True)):
        waits, lost = _watched(stuck)
        at_most = quantiles(waits, n=100)[98]
        yield Row(
            f"{name}, median",
            median(waits),
            "ms",
            f"{SPECTATORS} spectators, {len(waits):,} messages; 99 of 100 within {at_most:.0f} ms",
            aim=f"< {AIM_MS:.0f} ms",
            met=median(waits) < AIM_MS,
        )
        yield Row(f"{name}, lost", lost, "messages", aim="0", met=lost == 0)


def _watched(stuck: bool) -> tuple[list[float], int]:
    """The milliseconds from answers to spectators, and how many messages did not come."""
    with served() as (tables, port):
        table = tables.open(_spec("human", "human"), (0, 1), VISITOR)
        address = f"127.0.0.1:{port}"
        url = f"ws://{address}/tables/{table.name}/socket"
        deaf = _deaf(port, url) if stuck else None
        words = [sys.executable, "-m", "bench.web_spectators", url, str(SPECTATORS)]
        watching = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        until(lambda: len(table.watchers) >= SPECTATORS + stuck)
        given = _play(table)
        seen = json.loads(watching.communicate(timeout=PATIENCE)[0])
        if deaf is not None:
            deaf.close()
    waits = [
        1000 * (when - given[int(number)])
        for each in seen
        for number, when in each.items()
        if int(number) in given
    ]
    return waits, len(given) * SPECTATORS - len(waits)


def _play(table: Table) -> dict[int, float]:
    """The time at which each position was made, by its number; then the game is given up."""
    given = {}
    for _ in range(PLIES):
        question = until(lambda: table.playing.question)
        sleep(PLY_SECONDS)
        number = len(table.playing.timeline.steps)
        given[number] = monotonic()
        table.answer((0, 1), question.number, question.actions[0])
        until(lambda question=question: table.playing.question is not question)
    table.resign((0, 1), until(lambda: table.playing.question).player)
    return given


def _deaf(port: int, url: str) -> socket.socket:
    """A spectator who never reads."""
    deaf = socket.create_connection(("127.0.0.1", port))
    deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    path = url.partition(str(port))[2]
    deaf.sendall(
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
    )
    return deaf


def memory_row() -> Row:
    """The remains of a game that is over, once as many records are kept as may be."""
    now = [0.0]
    tables = Tables(most=2, clock=lambda: now[0])

    def play(games: int) -> None:
        for _ in range(games):
            table = tables.open(_spec("human", "builtin:random", size=4), (0,), VISITOR)
            question = until(lambda table=table: table.playing.question)
            table.resign((0,), question.player)
            table.playing.join()
            now[0] += SHORT_SECONDS + 1

    play(GAMES)
    before = _resident()
    play(GAMES)
    grown = (_resident() - before) / GAMES
    tables.close()
    return Row(
        "memory for each finished game",
        grown,
        "bytes",
        f"{GAMES} after {GAMES}; their records too, as the bound is not reached",
        aim=f"< {AIM_BYTES * 4}",
        met=grown < AIM_BYTES * 4,
    )


def _resident() -> int:
    """Bytes of memory that this process has now."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


def _spec(*bots: str, size: int = 10) -> GameSpec:
    seats = (SeatSpec(name=f"{at} {bot}", bot=bot) for at, bot in enumerate(bots))
    return GameSpec(
        game="virus", parameters={"size": size}, bots=tuple(seats), seed=derive("bench", "web")
    )
