"""The cost of a turn for the tournament server, beside that of players. A row of `bench vampires`.

Two programs of a few lines answer at once, over connections of this machine. Counted is the
processor time of the server's process, so that neither the programs nor other work do.
"""

import socket
import subprocess
import sys
from time import perf_counter, process_time
from typing import Any

from bench.rows import Row
from joute.core.interface import parameters
from joute.core.registry import make
from joute.games.vampires.adapters.connection import PlayerConnection
from joute.games.vampires.adapters.seat import TcpSeat
from joute.play.game import GameSpec, SeatSpec, usual_costs
from joute.play.referee import play_game

PLIES = 2000
WARM = 20  # plies of a first game, in which modules are loaded and kernels compiled
AIM_MS = 0.3
SECONDS = 60.0  # after which a measurement that hangs fails

# The groups of the two players are far apart, and walk to and fro.
MAP = """<Map Rows="9" Columns="11">
<Humans X="5" Y="2" Count="9"/><Humans X="5" Y="4" Count="4"/><Humans X="5" Y="6" Count="9"/>
<Vampires X="1" Y="4" Count="8"/><Werewolves X="9" Y="4" Count="8"/></Map>
"""

PLAYER = """\
import socket, sys
x, near = int(sys.argv[2]), int(sys.argv[3])
wire = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
orders = [b"MOV\\x01" + bytes([a, 4, 8, b, 4]) for a, b in ((x, near), (near, x))]
turn = 0
while b"BYE" not in (data := wire.recv(65536)) and data:
    if b"UPD" in data:
        wire.sendall(orders[turn])
        turn = 1 - turn
"""
"""The arguments: the port, the column of the group, and the one next to it."""


def turn_row(plies: int = PLIES) -> Row:
    """The mean over the turns of a game."""
    _play(WARM)
    cpu_ms, wall_ms = (1000 * seconds / plies for seconds in _play(plies))
    return Row(
        "a turn in the server",
        cpu_ms,
        "ms",
        f"on the wall, the players' time in it: {wall_ms:.3g} ms",
        aim=f"< {AIM_MS} ms",
        met=cpu_ms < AIM_MS,
    )


def _play(plies: int) -> tuple[float, float]:
    """A game of so many plies: processor seconds of this process, and seconds on the wall."""
    game = make("vampires", map=MAP, plies=plies)
    spec = GameSpec(
        game="vampires",
        parameters=parameters(game),
        bots=tuple(SeatSpec(name=name, bot="remote") for name in ("left", "right")),
        seed="00" * 16,
        costs=usual_costs("vampires"),
    )
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(SECONDS)
        port = str(listener.getsockname()[1])
        players = []
        wires = []
        try:
            for columns in (("1", "2"), ("9", "8")):
                words = [sys.executable, "-c", PLAYER, port, *columns]
                players.append(subprocess.Popen(words))
                wires.append(PlayerConnection(listener.accept()[0]))
            return _measured(spec, game, wires)
        finally:
            for player in players:
                player.kill()
                player.wait()


def _measured(spec: GameSpec, game: Any, wires: list[PlayerConnection]) -> tuple[float, float]:
    seats = iter([TcpSeat(wire, game, spec.limits.move_seconds) for wire in wires])
    began, wall = process_time(), perf_counter()
    result = play_game(spec, opener=lambda *_: next(seats))
    spent = process_time() - began, perf_counter() - wall
    if result.faults:
        raise RuntimeError(f"a player failed: {result.faults[0].detail}")
    return spent
