"""`joute tron solo|table|report`: one bike fills a room, and how well bots do it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from joute.cli.usage import (
    DONE,
    FAILED,
    CheckFault,
    Json,
    Seed,
    Stopped,
    UsageFault,
    add_group,
)
from joute.files import put
from joute.i18n.words import say

if TYPE_CHECKING:
    from joute.games.tron.workshop.series import SoloGame, SoloMap

MOVE_SECONDS = 10.0
SIMULATIONS = "1,10,100,1000,10000,100000"

Map = Annotated[str, typer.Option("--map", metavar="MAP", help="help.tron.map")]
Picture = Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="help.tron.svg")]


def add_to(app: typer.Typer) -> None:
    """Adds the group of commands."""
    add_group(app, "tron", solo, table, report)


def solo(
    bot: Annotated[
        str, typer.Option("--bot", metavar="BOT", help="help.tron.bot")
    ] = "builtin:montecarlo?simulations=1000",
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

    from joute.cli.output import print_json
    from joute.games.tron.workshop.series import most_moves, open_room, print_sum, solo_games

    room = open_room(map_)
    seed = seed or secrets.token_hex(4)
    played = solo_games(room, bot, games or show, seed, MOVE_SECONDS)
    try:
        _play(room, played, show, f"{bot} - {map_}", quiet=json)
    except KeyboardInterrupt:
        over = [course for course in played if course.played]
        raise Stopped(say("tron.stopped", done=len(over), total=len(played))) from None
    if json:
        print_json(
            {
                "map": room.name,
                "bot": bot,
                "seed": seed,
                "bound": most_moves(room),
                "games": [each.played._asdict() for each in played if each.played],
            }
        )
    else:
        print_sum(played, most_moves(room), seed)
    return FAILED if any(course.played and course.played.faults for course in played) else DONE


def table(
    forms: Annotated[
        str, typer.Option("--forms", metavar="FORMS", help="help.tron.forms")
    ] = "python,numpy,compiled",
    simulations: Annotated[
        str, typer.Option("--simulations", metavar="N,N...", help="help.tron.numbers")
    ] = SIMULATIONS,
    games: Annotated[
        int, typer.Option("--games", metavar="N", help="help.tron.games_number", min=1)
    ] = 20,
    cap: Annotated[
        float, typer.Option("--cap", metavar="SECONDS", help="help.tron.cap", min=0.0)
    ] = 60.0,
    map_: Map = "room",
    seed: Seed = None,
    json: Json = False,
    svg: Picture = None,
) -> int:
    """The command; its help is in the catalogs."""
    import secrets

    from joute.cli.output import Progress, print_json
    from joute.games.tron.workshop.pictures import chart
    from joute.games.tron.workshop.series import (
        FORMS,
        PLAIN,
        WORKSHOP,
        measure,
        most_moves,
        open_room,
        print_figures,
        print_missing,
        read_forms,
        read_numbers,
    )

    try:
        wanted = read_forms(forms)
    except ValueError as error:
        known = ", ".join(FORMS)
        raise UsageFault(say("tron.no_form", form=error.args[0], known=known)) from None
    try:
        numbers = read_numbers(simulations)
    except ValueError:
        raise UsageFault(say("tron.no_numbers", text=simulations)) from None
    room = open_room(map_)
    seed = seed or secrets.token_hex(4)
    with Progress() as progress:
        figures, missing = measure(
            room, wanted, numbers, games, cap, seed, MOVE_SECONDS, progress.update
        )
    reference = {n: WORKSHOP[n] for n in numbers if n in WORKSHOP} if room.name == PLAIN else {}
    bound = most_moves(room)
    if svg is not None:
        if not figures:
            raise CheckFault(say("tron.no_figures"))
        put(svg, chart(figures, reference, bound, room.name))
    if json:
        print_json(
            {
                "map": room.name,
                "bound": bound,
                "seed": seed,
                "cap_seconds": cap,
                "figures": [figure._asdict() for figure in figures],
                "skipped": [each._asdict() for each in missing],
                "workshop": reference,
            }
        )
    else:
        print_figures(figures, reference)
        print_missing(missing, cap)
        print(say("tron.table_sum", map=room.name, bound=bound, seed=seed))
    return DONE


def report(
    map_: Annotated[
        list[str] | None, typer.Option("--map", metavar="MAP", help="help.tron.maps")
    ] = None,
    simulations: Annotated[
        int, typer.Option("--simulations", metavar="N", help="help.tron.simulations", min=1)
    ] = 1000,
    games: Annotated[
        int, typer.Option("--games", metavar="G", help="help.tron.games_map", min=1)
    ] = 10,
    seed: Seed = None,
    json: Json = False,
    svg: Picture = None,
) -> int:
    """The command; its help is in the catalogs."""
    import secrets

    from joute.cli.output import Progress, print_json
    from joute.games.tron.workshop.pictures import picture
    from joute.games.tron.workshop.report import (
        as_data,
        maps_for_one,
        panel,
        print_reports,
        report_on,
    )
    from joute.games.tron.workshop.series import FORMS, open_room

    names = map_ or maps_for_one()
    for name in names:
        open_room(name)  # a wrong name is told before anything is played
    seed = seed or secrets.token_hex(4)
    bot = FORMS["compiled"].format(simulations)
    done = iter(range(len(names) * games))
    with Progress() as progress:
        reports = [
            report_on(
                name,
                bot,
                games,
                seed,
                MOVE_SECONDS,
                lambda: progress.update(next(done), len(names) * games),
            )
            for name in names
        ]
    if svg is not None:
        title = say("tron.report_title", simulations=simulations)
        put(svg, picture([panel(each) for each in reports], title))
    if json:
        print_json({"bot": bot, "seed": seed, "maps": [as_data(each) for each in reports]})
    else:
        print_reports(reports)
        print(say("tron.report_sum", games=games, simulations=simulations, seed=seed))
    return DONE


def _play(room: SoloMap, played: list[SoloGame], show: int, title: str, quiet: bool) -> None:
    """Plays the games, `show` at a time: live on a terminal, else printed when they are over."""
    import os
    import sys
    from functools import partial

    from joute.cli.output import Progress
    from joute.cli.playing.page import palette
    from joute.cli.terminal import screen
    from joute.games.tron.workshop.rooms import RoomScreen, print_gallery
    from joute.games.tron.workshop.series import play_in_step, play_one

    colours = palette(sys.stdout, os.environ)
    if not quiet and sys.stdin.isatty() and sys.stdout.isatty():
        with screen():
            page = RoomScreen(room.game, title, colours)
            for first in range(0, len(played), show):
                together = played[first : first + show]
                page.show(together, first + 1)
                play_in_step(together, partial(page.show, together, first + 1))
    else:
        with Progress() as progress:
            for done, course in enumerate(played):
                progress.update(done, len(played))
                play_one(course)
    if not quiet:
        print_gallery(room.game, played, 1, colours)
