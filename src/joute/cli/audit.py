"""The output of `joute contest audit`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from joute.cli.output import print_table
from joute.cli.standings import seal_text
from joute.contest.proof.difference import chain_text, difference_text, note_text
from joute.contest.report.wording import decided, spoilt
from joute.i18n.recognised import recognised
from joute.i18n.words import say, say_of
from joute.store.links import Link
from joute.text import cut

if TYPE_CHECKING:
    from joute.contest.report.audit import Audit

SHOWN = 40  # lines of a kind; --json has all
LONGEST = 70  # characters of what a bot said
DIGITS = 12  # of an identity or a hash: enough to tell one from another, and to name a game


def print_audit(found: Audit) -> None:
    """Prints an audit, what is most often asked for first."""
    for each in found.differences[:SHOWN]:
        place = f"{each.game[:DIGITS]}: " if each.game else ""
        print(say("audit.differs", reason=f"{place}{difference_text(each)}"))
    _print_rest(len(found.differences))
    counts = {"kept": found.kept, "done": found.counting, "left": found.left}
    print(say_of(found.kept, "audit.games", contest=found.contest, **counts))
    for key, count in (
        ("annulled", len(found.annulled)), ("void", found.void), ("unasked", len(found.unasked))
    ):  # fmt: skip
        if count:
            print(f"  {say(f'audit.{key}', count=count)}")
    _print_decisions(found)
    _print_disqualified(found)
    _print_versions(found)
    _print_faults(found)
    print(f"\n{say('audit.busy', count=len(found.busy))}")
    _print_some([f"  {game}" for game in found.busy])
    if found.infrastructure:
        print(f"\n{say('audit.infrastructure')}")
        for name, games in sorted(found.infrastructure.items()):
            print(f"  {spoilt(name, games)}")
    print(f"\n{say('audit.seed', seed=found.seed, commitment=found.commitment)}")
    if found.seal is not None:
        print(seal_text(found.seal, found.seed))
    if found.configurations > 1:
        print(say("audit.configurations", count=found.configurations))
    if len(found.seeds) > 1:
        print(say("audit.seeds", seeds=", ".join(found.seeds)))
    for note in found.notes:
        print(note_text(note))
    print(chain_text(Link(found.rows, bytes.fromhex(found.link))))


def _print_decisions(found: Audit) -> None:
    print(f"\n{say('audit.decisions' if found.decisions else 'audit.no_decisions')}")
    for made in found.decisions:
        over = "" if made.in_force else f"  [{say('audit.over')}]"
        print(f"  {decided(made.decision)}{over}")


def _print_disqualified(found: Audit) -> None:
    for name, offences in found.disqualified.items():
        print(f"\n{say('audit.disqualified', name=name)}")
        for each in offences:
            fault = say(f"fault.{each.fault}")
            print(f"  {say('standings.offence', fault=fault, ply=each.ply, game=each.game)}")


def _print_versions(found: Audit) -> None:
    if not found.versions:
        print(f"\n{say('audit.no_versions')}")
        return
    print()
    rows = [
        [
            each.bot,
            each.content[:DIGITS],
            say("audit.current" if each.current else "audit.earlier"),
            str(len(each.games)),
        ]
        for each in found.versions
    ]
    columns = [say(f"audit.column.{key}") for key in ("bot", "content", "version", "games")]
    print_table(columns, rows, title=say("audit.versions"), numbers=[3])


def _print_faults(found: Audit) -> None:
    if not found.faults:
        print(f"\n{say('audit.no_faults')}")
        return
    print()
    rows = [
        [
            each.game[:DIGITS] + ("" if each.counts else f" {say('audit.void_game')}"),
            each.bot,
            say(f"fault.{each.fault}"),
            say(f"export.cost.{each.cost}"),
            str(each.times),
            str(each.ply),
            cut(str(recognised(each.detail)), LONGEST),
        ]
        for each in found.faults[:SHOWN]
    ]
    keys = ("game", "bot", "fault", "cost", "times", "ply", "detail")
    columns = [say(f"audit.column.{key}") for key in keys]
    print_table(columns, rows, title=say("audit.faults"), numbers=[4, 5])
    _print_rest(len(found.faults))


def _print_some(lines: Sequence[str]) -> None:
    for line in lines[:SHOWN]:
        print(line)
    _print_rest(len(lines))


def _print_rest(count: int) -> None:
    if count > SHOWN:
        print(say("audit.more", count=count - SHOWN))
