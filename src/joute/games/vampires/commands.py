"""`joute vampires serve|client`: the tournament server, and Joute's bots on any such server."""

from __future__ import annotations

import shutil
import sys
import time
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Self

import typer

from joute.cli.usage import DONE, UsageFault, add_group
from joute.i18n.words import say

if TYPE_CHECKING:
    from joute.games.vampires.server.settings import ServerSettings
    from joute.play.game import GameSpec


RECORDS = Path("vampires.records")
LINES = 50  # of the log, that are kept
LEAST_LINES = 3  # of them, that are shown below a board however high

Parts = tuple[int, int, int]


def add_to(app: typer.Typer) -> None:
    """Adds the group of commands."""
    add_group(app, "vampires", serve, client)


def serve(
    config: Annotated[
        Path | None, typer.Option("--config", metavar="FILE", help="help.vampires.config")
    ] = None,
    map_: Annotated[
        str | None, typer.Option("--map", metavar="MAP", help="help.vampires.map")
    ] = None,
    random: Annotated[
        Parts | None, typer.Option("--random", metavar="W H N", help="help.vampires.random")
    ] = None,
    ip: Annotated[str | None, typer.Option("--ip", metavar="IP", help="help.vampires.ip")] = None,
    port: Annotated[
        int | None,
        typer.Option("--port", metavar="PORT", help="help.vampires.port", min=0, max=65535),
    ] = None,
    move_seconds: Annotated[
        float | None,
        typer.Option("--move-seconds", metavar="T", help="help.vampires.seconds", min=0.001),
    ] = None,
    pause_seconds: Annotated[
        float | None,
        typer.Option("--pause-seconds", metavar="T", help="help.vampires.pause", min=0),
    ] = None,
    plies: Annotated[
        int | None, typer.Option("--plies", metavar="N", help="help.vampires.plies", min=2)
    ] = None,
    minutes: Annotated[
        float | None, typer.Option("--minutes", metavar="M", help="help.vampires.minutes", min=0)
    ] = None,
    trace: Annotated[
        Path | None, typer.Option("--trace", metavar="FILE", help="help.vampires.trace")
    ] = None,
    again: Annotated[
        bool | None, typer.Option("--again/--once", help="help.vampires.again")
    ] = None,
    skip_illegal: Annotated[
        bool, typer.Option("--skip-illegal", help="help.vampires.skip_illegal")
    ] = False,
    rematch: Annotated[
        bool, typer.Option("--rematch-on-draw", help="help.vampires.rematch")
    ] = False,
    wrap_counts: Annotated[
        bool, typer.Option("--wrap-counts", help="help.vampires.wrap_counts")
    ] = False,
    records: Annotated[
        Path, typer.Option("--records", metavar="FOLDER", help="help.vampires.records")
    ] = RECORDS,
    plain: Annotated[bool, typer.Option("--plain", help="help.vampires.plain")] = False,
) -> int:
    """The command; its help is in the catalogs."""
    import asyncio

    from joute.games.vampires.server.serve import Hooks, VampiresServer
    from joute.games.vampires.server.settings import ServerSettings, SettingsFile, load_settings

    given = {
        "ip": ip,
        "port": port,
        "move_seconds": move_seconds,
        "pause_seconds": pause_seconds,
        "plies": plies,
        "minutes": minutes,
        "trace": None if trace is None else str(trace),
        "again": again,
        "skip_illegal": skip_illegal or None,
        "rematch_on_draw": rematch or None,
        "wrap_counts": wrap_counts or None,
    }
    found = load_settings(config) if config else SettingsFile({}, ())
    values = dict(found.values)
    text = _map_text(map_, random, values.pop("map", None))
    values |= {key: value for key, value in given.items() if value is not None}
    settings: ServerSettings = ServerSettings(**values)._replace(map=text)
    with ServerDisplay(settings, plain=plain or not sys.stdout.isatty()) as show:
        for key in found.unknown:
            show.tell(say("vampires.unknown", file=config, key=key))
        hooks = Hooks(tell=show.tell, opened=show.opened, watch=show.watch)
        asyncio.run(VampiresServer(settings, hooks, records).run())
    return DONE


