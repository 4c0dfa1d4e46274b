"""`joute redteam`: runs hostile bots, and says for each level of isolation what stopped them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from joute.cli.output import Progress, print_drawn, print_json
from joute.cli.usage import DONE, FAILED, CommandError, Json, UsageFault
from joute.i18n.words import say, say_of
from joute.text import harmless

if TYPE_CHECKING:
    from joute.host.sandbox import Level
    from joute.redteam.corpus import Attack
    from joute.redteam.judge import AttackProof, AttackVerdict

_PLAIN_WIDTH = 400  # columns, where the output is no terminal


def redteam(
    level: Annotated[
        list[str] | None, typer.Option("--level", metavar="LEVEL", help="help.redteam.level")
    ] = None,
    attack: Annotated[
        list[str] | None, typer.Option("--attack", metavar="NAME", help="help.redteam.attack")
    ] = None,
    json: Json = False,
) -> int:
    """The command; its help is in the catalogs."""
    if not sys.platform.startswith("linux"):
        raise CommandError(say("redteam.linux"))
    from joute.redteam.corpus import corpus
    from joute.redteam.runner import LEVELS

    levels = [each for each in LEVELS if each in _known(level, LEVELS)]
    attacks = corpus()
    names = _known(attack, [each.name for each in attacks])
    verdicts = _run([each for each in attacks if each.name in names], levels)
    broken = [verdict for verdict in verdicts if verdict.promised and _fails(verdict)]
    if json:
        print_json([_plain(verdict) for verdict in verdicts])
    else:
        _print_table(verdicts, levels)
        _print_notes(verdicts, len(broken))
    return FAILED if broken else DONE


def _fails(verdict: AttackVerdict) -> bool:
    """Whether it succeeded, or nobody knows because it did not start."""
    return verdict.succeeded or verdict.stopped_by == "start"


def _known(asked: list[str] | None, known: Sequence[str]) -> Sequence[str]:
    """The names that were asked for, or all."""
    for each in asked or ():
        if each not in known:
            raise UsageFault(say("error.choice", value=each, known=", ".join(known)))
    return asked or known


def _run(attacks: list[Attack], levels: list[Level]) -> list[AttackVerdict]:
    import os

    from joute.files import cache_folder
    from joute.redteam.runner import run

    found: list[AttackVerdict] = []
    workers = min(2, len(os.sched_getaffinity(0)))
    with Progress() as progress:
        for verdict in run(attacks, levels, cache_folder(), workers):
            found.append(verdict)
            progress.update(len(found), len(attacks) * len(levels))
    return found


def _plain(verdict: AttackVerdict) -> dict[str, object]:
    return {
        "attack": verdict.attack,
        "level": verdict.level,
        "succeeded": verdict.succeeded,
        "stopped_by": verdict.stopped_by,
        "proofs": [f"{proof.kind} {proof.what}".rstrip() for proof in verdict.proofs],
    }


def _print_table(verdicts: list[AttackVerdict], levels: list[Level]) -> None:
    """Attacks by level; what succeeded is red."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    width = None if sys.stdout.isatty() else _PLAIN_WIDTH
    table = Table(box=box.SIMPLE_HEAD, header_style="bold", show_edge=False)
    for column in (say("redteam.attack"), *levels):
        table.add_column(column, overflow="fold")
    rows: dict[str, list[Text]] = {}
    for verdict in verdicts:
        style = "bold red" if verdict.succeeded else "dim" if verdict.succeeded is None else ""
        rows.setdefault(verdict.attack, []).append(Text(_cell(verdict), style))
    for name, cells in rows.items():
        table.add_row(Text(name), *cells)
    out = Console(file=sys.stdout, width=width, highlight=False)
    with out.capture() as printed:
        out.print(table)
    for line in printed.get().splitlines():
        print_drawn(line.rstrip())


def _cell(verdict: AttackVerdict) -> str:
    if verdict.succeeded is None:
        return say(f"redteam.untried_{verdict.stopped_by}")
    if verdict.succeeded:
        return say("redteam.succeeded")
    return harmless(", ".join(_mechanism(name) for name in verdict.stopped_by.split(", ")))


def _mechanism(name: str) -> str:
    """The mechanism that stopped an attack, in words; in brackets the fault or the error."""
    base, _, detail = name.partition(" (")
    word = say(f"redteam.by.{base.replace(' ', '_').replace('-', '_')}")
    return f"{word} ({detail}" if detail else word


def _print_notes(verdicts: list[AttackVerdict], broken: int) -> None:
    """Prints the reasons for which attacks count as successful, and what it all comes to."""
    for verdict in verdicts:
        if verdict.promised and _fails(verdict):
            found = "; ".join(_sentence(proof) for proof in verdict.proofs)
            line = say("redteam.note", attack=verdict.attack, level=verdict.level, found=found)
            print(line)
    if any(verdict.stopped_by == "level" for verdict in verdicts):
        print(say("redteam.why_untried"))
    tried = [verdict for verdict in verdicts if verdict.succeeded is not None]
    held = sum(not verdict.succeeded for verdict in tried)
    print(say_of(len(tried), "redteam.sum", held=held, tried=len(tried), broken=broken))


def _sentence(proof: AttackProof) -> str:
    return say(f"redteam.proof.{proof.kind}", what=proof.what)
