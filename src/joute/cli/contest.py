"""`joute contest run|show|plan|standings|seal|draw FILE`: a contest, from its file to its ranking.

The decisions of its organiser are in `decisions`.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

import typer

from joute.cli import decisions
from joute.cli.output import Progress, print_json, print_table
from joute.cli.standings import (
    print_changes,
    print_failures,
    print_gone,
    print_presentations,
    print_standings,
    seal_text,
)
from joute.cli.usage import (
    DONE,
    FAILED,
    CheckFault,
    Json,
    Store,
    UsageFault,
    Workers,
)
from joute.files import from_here
from joute.i18n.figures import duration
from joute.i18n.words import say, say_of

if TYPE_CHECKING:
    from joute.contest.config.contest import Contest
    from joute.contest.run.cluster.dask_pool import Refusal
    from joute.contest.run.forecast import Forecast
    from joute.contest.run.runner import RunSummary


File = Annotated[Path, typer.Argument(metavar="FILE", help="help.contest.file")]
Value = Annotated[str, typer.Option("--value", metavar="TEXT", help="help.seal.value")]
Redraw = Annotated[bool, typer.Option("--redraw", help="help.contest.redraw")]
Whole = Annotated[bool, typer.Option("--all", help="help.contest.plan_all")]
Trust = Annotated[bool, typer.Option("--trust-bots", help="help.contest.trust")]
Dask = Annotated[str | None, typer.Option("--dask", metavar="ADDRESS", help="help.contest.dask")]
SHOWN_SETS = 30  # of a plan


def run(
    file: File,
    workers: Workers = None,
    store: Store = None,
    dask: Dask = None,
    trust: Trust = False,
    redraw: Redraw = False,
    json: Json = False,
) -> int:
    """The command; its help is in the catalogs."""
    from joute.contest.proof.counted import lost_rows
    from joute.contest.proof.difference import difference_text
    from joute.contest.report.cells import plain_line
    from joute.contest.report.standings import presentations
    from joute.contest.report.summary import summary as sum_up
    from joute.contest.run.isolation import guessable, readable_seed
    from joute.contest.run.runner import run_contest

    if workers is not None and dask is not None:
        raise UsageFault(say("contest.dask_workers"))
    contest = _resolve(file, workers, store)
    if guessable(contest):
        print(say("contest.guessable", seed=contest.seed), file=sys.stderr)
    elif readable_seed(contest):
        print(say("contest.readable_seed"), file=sys.stderr)
    gone = lost_rows(contest)
    if gone is not None:
        print(f"joute: {difference_text(gone)}", file=sys.stderr)
    with Progress() as progress:
        summary = run_contest(
            contest, progress.update, trust=trust, dask=dask, hear=print_refusal, redraw=redraw
        )
    found = sum_up(contest)
    if (played := summary.already + summary.played) and not found.kept:
        vanished = say("contest.vanished", folder=contest.folder, played=played, kept=found.kept)
        raise CheckFault(vanished)
    table = found.table
    if json:
        data = {"summary": summary, "folder": contest.folder}
        data |= {"standings": list(map(plain_line, table))}
        data |= {"bots": presentations(contest), "decisions": found.decisions}
        print_json(data | seal_data(contest) | _chain_data(contest))
    else:
        print(_sum_up(summary))
        print_standings(table, contest.name, _records(contest), contest=contest)
        decisions.print_decisions(found.decisions)
        print_presentations(contest.bots)
        print_seal(contest)
        print_failures(summary.failures)
        if summary.left > summary.failed:
            print(say_of(summary.left, "contest.time_up", left=summary.left))
        print(say("contest.where", folder=quote(str(from_here(Path(contest.folder))))))
        _print_chain(contest)
    return FAILED if summary.failed else DONE


def show(file: File, workers: Workers = None, json: Json = False) -> None:
    """The command; its help is in the catalogs."""
    from joute.contest.config.config import origins
    from joute.contest.run.runner import status

    found = origins(file, _overrides(workers))
    contest = _resolve(file, workers)
    where = status(contest)
    print_changes(contest)
    if json:
        keys = [origin._asdict() for origin in found]
        print_json({"keys": keys, "status": where} | seal_data(contest))
        return
    print_table(
        [say("contest.key"), say("contest.value"), say("contest.origin")],
        [[each.key, _plain(each.value), say(_ORIGINS[each.origin])] for each in found],
        title=str(file),
    )
    decisions.print_decisions(where.decisions)
    print_seal(contest)
    print(decisions.status_text(contest, where.done, where.left))


def plan(
    file: File,
    workers: Workers = None,
    store: Store = None,
    whole: Whole = False,
    json: Json = False,
) -> None:
    """The command; its help is in the catalogs."""
    from joute.contest.run.forecast import forecast

    contest = _resolve(file, workers, store)
    print_changes(contest)
    found = forecast(contest)
    if json:
        print_json(found)
    else:
        print_forecast(found, contest, whole)


def standings(place: decisions.Contest, json: Json = False) -> None:
    """The command; its help is in the catalogs."""
    from joute.contest.decisions import contest_at
    from joute.contest.report.cells import plain_line
    from joute.contest.report.standings import presentations
    from joute.contest.report.summary import summary
    from joute.contest.run.runner import status_of

    contest = contest_at(place)
    print_gone(contest)
    print_changes(contest)
    found = summary(contest)
    table, where = found.table, status_of(found)
    if json:
        data = {"status": where, "standings": list(map(plain_line, table))}
        data |= {"bots": presentations(contest)}
        print_json(data | seal_data(contest) | _chain_data(contest))
        return
    print_standings(table, contest.name, _records(contest), contest=contest)
    decisions.print_decisions(found.decisions)
    print_presentations(contest.bots)
    print_seal(contest)
    print(decisions.status_text(contest, where.done, where.left))
    _print_chain(contest)


def _print_chain(contest: Contest) -> None:
    """Prints the last link of the contest's rows, which proves all before it."""
    from joute.contest.folder import last_link
    from joute.contest.proof.difference import chain_text

    link = last_link(contest)
    if link is not None:
        print(chain_text(link))