def client(
    address: Annotated[
        str | None, typer.Argument(metavar="ADDRESS", help="help.vampires.address")
    ] = None,
    port: Annotated[
        int | None, typer.Argument(metavar="PORT", help="help.vampires.port", min=1, max=65535)
    ] = None,
    config: Annotated[
        Path | None, typer.Option("--config", metavar="FILE", help="help.vampires.client_config")
    ] = None,
    bot: Annotated[
        str, typer.Option("--bot", metavar="BOT", help="help.vampires.bot")
    ] = "builtin:expectimax",
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="help.vampires.name")
    ] = None,
    move_seconds: Annotated[
        float,
        typer.Option("--move-seconds", metavar="T", help="help.vampires.seconds", min=0.001),
    ] = 2.0,
) -> int:
    """The command; its help is in the catalogs."""
    from joute.contest.config.default_names import default_name
    from joute.games.vampires.server.client import Client
    from joute.games.vampires.server.settings import ServerSettings, load_settings

    if config is None and (address is None or port is None):
        raise UsageFault(say("vampires.no_address"))
    found = load_settings(config).values if config else {}
    usual = ServerSettings()
    address = address or found.get("ip", usual.ip)
    port = port or found.get("port", usual.port)
    shown = (name or default_name(bot)).encode("ascii", "replace").decode()[:255]
    Client(bot, shown, move_seconds, print).run(address, port)
    return DONE


def _map_text(word: str | None, drawn: Parts | None, configured: str | None) -> str:
    """The text of the map to play on, asked for if nothing names one."""
    import secrets

    from joute.core.maps import find_map, shipped
    from joute.games.vampires.map import random_map, write_map

    if word is not None and drawn is not None:
        raise UsageFault(say("vampires.one_map"))
    if drawn is not None:
        return write_map(random_map(*drawn, secrets.randbits(32)))
    word = word or configured
    if word is None and sys.stdin.isatty():
        word = input(say("vampires.ask_map", names=", ".join(shipped("vampires")))).strip()
    if not word:
        raise UsageFault(say("vampires.no_map", names=", ".join(shipped("vampires"))))
    return find_map("vampires", word)


class ServerDisplay:
    """The log of a server and on a terminal the board; its methods are hooks of the server."""

    def __init__(self, settings: ServerSettings, plain: bool) -> None:
        self._settings = settings
        self._plain = plain
        self._began = time.monotonic()
        self._log: deque[str] = deque(maxlen=LINES)
        self._names: list[str] = []
        self._last = ["", ""]
        self._spent = [0.0, 0.0]
        self._board = ""
        self._game: Any = None
        self._state: list[int] = []
        self._trace = None if not settings.trace else Path(settings.trace)

    def __enter__(self) -> Self:
        self._file = None if self._trace is None else self._trace.open("a", encoding="utf-8")
        if not self._plain:
            from rich.live import Live

            self._live = Live(self._page(), auto_refresh=False, screen=True)
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()
        if not self._plain:
            self._live.stop()
            # The screen is as it was: what happened last is said once more.
            print("\n".join([*([self._board] if self._board else []), *self._log]))

    def tell(self, line: str) -> None:
        """Takes a line of the log."""
        stamped = f"{time.monotonic() - self._began:9.3f}  {line}"
        if self._file is not None:
            self._file.write(stamped + "\n")
            self._file.flush()
        self._log.append(stamped)
        if self._plain:
            print(stamped, flush=True)
        else:
            self._live.update(self._page(), refresh=True)

    def opened(self, spec: GameSpec) -> None:
        """Hears of a game that begins."""
        from joute.core.interface import render, start
        from joute.core.registry import make

        self._names = [seat.name for seat in spec.bots]
        self._last, self._spent = ["", ""], [0.0, 0.0]
        self._game = make(spec.game, **spec.parameters)
        self._state = start(self._game).tolist()
        self._board = render(self._game, self._state)

    def watch(self, line: dict[str, Any]) -> None:
        """Hears of a line of the record; the board follows."""
        from joute.core.interface import CHANCE, mover, play, render
        from joute.play.record import actions_of

        for action in actions_of(line):
            play(self._game, self._state, action)
        if line.get("by") == "bot":
            player = line["player"]
            self._spent[player] += line["wall_ms"] / 1000
            self._last[player] = line.get("text", "") if "fault" not in line else line["fault"]
        if mover(self._game, self._state) == CHANCE:
            return  # the battles follow at once
        self._board = render(self._game, self._state)
        if self._plain:
            print(self._board, flush=True)
        else:
            self._live.update(self._page(), refresh=True)

    def _page(self) -> Any:
        from rich.text import Text

        top = [*self._clocks(), "", *self._board.splitlines(), ""]
        room = max(shutil.get_terminal_size().lines - len(top), LEAST_LINES)
        return Text("\n".join([*top, *[*self._log][-room:]]), no_wrap=True, overflow="ellipsis")

    def _clocks(self) -> list[str]:
        species = (say("vampires.vampires"), say("vampires.werewolves"))
        width = max((len(name) for name in self._names), default=0)
        return [
            f"{kind:<12} {name:<{width}}  {spent:7.2f} s  {last}"
            for kind, name, spent, last in zip(
                species, self._names, self._spent, self._last, strict=False
            )
        ]
