"""Sentences of a report: ranks, decisions of the organiser, faults explained, what they cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from joute.contest.folder import RECORDS
from joute.contest.records import replay_line
from joute.files import from_here
from joute.i18n.recognised import recognised
from joute.i18n.words import say, say_of
from joute.store.model import WITHDRAWN

if TYPE_CHECKING:
    from joute.contest.config.contest import Contest
    from joute.contest.report.cells import Line
    from joute.store.model import Decision

_DIGITS = 12  # of an identity: enough to name a game
_SHOWN = 10  # games, --json of an audit has all


class ExplainedFault(NamedTuple):
    """One kind of fault of one bot, explained."""

    code: str
    name: str  # of the fault, as it is said
    times: int
    cost: str  # what it costs, as it is said
    meaning: str
    game: str  # of the first time, "" where no record is kept
    ply: int  # of the first time
    detail: str  # what was said then
    command: str  # that shows it, "" where no record is kept

    @property
    def often(self) -> str:
        """The words for the number of times that it happened."""
        return say("page.once") if self.times == 1 else say("page.times", count=self.times)


def gone(bots: Sequence[str]) -> str:
    """The sentence on bots whose files are gone, where results are read all the same."""
    more = ["…"] if len(bots) > _SHOWN else []
    return say_of(len(bots), "contest.bots_gone", bots=", ".join([*bots[:_SHOWN], *more]))


def explained_faults(contest: Contest, line: Line) -> list[ExplainedFault]:
    """The faults of a bot, the most frequent first."""
    return [
        ExplainedFault(
            code=fault.fault,
            name=say(f"fault.{fault.fault}"),
            times=fault.count,
            cost=say(f"export.cost.{contest.costs.get(fault.fault, 'none')}"),
            meaning=say(f"explained.{fault.fault}"),
            game=fault.game,
            ply=fault.ply,
            detail=str(recognised(fault.first.strip())),
            command=replay_command(contest, fault.game, fault.ply),
        )
        for fault in line.faults
    ]


def replay_command(contest: Contest, game: str, ply: int) -> str:
    """The command that shows a ply of a game, from where the user is; "" without a game."""
    if not game:
        return ""
    record = from_here(Path(contest.folder)) / RECORDS / f"{game}.jsonl"
    return f"{replay_line(record)} --at {ply}"


def decided(decision: Decision) -> str:
    """A decision: about what, by whom, when and why."""
    what = say(f"decision.{decision.kind}", subject=decision.subject)
    facts = {"who": decision.who, "when": decision.made_at[:16].replace("T", " ")}
    return say("decision.told", what=what, why=decision.why, **facts)


def disqualified(line: Line) -> str:
    """The sentence that a bot is out by the rules of the contest; "" if it is not."""
    count = sum(bool(each.game) for each in line.disqualified)
    if not count:
        return ""
    return say(f"page.disqualified.{'once' if count == 1 else 'often'}", count=count)


def spoilt(name: str, games: Sequence[str]) -> str:
    """The games that were played again for a reason that is not this bot's, in a sentence."""
    some = ", ".join(game[:_DIGITS] for game in games[:_SHOWN])
    more = " ..." if len(games) > _SHOWN else ""
    return say_of(
        len(games), "standings.infrastructure", name=name, count=len(games), games=some + more
    )


def rank(line: Line) -> str:
    """The rank of a bot, or in place of it why it has none."""
    if not line.disqualified:
        return str(line.rank) if line.placed else NO_PLACE
    gone = line.decision is not None and line.decision.kind == WITHDRAWN
    return say("standings.gone" if gone else "standings.out")


OWN = "builtin:"
NO_PLACE = "\N{EM DASH}"


def house_bots(contest: Contest) -> set[str]:
    """The names of Joute's own bots that nobody signs, where others take part: they have no place.

    Empty where no others take part.
    """
    own = {bot.name for bot in contest.bots if bot.bot.startswith(OWN) and not bot.authors}
    return own if len(own) < len(contest.bots) else set()


def places(contest: Contest, table: Sequence[Line]) -> dict[str, str]:
    """The place of each bot among those that have one, or in place of it why it has none."""
    house = house_bots(contest)
    placed = [line for line in table if line.name not in house and line.placed]
    ranks = [line.rank for line in placed if not line.disqualified]
    found = {}
    for line in table:
        text = str(1 + sum(each < line.rank for each in ranks)) if line in placed else NO_PLACE
        found[line.name] = rank(line) if line.disqualified else text
    return found


def costs(paid: Mapping[str, str]) -> list[tuple[str, str]]:
    """The costs of faults, each with the faults that have it."""
    return [
        (
            say(f"export.cost.{cost}"),
            ", ".join(say(f"fault.{fault}") for fault, each in paid.items() if each == cost),
        )
        for cost in sorted(set(paid.values()))
    ]
