"""`joute vampires serve|client`: the tournament server, and our bots on any such server."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from joute.cli.exits import DONE, UsageFault
from joute.cli.usage import Command, Group
from joute.i18n.words import say

if TYPE_CHECKING:
    from joute.games.vampires.server.settings import Settings

RECORDS = Path("vampires.records")

Parts = tuple[int, int, int]


def add_to(app: typer.Typer) -> None:
    """Adds the group of commands."""
    group = typer.Typer(cls=Group, rich_markup_mode=None)
    group.command("serve", cls=Command, help="help.vampires.serve")(serve)
    group.command("client", cls=Command, help="help.vampires.client")(client)
    app.add_typer(group, name="vampires", help="help.vampires")


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
        int | None, typer.Option("--port", metavar="PORT", help="help.vampires.port", min=0)
    ] = None,
    move_seconds: Annotated[
        float | None,
        typer.Option("--move-seconds", metavar="T", help="help.vampires.seconds", min=0.001),
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
    records: Annotated[
        Path, typer.Option("--records", metavar="FOLDER", help="help.vampires.records")
    ] = RECORDS,
    plain: Annotated[bool, typer.Option("--plain", help="help.vampires.plain")] = False,
) -> int:
    """The command; its help is in the catalogs."""
    import asyncio

    from joute.games.vampires.server.serve import Hooks, Server
    from joute.games.vampires.server.settings import Settings
    from joute.games.vampires.serving import Show

    given = {
        "ip": ip,
        "port": port,
        "move_seconds": move_seconds,
        "plies": plies,
        "minutes": minutes,
        "trace": None if trace is None else str(trace),
        "again": again,
        "skip_illegal": skip_illegal or None,
        "rematch_on_draw": rematch or None,
    }
    values, unknown = _configured(config)
    text = _map_text(map_, random, values.pop("map", None))
    values |= {key: value for key, value in given.items() if value is not None}
    settings: Settings = Settings(**values)._replace(map=text)
    with Show(settings, plain=plain or not sys.stdout.isatty()) as show:
        for key in unknown:
            show.tell(say("vampires.unknown", file=config, key=key))
        hooks = Hooks(tell=show.tell, opened=show.opened, watch=show.watch, over=show.over)
        asyncio.run(Server(settings, hooks, records).run())
    return DONE


def client(
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="help.vampires.address")],
    port: Annotated[int, typer.Argument(metavar="PORT", help="help.vampires.port", min=1)],
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
    from joute.contest.config.entries import default_name
    from joute.games.vampires.server.client import Client

    shown = (name or default_name(bot)).encode("ascii", "replace").decode()[:255]
    Client(bot, shown, move_seconds, print).run(address, port)
    return DONE


def _configured(config: Path | None) -> tuple[dict[str, Any], tuple[str, ...]]:
    """What the configuration file says, if there is one, and its keys that are not ours."""
    from joute.games.vampires.server.settings import load_settings

    if config is None:
        return {}, ()
    found = load_settings(config)
    return dict(found.values), found.unknown


def _map_text(word: str | None, drawn: Parts | None, configured: str | None) -> str:
    """The text of the map to play on, asked for if nothing names one."""
    import secrets

    from joute.core.maps import find_map, shipped
    from joute.games.vampires.map import write_map
    from joute.games.vampires.random import random_map

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