def _chain_data(contest: Contest) -> dict[str, Any]:
    from joute.contest.folder import last_link

    link = last_link(contest)
    return {} if link is None else {"rows": link.number, "link": link.link.hex()}


def _resolve(file: Path, workers: int | None = None, store: str | None = None) -> Contest:
    from joute.contest.config.config import resolve
    from joute.contest.config.patterns import remarks

    contest = resolve(file, _overrides(workers, store))
    for remark in remarks(file):
        print(f"joute: {remark}", file=sys.stderr)
    return contest


def _overrides(workers: int | None, store: str | None = None) -> dict[str, Any]:
    given = {"contest.workers": workers, "contest.store": store and _from_here(store)}
    return {key: value for key, value in given.items() if value is not None}


def _from_here(store: str) -> str:
    """The URL of a database, its path from the current folder on if it is one of SQLite."""
    from joute.store.store import StoreError, placed

    with suppress(StoreError):
        return placed(store, Path.cwd())
    return store  # whoever reads the configuration says what is wrong with it


# The configuration's word for the origin of a value -> the key of the sentence for it.
_ORIGINS = {
    "file": "contest.from_file",
    "default": "contest.from_default",
    "game": "contest.from_game",
    "bot": "contest.from_bot",
    "command line": "contest.from_command",
}


def _plain(value: Any) -> str:
    """A value as it is written in TOML; "" where there is none."""
    import json

    if value is None:
        return ""
    return json.dumps(value, ensure_ascii=False)


def _sum_up(summary: RunSummary) -> str:
    if summary.played == 0 and not summary.failed:
        return say_of(summary.already, "contest.nothing", already=summary.already)
    time = duration(summary.seconds)
    played = say_of(summary.played, "contest.played", played=summary.played, time=time)
    if summary.already == 0:
        return played
    already = say_of(summary.already, "contest.already", already=summary.already)
    return f"{played} ({already})"


def _records(contest: Contest) -> Path:
    from joute.contest.folder import RECORDS

    return from_here(Path(contest.folder)) / RECORDS


def print_refusal(refusal: Refusal | None) -> None:
    """Says on standard error why a worker gets no games, or that there is none."""
    if refusal is None:
        text = say("contest.no_worker")
    else:
        text = say(f"contest.refused.{refusal.reason}", **refusal._asdict())
    print(text, file=sys.stderr, flush=True)


def print_forecast(found: Forecast, contest: Contest, whole: bool) -> None:
    """Prints a forecast: all of its sets, or the first ones."""
    sets = found.sets if whole else found.sets[:SHOWN_SETS]
    maps = any(each.map for each in sets)
    columns = ["plan.set", "plan.bots", "plan.games", *(["plan.map"] if maps else [])]
    if sets:
        print_table(
            [say(column) for column in columns],
            [
                [
                    str(each.number + 1),
                    " - ".join(each.bots),
                    str(each.games),
                    *([each.map] if maps else []),
                ]
                for each in sets
            ],
            title=contest.name,
            numbers=[0, 2],
        )
    if len(sets) < len(found.sets):
        print(say("plan.more", sets=len(found.sets) - len(sets)))
    print(decisions.status_text(contest, found.done, found.left))
    if found.certain < found.left:
        print(say("plan.depends", certain=found.certain, left=found.left))
    if found.left:
        longest = duration(found.longest)
        print(say("plan.longest", workers=found.workers, time=longest))
    if found.left and found.expected is not None:
        print(say("plan.expected", time=duration(found.expected), done=found.done))


def seal(file: File, json: Json = False) -> None:
    """The command; its help is in the catalogs."""
    from joute.contest.sealing import seal_contest, with_seal

    contest = _resolve(file)
    found = seal_contest(contest)
    if json:
        print_json(seal_data(contest))
        return
    if found.public is not None:
        print(seal_text(found, with_seal(contest).seed))
        return
    for name, content in found.contents.items():
        print(f"  {content}  {name}")
    print(say("seal.made", seal=found.seal, file=file))


def draw(file: File, value: Value, json: Json = False) -> None:
    """The command; its help is in the catalogs."""
    from joute.contest.sealing import draw_seed

    contest = _resolve(file)
    found, seed = draw_seed(contest, value)
    if json:
        print_json(seal_data(contest))
        return
    print(seal_text(found, seed))
    print(say("seal.next", file=file))


def print_seal(contest: Contest) -> None:
    """Prints the seal that a contest has in its folder, if it has one."""
    from joute.contest.sealing import with_seal

    found = with_seal(contest)
    if found.seal is not None:
        print(seal_text(found.seal, found.seed))


def seal_data(contest: Contest) -> dict[str, Any]:
    """The seal that a contest has in its folder, as plain data; empty if it has none."""
    from joute.contest.report.standings import seal_facts
    from joute.contest.sealing import with_seal

    found = seal_facts(with_seal(contest))
    return {"seal": found} if found else {}


COMMANDS = (run, show, plan, standings, seal, draw, *decisions.COMMANDS)
