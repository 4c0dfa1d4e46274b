"""`joute tron solo|table|report`: one bike fills a room, and how well bots do it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from joute.cli.exits import DONE, FAILED, Stopped, UsageFault
from joute.cli.options import Json, Seed
from joute.cli.usage import Command, Group
from joute.cli.words import say

if TYPE_CHECKING:
    from joute.cli.workshop.series import Course, Room

MOVE_SECONDS = 3600.0  # nobody hurries a bot here
SIMULATIONS = "1,10,100,1000,10000,100000"

Map = Annotated[str, typer.Option("--map", metavar="MAP", help="help.tron.map")]
Picture = Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="help.tron.svg")]


def add_to(app: typer.Typer) -> None:
    """Adds the group of commands."""
    group = typer.Typer(cls=Group, rich_markup_mode=None)
    group.command("solo", cls=Command, help="help.tron.solo")(solo)
    group.command("table", cls=Command, help="help.tron.table")(table)
    group.command("report", cls=Command, help="help.tron.report")(report)
    app.add_typer(group, name="tron", help="help.tron")


def solo(
    bot: Annotated[
        str, typer.Option("--bot", metavar="BOT", help="help.tron.bot")
    ] = "builtin:montecarlo",
    map_: Map = "room",
    show: Annotated[int, typer.Option("--show", metavar="N", help="help.tron.show", min=1)] = 6,
    games: Annotated[
        int | None, typer.Option("--games", metavar="G", help="help.tron.games", min=1)
    ] = None,
    seed: Seed = None,
    json: Json = False,
) -> int:
    """The command; its help is in the catalogs."""
    import secrets

    from joute.cli.tables import print_json
    from joute.cli.workshop.series import courses, open_room

    room = open_room(map_)
    seed = seed or secrets.token_hex(4)
    played = courses(room, bot, games or show, seed, MOVE_SECONDS)
    try:
        _play(room, played, show, f"{bot} - {map_}", quiet=json)
    except KeyboardInterrupt:
        over = [course for course in played if course.played]
        raise Stopped(say("tron.stopped", done=len(over), total=len(played))) from None
    if json:
        print_json(_as_data(room, bot, seed, played))
    else:
        _print_sum(room, played, seed)
    return FAILED if any(course.played and course.played.faults for course in played) else DONE


def _play(room: Room, played: list[Course], show: int, title: str, quiet: bool) -> None:
    """Plays the games, `show` at a time: live on a terminal, else printed when they are over."""
    import os
    import sys

    from joute.cli.playing.colours import palette
    from joute.cli.progress import Progress
    from joute.cli.workshop.gallery import Screen, on_screen, print_gallery
    from joute.cli.workshop.series import play_in_step, play_one

    colours = palette(sys.stdout, os.environ)
    if not quiet and sys.stdin.isatty() and sys.stdout.isatty():
        with on_screen():
            screen = Screen(room.game, title, colours)
            for first in range(0, len(played), show):
                together = played[first : first + show]
                play_in_step(together, lambda: screen.show(together, first + 1))  # noqa: B023
    else:
        with Progress() as progress:
            for done, course in enumerate(played):
                progress.update(done, len(played))
                play_one(course)
    if not quiet:
        print_gallery(room.game, played, 1, colours)


def _as_data(room: Room, bot: str, seed: str, played: list[Course]) -> dict[str, Any]:
    from joute.bots.fill import RoomFiller
    from joute.games.interface import start

    return {
        "map": room.name,
        "bot": bot,
        "seed": seed,
        "bound": RoomFiller(room.game).bound(start(room.game)),
        "games": [course.played._asdict() for course in played if course.played],
    }


def _print_sum(room: Room, played: list[Course], seed: str) -> None:
    """Prints what came of the games, and what went wrong in them."""
    from joute.bots.fill import RoomFiller
    from joute.cli.workshop.series import summary
    from joute.games.interface import start

    over = [course.played for course in played if course.played]
    for number, game in enumerate(over, 1):
        for fault in game.faults[:1]:
            text = say("tron.fault", number=number, count=len(game.faults), ply=fault.ply)
            print(f"{text} {fault.detail.splitlines()[-1] if fault.detail else fault.fault}")
    total = summary([game.moves for game in over])
    print()
    print(
        say(
            "tron.sum",
            games=total.games,
            mean=spread(total.mean, total.error),
            best=total.best,
            bound=RoomFiller(room.game).bound(start(room.game)),
            seed=seed,
        )
    )


def spread(mean: float, error: float | None) -> str:
    """A mean with its standard error, where there is one."""
    return f"{mean:.1f}" if error is None else f"{mean:.1f} ± {error:.1f}"
