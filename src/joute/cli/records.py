"""`joute records RESULTS`: the games of a contest, and the paths by which other commands take them.

The records lie in the contest's database; their paths are names that every command understands.
"""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

import typer

from joute.cli.output import print_json, print_table
from joute.cli.usage import Games, Json, UsageFault
from joute.i18n.words import say

if TYPE_CHECKING:
    from joute.store.reading import Listed

_USUAL = 20  # games
_ALL = 2**31 - 1


def records(
    results: Annotated[Path, typer.Argument(metavar="RESULTS", help="help.records.results")],
    bot: Annotated[
        list[str] | None, typer.Option("--bot", metavar="NAME", help="help.records.bot")
    ] = None,
    last: Annotated[
        int, typer.Option("--last", metavar="N", help="help.records.last", min=1)
    ] = _USUAL,
    everything: Annotated[bool, typer.Option("--all", help="help.records.all")] = False,
    games: Games = None,
    json: Json = False,
) -> None:
    """The command; its help is in the catalogs."""
    from joute.contest.folder import has_store, opened_store

    if not has_store(results):
        raise UsageFault(say("records.none", folder=results))
    wanted = list(dict.fromkeys(bot or ()))
    with opened_store(results) as store:
        for name in wanted:
            if not store.how_many([name]):
                command = f"joute records {quote(str(results))}"
                raise UsageFault(say("records.no_bot", bot=name, command=command))
        count = store.how_many(wanted)
        found = store.listed(wanted, None, _ALL if everything else last)
    if json:
        print_json([_plain(results, game) for game in found])
        return
    print_table(
        [say(f"records.{column}") for column in ("number", "bots", "points", "plies", "ending")]
        + [say("records.path")],
        [_row(results, game) for game in found],
        numbers=(0, 2, 3),
    )
    print(say("records.count", shown=len(found), count=count))
    if found:
        print(say("records.next", path=quote(str(_path(results, found[0])))))


def _path(results: Path, game: Listed) -> Path:
    from joute.contest.folder import RECORDS

    return results / RECORDS / f"{game.identity}.jsonl"


def _row(results: Path, game: Listed) -> list[str]:
    from joute.i18n.figures import plain

    shown = game.points if any(game.points) else game.returns
    ending = say(f"records.ending.{game.ending}")
    if game.faults:
        key = "records.fault" if len(game.faults) == 1 else "records.faults"
        ending = f"{ending}, {say(key, count=len(game.faults))}"
    return [
        str(game.number),
        " - ".join(game.bots) + (f" ({game.map})" if game.map else ""),
        " - ".join(plain(float(value)) for value in shown),
        str(game.plies),
        ending,
        str(_path(results, game)),
    ]


def _plain(results: Path, game: Listed) -> dict[str, Any]:
    return {**game._asdict(), "record": str(_path(results, game))}
