"""`joute ladder GAME BOT`: how many of a game's levels a bot is stronger than, shown by games."""

from __future__ import annotations

import json as json_module
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer

from joute.cli.match import Sprt, even, hypotheses
from joute.cli.output import Progress, print_json, print_table
from joute.cli.usage import (
    DONE,
    FAILED,
    GameArgument,
    Json,
    Maps,
    MoveSeconds,
    Parameters,
    Seed,
    Stopped,
    UsageFault,
    Workers,
    check_folder,
    parameter_values,
)
from joute.files import put
from joute.i18n.words import say

if TYPE_CHECKING:
    from joute.contest.run.ladder import LadderResult

USUAL = "0,100"  # some 75 games against a rung where one of the two is true
FILE = "ladder.json"


def ladder(
    game: GameArgument,
    bot: Annotated[str, typer.Argument(metavar="BOT", help="help.bot")],
    rungs: Annotated[
        Path | None, typer.Option("--rungs", metavar="FOLDER", help="help.ladder.rungs")
    ] = None,
    at_least: Annotated[
        int | None, typer.Option("--at-least", metavar="N", help="help.ladder.at_least", min=0)
    ] = None,
    max_games: Annotated[
        int | None, typer.Option("--max-games", metavar="N", help="help.ladder.max_games", min=2)
    ] = None,
    cpu_seconds: Annotated[
        float | None,
        typer.Option("--cpu-seconds", metavar="T", help="help.ladder.cpu_seconds", min=0.001),
    ] = None,
    sprt: Sprt = USUAL,
    folder: Annotated[
        Path | None, typer.Option("--folder", metavar="FOLDER", help="help.ladder.folder")
    ] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="help.ladder.markdown")] = False,
    maps: Maps = None,
    seed: Seed = None,
    move_seconds: MoveSeconds = 10.0,
    param: Parameters = None,
    workers: Workers = None,
    json: Json = False,
) -> int:
    """The command; its help is in the catalogs."""
    from joute.bots.levels import rungs as rungs_of
    from joute.cli import climbing
    from joute.contest.errors import Interrupted
    from joute.contest.run.ladder import Budget, Ladder
    from joute.core.registry import make, needed

    if json and markdown:
        raise UsageFault(say("ladder.one_form"))
    values, test = parameter_values(param), hypotheses(sprt or USUAL)
    if test.elo0 < 0:
        raise UsageFault(say("ladder.sprt", text=sprt))
    budget = Budget(even(max_games), cpu_seconds)
    brought = [] if rungs is None else _brought(rungs)
    usual = {each: 2 for each in needed(game) if each == "players"}
    known = [f"builtin:{each}" for each in rungs_of(make(game, **{**usual, **values}))]
    with _kept(folder, game, seed) as (kept, drawn):
        played = Ladder(
            game,
            values,
            kept,
            drawn,
            maps=maps or (),
            limits={"move_seconds": move_seconds},
            workers=workers,
        )
        try:
            with Progress() as progress:
                order = played.with_brought(known, brought)
                found = played.climb(bot, order, test, budget, progress.update, _tell)
        except Interrupted:
            key = "ladder.stopped" if folder is None else "ladder.stopped_kept"
            raise Stopped(say(key, folder=kept)) from None
        told = climbing.plain(found, game, bot, values, order, folder)
        if folder is not None:
            text = json_module.dumps({**_begun(kept), **told}, ensure_ascii=False, indent=2)
            put(kept / FILE, f"{text}\n")
    if json:
        print_json(told)
    elif markdown:
        print("\n".join(climbing.markdown(found, game, told["try"])))
    else:
        _print(found, game, told["try"])
    reached = found.climb.reached
    if at_least is not None:
        return DONE if reached >= at_least else FAILED
    return DONE if found.climb.decided else FAILED


def _tell(number: int, name: str) -> None:
    """Says on standard error which rung is played now; the answer is for standard output."""
    print(say("ladder.now", number=number, name=name), file=sys.stderr, flush=True)


def _brought(folder: Path) -> list[str]:
    """The bots in a folder: Python files, archives, folders with such a file; by their names."""
    check_folder("--rungs", folder)
    found = [
        str(each)
        for each in sorted(folder.iterdir())
        if not each.name.startswith((".", "_"))
        and (each.suffix in (".py", ".zip") or (each.is_dir() and any(each.glob("*.py"))))
    ]
    if not found:
        raise UsageFault(say("ladder.no_bots", folder=folder))
    return found


@contextmanager
def _kept(folder: Path | None, game: str, seed: str | None) -> Iterator[tuple[Path, str]]:
    """The folder of the games, the one asked for or one that is gone afterwards; and the seed.

    Raises UsageFault for a folder that holds anything but a ladder of this game.
    """
    if folder is None:
        with TemporaryDirectory(prefix="joute-ladder-") as temporary:
            yield Path(temporary), seed or secrets.token_hex(8)
        return
    begun = _begun(folder)
    fresh = not folder.exists() or (folder.is_dir() and not any(folder.iterdir()))
    if not fresh and begun.get("game") != game:
        raise UsageFault(say("strength.another", folder=folder))
    drawn = seed or begun.get("seed") or secrets.token_hex(8)
    put(folder / FILE, json_module.dumps({**begun, "game": game, "seed": drawn}, indent=2) + "\n")
    yield folder, drawn


def _begun(folder: Path) -> dict[str, Any]:
    """The content of the folder's file; {} where there is none that can be read."""
    try:
        found = json_module.loads((folder / FILE).read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _print(found: LadderResult, game: str, advice: list[dict[str, str]]) -> None:
    from joute.cli import climbing

    head, rows = climbing.cells(found)
    print_table(head, rows, title=climbing.title(found, game), numbers=(0, 3, 4))
    for line in climbing.sentences(found):
        print(line)
    for each in advice:
        print(f"- {each['text']}")
