"""`joute contest annul|withdraw|disqualify|reinstate|audit CONTEST`: what an organiser decides."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from joute.cli.output import print_json
from joute.cli.usage import DONE, FAILED, Json
from joute.i18n.words import say, say_of

if TYPE_CHECKING:
    from joute.contest.config.contest import Contest as ResolvedContest
    from joute.store.model import Decision

Contest = Annotated[Path, typer.Argument(metavar="CONTEST", help="help.decision.contest")]
Game = Annotated[str, typer.Argument(metavar="GAME", help="help.decision.game")]
Bot = Annotated[str, typer.Argument(metavar="BOT", help="help.decision.bot")]
Subject = Annotated[str, typer.Argument(metavar="GAME|BOT", help="help.decision.subject")]
Why = Annotated[str, typer.Option("--why", metavar="TEXT", help="help.decision.why")]
Who = Annotated[str | None, typer.Option("--who", metavar="NAME", help="help.decision.who")]
Replay = Annotated[bool, typer.Option("--replay", help="help.decision.replay")]
Keep = Annotated[bool, typer.Option("--keep-games", help="help.decision.keep_games")]


def annul(contest: Contest, game: Game, why: Why, who: Who = None, replay: Replay = False) -> None:
    """The command; its help is in the catalogs."""
    from joute.store.model import ANNULLED, REPLAYED

    _decide(contest, REPLAYED if replay else ANNULLED, game, why, who)


def withdraw(contest: Contest, bot: Bot, why: Why, who: Who = None, keep: Keep = False) -> None:
    """The command; its help is in the catalogs."""
    from joute.store.model import RETIRED, WITHDRAWN

    _decide(contest, RETIRED if keep else WITHDRAWN, bot, why, who)


def disqualify(contest: Contest, bot: Bot, why: Why, who: Who = None) -> None:
    """The command; its help is in the catalogs."""
    from joute.store.model import DISQUALIFIED

    _decide(contest, DISQUALIFIED, bot, why, who)


def reinstate(contest: Contest, subject: Subject, why: Why, who: Who = None) -> None:
    """The command; its help is in the catalogs."""
    from joute.store.model import REINSTATED

    _decide(contest, REINSTATED, subject, why, who)


def audit(contest: Contest, json: Json = False) -> int:
    """The command; its help is in the catalogs."""
    from joute.cli.audit import print_audit
    from joute.cli.standings import print_changes, print_gone
    from joute.contest.decisions import contest_at
    from joute.contest.report.audit import audit as audited

    meant = contest_at(contest)
    found = audited(meant)
    print_gone(meant)
    print_changes(meant)
    if json:
        print_json(found)
    else:
        print_audit(found)
    return FAILED if found.differences else DONE


def _decide(path: Path, kind: str, subject: str, why: str, who: str | None) -> None:
    from joute.contest.decisions import contest_at, decide
    from joute.contest.report.wording import decided
    from joute.contest.run.runner import status

    contest = contest_at(path)
    found = decide(contest, kind, subject, why, who)
    print(decided(found.decision))
    if found.undrawn:
        print(say_of(found.undrawn, "decision.undrawn", games=found.undrawn))
    if found.reopened:
        print(say("decision.reopened"))
    where = status(contest)
    print(status_text(contest, where.done, where.left))
    if where.left:
        print(say("decision.run", contest="FILE" if path.is_dir() else path))


def status_text(contest: ResolvedContest, done: int, left: int) -> str:
    """The number of games that count and of those that are left, at most where these are drawn."""
    from joute.contest.schedule.formats import IN_ROUNDS

    at_most = left > 0 and contest.format in IN_ROUNDS
    key = "contest.status_at_most" if at_most else "contest.status"
    return say_of(done, key, done=done, left=left)


def print_decisions(decisions: Iterable[Decision]) -> None:
    """Prints what was decided, and is in force."""
    from joute.contest.report.wording import decided

    for decision in decisions:
        print(decided(decision))


COMMANDS = (annul, withdraw, disqualify, reinstate, audit)
