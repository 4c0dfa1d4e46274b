"""`joute contest seal|draw FILE`: bots and rules fixed before the seed of the contest is known."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from joute.cli.options import Json
from joute.cli.tables import print_json
from joute.cli.usage import Command
from joute.i18n.words import say

if TYPE_CHECKING:
    from joute.contest.config.contest import Contest
    from joute.contest.seal import Seal

File = Annotated[Path, typer.Argument(metavar="FILE", help="help.contest.file")]
Value = Annotated[str, typer.Option("--value", metavar="TEXT", help="help.seal.value")]


def add_to(group: typer.Typer) -> None:
    """Adds the commands to those of `joute contest`."""
    group.command("seal", cls=Command, help="help.contest.seal")(seal)
    group.command("draw", cls=Command, help="help.contest.draw")(draw)


def seal(file: File, json: Json = False) -> None:
    """The command; its help is in the catalogs."""
    from joute.contest.config.config import resolve
    from joute.contest.sealing import seal_contest, with_seal

    contest = resolve(file)
    found = seal_contest(contest)
    if json:
        print_json(as_data(contest))
        return
    if found.public is not None:
        print(told(found, with_seal(contest).seed))
        return
    for name, content in found.contents.items():
        print(f"  {content}  {name}")
    print(say("seal.made", seal=found.seal, file=file))


def draw(file: File, value: Value, json: Json = False) -> None:
    """The command; its help is in the catalogs."""
    from joute.contest.config.config import resolve
    from joute.contest.sealing import draw_seed

    contest = resolve(file)
    found, seed = draw_seed(contest, value)
    if json:
        print_json(as_data(contest))
        return
    print(told(found, seed))
    print(say("seal.next", file=file))


def print_seal(contest: Contest) -> None:
    """Prints the seal that a contest has in its folder, if it has one."""
    from joute.contest.sealing import with_seal

    found = with_seal(contest)
    if found.seal is not None:
        print(told(found.seal, found.seed))


def as_data(contest: Contest) -> dict[str, Any]:
    """The seal that a contest has in its folder, as plain data; empty if it has none."""
    from joute.contest.report.standings import seal_facts
    from joute.contest.sealing import with_seal

    found = seal_facts(with_seal(contest))
    return {"seal": found} if found else {}


def told(seal: Seal, seed: str | None) -> str:
    """A seal, with the public value and the seed once they are drawn."""
    if seal.public is None:
        return say("seal.told", seal=seal.seal)
    return say("seal.drawn_from", seal=seal.seal, public=seal.public, seed=seed)
